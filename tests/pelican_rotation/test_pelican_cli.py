"""The command `pelican`: what it prints and with which exit code it ends."""

import json
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

from pelican.derivations import explain as explainer
from pelican_rotation.cli.pelican import app

KNOWN = [
    ("((x mod 4096) mod 8192) mod 1024", ["x in [0, 1000000)"], "x mod 1024"),
    ("(x mod 8) floordiv 16", ["x"], "0"),
    (
        "(4096*i + 5000 + 8193*j) mod 4096",
        ["i in [0,8)", "j in [0,5000)"],
        "(j + 904) mod 4096",
    ),
    ("(4096*i + 5000 + 8193*j) mod 4096", ["i in [0,8)", "j in [0,3192)"], "j + 904"),
    ("(7 - x) mod 8", ["x in [0,8)"], "7 - x"),
    ("-x", ["x in [-8, 8) step 4"], "-x"),
]


def simplify(expression: str, declarations: list[str], *options: str):
    """Run `pelican simplify` with some declared indices."""
    declared = [part for text in declarations for part in ("--index", text)]
    return CliRunner().invoke(app, ["simplify", *declared, *options, "--", expression])


@pytest.mark.parametrize(("expression", "declarations", "printed"), KNOWN)
def test_simplify_prints_the_simplest_form(expression, declarations, printed):
    """One line on standard output, and exit code 0."""
    done = simplify(expression, declarations)

    assert (done.stdout, done.exit_code) == (f"{printed}\n", 0)


@pytest.mark.parametrize(
    ("expression", "printed"),
    [("-x % 4", "3*x mod 4"), ("-x", "-x"), ("-(x) + 1", "1 - x"), ("--x", "x")],
)
def test_an_expression_may_start_with_minus(expression, printed):
    """It is no option, wherever it stands on the line."""
    for words in ([expression, "--index", "x"], ["--index", "x", expression]):
        done = CliRunner().invoke(app, ["simplify", *words])

        assert (done.stdout, done.exit_code) == (f"{printed}\n", 0)


def test_what_is_converted_may_start_with_minus_too():
    """As for the other commands."""
    words = ["convert", "-i", "--index", "i in [0, 4)", "--to", "python"]
    done = CliRunner().invoke(app, words)

    assert (done.stdout, done.exit_code) == ("def f(i):\n    return -i\n", 0)


def test_an_option_that_is_not_known_is_still_refused():
    """What is left over on the line is named."""
    done = CliRunner().invoke(app, ["simplify", "x", "--indx", "x"])

    assert done.exit_code == 2
    assert "--indx" in done.stderr


def test_an_unknown_divisor_is_not_to_be_declared():
    """A divisor is a number; only a name elsewhere can be declared."""
    done = simplify("x mod n", ["x"])

    assert done.exit_code == 2
    assert "a divisor is a number, got the unknown name 'n'" in done.stderr
    assert "declare" not in done.stderr


def test_simplify_prints_one_json_object():
    """The object has the published keys and starts with the schema."""
    done = simplify("(i + 64) mod 64", ["i in [0, 64)"], "--json")

    assert list(json.loads(done.stdout).items()) == [
        ("schema", "pelican-rotation/1"),
        ("input", "(i + 64) mod 64"),
        ("output", "i"),
        ("nodes", 1),
        ("range", [0, 63]),
        ("steps", [STEP]),
    ]


STEP = {
    "lemma": "period-fold-mod",
    "path": [],
    "binding": {"e": "i + 64", "k": "1", "n": "64"},
    "before": "(i + 64) mod 64",
    "after": "i",
}


def test_explain_prints_one_step_a_line():
    """The input, each law with its place and what it rewrites, the output."""
    words = ["explain", "((x mod 24) mod 8 + 16) floordiv 8", "--index", "x"]
    done = CliRunner().invoke(app, words)

    assert (done.stdout.splitlines(), done.exit_code) == (
        [
            "(x mod 24 mod 8 + 16) floordiv 8",
            "  nested-mod-divides at 0.0: x mod 24 mod 8 -> x mod 8",
            "  period-fold-floordiv: (x mod 8 + 16) floordiv 8 -> 2",
            "2",
        ],
        0,
    )


def test_explain_prints_one_json_object():
    """Input, output and the steps between them."""
    words = ["explain", "(i + 64) mod 64", "--index", "i in [0, 64)", "--json"]
    done = CliRunner().invoke(app, words)

    assert list(json.loads(done.stdout).items()) == [
        ("schema", "pelican-rotation/1"),
        ("input", "(i + 64) mod 64"),
        ("output", "i"),
        ("steps", [STEP]),
    ]


@pytest.mark.parametrize(
    ("command", "last"), [("simplify", "i mod 64"), ("explain", "i mod 64")]
)
def test_the_modelled_rules_can_be_asked_for(command, last):
    """They know no fold by ranges."""
    words = [command, "(i + 64) mod 64", "--index", "i in [0, 64)"]
    done = CliRunner().invoke(app, [*words, "--rules", "modelled"])

    assert done.stdout.splitlines()[-1] == last


def test_other_rules_are_refused():
    """Both names are shown."""
    done = CliRunner().invoke(app, ["simplify", "1", "--rules", "all"])

    assert done.exit_code == 2
    assert "'default', 'modelled'" in done.stderr


def test_steps_that_are_too_large_are_null(monkeypatch):
    """The simplified form is printed all the same; `explain` says why it cannot."""
    monkeypatch.setattr(explainer, "MAX_COPIED_NODES", 0)
    words = ["x mod 24 mod 8", "--index", "x"]
    simple = CliRunner().invoke(app, ["simplify", *words, "--json"])
    told = CliRunner().invoke(app, ["explain", *words])

    assert json.loads(simple.stdout)["steps"] is None
    assert told.exit_code == 2
    assert "explain a part of it" in told.stderr


def test_an_unbounded_range_is_null():
    """An end that is unknown is null, never left out."""
    assert json.loads(simplify("x + 1", ["x"], "--json").stdout)["range"] == [
        None,
        None,
    ]


def test_a_symbol_is_declared_like_an_index():
    """--symbol declares an unknown of the whole program."""
    done = CliRunner().invoke(
        app, ["simplify", "(n + 8) mod 8", "--symbol", "n in [4, 4096) step 4"]
    )

    assert (done.stdout, done.exit_code) == ("n mod 8\n", 0)


WRONG = [
    ("i mod 0", ["i"], "got 0"),
    ("i mod (", ["i"], "unexpected end of the text"),
    ("i * j", ["i", "j"], "one side of *"),
    ("k", ["i"], 'declare it: --index "k"'),
    ("i", ["i in [4, 4)"], "the range is empty"),
    ("i", ["i", "i in [0, 4)"], "declared twice"),
    ("i", ["i in [0, "], "unexpected end of the text"),
    ("i", ["i in [0, 7]"], "a range is half-open: write i in [0, 8) for 0 to 7"),
    ("i", ["\x00"], "unexpected"),
    ("\ud800", ["i"], "unexpected"),
]


@pytest.mark.parametrize(("expression", "declarations", "message"), WRONG)
def test_wrong_input_ends_with_2(expression, declarations, message):
    """A message on standard error, nothing on standard output, exit code 2."""
    done = simplify(expression, declarations)

    assert (done.stdout, done.exit_code) == ("", 2)
    assert message in done.stderr


def test_wrong_input_is_an_object_too():
    """With --json the errors are one object, each with its place."""
    done = simplify("i + 8*jj", ["i", "j"], "--json")
    (error,) = json.loads(done.stdout)["errors"]

    assert done.exit_code == 2
    assert error == {
        "type": "UnknownNameError",
        "message": "unknown name 'jj'",
        "file": "<expression>",
        "line": 1,
        "column": 7,
        "end_column": 9,
        "hint": 'did you mean j?; or declare it: --index "jj"',
    }


def convert(expression: str, declarations: list[str], *options: str):
    """Run `pelican convert` with some declared indices."""
    declared = [part for text in declarations for part in ("--index", text)]
    return CliRunner().invoke(app, ["convert", *declared, *options, "--", expression])


CONVERTED = [
    ("pelican", "i + j - j", "i"),
    ("latex", "(2048*i + j) mod 16384", r"\left(2048\,i + j\right) \bmod 16384"),
    ("python", "i mod 3", "def f(i):\n    return i % 3"),
    (
        "c",
        "j floordiv 4",
        "#include <stdint.h>\n\n/* j in [-4, 4) */\n"
        "int32_t f(int32_t j) {\n  return j / 4 - (j % 4 < 0);\n}",
    ),
    ("mlir", "i mod 3 + j", "affine_map<(d0, d1) -> (d0 mod 3 + d1)>"),
    ("isl", "i mod 3 + j", "{ [i, j] -> [(((i) mod 3) + j)] }"),
    ("sympy", "i mod 3 + j floordiv 4", "Mod(i, 3) + floor(j/4)"),
]


@pytest.mark.parametrize(("form", "expression", "printed"), CONVERTED)
def test_convert_writes_every_form(form, expression, printed):
    """The simplified expression, in the form that --to names."""
    done = convert(expression, ["i in [0, 8)", "j in [-4, 4)"], "--to", form)

    assert (done.stdout, done.exit_code) == (f"{printed}\n", 0)


READ = [
    ("mlir", "affine_map<(d0) -> (d0 ceildiv 4, d0 mod 3)>", "d0"),
    ("isl", "{ [d0] -> [ceil(d0/4), d0 mod 3] }", "d0"),
]


@pytest.mark.parametrize(("form", "text", "name"), READ)
def test_convert_reads_maps(form, text, name):
    """Each result is a line; a name that is not declared is unbounded."""
    done = convert(text, [], "--from", form, "--to", "pelican")

    assert (done.stdout, done.exit_code) == (
        f"({name} + 3) floordiv 4\n{name} mod 3\n",
        0,
    )


UNUSED = [
    ("mlir", "affine_map<(d0, d1)[s0, s1] -> (d1 + s1)>"),
    ("mlir", "affine_map<(d0, d1) -> (0)>"),
    ("isl", "[n, m] -> { [b, a] -> [(m + a)] }"),
    ("isl", "{ [i, j] -> [(j)] }"),
]


@pytest.mark.parametrize(("form", "text"), UNUSED)
def test_convert_keeps_what_a_map_takes(form, text):
    """A dimension or symbol that no result uses stays, and all keep their order."""
    done = convert(text, [], "--from", form, "--to", form)

    expected = text.replace("d1 + s1", "s1 + d1")
    assert (done.stdout, done.exit_code) == (f"{expected}\n", 0)


def test_an_expression_to_convert_may_begin_with_a_minus():
    """It is no option."""
    done = CliRunner().invoke(app, ["convert", "-i", "--index", "i", "--to", "mlir"])

    assert done.stdout == "affine_map<(d0) -> (-d0)>\n"


def test_convert_reads_sympy():
    """Declared names have their ranges."""
    done = convert(
        "Mod(i + 8, 8)", ["i in [0, 8)"], "--from", "sympy", "--to", "pelican"
    )

    assert done.stdout == "i\n"


def test_several_results_are_several_functions():
    """Numbered from 0."""
    text = "(d0) -> (d0, d0 + 1)"
    done = convert(text, ["d0 in [0, 8)"], "--from", "mlir", "--to", "python")

    assert done.stdout == (
        "def f0(d0):\n    return d0\ndef f1(d0):\n    return d0 + 1\n"
    )


def test_convert_prints_one_json_object():
    """The object says from what to what."""
    done = convert("i + 8", ["i"], "--to", "mlir", "--json")

    assert list(json.loads(done.stdout).items()) == [
        ("schema", "pelican-rotation/1"),
        ("input", "i + 8"),
        ("from", "pelican"),
        ("to", "mlir"),
        ("output", ["affine_map<(d0) -> (d0 + 8)>"]),
    ]


WRONG_CONVERSIONS = [
    ("k", ["--to", "c"], 'declare it: --index "k"'),
    ("i", ["--to", "c"], "more than 64 bits: the index i"),
    ("(d0)[s0] -> (d0 mod s0)", ["--from", "mlir", "--to", "c"], "<mlir>:1:21"),
    ("{ [i] -> [i] : i > 0 }", ["--from", "isl", "--to", "c"], "<isl>:1:16"),
    ("open('x')", ["--from", "sympy", "--to", "c"], "<sympy>:1:1"),
]


@pytest.mark.parametrize(("text", "options", "message"), WRONG_CONVERSIONS)
def test_what_does_not_convert_ends_with_2(text, options, message):
    """A message with its place, exit code 2."""
    done = convert(text, ["i"], *options)

    assert (done.stdout, done.exit_code) == ("", 2)
    assert message in done.stderr


NINES = "9" * 3999
HUGE_INTEGERS = [
    (f"x*{NINES}*{NINES}", "x"),
    (f"x mod ({NINES}*{NINES})", "x"),
    (f"(x*{NINES}*{NINES})*(x*{NINES}*{NINES})", "x"),
    ("x", f"x in [{NINES}*{NINES}, 0)"),
]


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize(("expression", "declaration"), HUGE_INTEGERS)
def test_an_integer_too_long_to_write_ends_with_2(expression, declaration, options):
    """Python cannot write it: that is a mistake of the input, and is said so."""
    done = simplify(expression, [declaration], *options)

    assert (done.exit_code, " digits" in done.output) == (2, True)


def test_a_range_too_long_to_write_is_refused_in_json_only():
    """The text does not show it."""
    declared = [f"x in [0, {NINES}*{NINES})"]

    assert simplify("x", declared).stdout == "x\n"
    assert simplify("x", declared, "--json").exit_code == 2


def test_the_version_is_printed():
    """That of the installed project."""
    done = CliRunner().invoke(app, ["--version"])

    assert (done.stdout, done.exit_code) == (f"{version('pelican-rotation')}\n", 0)
