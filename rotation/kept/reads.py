"""Nothing is read that nothing wrote, whatever the registers hold.

What has been written only grows as a program runs, so a region that is the same in
all trips needs a look at few numbers of trips: none, where the loop has written
nothing for what comes after it; one, where no trip came before; two. A region that
moves with a run-time loop needs a write that moves along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from pelican.expr.node import Expr
from pelican.questions.substitute import rebuild, smart
from pelican.tree.kinds import is_constant
from pelican.tree.traverse import indices
from rotation.errors import KernelError, raise_all
from rotation.kept.data import BodyAccess, Straight, Tree
from rotation.kept.registers import values_for_trips, values_text, with_registers
from rotation.loop_form.kernel import Function, Loop, Role
from rotation.machine.machine import Machine
from rotation.unrolled.unroll import unroll

FEW_TRIPS: Final = (0, 1, 2)

MOST_REGISTERS: Final = 3
"""Registers of which all combinations of few trips are looked at; of more, the same
number of trips for all, and no trip for each alone."""


def verify_kept_reads(tree: Tree, machine: Machine) -> None:
    """Raise unless every element that is read was written, for every trip count.

    Raises:
        KernelError: For the first such read of each buffer; or if no write is seen to
            cover a region that moves with a run-time loop.
    """
    function = tree.function
    for values in few_trips(function):
        try:
            unroll(with_registers(function, values), machine)
        except KernelError as error:
            raise _with_values(error, values) from None
    raise_all(list(_moving_reads(tree)))


def few_trips(function: Function) -> Iterator[dict[str, int]]:
    """Yield numbers that give run-time loops no, one and two trips."""
    for trips in _combinations(function.registers):
        yield values_for_trips(function, trips)


def _combinations(names: tuple[str, ...]) -> Iterator[Mapping[str, int]]:
    if len(names) <= MOST_REGISTERS:
        for counts in product(FEW_TRIPS, repeat=len(names)):
            yield dict(zip(names, counts, strict=True))
        return
    for count in FEW_TRIPS:
        yield dict.fromkeys(names, count)
    for name in names:
        yield {**dict.fromkeys(names, 1), name: 0}


def _with_values(error: KernelError, values: Mapping[str, int]) -> KernelError:
    message = f"{error.message}, with {values_text(values)}"
    return KernelError(message, error.span, error.hint)


def _moving_reads(tree: Tree) -> Iterator[KernelError]:
    """Yield the reads that move with a run-time loop and that no write follows."""
    places = [
        (node, position, access)
        for node in tree.straights
        for position, op in enumerate(node.ops)
        for access in op.accesses
    ]
    seen = set()
    for number, (node, position, read) in enumerate(places):
        moves = not read.is_write and _moving(node, read)
        outside = read.tensor.role in {Role.INPUT, Role.CONST}
        if not moves or outside or read.region in seen:
            continue
        before = places[:number]
        if not any(
            _covers(node, position, read, other, place, write)
            for other, place, write in before
            if write.is_write and write.tensor is read.tensor
        ):
            seen.add(read.region)
            yield _not_covered(node, position, read)


def _moving(node: Straight, access: BodyAccess) -> set[str]:
    """Return the names of the run-time loops with which an access moves."""
    used = {index for start in access.starts for index in indices(start)}
    run_time = (loop.index for loop in node.loops if loop.bound is not None)
    return {index.name for index in run_time if index in used}


def _covers(
    node: Straight,
    position: int,
    read: BodyAccess,
    other: Straight,
    place: int,
    write: BodyAccess,
) -> bool:
    """Return whether a write that came before holds all of a read, at every trip."""
    certain = other.loop is None and not other.outer
    if certain and write.region.extents == write.tensor.shape:
        return True
    if other is node:
        return place < position and _holds(read, write, {})
    mine, theirs = node.loops, other.loops
    if len(mine) != len(theirs) or not all(map(_alike, mine, theirs)):
        return False
    renamed: dict[Expr, Expr] = {
        t.index: m.index for m, t in zip(mine, theirs, strict=True)
    }
    return _holds(read, write, renamed)


def _alike(one: Loop, other: Loop) -> bool:
    """Return whether two loops run over the same values."""
    return one.bound == other.bound and one.index.fields[:3] == other.index.fields[:3]


def _holds(read: BodyAccess, write: BodyAccess, renamed: Mapping[Expr, Expr]) -> bool:
    for mine, theirs, size, length in zip(
        read.starts,
        write.starts,
        read.region.extents,
        write.region.extents,
        strict=True,
    ):
        apart = mine - rebuild(theirs, smart, renamed)
        if not is_constant(apart) or not 0 <= apart.constant <= length - size:
            return False
    return True


def _not_covered(node: Straight, position: int, read: BodyAccess) -> KernelError:
    moving = ", ".join(sorted(_moving(node, read)))
    return KernelError(
        f"{node.ops[position].instruction.name} reads {read.tensor.name} where "
        f"{moving} of run-time trips says, and no write before is seen to "
        "cover it for every number of trips",
        read.region.span,
        "write the same region before, in this trip or in a loop over the same "
        "register",
    )
