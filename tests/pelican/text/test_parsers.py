"""Parsers from saved tables are those of the grammars."""

import pickle
from importlib.resources import files
from pathlib import Path

import lark
import pytest

from pelican.text import parsers
from pelican.text.parsers import LANGUAGES, key_of, parser_of, table_bytes

TEXTS = {
    "expr": "(1234 + 77*i + 64*j + k) mod 4096",
    "isl": "{ [i] -> [(floor((i)/2))] }",
    "kernel": "kernel k on planning { sb t [128, 64] fp32 }",
    "mlir": "affine_map<(d0) -> (d0 mod 8)>",
    "pattern": "let a = i mod 8",
}

languages = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(autouse=True)
def fresh():
    """Forget the parsers that were made before, and after, a test."""
    parser_of.cache_clear()
    yield
    parser_of.cache_clear()


def table_file(language: str) -> Path:
    return Path(str(files("grammar").joinpath("tables", f"{language}.table")))


def read(language: str) -> lark.Tree[lark.Token]:
    starts = {"mlir": "map_text", "pattern": "let_statement"}
    start = starts.get(language, "start")
    return parser_of(language).parse(TEXTS[language], start=start)


def places(tree: lark.Tree[lark.Token]) -> list[tuple[int, int]]:
    """Return where each part of a tree stands."""
    found = [subtree.meta for subtree in tree.iter_subtrees() if not subtree.meta.empty]
    return [(meta.start_pos, meta.end_pos) for meta in found]


@languages
def test_the_saved_tables_are_of_the_grammar(
    language: str, request: pytest.FixtureRequest
):
    """Whoever changes a grammar saves its tables again."""
    file = table_file(language)
    if request.config.getoption("--update-golden"):
        file.write_bytes(table_bytes(language))

    assert pickle.loads(file.read_bytes())["key"] == key_of(language)


@languages
def test_saved_tables_are_used(language: str, monkeypatch: pytest.MonkeyPatch):
    """No grammar is looked at."""
    monkeypatch.delattr(parsers, "_built")

    assert read(language).children


@languages
@pytest.mark.parametrize("fault", ["another version", "no file", "half a file"])
def test_without_good_tables_they_are_worked_out(
    language: str, fault: str, monkeypatch: pytest.MonkeyPatch
):
    """The trees and their places are the same, from tables and without."""
    saved = read(language)
    parser_of.cache_clear()
    if fault == "another version":
        monkeypatch.setattr(lark, "__version__", "0")
    else:
        half = table_file(language).read_bytes()[:100]

        def bytes_of(file: Path) -> bytes:
            if fault == "no file":
                raise FileNotFoundError(file)
            return half

        monkeypatch.setattr(Path, "read_bytes", bytes_of)
    built = read(language)

    assert parser_of(language).source_path != "<deserialized>"
    assert built == saved
    assert places(built) == places(saved)


def test_a_parser_without_places_gives_the_same_trees():
    """They are read faster; a text that is wrong is read once more."""
    text = TEXTS["expr"]
    quick = parser_of("expr", places=False).parse(text, start="start")

    assert quick == read("expr")
    assert not places(quick)
