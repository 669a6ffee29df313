"""The published schemas are those of the page, and real outputs are valid by them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from pelican import PelicanError
from pelican_rotation.cli.pelican import app as pelican
from pelican_rotation.cli.rotation import app as rotation
from pelican_rotation.json_schemas import schema_files
from tests.rotation.programs import COPY, STREAM

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "schemas"
FILES = schema_files((ROOT / "docs" / "json.md").read_text(encoding="utf-8"))
TRACE = "trace.json"
"""Written by hand: it is a part of a format that others have described."""

TWO = STREAM + STREAM.replace("kernel stream ", "kernel twice ")
WRONG = STREAM.replace("z[128*i:", "z[128*i + 1:")
KEPT = COPY.replace("RING", "").replace("4)", "%n)")
PLACED = COPY.replace("RING", "byte 0 part 0")
CLAIMS = """index i in [0, 8)
let a = i mod 4
check a in [0, 4)
check a == i
check distinct a for i, i+4
show a
"""


@pytest.mark.parametrize("name", FILES)
def test_a_published_schema_is_the_one_of_the_page(
    name: str, golden: Callable[[Path, str], None]
):
    """The tables of the page are the one source."""
    golden(FOLDER / name, FILES[name])


def test_no_other_schema_is_published():
    """A command that is gone leaves none."""
    assert {path.name for path in FOLDER.iterdir()} == {*FILES, TRACE}


@pytest.mark.parametrize("name", sorted({*FILES, TRACE}))
def test_a_schema_is_one(name: str):
    """By the rules of its draft."""
    schema = json.loads((FOLDER / name).read_text(encoding="utf-8"))

    Draft202012Validator.check_schema(schema)


def test_every_command_with_json_has_a_schema():
    """None is forgotten, whatever is added."""
    commands = {
        f"{name}-{command.name}.json"
        for name, app in (("pelican", pelican), ("rotation", rotation))
        for command in app.registered_commands
        if "as_json" in command.callback.__annotations__
    }

    assert commands == set(FILES) - {"errors.json"}


OUTPUTS = {
    "rotation-run": ("run stream.kernel --timeline", 0),
    "rotation-run pins": ("run placed.kernel", 0),
    "rotation-run kept": ("run kept.kernel", 0),
    "rotation-run refused": ("run wrong.kernel", 2),
    "rotation-run two": ("run two.kernel", 0),
    "rotation-batch": ("batch stream.kernel wrong.kernel --jobs 1", 2),
    "rotation-batch errors": ("batch missing.kernel", 2),
    "rotation-explain": ("explain stream.kernel", 0),
    "rotation-passes": ("passes", 0),
    "rotation-machines": ("machines", 0),
    "rotation-check": (f"check {ROOT}/examples/two_slots.placed", 0),
    "rotation-fmt": ("fmt --check stream.kernel", 1),
    "pelican-simplify": ("simplify x*4%8 --index x", 0),
    "pelican-explain": ("explain x*4%8 --index x", 0),
    "pelican-range": ("range x --index x", 0),
    "pelican-eval": ("eval x --index x --at x=3", 0),
    "pelican-eval open": ("eval x --index x", 3),
    "pelican-equiv": ("equiv x x+1 --index x", 1),
    "pelican-equiv same": ("equiv x x --index x", 0),
    "pelican-check": ("check claims.pel", 1),
    "pelican-fmt": ("fmt --check claims.pel", 1),
    "pelican-convert": ("convert x --index x --to isl", 0),
    "errors of rotation": ("run missing.kernel", 2),
    "errors": ("simplify x+", 2),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a folder with the files that the commands read."""
    texts = {"stream": STREAM, "placed": PLACED, "kept": KEPT, "wrong": WRONG}
    for name, text in {**texts, "two": TWO}.items():
        (tmp_path / f"{name}.kernel").write_text(text, encoding="utf-8")
    (tmp_path / "claims.pel").write_text(CLAIMS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("case", OUTPUTS)
def test_what_a_command_prints_is_valid(case: str):
    """With its exit code, whether it holds, is refuted or is wrong."""
    words, code = OUTPUTS[case]
    name = case.split(maxsplit=1)[0]
    app = rotation if name.startswith("rotation") or "rotation" in case else pelican
    done = CliRunner().invoke(app, [*words.split(), "--json"])

    assert code == done.exit_code
    Draft202012Validator(json.loads(FILES[f"{name}.json"])).validate(
        json.loads(done.stdout)
    )


def test_the_book_is_valid(book):
    """The object of `pelican prove`, whose proofs all tests share."""
    from proofs.book import to_json  # noqa: PLC0415 - loads the solver

    schema = json.loads(FILES["pelican-prove.json"])
    Draft202012Validator(schema).validate(to_json(book))


@pytest.mark.parametrize(
    ("words", "value"),
    [("count", -1), ("count or null", "x"), ("`a`, `b`", "c"), ("list of names", [1])],
)
def test_a_wrong_value_is_not_valid(words: str, value: object):
    """What the middle column says is what the schema demands."""
    page = f"## `pelican x --json`\n\n| `a` | {words} | |\n"
    schema = json.loads(schema_files(page)["pelican-x.json"])

    assert not Draft202012Validator(schema).is_valid({"a": value})


def test_a_field_that_is_missing_is_not_valid():
    """What is absent is null and never left out."""
    page = "## `pelican x --json`\n\n| `a` | count or null | |\n"
    schema = json.loads(schema_files(page)["pelican-x.json"])

    assert Draft202012Validator(schema).is_valid({"a": None})
    assert not Draft202012Validator(schema).is_valid({})


def test_a_type_that_is_no_word_is_refused():
    """No field is published without a type."""
    with pytest.raises(PelicanError, match="a has the type 'lots'"):
        schema_files("## `pelican x --json`\n\n| `a` | lots | |\n")
