"""Check that a transfer of partial tiles moves as many elements as it writes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rotation.errors import KernelError, raise_all
from rotation.loop_form.kernel import Engine, Instruction
from rotation.loop_form.trips import place_of
from rotation.unrolled.program import Program


def verify_extents(program: Program) -> None:
    """Raise unless each transfer of one source and one destination fits, each time.

    Transfers whose extents are all numbers are left to `verify`.

    Raises:
        KernelError: For the first such iteration of each transfer.
    """
    raise_all(list(_mistakes(program)))


def _mistakes(program: Program) -> Iterator[KernelError]:
    for position, instruction in enumerate(program.function.instructions):
        operands = (*instruction.writes, *instruction.reads)
        transfers = instruction.engine is Engine.DMA
        single = len(instruction.writes) == len(instruction.reads) == 1
        if transfers and single and any(region.partial for region in operands):
            yield from _mistake(program, instruction, position)


def _mistake(
    program: Program, instruction: Instruction, position: int
) -> Iterator[KernelError]:
    rows = np.flatnonzero(program.statement == position)
    # The source is the first access of a row, its destination the last one.
    source = np.searchsorted(program.access_instruction, rows)
    target = np.searchsorted(program.access_instruction, rows, side="right") - 1
    moved = program.access_extent[source].prod(axis=1)
    place = program.access_extent[target].prod(axis=1)
    wrong = np.flatnonzero(moved != place)
    if len(wrong):
        first = int(wrong[0])
        loops = program.function.loops_of[instruction]
        at = place_of(loops, int(program.iteration[rows[first]]))
        yield KernelError(
            f"{instruction.name} moves {moved[first]} elements into a place of "
            f"{place[first]}{at}",
            instruction.span,
            "give both sides the same min(a, b)",
        )
