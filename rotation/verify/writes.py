"""Check that the destinations of one instruction do not overlap.

Which of two values an element would get is not defined, so the result of such an
instruction is not either.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from rotation.errors import KernelError, raise_all
from rotation.loop_form.kernel import Instruction
from rotation.loop_form.trips import place_of
from rotation.unrolled.program import Program


def verify_writes(program: Program) -> None:
    """Raise unless no instruction writes an element twice.

    Raises:
        KernelError: For the first such iteration of each pair of destinations.
    """
    raise_all(list(_overlaps(program)))


def _overlaps(program: Program) -> Iterator[KernelError]:
    for position, instruction in enumerate(program.function.instructions):
        pairs = [
            (one, other)
            for one, other in combinations(range(len(instruction.writes)), 2)
            if instruction.writes[one].tensor is instruction.writes[other].tensor
        ]
        for one, other in pairs:
            row = _first_overlap(program, position, one, other)
            if row is not None:
                yield _error(program, instruction, row, one, other)


def _first_overlap(program: Program, position: int, one: int, other: int) -> int | None:
    """Return the first row of a statement whose two destinations share an element."""
    rows = np.flatnonzero(program.statement == position)
    # The writes of a row are its last accesses.
    after = np.searchsorted(program.access_instruction, rows, side="right")
    writes = len(program.function.instructions[position].writes)
    first, second = after - writes + one, after - writes + other
    start = np.maximum(program.access_start[first], program.access_start[second])
    stop = np.minimum(
        program.access_start[first] + program.access_extent[first],
        program.access_start[second] + program.access_extent[second],
    )
    same = program.access_location[first] == program.access_location[second]
    shared = np.flatnonzero(same & (start < stop).all(axis=1))
    return int(rows[shared[0]]) if len(shared) else None


def _error(
    program: Program, instruction: Instruction, row: int, one: int, other: int
) -> KernelError:
    region = instruction.writes[other]
    at = place_of(program.function.loops_of[instruction], int(program.iteration[row]))
    return KernelError(
        f"{instruction.name} writes elements of {region.tensor.name} twice, as "
        f"destination {one + 1} and {other + 1}{at}",
        region.span,
        "give each destination elements of its own",
    )
