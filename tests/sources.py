"""The source files of the project, and what each of them imports."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent

MAY_IMPORT = {
    "grammar": set(),
    "pelican": {"grammar"},
    "proofs": {"grammar", "pelican"},
    "rotation": {"grammar", "pelican", "proofs"},
    "pelican_rotation": {"grammar", "pelican", "proofs", "rotation"},
}
"""Which layers a layer imports, beside itself."""

SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for layer in MAY_IMPORT
    for path in (ROOT / layer).rglob("*.py")
)

TESTS = sorted(
    path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py")
)


@cache
def imports(path: str) -> tuple[str, ...]:
    """Return every module that a file imports, inside functions and for types too."""
    found: list[str] = []
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
    return tuple(found)
