"""Points at which the values of a program are likely to be extreme.

Where each index adds to a value on its own, moving one at a time shows which of its
values makes that least or greatest, and all of them together are an extreme point. It
is a guess where they do not: whoever asks evaluates the points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pelican.evaluation.program import Program, apply
from pelican.expr import SimpleExpr
from pelican.known.interval import Interval

MAX_VALUES: Final = 10_000_000
"""Values of machine integers that are computed for one look at a program, at most."""

LONG_COST: Final = 8
"""How many of those one integer of any length counts for."""

MAX_AIMS: Final = 50
"""Steps whose extremes are looked for, at most."""

TRIED: Final = 8
"""Values of an index that are tried, evenly spread, both ends among them."""

MACHINE: Final = Interval(-(1 << 62), (1 << 62) - 1)
"""What numpy's integers hold, with room to spare."""

Values = npt.NDArray[Any]
Points = Mapping[SimpleExpr, Values]


def corner_points(
    program: Program, domain: Sequence[SimpleExpr], aims: Sequence[int], far: int
) -> Points | None:
    """Return points at which some steps are likely to be least or greatest.

    Args:
        program: What computes the steps.
        domain: The leaves that a point gives values to, those of the program among
            them.
        aims: The numbers of the steps.
        far: How far to go where an index has no end, > 0.

    Returns:
        For each leaf its values, as many as there are points; None if the program is
        too long to look at.

    >>> from pelican import index
    >>> from pelican.evaluation.program import lower
    >>> i, j = index("i", 0, 100), index("j", 0, 100)
    >>> program = lower(3 * i - j)
    >>> points = corner_points(program, (i, j), [program.result], 1)
    >>> [[int(v) for v in points[idx]] for idx in (i, j)]
    [[0, 99], [99, 0]]
    """
    aims = aims[:: -max(1, len(aims) // MAX_AIMS)]  # the last one is among them
    tried = TRIED if _cost(program, domain, TRIED) <= MAX_VALUES else 2
    if not aims or _cost(program, domain, tried) > MAX_VALUES:
        return None
    choices = {idx: _choices(idx, tried, far) for idx in domain}
    moves = [(idx, v) for idx in domain for v in choices[idx][1:]]
    values = values_at(program, _moved(choices, moves))
    extremes: dict[SimpleExpr, list[int]] = {idx: [] for idx in domain}
    for aim in aims:
        found = np.broadcast_to(np.asarray(values[aim]), len(moves) + 1)
        for sign in (1, -1):
            for idx, value in _best(domain, choices, found, sign):
                extremes[idx].append(value)
    return {idx: np.array(v, np.object_) for idx, v in extremes.items()}


def values_at(program: Program, points: Points) -> list[Any]:
    """Return the values of all steps of a program at some points."""
    kind = np.int64 if _is_small(program) else np.object_
    values: list[Any] = []
    for step in program.steps:
        if step.index is not None:
            values.append(points[step.index].astype(kind))
        else:
            operands = [values[k] for k in step.args]
            values.append(apply(step.op, operands, step.literal))
    return values


def _is_small(program: Program) -> bool:
    """Tell whether numpy's integers hold all that a program computes."""
    return all(
        step.interval.within(MACHINE) and (step.literal or 0) in MACHINE
        for step in program.steps
    )


def _cost(program: Program, domain: Sequence[SimpleExpr], tried: int) -> int:
    points = max(1 + (tried - 1) * len(domain), 4 * MAX_AIMS)
    each = 1 if _is_small(program) else LONG_COST
    return points * len(program.steps) * each


def _choices(idx: SimpleExpr, tried: int, far: int) -> list[int]:
    """Return a few values of an index: its first, its last, and some between."""
    low, step = idx.lo, idx.step
    if low is None:
        low = -far if idx.hi is None else min(-far, idx.hi - 1)
    high = max(far, low) if idx.hi is None else idx.hi - 1
    last = (high - low) // step
    return sorted({low + step * (last * k // (tried - 1)) for k in range(tried)})


def _moved(
    choices: Mapping[SimpleExpr, list[int]], moves: Sequence[tuple[SimpleExpr, int]]
) -> Points:
    """Return the point of all first values, then one for each move of one index."""
    columns = {
        idx: np.full(len(moves) + 1, first[0], np.object_)
        for idx, first in choices.items()
    }
    for number, (idx, value) in enumerate(moves, 1):
        columns[idx][number] = value
    return columns


def _best(
    domain: Sequence[SimpleExpr],
    choices: Mapping[SimpleExpr, list[int]],
    found: Values,
    sign: int,
) -> Iterator[tuple[SimpleExpr, int]]:
    """Yield the value of each index that makes a step least, or greatest for -1."""
    begin = 1
    for idx in domain:
        own = [found[0], *found[begin : begin + len(choices[idx]) - 1]]
        begin += len(choices[idx]) - 1
        yield idx, choices[idx][min(range(len(own)), key=lambda k: sign * own[k])]
