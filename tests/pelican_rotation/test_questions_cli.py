"""The commands `pelican range`, `eval` and `equiv`."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from pelican_rotation.cli.pelican import app

I = ["--index", "i in [0, 8)"]  # noqa: E741 - the name in the texts


TWO = ["--shard", "s of 4", "--shard", "t of 4"]
"""One shard under two names: a shard is known by its count."""


def run(*arguments: str):
    """Run `pelican`."""
    return CliRunner().invoke(app, list(arguments))


RANGES = [
    ("-i", I, "[-7, 1)"),
    ("4*i + 3", I, "[3, 32) step 4"),
    ("(320*x + 255) mod 256", ["--index", "x"], "[63, 256) step 64"),
    ("4*x + 3", ["--index", "x"], "[..., ...), 3 modulo 4"),
    ("i - i + 5", I, "[5, 6)"),
    ("x", ["--index", "x"], "[..., ...)"),
    ("r + s", ["--runtime", "r in [0, 9)", "--shard", "s of 4"], "[0, 12)"),
    ("x", ["--index", "x in [0, ...)"], "[0, ...)"),
    ("pel_m", ["--symbol", "pel_m in [4, 64) step 4"], "[4, 61) step 4"),
]


@pytest.mark.parametrize(("expression", "options", "printed"), RANGES)
def test_range_prints_a_half_open_range(expression, options, printed):
    """With every kind of declaration; an expression may start with a minus."""
    done = run("range", expression, *options)

    assert (done.stdout, done.exit_code) == (f"{printed}\n", 0)


def test_range_prints_one_json_object():
    """The ends are inclusive there, as everywhere in JSON."""
    found = json.loads(run("range", "8*i + 11", *I, "--json").stdout)

    assert found == {
        "schema": "pelican-rotation/1",
        "output": "8*i + 11",
        "range": [11, 67],
        "stride": {"modulus": 8, "residue": 3},
    }


def test_eval_prints_the_value_at_a_point():
    """Values of names are given one by one, negative ones too."""
    done = run("eval", "-i + r", *I, "--runtime", "r", "--at", "i=3", "--at", "r = -1")

    assert (done.stdout, done.exit_code) == ("-4\n", 0)


def test_eval_prints_one_json_object():
    """The value, and whether there is one."""
    done = run("eval", "i*4", *I, "--at", "i=3", "--json")

    assert json.loads(done.stdout) == {
        "schema": "pelican-rotation/1",
        "value": 12,
        "valid": True,
    }


def test_eval_without_a_value_ends_with_3():
    """Nothing is decided."""
    done = run("eval", "i*4", *I, "--json")

    assert done.exit_code == 3
    assert json.loads(done.stdout)["value"] is None


@pytest.mark.parametrize("expression", ["i - i", "0*i", "rank(0, 0)*0", "i mod 1"])
def test_a_name_that_decides_nothing_needs_no_value(expression: str):
    """The value is the same whatever it is."""
    assert run("eval", expression, *I).output == "0\n"


MISSING = [
    ("i*4", "none is given for i", "write --at i=3"),
    ("rank(0,0) + 1", "none is given for rank(0, 0)", 'declared by --runtime "r"'),
    ("arg(2)", "none is given for arg(2)", "arg(2) is known to the running program"),
    ("s + t", "none is given for s", "write --at s=3"),
]


@pytest.mark.parametrize(("expression", "what", "remedy"), MISSING)
def test_what_has_no_value_is_named_with_its_remedy(expression, what, remedy):
    """Only what a value can be given to is asked for one."""
    done = run("eval", expression, *I, *TWO)

    assert (done.stdout, done.exit_code) == ("", 3)
    assert what in done.stderr
    assert remedy in done.stderr


@given(st.text(max_size=12))
def test_any_point_is_read_as_the_language_reads_it_or_refused(text: str):
    """A value is one of the language; everything else ends with 2, with a hint."""
    done = run("eval", "i", "--index", "i", "--at", f"i={text}")

    if re.fullmatch(r"\s*-?[0-9]+\s*", text):
        assert (done.stdout, done.exit_code) == (f"{int(text)}\n", 0)
    else:
        assert (done.stdout, done.exit_code) == ("", 2)
        assert "hint: write an integer" in done.stderr


WRONG = [
    (["eval", "i", *I, "--at", "i"], "'i' gives no value"),
    (["eval", "i", *I, "--at", "i=a"], "as in --at i=3"),
    (["eval", "i", *I, "--at", "i=1.5"], "as in --at i=3"),
    (["eval", "i", *I, "--at", "i=\N{ARABIC-INDIC DIGIT THREE}"], "digits 0 to 9"),
    (["eval", "i", *I, "--at", "i=\N{SUPERSCRIPT TWO}"], "digits 0 to 9"),
    (["eval", "i", *I, "--at", "=3"], "'=3' gives no name a value"),
    (["eval", "i", *I, "--at", "rank(0,0)=3"], "gives no name a value"),
    (["eval", "i", *I, "--at", f"i={'1' * 4001}"], "i: an integer of 4001 digits"),
    (["eval", "i", *I, "--at", f"i=-{'1' * 4001}"], "at most 4000 digits"),
    (["eval", "s + t", *TWO, "--at", "s=1", "--at", "t=2"], "they are one shard"),
    (["eval", "i", *I, "--at", "i=1", "--at", "i=2"], "two values"),
    (["eval", "i", *I, "--at", "j=1"], 'declare it: --index "j"'),
    (["eval", "i", *I, "--at", "i=8"], "[0, 8)"),
    (["eval", "j", *I], "unknown name 'j'"),
    (["range", "i", *I, "--index", "i"], "declared twice"),
    (["range", "s", "--shard", "s in [0, 4)"], 'write it like "s of 4"'),
    (["range", "s", "--shard", "s of 0"], "0"),
    (["equiv", "i", "j", *I], "unknown name 'j'"),
    (["equiv", "i", "i mod 0", *I], "got 0"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_wrong_input_ends_with_2(arguments, message):
    """A message on standard error, nothing on standard output."""
    done = run(*arguments)

    assert (done.stdout, done.exit_code) == ("", 2)
    assert message in done.stderr


def test_equiv_proves():
    """For all values, of what is written."""
    done = run("equiv", "(i + 8) mod 8", "i", *I)

    assert (done.stdout, done.exit_code) == ("proved\n", 0)


def test_equiv_refutes_with_both_values():
    """At one point."""
    done = run("equiv", "-i mod 2", "-(i mod 2)", *I)

    assert done.exit_code == 1
    assert done.stdout.startswith("refuted at i = ")
    assert done.stdout.endswith(": 1 and -1\n")


def test_equiv_prints_one_json_object():
    """The object has the published keys; absent is null."""
    found = json.loads(run("equiv", "i", "i + 1 - 1", *I, "--json").stdout)
    seconds = found.pop("seconds")

    assert isinstance(seconds, float)
    assert found == {
        "schema": "pelican-rotation/1",
        "verdict": "proved",
        "counterexample": None,
        "values": None,
    }


@pytest.mark.parametrize("command", ["range", "eval", "equiv", "check", "fmt"])
def test_help_loads_no_solver(command):
    """And no parser: it is plain and quick."""
    code = (
        "import sys; from pelican_rotation.cli.pelican import app\n"
        f"try: app([{command!r}, '--help'])\n"
        "except SystemExit: print(*[m for m in ('z3', 'lark') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )

    assert done.stdout.splitlines()[-1] == ""
