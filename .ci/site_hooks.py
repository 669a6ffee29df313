"""What mkdocs is told beside mkdocs.yml: the site holds files from outside `docs/`.

The site has the folders of the project, with those of `docs/` at its top and the
README as its first page. Links are those that work in the checkout, and are turned
here; `mkdocs build --strict` then checks every one of them.
"""

import posixpath
import re
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = "docs/"
FIRST_PAGES: Final = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")

_CODE: Final = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"(?<=\]\()([^()\s#:]+)(?=[)#])")


def place_in_site(path: str) -> str:
    """Return where a file of the project is in the site; both are relative paths."""
    return "index.md" if path == "README.md" else path.removeprefix(DOCS)


def _turned(text: str, path: str) -> tuple[str, set[str]]:
    """Return a page with the links of the site, and the files that it leads to."""
    ends: set[str] = set()
    folder = posixpath.dirname(path)
    own = posixpath.dirname(place_in_site(path)) or "."

    def turn(link: re.Match[str]) -> str:
        end = posixpath.normpath(posixpath.join(folder, link[1]))
        ends.add(end)
        return posixpath.relpath(place_in_site(end), own)

    parts = _CODE.split(text)  # every second one is code, which has no links
    parts[::2] = [_LINK.sub(turn, part) for part in parts[::2]]
    return "".join(parts), ends


def on_files(files: Files, *, config: Any) -> Files:  # noqa: ANN401 - mkdocs' own
    """Return the files of `docs/`, the first pages, and what pages lead to."""
    pages = [
        *FIRST_PAGES,
        *(DOCS + page.src_uri for page in files.documentation_pages()),
    ]
    ends = set(FIRST_PAGES)
    for page in pages:
        ends |= _turned((ROOT / page).read_text("utf-8"), page)[1]
    for end in sorted(ends):
        if not end.startswith(DOCS) and (ROOT / end).is_file():
            place = place_in_site(end)
            files.append(File.generated(config, place, abs_src_path=str(ROOT / end)))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:  # noqa: ANN401
    """Return the text of a page with the links of the site."""
    path = Path(page.file.abs_src_path).relative_to(ROOT).as_posix()
    return _turned(markdown, path)[0]
