"""From a function with run-time loops to its tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import Final

from pelican.expr import AffineIV
from pelican.kinds import constant
from pelican.node import Expr
from pelican.substitute import rebuild, smart
from rotation.kept.data import (
    BodyAccess,
    BodyOp,
    Node,
    Sequential,
    Straight,
    Tree,
)
from rotation.loop_form.kernel import (
    Function,
    IndexExpr,
    Instruction,
    Loop,
    Region,
    Statement,
)
from rotation.unrolled.unroll import count_instructions

MAX_BODY: Final = 96
"""Most operations of the body of a straight loop.

Its dependences are found and proved pair by pair.
"""


def tree_of(function: Function) -> Tree:
    """Return the tree of a function."""
    return Tree(function, _nodes(function, function.body, ()))


def _nodes(
    function: Function, body: tuple[Statement, ...], outer: tuple[Loop, ...]
) -> tuple[Node, ...]:
    nodes: list[Node] = []
    run: list[Statement] = []

    def flush() -> None:
        ops = tuple(_ops(function, tuple(run), outer, None))
        if ops:
            nodes.append(Straight(None, outer, ops))
        run.clear()

    for statement in body:
        if not isinstance(statement, Loop) or (
            _static(statement) and count_instructions((statement,)) <= MAX_BODY
        ):
            run.append(statement)
        else:
            flush()
            if count_operations(statement.body):
                nodes.append(_loop_node(function, statement, outer))
    flush()
    return tuple(nodes)


def count_operations(body: tuple[Statement, ...]) -> int:
    """Return how many operations a body names; a loop that names none is left out."""
    return sum(
        count_operations(statement.body)
        if isinstance(statement, Loop)
        else isinstance(statement, Instruction)
        for statement in body
    )


def _loop_node(function: Function, loop: Loop, outer: tuple[Loop, ...]) -> Node:
    inner = (s for s in loop.body if isinstance(s, Loop))
    if all(map(_static, inner)) and count_instructions(loop.body) <= MAX_BODY:
        return Straight(loop, outer, tuple(_ops(function, loop.body, outer, loop)))
    return Sequential(loop, _nodes(function, loop.body, (*outer, loop)))


def _static(statement: Statement) -> bool:
    """Return whether nothing in a statement runs to a register."""
    if not isinstance(statement, Loop):
        return True
    return statement.bound is None and all(map(_static, statement.body))


def _ops(
    function: Function,
    body: tuple[Statement, ...],
    outer: tuple[Loop, ...],
    loop: Loop | None,
) -> Iterator[BodyOp]:
    """Yield the operations of a body with its static loops unrolled."""
    around = len(outer) + (loop is not None)
    yield from _unrolled(function, body, around, loop, ())


def _unrolled(
    function: Function,
    body: tuple[Statement, ...],
    around: int,
    loop: Loop | None,
    trips: tuple[int, ...],
) -> Iterator[BodyOp]:
    for statement in body:
        if isinstance(statement, Loop):
            for trip in range(statement.trip_count):
                inner = (*trips, trip)
                yield from _unrolled(function, statement.body, around, loop, inner)
        elif isinstance(statement, Instruction):
            yield _op(function, statement, around, loop, trips)


def _op(
    function: Function,
    instruction: Instruction,
    around: int,
    loop: Loop | None,
    trips: tuple[int, ...],
) -> BodyOp:
    unrolled = function.loops_of[instruction][around:]
    values: dict[Expr, Expr] = {
        n.index: constant((n.index.lo or 0) + trip * n.index.step)
        for n, trip in zip(unrolled, trips, strict=True)
    }
    own = {n.index: trip for n, trip in zip(unrolled, trips, strict=True)}

    def access(region: Region, *, is_write: bool) -> BodyAccess:
        if region is instruction.reached_region:
            region = _whole(region)  # which rows, nobody knows
        starts = tuple(rebuild(s.expr, smart, values) for s in region.starts)
        place = _instance(function, region.tensor.scope, around, loop, own)
        return BodyAccess(region, starts, is_write, *place)

    added = instruction.writes if _adds(instruction, own) else ()
    reads = (access(r, is_write=False) for r in (*instruction.reads, *added))
    writes = (access(r, is_write=True) for r in instruction.writes)
    return BodyOp(instruction, trips, (*reads, *writes))


def _whole(region: Region) -> Region:
    zero = IndexExpr(constant(0), constant(0), region.span)
    shape = region.tensor.shape
    return replace(region, starts=(zero,) * len(shape), extents=shape, whole=True)


def _adds(instruction: Instruction, own: dict[AffineIV, int]) -> bool:
    """Return whether an operation may add to its destination at these trips."""
    return any(own.get(index, 1) > 0 for index in instruction.accumulates)


def _instance(
    function: Function,
    scope: AffineIV | None,
    around: int,
    loop: Loop | None,
    own: dict[AffineIV, int],
) -> tuple[int, int, bool]:
    """Return instances in a trip, the number of this one, and if it is new in it."""
    nest = () if scope is None else function.nests[scope]
    inside = nest[around:]
    if not inside and (loop is None or loop not in nest):
        return 0, 0, False
    offset = 0
    for each in inside:
        offset = offset * each.trip_count + own[each.index]
    return prod(each.trip_count for each in inside), offset, True
