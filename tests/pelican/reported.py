"""Faults that users of other systems reported, as cases, and what holds of one.

Values are those of Python: the texts of the cases mean the same there.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest

from pelican import Expr, PelicanError, index, parse, simplify

CASES = {
    case["id"]: case
    for case in json.loads(
        (Path(__file__).parent / "data" / "reported-faults.json").read_text("utf-8")
    )
}
MOST_POINTS = 120
"""A property looks at no more points than this, spread over the ranges."""

Point = Mapping[str, int]
Bounds = Mapping[str, tuple[int | None, int | None]]


def names_of(bounds: Bounds) -> dict[str, Expr]:
    """Return an index of each name with its half-open range."""
    return {name: index(name, lo, hi) for name, (lo, hi) in bounds.items()}


def values(bounds: Bounds) -> Iterator[Point]:
    """Yield points: all of a small space, else its corners and an even choice.

    An unbounded name is looked at near 0.
    """
    most = int(MOST_POINTS ** (1 / max(1, len(bounds))))
    spread = []
    for lo, hi in bounds.values():
        first = lo if lo is not None else -30 if hi is None else hi - 61
        last = (hi if hi is not None else first + 61) - 1
        step = max(1, (last - first) // most)
        spread.append(sorted({*range(first, last + 1, step), last}))
    for point in product(*spread):
        yield dict(zip(bounds, point, strict=True))


def in_python(text: str) -> Callable[[Point], int]:
    """Return what Python computes for a text at a point."""
    code = compile(text, "text", "eval")

    def value(at: Point) -> int:
        computed = eval(code, {"__builtins__": {}}, dict(at))
        assert isinstance(computed, int)
        return computed

    return value


def check_value(text: str, bounds: Bounds) -> Expr:
    """Return the simplified expression of a text; its values are those of Python.

    So are those of the raw tree, and both ranges hold every one of them.
    """
    names = names_of(bounds)
    simple = parse(text, names)
    raw = parse(text, names, simplify=False)
    assert simplify(simple) == simple
    again = simplify(raw)
    again = simple if again == simple else again
    right = in_python(text)
    seen = set()
    for at in values(bounds):
        point = {names[name]: value for name, value in at.items()}
        seen.add(right(at))
        assert int(simple.eval(point)) == right(at), (str(simple), at)
        assert again is simple or int(again.eval(point)) == right(at), str(again)
    assert int(raw.eval(point)) == right(at)
    for span in (simple.range, again.range, raw.range):
        assert min(seen) in span
        assert max(seen) in span
    return simple


def check_answer(text: str, answer: str, bounds: Bounds) -> None:
    """Assert that a text simplifies to something no larger than its answer."""
    simple = check_value(text, bounds)
    known = parse(answer, names_of(bounds), simplify=False)
    left, right = in_python(text), in_python(answer)
    assert all(left(at) == right(at) for at in values(bounds))
    assert simple.nodes <= known.nodes, f"{text} gives {simple}, not {answer}"


def check_case(name: str) -> None:
    """Assert all that a case expects: values, answer, range; and not its trap."""
    case = CASES[name]
    bounds = {variable: tuple(ends) for variable, ends in case["vars"].items()}
    simple = check_value(case["expr"], bounds)
    for sample in case["samples"]:
        at = {idx: sample["at"][idx.name] for idx in simple.indices}
        assert int(simple.eval(at)) == sample["value"]
    expected = case["expect"]
    if "equiv" in expected:
        check_answer(case["expr"], expected["equiv"], bounds)
    if "range" in expected:
        assert [simple.range.lo, simple.range.hi] == expected["range"]
    if case["trap_witness"]:
        witness = case["trap_witness"]
        at = {idx: witness["at"][idx.name] for idx in simple.indices}
        assert int(simple.eval(at)) == witness["right"] != witness["trap"]


def check_refused(
    text: str, bounds: Bounds, kind: type[PelicanError], blamed: str
) -> None:
    """Assert that a text is refused, raw and simplified, with a part of it blamed."""
    for simplified in (True, False):
        with pytest.raises(kind) as caught:
            parse(text, names_of(bounds), simplify=simplified)
        error = caught.value
        assert error.span is not None
        assert error.span.text == blamed
        assert (error.line, error.column) == (1, error.span.start + 1)


def check_case_is_refused(name: str, kind: type[PelicanError], blamed: str) -> None:
    """Assert that the input of a case is refused, with a part of it blamed."""
    case = CASES[name]
    check_refused(case["expr"], case["vars"], kind, blamed)
