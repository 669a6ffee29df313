"""Joins in a program: which rows are in one, and what waits for what there.

The arms of an `if` on loaded values are rows of the program both of them, and each of
these rows reads what decides it. No engine runs past such an `if`: `barrier_edges`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

import numpy as np

from rotation.loop_form.joins import joins
from rotation.loop_form.kernel import EdgeKind
from rotation.unrolled.program import Edges, Ints, Program


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
