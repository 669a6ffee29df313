"""Intervals of the values that a program computes, equal terms of sums being joined.

A program knows the interval of each step by those of its operands, each by itself.
Here a step is a sum of multiples of indices, quotients and remainders, so that what is
added and subtracted again does not count: all prefixes of ``a - a + b - b`` are as
small as their terms.
"""

from __future__ import annotations

from typing import Final

from pelican.evaluation.program import Program, Step
from pelican.known.interval import Interval

MAX_TERMS: Final = 2_000_000
"""Terms of all sums together that are written; the rest is left as it is."""

Sum = tuple[dict[int, int], int]
"""Coefficients by the number of the step that is taken as a whole, and a constant."""


def joined_intervals(program: Program) -> list[Interval]:
    """Return an interval for each step of a program, as narrow as is known.

    >>> from pelican import index
    >>> from pelican.expr import SumExpr
    >>> from pelican.evaluation.program import lower
    >>> i = index("i", 0, 8)
    >>> program = lower(SumExpr((i // 2, i, -1 * (i // 2), 5)))
    >>> difference = 3
    >>> program.steps[difference].interval, joined_intervals(program)[difference]
    (Interval(-3, 10), Interval(0, 7))
    """
    sums: list[Sum] = []
    found: list[Interval] = []
    left = MAX_TERMS
    for number, step in enumerate(program.steps):
        whole: Sum = ({number: 1}, 0)
        own = _sum_of(step, [sums[k] for k in step.args]) if left > 0 else None
        left -= 0 if own is None else len(own[0])
        sums.append(whole if own is None else own)
        interval = step.interval
        if own is not None:
            interval = interval.meet(_interval(own, found))
        found.append(interval)
    return found


def _sum_of(step: Step, args: list[Sum]) -> Sum | None:
    """Return a step as a sum of earlier ones; None if it is a whole of its own."""
    number = step.literal or 0
    match step.op:
        case "constant":
            return {}, number
        case "neg":
            return _scaled(args[0], -1)
        case "mul":
            return _scaled(args[0], number)
        case "add":
            return _added(args[0], args[1], 1)
        case "sub":
            return _added(args[0], args[1], -1)
        case _:
            return None


def _scaled(terms: Sum, factor: int) -> Sum:
    scaled = {k: factor * c for k, c in terms[0].items()} if factor else {}
    return scaled, factor * terms[1]


def _added(one: Sum, other: Sum, sign: int) -> Sum:
    total = dict(one[0])
    for k, c in other[0].items():
        total[k] = total.get(k, 0) + sign * c
        if not total[k]:
            del total[k]
    return total, one[1] + sign * other[1]


def _interval(terms: Sum, found: list[Interval]) -> Interval:
    coefficients, low = terms
    ends: list[int | None] = [low, low]
    for k, c in coefficients.items():
        lows = (found[k].lo, found[k].hi)
        for place, end in enumerate(lows if c > 0 else lows[::-1]):
            known = ends[place]
            ends[place] = None if known is None or end is None else known + c * end
    return Interval(*ends)
