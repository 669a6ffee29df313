"""Colours in editors: the words of the grammars, in every example."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import Lark  # noqa: TID251 - the words are those of the grammars
from lark.load_grammar import FromPackageLoader  # noqa: TID251

from grammar import KERNEL, PATTERN
from pelican.errors import Source
from pelican.pel.scan import scan
from pelican.pel.words import KEYWORDS
from pelican_rotation.editing import claims, kernels
from pelican_rotation.lsp import LANGUAGES
from rotation.loop_form.kernel import DTYPE_BYTES
from rotation.text.parse import words

ROOT = Path(__file__).parents[2]
EDITOR = ROOT / "editors/vscode"
WORD = r"[a-z_]+"
KERNELS = (*sorted(ROOT.glob("examples/*.kernel")), ROOT / "examples/two_slots.placed")


def read(name: str) -> dict[str, Any]:
    """Return a JSON file of the editor."""
    return json.loads((EDITOR / name).read_text("utf-8"))


def keywords(grammar: str, *starts: str) -> set[str]:
    """Return the words that the terminals of a grammar spell out."""
    loaders = [FromPackageLoader("grammar")]
    parser = Lark(grammar, parser="lalr", start=list(starts), import_paths=loaders)
    found: set[str] = set()
    for terminal in parser.terminals:
        spelled = re.split(r"\(\?[=!]", terminal.pattern.value)[0]
        choices = re.sub(r"^\((?:\?:)?|\)$", "", spelled).split("|")
        found.update(word for word in choices if re.fullmatch(WORD, word))
    return found


def coloured_words(name: str, *apart: str) -> set[str]:
    """Return the words that an editor colours by a list of words."""
    found: set[str] = set()
    for rule in read(f"syntaxes/{name}.tmLanguage.json")["patterns"]:
        listed = re.match(rf"\\b\(\?:({WORD}(?:\|{WORD})*)\)\\b", rule["match"])
        if listed and rule["name"] not in apart:
            found.update(listed[1].split("|"))
    return found


def test_the_words_of_kernels_are_those_of_the_grammar():
    """None is missing and none is too many."""
    assert keywords(KERNEL, "start") == coloured_words("kernel", "support.type.kernel")


def test_the_words_of_claims_are_those_of_the_grammar():
    """Each statement is read from its own rule."""
    starts = re.findall(r"^\w+_statement(?=:)", PATTERN, re.MULTILINE)

    assert keywords(PATTERN, *starts) == coloured_words("pel")


def test_element_types_are_those_of_kernels():
    """They are names in the grammar, and known to the reader."""
    patterns = read("syntaxes/kernel.tmLanguage.json")["patterns"]
    (types,) = (r["match"] for r in patterns if r.get("name") == "support.type.kernel")

    assert types == rf"\b(?:{'|'.join(DTYPE_BYTES)})\b"


def coloured(name: str, line: str) -> Iterator[tuple[int, int, str]]:
    """Yield begin, end and scope of what an editor colours in a line.

    As the format has it: the pattern that matches first, of those the first listed.
    """
    rules = read(f"syntaxes/{name}.tmLanguage.json")["patterns"]
    at = 0
    while at < len(line):
        found = [re.compile(rule["match"]).search(line, at) for rule in rules]
        hits = [(m.start(), k, m) for k, m in enumerate(found) if m is not None]
        if not hits:
            return
        _, number, match = min(hits, key=lambda hit: hit[:2])
        parts = rules[number].get(
            "captures", {"0": {"name": rules[number].get("name")}}
        )
        for group, scope in parts.items():
            yield *match.span(int(group)), scope["name"]
        at = max(match.end(), at + 1)


@pytest.mark.parametrize("file", KERNELS, ids=lambda file: file.name)
def test_every_keyword_of_a_kernel_has_a_colour(file: Path):
    """So have engines and names of operations; names of buffers have none."""
    text = file.read_text("utf-8")
    lines = [list(coloured("kernel", line)) for line in text.split("\n")]
    for word in words(Source(file.name, text)):
        if not word[0].isalpha() or word.type == "MACHINE":
            continue
        column = word.column - 1
        scopes = [
            scope
            for begin, end, scope in lines[word.line - 1]
            if begin <= column and column + len(word) <= end
        ]
        wanted = word.type != "NAME"
        assert len(scopes) == 1 or not wanted, f"{word} in line {word.line}: {scopes}"


@pytest.mark.parametrize("file", sorted(ROOT.glob("examples/*.pel")))
def test_every_keyword_of_a_file_of_claims_has_a_colour(file: Path):
    """And no other word has that of a keyword."""
    text = file.read_text("utf-8")
    lines = [list(coloured("pel", line)) for line in text.split("\n")]
    for piece in (word for line in scan(text) for word in line.words):
        if piece.kind != "word":
            continue
        column = piece.start - (text.rfind("\n", 0, piece.start) + 1)
        at_word = [c for c in lines[piece.line - 1] if c[0] == column]
        is_keyword = any(scope.startswith("keyword") for _, _, scope in at_word)
        assert is_keyword == (
            piece.text in KEYWORDS or piece.text in {"mod", "floordiv"}
        )


def test_a_comment_has_one_colour():
    """Words in it are none of the language."""
    assert list(coloured("kernel", "  # for i in sb")) == [
        (2, 15, "comment.line.number-sign.kernel")
    ]


def test_the_extension_names_files_that_are_there():
    """Languages, endings and grammars are those of the server."""
    says = read("package.json")["contributes"]
    endings = {end for language in says["languages"] for end in language["extensions"]}
    names = {language["id"] for language in says["languages"]}

    assert names == {claims.LANGUAGE, kernels.LANGUAGE}
    assert endings | names == set(LANGUAGES)
    for grammar in says["grammars"]:
        assert read(grammar["path"])["scopeName"] == grammar["scopeName"]
    for language in says["languages"]:
        assert read(language["configuration"])["comments"] == {"lineComment": "#"}
