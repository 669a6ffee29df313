"""The simplifier on the cases of its peers' own test suites.

Each case is an expression with ranges out of the tests of tinygrad, TVM, Halide, MLIR,
XLA, JAX, PyTorch or xDSL, with the sizes that are known for it and its true range.
"""

import json
from functools import cache
from pathlib import Path
from random import Random

import pytest

from pelican import Expr, index, parse
from pelican.tree.traverse import indices

CASES = json.loads(
    (Path(__file__).parent / "data" / "peer-suites.json").read_text(encoding="utf-8")
)
BEST_TOTAL_SIZE = 1448
"""The best known size of each of the cases with an answer, added up."""

EXACT_RANGES = 262


@cache
def simplified() -> dict[str, tuple[Expr, Expr]]:
    """Return the raw and the simplified expression of each case."""
    return {case["id"]: read(case) for case in CASES}


def read(case: dict) -> tuple[Expr, Expr]:
    names = {name: index(name, lo, hi) for name, (lo, hi) in case["vars"].items()}
    return parse(case["expr"], names, simplify=False), parse(case["expr"], names)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_keeps_its_value(case: dict):
    """The simplified expression has the value of the written one at random points."""
    raw, simple = simplified()[case["id"]]
    random = Random(case["id"])
    for _ in range(30):
        at = {idx: drawn(random, idx) for idx in indices(raw)}
        assert simple.eval(at) == raw.eval(at)


def drawn(random: Random, idx) -> int:
    """Return a value of an index; unbounded ends are drawn near the others."""
    low = idx.lo if idx.lo is not None else -1000
    return random.randrange(low, idx.hi if idx.hi is not None else low + 2000)


def test_the_total_size_is_at_most_the_best_known():
    """Over the cases with an answer, the printed sizes add up to the best known."""
    answered = [case["id"] for case in CASES if case["peer_result"]]
    total = sum(simplified()[name][1].nodes for name in answered)

    assert len(answered) == 330
    assert total <= BEST_TOTAL_SIZE


def test_ranges_are_exact_in_nearly_all_cases():
    """The range equals the true one, found by enumeration, where that is known."""
    known = [case for case in CASES if case["true_range"]]
    exact = [c for c in known if ends(simplified()[c["id"]][1]) == c["true_range"]]

    assert len(known) == 264
    assert len(exact) >= EXACT_RANGES


def ends(expr: Expr) -> list[int | None]:
    """Return the ends of a range as a list."""
    return [expr.range.lo, expr.range.hi]
