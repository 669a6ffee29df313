"""Ifs: which arm an iteration does, and what a join keeps from being rotated.

An `if` over indices is decided in each iteration by itself: `arm_mask`. An `if` over
loaded values stays. Its arms are rows of the program both of them, and each of these
rows reads what decides it. The flow of control meets again after it, so the function
is not rotated; and no engine runs past it: `barrier_edges`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import Final

import numpy as np

from pelican.node import Expr
from rotation.loop_form.kernel import (
    Arm,
    Compare,
    Comparison,
    EdgeKind,
    Function,
    If,
    MemoryLocationSet,
    Region,
    Statement,
)
from rotation.unrolled.program import Bools, Edges, Ints, Program

SIGNS: Final = {
    Compare.LESS: np.less,
    Compare.AT_MOST: np.less_equal,
    Compare.MORE: np.greater,
    Compare.AT_LEAST: np.greater_equal,
    Compare.EQUAL: np.equal,
    Compare.UNEQUAL: np.not_equal,
}
"""How numpy compares."""


def arm_mask(arms: Iterable[Arm], values: Callable[[Expr], Ints], count: int) -> Bools:
    """Return which of some iterations do all of some arms, (count,).

    Loaded values may choose either arm, so they leave nothing out.

    Args:
        arms: Arms inside one another.
        values: Gives the value of an index expression at each iteration, (count,).
        count: Number of iterations.
    """
    mask = np.ones(count, np.bool_)
    for arm in arms:
        if arm.choice.comparisons:
            holds = np.ones(count, np.bool_)
            for comparison in arm.choice.comparisons:
                holds &= _holds(comparison, values)
            mask &= holds if arm.taken else ~holds
    return mask


def _holds(comparison: Comparison, values: Callable[[Expr], Ints]) -> Bools:
    left, right = values(comparison.left.expr), values(comparison.right.expr)
    return np.asarray(SIGNS[comparison.compare](left, right), np.bool_)


def deciding_regions(arms: Iterable[Arm]) -> tuple[Region, ...]:
    """Return the buffers whose loaded values decide some arms, each once."""
    regions = (region for arm in arms for region in arm.choice.loaded)
    return tuple({region.tensor: region for region in regions}.values())


def joins(function: Function) -> tuple[If, ...]:
    """Return the ifs of a function that loaded values decide, in its order."""
    return tuple(choice for choice in function.choices if choice.loaded)


def join_reason(choice: If) -> str:
    """Return why a function with a join is not rotated, in one sentence.

    It names the if, its line, the block that both arms lead to, and the buffers that
    both arms write.
    """
    names = ", ".join(region.tensor.name for region in choice.loaded)
    line = "" if choice.span is None else f" in line {choice.span.line}"
    after = "" if choice.join is None else f" in line {choice.join.line}"
    asked = "" if choice.text is None else f' "{choice.text}"'
    other = "the else arm" if choice.otherwise else "the if itself"
    return (
        f"the if on loaded({names}){asked}{line} makes a join, and a function with a "
        f"join is not rotated: the join block after it{after} has two predecessors, "
        f"the then arm and {other}; {_both_arms(choice)}"
    )


def _both_arms(choice: If) -> str:
    then, other = _written(choice.then), _written(choice.otherwise)
    both = [tensor.name for tensor in then if tensor in other]
    if both:
        return f"buffers written in both arms: {', '.join(both)}"
    names = [tensor.name for tensor in dict.fromkeys((*then, *other))]
    return f"buffers written in one arm only: {', '.join(names) or 'none'}"


def _written(body: tuple[Statement, ...]) -> tuple[MemoryLocationSet, ...]:
    """Return the buffers that a body writes, each once, in its order."""
    function = Function("arm", "", body)
    regions = (r for i in function.instructions for r in i.writes)
    return tuple(dict.fromkeys(region.tensor for region in regions))


def join_number(program: Program) -> Ints:
    """Return a number for the outermost join that each row is in, (n,); 0 outside.

    Each execution of an `if` has a number of its own.
    """
    function = program.function
    ordinal = {choice: k for k, choice in enumerate(joins(function), 1)}
    number = np.zeros(len(program), np.int64)
    for position, instruction in enumerate(function.instructions):
        outer = [arm.choice for arm in function.arms_of[instruction]]
        outer = [choice for choice in outer if choice in ordinal]
        if outer:
            rows = np.flatnonzero(program.statement == position)
            loops = function.loops_of[instruction]
            inside = loops[len(function.choices[outer[0]]) :]
            trips = prod(loop.trip_count for loop in inside)
            execution = program.iteration[rows] // trips
            number[rows] = execution * len(ordinal) + ordinal[outer[0]]
    return number


Guard = frozenset[tuple[int, bool]]
"""What must hold for a row to be done: executions of joins, and the arm of each."""


def guards(program: Program) -> tuple[Ints, tuple[Guard, ...]]:
    """Return a number for the guard of each row, (n,), and the guards by number.

    Number 0 is the empty guard, of rows outside all joins.
    """
    function = program.function
    ordinal = {choice: k for k, choice in enumerate(joins(function))}
    number = np.zeros(len(program), np.int64)
    known: dict[Guard, int] = {frozenset(): 0}
    for position, instruction in enumerate(function.instructions):
        arms = [arm for arm in function.arms_of[instruction] if arm.choice.loaded]
        if not arms:
            continue
        loops = function.loops_of[instruction]
        trips = [
            prod(loop.trip_count for loop in loops[len(function.choices[a.choice]) :])
            for a in arms
        ]
        for row in np.flatnonzero(program.statement == position).tolist():
            iteration = int(program.iteration[row])
            guard = frozenset(
                (iteration // trip * len(ordinal) + ordinal[arm.choice], arm.taken)
                for arm, trip in zip(arms, trips, strict=True)
            )
            number[row] = known.setdefault(guard, len(known))
    return number, tuple(known)


def covered(writes: Iterable[Guard], under: Guard) -> bool:
    """Tell whether one of some writes is done whenever a guard holds.

    >>> then, other = frozenset({(0, True)}), frozenset({(0, False)})
    >>> covered([then, other], frozenset()), covered([then], frozenset())
    (True, False)
    """
    left = list(writes)
    while True:
        left = [w - under for w in left if not any((c, not t) in under for c, t in w)]
        if not left or not all(left):
            return bool(left)
        choice, taken = min(left[0])
        if not covered(left, under | {(choice, taken)}):
            return False
        under |= {(choice, not taken)}


def barrier_edges(program: Program) -> Edges:
    """Return the ordered edges that keep every engine behind each join.

    All rows before a join are complete before its first row starts, its rows run one
    after the other in source order, and its last row is complete before any row after
    it starts.
    """
    number = join_number(program)
    inside = np.flatnonzero(number)
    if not len(inside):
        return Edges(*np.zeros((3, 0), np.int64))
    rows = np.arange(len(program))
    outside = np.flatnonzero(number == 0)
    ahead = np.searchsorted(inside, outside)  # the next row of a join, if any
    before, after = ahead < len(inside), ahead > 0
    source = np.concatenate((outside[before], inside[:-1], inside[ahead[after] - 1]))
    sink = np.concatenate((inside[ahead[before]], inside[1:], outside[after]))
    by = np.lexsort((source, sink))
    kind = np.full(len(by), EdgeKind.ORDERED, np.int64)
    return Edges(rows[source[by]], rows[sink[by]], kind)
