"""Registers: which numbers they may hold, and the function for given numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from pelican.errors import nearest
from pelican.expr import AffineIV
from pelican.expr.node import Expr
from pelican.questions.substitute import rebuild, smart
from pelican.tree.printing import brief_text
from pelican.tree.traverse import indices
from rotation.errors import ArgumentError
from rotation.loop_form.kernel import (
    Call,
    Comparison,
    Function,
    If,
    IndexExpr,
    Instruction,
    Loop,
    MemoryLocationSet,
    Region,
    Statement,
)
from rotation.loop_form.loop_values import first_value, value_at

MOST: Final = 2**31 - 1
"""Largest number of a register: registers hold 32 bits with a sign."""

DEFAULT: Final = 64
"""What a register is assumed to hold for totals, where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The greatest number that a register may hold.

    Attributes:
        register: Its name.
        most: The number.
        region: The region that would leave its tensor at one more; None without one.
        loop: The loop in which it does.
    """

    register: str
    most: int
    region: Region | None
    loop: AffineIV | None


def with_registers(function: Function, values: Mapping[str, int]) -> Function:
    """Return the static function in which registers hold these numbers.

    Loops without a trip leave their bodies out. Instructions and buffers have the names
    and places that they had.

    Args:
        function: A function.
        values: A number for each of its registers.
    """
    return Function(
        function.name, function.machine, _body(function.body, values, _Known())
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """What stands for the loops and buffers of the function so far."""

    loops: dict[AffineIV, AffineIV] = field(default_factory=dict)
    tensors: dict[MemoryLocationSet, MemoryLocationSet] = field(default_factory=dict)


def _body(
    body: tuple[Statement, ...],
    values: Mapping[str, int],
    known: _Known,
) -> tuple[Statement, ...]:
    """Return the statements with registers replaced."""
    made: list[Statement] = []
    for statement in body:
        match statement:
            case Loop():
                made.append(_static(statement, values, known))
            case MemoryLocationSet():
                scope = statement.scope
                if scope is not None:
                    scope = known.loops.get(scope, scope)
                known.tensors[statement] = replace(statement, scope=scope)
                made.append(known.tensors[statement])
            case Instruction():
                made.append(_instruction(statement, known))
            case If():
                made.append(_choice(statement, values, known))
            case Call():  # only loops without trips have one, next to run-time loops
                made += _body(statement.body, values, known)
    return tuple(made)


def _static(loop: Loop, values: Mapping[str, int], known: _Known) -> Loop:
    index, has_trips = loop.index, loop.skipped is None
    if loop.bound is not None:
        lo = first_value(index)
        # A register of loops that are all left out has no number.
        hi = values.get(loop.bound, lo)
        has_trips = hi > lo
        end = hi if has_trips else lo + 1
        index = AffineIV(index.name, lo, end, index.step, index.depth)
        known.loops[loop.index] = index
    body = _body(loop.written, values, known)
    if has_trips:
        return Loop(index, body, loop.span)
    return Loop(index, (), loop.span, skipped=body)


def _choice(choice: If, values: Mapping[str, int], known: _Known) -> If:
    compared = (
        Comparison(_index(c.left, known), c.compare, _index(c.right, known), c.span)
        for c in choice.comparisons
    )
    return replace(
        choice,
        comparisons=tuple(compared),
        then=_body(choice.then, values, known),
        otherwise=_body(choice.otherwise, values, known),
    )


def _index(index: IndexExpr, known: _Known) -> IndexExpr:
    return IndexExpr(_moved(index.raw, known), _moved(index.expr, known), index.span)


def _instruction(instruction: Instruction, known: _Known) -> Instruction:
    def region(old: Region) -> Region:
        return replace(
            old,
            tensor=known.tensors[old.tensor],
            starts=tuple(_index(start, known) for start in old.starts),
            least=tuple(
                tuple(_index(term, known) for term in terms) for terms in old.least
            ),
        )

    indexed = instruction.indexed
    if indexed is not None:
        indexed = replace(indexed, tensor=known.tensors[indexed.tensor])
    return replace(
        instruction,
        writes=tuple(map(region, instruction.writes)),
        reads=tuple(map(region, instruction.reads)),
        indexed=indexed,
        accumulates=tuple(known.loops.get(i, i) for i in instruction.accumulates),
    )


def _moved(expr: Expr, known: _Known) -> Expr:
    changes: dict[Expr, Expr] = dict(known.loops.items())
    used = any(index in changes for index in indices(expr))
    return rebuild(expr, smart, changes) if used else expr


def value_for_trips(function: Function, register: str, trips: int) -> int:
    """Return a number that gives each loop of a register at least so many trips.

    With 0 no loop has a trip; with others, loops that start lower have more of them.
    """
    nests = function.nests.values()
    loops = [loop for nest in nests for loop in nest if loop.bound == register]
    if not trips:
        return min(first_value(loop.index) for loop in loops)
    return max(value_at(loop.index, trips) for loop in loops)


def values_for_trips(function: Function, trips: Mapping[str, int]) -> dict[str, int]:
    """Return numbers that give loops so many trips, or as many as they may have."""
    return {
        limit.register: min(
            limit.most, value_for_trips(function, limit.register, trips[limit.register])
        )
        for limit in limits(function)
    }


@lru_cache(maxsize=16)
def limits(function: Function) -> tuple[Limit, ...]:
    """Return the greatest number of each register, in the order of the text.

    With that number in one register, and one trip of the other loops, every region
    lies inside its tensor. A number that is too small leaves a loop without a trip.
    """
    found = {name: Limit(name, MOST, None, None) for name in function.registers}
    for instruction, region, loop, name in _bounded(function):
        others = {
            n.index: _one_trip(n)
            for n in run_time_loops(function, instruction)
            if n is not loop
        }
        most = _most(region, loop, others, found[name].most)
        if most < found[name].most:
            found[name] = Limit(name, most, region, loop.index)
    return tuple(found.values())


def run_time_loops(function: Function, instruction: Instruction) -> dict[Loop, str]:
    """Return the run-time loops around an operation, with the register of each."""
    around = function.loops_of[instruction]
    return {loop: loop.bound for loop in around if loop.bound is not None}


def _bounded(function: Function) -> Iterator[tuple[Instruction, Region, Loop, str]]:
    """Yield each region with each run-time loop that is in it, and the register."""
    for instruction in function.instructions:
        for region in (*instruction.writes, *instruction.reads):
            used = {i for start in region.starts for i in indices(start.expr)}
            for loop, register in run_time_loops(function, instruction).items():
                if loop.index in used:
                    yield instruction, region, loop, register


def _one_trip(loop: Loop) -> AffineIV:
    lo = first_value(loop.index)
    return AffineIV(loop.index.name, lo, lo + 1, loop.index.step, loop.index.depth)


def _most(
    region: Region, loop: Loop, others: Mapping[AffineIV, AffineIV], most: int
) -> int:
    """Return the greatest number up to `most` at which a region stays inside.

    Inside is decided by ranges, so it may be less than the greatest of all.
    """
    index = loop.index
    lo = first_value(index)

    def inside(number: int) -> bool:
        own = AffineIV(index.name, lo, number, index.step, index.depth)
        changes: dict[Expr, Expr] = {index: own}
        changes |= dict(others.items())
        return _inside(region, changes)

    if most <= lo or inside(most):
        return most
    low, high = lo, most  # no trip is inside; `most` is not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if inside(middle) else (low, middle)
    return low


def stay_inside(function: Function, values: Mapping[str, int]) -> bool:
    """Return whether every region is inside its tensor while registers hold these.

    One number may be right only while another is small. It is decided by ranges.
    """
    for instruction in function.instructions:
        loops = run_time_loops(function, instruction)
        ends = {n: values[register] for n, register in loops.items()}
        if any(end <= first_value(n.index) for n, end in ends.items()):
            continue  # no trip, and so no such access
        changes: dict[Expr, Expr] = {
            n.index: AffineIV(n.index.name, n.index.lo, end, n.index.step)
            for n, end in ends.items()
        }
        regions = (*instruction.writes, *instruction.reads)
        if not all(_inside(region, changes) for region in regions):
            return False
    return True


def _inside(region: Region, changes: Mapping[Expr, Expr]) -> bool:
    """Return whether a region is inside its tensor, with other indices in it.

    Of dimensions without such an index nothing is asked; the verifier does.
    """
    for start, extent, size in zip(
        region.starts, region.extents, region.tensor.shape, strict=False
    ):
        if not any(leaf in changes for leaf in indices(start.expr)):
            continue
        span = rebuild(start.expr, smart, changes).range
        if span.lo is None or span.hi is None:
            return False
        if span.lo < 0 or span.hi > size - extent:
            return False
    return True


def assumed(function: Function, given: Mapping[str, int]) -> dict[str, int]:
    """Return a number for each register: the given one, else `DEFAULT` or the most.

    Raises:
        ArgumentError: If a number is given for no register of the function, is no
            integer, or is beyond the limit of its register.
    """
    known = {limit.register: limit for limit in limits(function)}
    values = {n: min(DEFAULT, limit.most) for n, limit in known.items()}
    for name, value in given.items():
        if name not in known:
            hint = (
                nearest(name, known) or f"its registers: {', '.join(known) or 'none'}"
            )
            message = f"kernel {function.name} has no register {name!r}"
            raise ArgumentError(message, hint=hint)
        values[name] = _number(known[name], value)
    return values


def _number(limit: Limit, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        message = f"register {limit.register} holds an integer, got {value!r}"
        raise ArgumentError(message, hint=f"write assume={{{limit.register!r}: 64}}")
    if value > limit.most:
        raise _beyond(limit, value)
    return value


def _beyond(limit: Limit, value: int) -> ArgumentError:
    why = f"registers hold at most {MOST}"
    if limit.region is not None:
        span = limit.region.span
        where = "" if span is None else f", {span.place}"
        why = f"beyond it {limit.region.tensor.name} is left{where}"
    message = f"register {limit.register} holds at most {limit.most}, got {value}"
    return ArgumentError(message, hint=why)


def values_text(values: Mapping[str, int]) -> str:
    """Return the numbers of registers in words.

    >>> values_text({"n": 3, "m": 1})
    '%n = 3, %m = 1'
    """
    return ", ".join(f"%{name} = {value}" for name, value in values.items())


def limit_text(limit: Limit) -> str:
    """Return a limit in words.

    >>> limit_text(Limit("n", MOST, None, None))
    'n: any number'
    """
    if limit.region is None:
        return f"{limit.register}: any number"
    starts = ", ".join(brief_text(s.raw) for s in limit.region.starts)
    tensor = limit.region.tensor
    return f"{limit.register}: at most {limit.most}, by {tensor.name}[{starts}]"
