"""Programs by hand for policy `modelled`: short lives of small locations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rotation.loop_form.kernel import Engine, Function, MemoryLocationSet, MemorySpace
from rotation.unrolled.program import Placement, Program
from tests.rotation.programs import SCOPE, Access, Op, program_of


class Life(NamedTuple):
    """A location that is written at one position and read at a later one."""

    size_bytes: int
    write: int
    read: int
    partitions: int = 128


def buffer(
    name: str, life: Life, space: MemorySpace = MemorySpace.SB
) -> MemoryLocationSet:
    """Return a buffer of one byte an element."""
    shape = (life.partitions, life.size_bytes)
    return MemoryLocationSet(name, space, shape, "uint8", scope=SCOPE.index)


def program_with(
    lives: Sequence[Life],
    space: MemorySpace = MemorySpace.SB,
    tensors: Sequence[MemoryLocationSet] = (),
) -> Program:
    """Return a program with a location, of a buffer of its own, for each life.

    Vector does all, but that dma does the first position.
    """
    tensors = tensors or [buffer(f"b{k}", one, space) for k, one in enumerate(lives)]
    last = max(one.read for one in lives)
    ops = []
    for row in range(last + 1):
        accesses = [
            Access(k, 0, (0, 0), (one.partitions, one.size_bytes), is_write)
            for is_write in (False, True)
            for k, one in enumerate(lives)
            if row == (one.write if is_write else one.read)
        ]
        engine = Engine.VECTOR if row else Engine.DMA
        ops.append(Op(engine, 1, 0, tuple(accesses)))
    return program_of(tensors, ops)


def placed(
    program: Program, byte: Sequence[int], partition: Sequence[int] = ()
) -> Placement:
    """Return a placement of the locations of a program."""
    count = len(byte)
    return Placement(
        np.array(partition or [0] * count, np.int64),
        np.array(byte, np.int64),
        np.zeros(count, np.int64),
    )


def with_inplace(program: Program, row: int) -> Program:
    """Return the program with one instruction in place."""
    statements = [
        replace(one, inplace=number == row)
        for number, one in enumerate(program.function.instructions)
    ]
    tensors = program.function.tensors
    return replace(
        program, function=Function("hand", "planning", (*tensors, SCOPE, *statements))
    )


def in_place_pair():
    """Return a program whose middle operation works on two instances in place."""
    box = ((0, 0), (128, 64))
    ops = [
        Op(Engine.DMA, 1, 0, (Access(0, 0, *box, True),)),
        Op(Engine.VECTOR, 1, 0, (Access(0, 0, *box, False), Access(0, 1, *box, True))),
        Op(Engine.VECTOR, 1, 0, (Access(0, 1, *box, False),)),
    ]
    return program_of([buffer("s", Life(64, 0, 0))], ops)
