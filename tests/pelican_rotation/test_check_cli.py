"""The command `pelican check`: answers, counterexamples, mistakes, exit codes."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import proofs
from pelican_rotation.cli.pelican import app
from proofs import Unknown

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "pel" / "check"
CASES = sorted(path.name.removesuffix(".in.pel") for path in GOLDEN.glob("*.in.pel"))
EXAMPLES = sorted((ROOT / "examples").glob("*.pel"))
PAGE = ROOT / "docs" / "pattern-language.md"
SHOWN = re.findall(
    r"^```pel\n(.*?)^```\n(?:.*?^```text\n(.*?)^```\n)?",
    PAGE.read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)


def check(text: str, *options: str):
    """Run `pelican check` on a text."""
    return CliRunner().invoke(app, ["check", *options, "-"], input=text.encode())


def check_alone(text: str):
    """Run `pelican check` on a text in a process of its own.

    Which counterexample a solver finds first may depend on what it was asked before.
    """
    code = "from pelican_rotation.cli.pelican import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "check", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


@pytest.mark.parametrize("name", CASES)
def test_what_check_prints(name: str, golden: Callable[[Path, str], None]):
    """The answers and the mistakes of a file."""
    done = check_alone((GOLDEN / f"{name}.in.pel").read_text(encoding="utf-8"))

    said = f"{done.stdout}{done.stderr}exit code {done.returncode}\n"
    golden(GOLDEN / f"{name}.out.txt", said)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_claims_of_the_examples_hold(path: Path):
    """Every one is proved."""
    done = CliRunner().invoke(app, ["check", str(path)])

    assert (done.exit_code, done.stderr) == (0, "")
    assert "proved: " in done.stdout


@pytest.mark.parametrize(("text", "output"), SHOWN, ids=range(len(SHOWN)))
def test_the_page_shows_what_check_prints(text: str, output: str):
    """Each example of the page, with the answers below it."""
    done = check_alone(text)

    assert (done.stdout, done.stderr) == (output.replace("ring.pel", "<stdin>"), "")


def test_the_page_shows_answers():
    """At least one example has them."""
    assert [bool(output) for _, output in SHOWN] == [True, True]


def test_check_prints_one_json_object():
    """The object has the published keys; absent is null."""
    text = "index i in [0, 3)\ncheck i in [0, 8)\ncheck i*2 mod 8 in [0,4)\nshow i\n"
    done = check(text, "--json")
    found = json.loads(done.stdout)
    for claim in found["claims"]:
        assert isinstance(claim.pop("seconds"), float)

    assert found == {
        "schema": "pelican-rotation/1",
        "claims": [
            {
                "file": "<stdin>",
                "line": 2,
                "text": "i in [0, 8)",
                "verdict": "proved",
                "counterexample": None,
                "other": None,
                "values": None,
                "reason": None,
            },
            {
                "file": "<stdin>",
                "line": 3,
                "text": "i*2 mod 8 in [0, 4)",
                "verdict": "refuted",
                "counterexample": {"i": 2},
                "other": None,
                "values": [4],
                "reason": None,
            },
        ],
        "shows": [{"file": "<stdin>", "line": 4, "text": "i", "value": "i, in [0, 3)"}],
        "errors": [],
    }


def test_a_claim_about_two_points_shows_both():
    """The index values of each, and what both give."""
    text = "index i in [0, 5)\ncheck distinct i mod 4 for i, i + 4\n"
    (claim,) = json.loads(check(text, "--json").stdout)["claims"]

    assert claim["counterexample"] == {"i": 0}
    assert claim["other"] == {"i": 4}
    assert claim["values"] == [0]


def test_mistakes_are_objects_too():
    """Beside the answers that they do not touch."""
    done = check("index i in [0, 8)\nlet a = j\ncheck i in [0, 8)\n", "--json")
    found = json.loads(done.stdout)

    assert done.exit_code == 2
    assert [claim["verdict"] for claim in found["claims"]] == ["proved"]
    assert found["errors"] == [
        {
            "type": "UnknownNameError",
            "message": "unknown name 'j'",
            "file": "<stdin>",
            "line": 2,
            "column": 9,
            "end_column": 10,
            "hint": "known names: i",
        }
    ]


def test_an_open_claim_ends_with_3(monkeypatch):
    """Nobody knows: that is no success."""
    monkeypatch.setattr(proofs, "answer", lambda *_, **__: Unknown("too hard"))
    done = check("index i in [0, 8)\ncheck i in [0, 8)\n")

    assert (done.exit_code, done.stdout) == (
        3,
        "<stdin>:2: unknown: i in [0, 8)\n    too hard\n",
    )


def test_a_refuted_claim_outweighs_an_open_one(monkeypatch):
    """The exit code is 1."""
    verdicts = iter([Unknown("too hard"), proofs.Refuted({})])
    monkeypatch.setattr(proofs, "answer", lambda *_, **__: next(verdicts))

    assert check("check 1 in [0, 8)\ncheck 2 in [0, 8)\n").exit_code == 1


def test_files_are_read_on_their_own(tmp_path):
    """A symbol of one file may have other bounds in the next."""
    paths = []
    for name, end in (("a", 8), ("b", 16)):
        paths.append(tmp_path / f"{name}.pel")
        text = f"symbol pel_file in [0, {end})\ncheck pel_file in [0, {end})\n"
        paths[-1].write_text(text)
    done = CliRunner().invoke(app, ["check", *map(str, paths)])

    assert (done.exit_code, done.stdout.count("proved")) == (0, 2)


def test_a_file_that_is_missing_leaves_the_others(tmp_path):
    """It is one mistake; the other files are answered."""
    good = tmp_path / "a.pel"
    good.write_text("check 1 in [0, 2)\n")
    done = CliRunner().invoke(app, ["check", str(tmp_path / "missing"), str(good)])

    assert done.exit_code == 2
    assert "cannot read" in done.stderr
    assert "proved: 1 in [0, 2)" in done.stdout


@pytest.mark.parametrize("text", ["", "# nothing\n", "index pel_none\n"])
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_file_that_asks_nothing_is_noted(text, options):
    """An empty answer alone would look as if all held."""
    done = check(text, *options)

    assert (done.exit_code, done.stderr) == (
        *(0, "note: <stdin> claims nothing and shows nothing: add a check or a show\n"),
    )


@pytest.mark.parametrize("text", ["show 1\n", "check 1 == 1\n", "chek 1 == 1\n"])
def test_a_file_that_asks_something_is_not_noted(text):
    """Nor one whose mistake may be what it asks."""
    assert "note:" not in check(text).stderr


def test_assumptions_that_contradict_are_a_mistake():
    """The one that completes the contradiction is named; claims above it count."""
    text = (
        "symbol pel_k\nassume pel_k >= 4\ncheck pel_k in [4, 5)\n"
        "assume pel_k <= 3\ncheck pel_k in [0, 1)\n"
    )
    done = check(text)

    assert done.exit_code == 2
    assert "<stdin>:4:8: the assumptions hold for no values" in done.stderr
    assert done.stdout.count("pel_k in") == 1


def test_bytes_that_are_no_text_are_a_mistake():
    """With the place of the first."""
    done = CliRunner().invoke(app, ["check", "-"], input=b"let a = 3\nlet \xff")

    assert done.exit_code == 2
    assert "<stdin>:2:5: byte 0xff is not UTF-8 text" in done.stderr


NINES = "9" * 3999


def test_an_integer_too_long_to_write_ends_with_2():
    """Its statement is named."""
    done = check(f"index i in [0, {NINES}*{NINES})\nshow i\n", "--json")
    (error,) = json.loads(done.stdout)["errors"]

    assert (done.exit_code, error["line"]) == (2, 2)
    assert " digits" in error["message"]
