"""From a function with run-time loops to its tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod
from typing import Final

from pelican import icmp
from pelican.errors import Span
from pelican.expr import AffineIV
from pelican.expr.node import Expr
from pelican.questions.substitute import rebuild, smart
from pelican.tree.kinds import constant, is_constant
from pelican.tree.traverse import indices
from rotation.errors import KernelError
from rotation.kept.data import (
    BodyAccess,
    BodyOp,
    Node,
    Sequential,
    Straight,
    Tree,
)
from rotation.loop_form.kernel import (
    Compare,
    Comparison,
    Function,
    If,
    IndexExpr,
    Instruction,
    Loop,
    Region,
    Statement,
)
from rotation.loop_form.loop_values import value_at
from rotation.unrolled.unroll import count_instructions

MAX_BODY: Final = 96
"""Most operations of the body of a straight loop.

Its dependences are found and proved pair by pair.
"""


def tree_of(function: Function) -> Tree:
    """Return the tree of a function.

    Raises:
        KernelError: If an `if` or an extent is decided by a loop that is kept, or a
            run-time loop stands in an arm.
    """
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
        if not _static(statement) and isinstance(statement, If):
            raise _loop_in_arm(statement)
        if not isinstance(statement, Loop) or (
            _static(statement) and count_instructions((statement,)) <= MAX_BODY
        ):
            run.append(statement)
        else:
            flush()
            node = _loop_node(function, statement, outer)
            if node.ops if isinstance(node, Straight) else node.nodes:
                nodes.append(node)
    flush()
    return tuple(nodes)


def _blocks(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """Return the bodies in a statement."""
    if isinstance(statement, If):
        return statement.then, statement.otherwise
    return (statement.body,) if isinstance(statement, Loop) else ()


def _loop_node(function: Function, loop: Loop, outer: tuple[Loop, ...]) -> Node:
    static = all(map(_static, loop.body))
    if static and count_instructions(loop.body) <= MAX_BODY:
        return Straight(loop, outer, tuple(_ops(function, loop.body, outer, loop)))
    return Sequential(loop, _nodes(function, loop.body, (*outer, loop)))


def _static(statement: Statement) -> bool:
    """Return whether nothing in a statement runs to a register."""
    if isinstance(statement, Loop) and statement.bound is not None:
        return False
    return all(_static(inner) for block in _blocks(statement) for inner in block)


def _ops(
    function: Function,
    body: tuple[Statement, ...],
    outer: tuple[Loop, ...],
    loop: Loop | None,
) -> Iterator[BodyOp]:
    """Yield the operations of a body with its static loops unrolled."""
    around = len(outer) + (loop is not None)
    yield from _unrolled(function, body, around, loop, {})


def _unrolled(
    function: Function,
    body: tuple[Statement, ...],
    around: int,
    loop: Loop | None,
    trips: dict[Loop, int],
) -> Iterator[BodyOp]:
    for statement in body:
        if isinstance(statement, Loop):
            for trip in range(statement.trip_count):
                inner = {**trips, statement: trip}
                yield from _unrolled(function, statement.body, around, loop, inner)
        elif isinstance(statement, If):
            arm = statement.then if _holds(statement, trips) else statement.otherwise
            yield from _unrolled(function, arm, around, loop, trips)
        elif isinstance(statement, Instruction):
            yield _op(function, statement, around, loop, tuple(trips.values()))


def _values(trips: Mapping[Loop, int]) -> dict[Expr, Expr]:
    """Return the values of the indices of unrolled loops."""
    return {n.index: constant(value_at(n.index, trip)) for n, trip in trips.items()}


def _holds(choice: If, trips: Mapping[Loop, int]) -> bool:
    """Return whether the comparisons of an `if` hold at these trips.

    Raises:
        KernelError: If a loop that is kept, or a register, decides.
    """
    decided = [_decided(comparison, trips) for comparison in choice.comparisons]
    return all(decided)


def _decided(comparison: Comparison, trips: Mapping[Loop, int]) -> bool:
    values = _values(trips)
    left, right = (
        rebuild(side.expr, smart, values)
        for side in (comparison.left, comparison.right)
    )
    unequal = comparison.compare is Compare.UNEQUAL
    holds = icmp(left, "==" if unequal else comparison.compare.value, right)
    if not is_constant(holds):
        raise _undecided("the if", left - right, comparison.span)
    return bool(holds.constant) is not unequal


def _undecided(what: str, expr: Expr, span: Span | None) -> KernelError:
    names = ", ".join(sorted({leaf.name for leaf in indices(expr)}))
    return KernelError(
        f"{what} is decided by {names}, whose loop is kept with the run-time loops",
        span,
        "let only static loops inside the run-time loop decide it, or write the "
        "number of trips in place of the register",
    )


def _loop_in_arm(choice: If) -> KernelError:
    return KernelError(
        "a loop that runs to a register is in an arm of an if",
        choice.span,
        "move the loop out of the if, or write the number of trips in place of the "
        "register",
    )


def _op(
    function: Function,
    instruction: Instruction,
    around: int,
    loop: Loop | None,
    trips: tuple[int, ...],
) -> BodyOp:
    unrolled = function.loops_of[instruction][around:]
    values = _values(dict(zip(unrolled, trips, strict=True)))
    own = {n.index: trip for n, trip in zip(unrolled, trips, strict=True)}

    def access(region: Region, *, is_write: bool) -> BodyAccess:
        if region is instruction.reached_region:
            region = _whole(region)  # which rows, nobody knows
        elif region.partial:
            extents = tuple(
                _extent(region, d, values) for d in range(len(region.starts))
            )
            region = replace(region, extents=extents, least=())
        starts = tuple(rebuild(s.expr, smart, values) for s in region.starts)
        place = _instance(function, region.tensor.scope, around, loop, own)
        return BodyAccess(region, starts, is_write, *place)

    added = instruction.writes if _adds(instruction, own) else ()
    reads = (access(r, is_write=False) for r in (*instruction.reads, *added))
    writes = (access(r, is_write=True) for r in instruction.writes)
    return BodyOp(instruction, trips, (*reads, *writes))


def _extent(region: Region, dimension: int, values: Mapping[Expr, Expr]) -> int:
    """Return the extent of a dimension at these values.

    Raises:
        KernelError: If the index of a loop that is kept is in it.
    """
    terms = region.terms(dimension)
    if not terms:
        return region.extents[dimension]
    found = [rebuild(term.expr, smart, values) for term in terms]
    for term in found:
        if not is_constant(term):
            raise _undecided("the extent", term, region.span)
    return min(term.constant for term in found if is_constant(term))


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
