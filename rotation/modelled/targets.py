"""Which SB location is in which target: by who writes it and who reads it.

The classes of the modelled system are known by number only. These are ours: data-flow
classes, of which the first that matches counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from rotation.loop_form.kernel import Engine
from rotation.modelled.sb_schedule import SbTarget
from rotation.unrolled.program import Program

TRANSFERS: Final = frozenset({Engine.DMA, Engine.CC})
"""Engines that load and store."""


class Traffic(NamedTuple):
    """Who touches a location.

    Attributes:
        writers: Engines that write it.
        readers: Engines that read it.
        again: True if one statement reads the same box of it in several iterations.
        in_kernel: True if it belongs to a kernel with a window of its own.
    """

    writers: frozenset[Engine]
    readers: frozenset[Engine]
    again: bool = False
    in_kernel: bool = False

    @property
    def engine(self) -> Engine | None:
        """The engine that writes it, if there is one only."""
        return next(iter(self.writers)) if len(self.writers) == 1 else None


RULES: Final[tuple[tuple[SbTarget, Callable[[Traffic], bool]], ...]] = (
    (SbTarget.KERNEL, lambda t: t.in_kernel),
    (SbTarget.READ_AGAIN, lambda t: t.again),
    (
        SbTarget.LOAD_TO_PE,
        lambda t: bool(t.writers & TRANSFERS) and Engine.PE in t.readers,
    ),
    (
        SbTarget.ENGINE_TO_STORE,
        lambda t: bool(t.writers - TRANSFERS) and bool(t.readers & TRANSFERS),
    ),
    (
        SbTarget.LOAD_TO_ENGINE,
        lambda t: bool(t.writers & TRANSFERS) and bool(t.readers - TRANSFERS),
    ),
    (
        SbTarget.ENGINE_TO_ENGINE,
        lambda t: bool(t.readers - t.writers),
    ),
    (SbTarget.ONE_ENGINE, lambda _: True),
)
"""The classes in order; the first whose rule holds is the target of a location."""


def target_of(traffic: Traffic) -> SbTarget:
    """Return the target of a location.

    >>> target_of(Traffic(frozenset({Engine.DMA}), frozenset({Engine.PE})))
    <SbTarget.LOAD_TO_PE: 1>
    """
    return next(target for target, holds in RULES if holds(traffic))


def traffic_of(program: Program) -> list[Traffic]:
    """Return who touches each location, in the order of the locations."""
    count = len(program.location_tensor)
    writers: list[set[Engine]] = [set() for _ in range(count)]
    readers: list[set[Engine]] = [set() for _ in range(count)]
    engine = program.engine[program.access_instruction]
    columns = np.stack(
        (program.access_location, engine, program.access_is_write), axis=1
    )
    for location, ordinal, is_write in np.unique(columns, axis=0).tolist():
        (writers if is_write else readers)[location].add(Engine(ordinal).issuer)
    again = _read_again(program)
    windows = [tensor.window for tensor in program.function.tensors]
    owners = program.location_tensor.tolist()
    return [
        Traffic(
            frozenset(writers[number]),
            frozenset(readers[number]),
            number in again,
            windows[owner] is not None,
        )
        for number, owner in enumerate(owners)
    ]


def _read_again(program: Program) -> frozenset[int]:
    """Return the locations of which one statement reads one box twice or more."""
    reads = np.flatnonzero(~program.access_is_write)
    row = program.access_instruction[reads]
    location = program.access_location[reads]
    statement = program.statement[row]
    boxes = np.column_stack(
        (
            location,
            statement,
            program.access_start[reads],
            program.access_extent[reads],
        )
    )
    # One instruction may name one box twice, which is one reading.
    once = np.unique(np.column_stack((boxes, row)), axis=0)[:, :-1]
    own, times = np.unique(once, axis=0, return_counts=True)
    writes = _written_by_reader(program)
    return frozenset(
        int(box[0])
        for box, count in zip(own.tolist(), times.tolist(), strict=True)
        if count > 1 and (box[0], box[1]) not in writes
    )


def _written_by_reader(program: Program) -> set[tuple[int, int]]:
    """Return each (location, statement) of a write.

    A statement that accumulates reads its own result again, which is no second use of
    what somebody else has made.
    """
    writes = np.flatnonzero(program.access_is_write)
    statement = program.statement[program.access_instruction[writes]]
    pairs = np.column_stack((program.access_location[writes], statement))
    return {(int(pair[0]), int(pair[1])) for pair in np.unique(pairs, axis=0)}
