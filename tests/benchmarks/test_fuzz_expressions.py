"""Random expressions against plain Python integers, and the fuzz against faults."""

import ast
import sys
from pathlib import Path

import pytest

from benchmarks import random_programs
from benchmarks.fuzz_expressions import fault_of, fuzz, main, report
from benchmarks.random_programs import Instruction, Leaf, Program, drawn, points
from pelican.known import interval
from pelican.known.rules import weighted_ends
from pelican.laws.sides import SINGLE
from pelican.lemmas.divmod import HALF_UP
from pelican.tree.divmod import DivMod

CHUNKS, CHUNK = 40, 500
SMALL = Program(
    (Leaf("index", 0, 9), Leaf("index", 0, 4)),
    (
        Instruction("leaf", 0),
        Instruction("leaf", 1),
        Instruction("floordiv", 0, 2),
        Instruction("mod", 0, 2),
        Instruction("+", 2, 3),
    ),
    by_operators=True,
)
"""i floordiv 2 + i mod 2, which is (i + 1) floordiv 2."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_expressions_have_no_fault(chunk: int):
    """Values, ranges, a second simplification and the text, of 20,000 expressions."""
    numbers = range(chunk * CHUNK, (chunk + 1) * CHUNK)
    faults = [report(0, number, fault) for number, fault in fuzz(0, numbers)]

    assert faults == []


def plant_wrong_law(monkeypatch: pytest.MonkeyPatch):
    """Let `half-up` drop the carry: build ``x floordiv 2``."""
    monkeypatch.setitem(SINGLE, HALF_UP.name, lambda at, _: DivMod("//", at["x"], 2))


def one_too_few(terms, offset):
    """Return the ends of a sum, the upper one too low."""
    lo, hi = weighted_ends(terms, offset)
    return lo, None if hi is None else hi - 1


def test_a_wrong_law_is_found(monkeypatch: pytest.MonkeyPatch):
    """A law that drops a carry gives a fault of the value."""
    plant_wrong_law(monkeypatch)
    fault = fault_of(SMALL, points(SMALL, 0, 0))

    assert fault is not None
    assert fault.kind == "value"


def test_a_range_that_is_too_narrow_is_found(monkeypatch: pytest.MonkeyPatch):
    """A rule that is off by one gives a fault of the range."""
    monkeypatch.setattr(interval, "weighted_ends", one_too_few)
    program = Program(SMALL.leaves, (*SMALL.parts[:2], Instruction("+", 0, 1)), True)
    fault = fault_of(program, points(program, 0, 0))

    assert fault is not None
    assert fault.kind == "range"


def test_a_fault_is_reported_by_its_smallest_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """The command says where it is, and exits 1; without faults it exits 0."""
    assert main(["--count", "20", "--seed", "11", "--first", "360"]) == 0
    plant_wrong_law(monkeypatch)
    assert main(["--count", "20", "--seed", "11", "--first", "360"]) == 1
    shown = capsys.readouterr().out

    assert "seed 11, number 37" in shown
    assert "floordiv 2 is 0, not 1" in shown
    assert "20 expressions, faults: 1 value" in shown


def test_an_expression_is_the_same_in_every_run():
    """The number of an expression names it."""
    assert drawn(3, 17) == drawn(3, 17)
    assert points(SMALL, 3, 17) == points(SMALL, 3, 17)
    assert len({drawn(3, number) for number in range(100)}) > 90


def test_what_is_right_is_computed_without_pelican():
    """The module of programs and their values imports nothing of the project."""
    source = Path(random_programs.__file__).read_text(encoding="utf-8")
    nodes = list(ast.walk(ast.parse(source)))
    modules = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    for node in nodes:
        if isinstance(node, ast.Import):
            modules += [each.name for each in node.names]

    assert {str(module).split(".")[0] for module in modules} <= sys.stdlib_module_names
