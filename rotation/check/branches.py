"""What the checks know of ifs on loaded values: guards, and who waits at them.

Nobody knows before the kernel runs which arm an execution of such an `if` does. A row
in an arm happens if and only if its guard holds: a set of (execution of an if, arm).
No engine runs past an `if`: what stands before it in the source is complete before
its arms start, the arms run one row after the other, and what stands after it starts
when they are complete.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

import numpy as np

from rotation.loop_form.kernel import Function, If, Instruction
from rotation.unrolled.program import Ints, Program

Guard = frozenset[tuple[tuple[int, int], bool]]
"""((ordinal of the if, its execution), arm): all must be so for a row to happen."""


def row_guards(program: Program) -> list[Guard]:
    """Return the guard of each row; empty if the function has no such if."""
    function = program.function
    ordinal = _ordinals(function)
    if not ordinal:
        return []
    chains = [_chain(function, one, ordinal) for one in function.instructions]
    return [
        frozenset(
            ((ordinal[choice], iteration // trips), taken)
            for choice, taken, trips in chains[statement]
        )
        for statement, iteration in zip(
            program.statement.tolist(), program.iteration.tolist(), strict=True
        )
    ]


def conflict(one: Guard, other: Guard) -> bool:
    """Tell whether two guards never hold together.

    >>> conflict(frozenset({((0, 1), True)}), frozenset({((0, 1), False)}))
    True
    """
    return any((choice, not taken) in other for choice, taken in one)


def covers(guards: Iterable[Guard], under: Guard) -> bool:
    """Tell whether one of some guards holds whenever `under` does.

    >>> then, other = frozenset({((0, 1), True)}), frozenset({((0, 1), False)})
    >>> covers([then, other], frozenset()), covers([other], frozenset())
    (True, False)
    """
    left = [guard - under for guard in guards if not conflict(guard, under)]
    while left and all(left):
        choice, taken = min(left[0])
        if not covers(left, under | {(choice, taken)}):
            return False
        under |= {(choice, not taken)}
        left = [guard - under for guard in left if not conflict(guard, under)]
    return bool(left)


class Cover:
    """Guards that are collected one by one, and whether one of them must hold."""

    def __init__(self) -> None:
        self._all: list[Guard] = []
        self._by_least: dict[tuple[tuple[int, int], bool] | None, list[Guard]] = {}
        self._seen: set[tuple[tuple[int, int], bool]] = set()
        self._both_arms = False

    def add(self, guard: Guard) -> None:
        """Collect a guard."""
        self._all.append(guard)
        self._by_least.setdefault(min(guard, default=None), []).append(guard)
        self._both_arms |= any((choice, not arm) in self._seen for choice, arm in guard)
        self._seen |= guard

    def holds(self, under: Guard) -> bool:
        """Tell whether one of the guards holds whenever `under` does."""
        for least in (None, *under):
            if any(guard <= under for guard in self._by_least.get(least, ())):
                return True
        # Without both arms of some if, no guard holds at least once for certain.
        return self._both_arms and covers(self._all, under)


def waiting_pairs(program: Program) -> tuple[Ints, Ints]:
    """Return rows of which the second starts only after the first is complete, (p,).

    What else must wait follows from these.
    """
    function = program.function
    ordinal = _ordinals(function)
    if not ordinal:
        none = np.zeros(0, np.int64)
        return none, none
    inside = np.array(
        [bool(_chain(function, one, ordinal)) for one in function.instructions],
        np.bool_,
    )[program.statement]
    pairs: list[tuple[int, int]] = []
    since_last: list[int] = []  # rows since the last one in an arm
    last: int | None = None
    for row, is_inside in enumerate(inside.tolist()):
        if last is not None:
            pairs.append((last, row))
        if is_inside:
            pairs.extend((before, row) for before in since_last)
            since_last, last = [], row
        else:
            since_last.append(row)
    table = np.array(pairs, np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _ordinals(function: Function) -> dict[If, int]:
    choices = (choice for choice in function.choices if choice.loaded)
    return {choice: ordinal for ordinal, choice in enumerate(choices)}


def _chain(
    function: Function, instruction: Instruction, ordinal: dict[If, int]
) -> list[tuple[If, bool, int]]:
    """Return the ifs around an instruction, its arm, and its trips in one execution."""
    loops = function.loops_of[instruction]
    return [
        (
            arm.choice,
            arm.taken,
            prod(n.trip_count for n in loops[len(function.choices[arm.choice]) :]),
        )
        for arm in function.arms_of[instruction]
        if arm.choice in ordinal
    ]
