"""Unroll a function: one row of a table for each execution of each instruction.

Everything is computed for all executions of an instruction at once: the trips of
its loops are columns, and index expressions are folded over them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Final

import numpy as np

from pelican.expr import AffineIdx
from pelican.expr.node import Expr
from pelican.tree.traverse import fold
from rotation.errors import KernelError
from rotation.loop_form.instances import region_number
from rotation.loop_form.joins import arm_mask, deciding_regions
from rotation.loop_form.kernel import (
    Arm,
    Call,
    Function,
    If,
    Instruction,
    Loop,
    MemoryLocationSet,
    Region,
    Statement,
)
from rotation.loop_form.loop_values import value_at
from rotation.machine.machine import Machine
from rotation.unrolled.indirect import distinct_statements
from rotation.unrolled.partial import cost_columns, extent_column
from rotation.unrolled.program import Bools, Ints, Program
from rotation.verify.distinct import verify_distinct_rows
from rotation.verify.extents import verify_extents
from rotation.verify.pins import verify_pins
from rotation.verify.reads import verify_reads
from rotation.verify.writes import verify_writes

PS_PER_DAY: Final = 86_400 * 10**12

MAX_TOTAL_PS: Final = 2**62
"""Most time of all operations, one after the other [ps]: half of what 64 bits count."""

MAX_INSTRUCTIONS: Final = 24_999_999
"""Rows of the largest program.

Source: the limit of the unroller of the modelled system (docs/trust.md).
"""


def unroll(function: Function, machine: Machine) -> Program:
    """Return the unrolled function, in source order, with the costs of a machine.

    Args:
        function: A function that `verify` accepted for the machine.
        machine: Where it runs.

    Raises:
        KernelError: If there are more than `MAX_INSTRUCTIONS`, those that an `if`
            leaves out counted, before memory is used; if a transfer moves another
            number of elements than it writes; if an instruction writes an element
            twice; if a scatter that is ``unique`` cannot be; if an element of a
            buffer is read that nothing wrote; or if two buffers that are alive
            together are pinned to the same bytes.
    """
    most_instructions = count_instructions(function.body)
    if most_instructions > MAX_INSTRUCTIONS:
        raise _too_large(function, most_instructions)
    sites = _numbered(tuple(_sites(function.body)), most_instructions)
    num_instructions = sum(len(site.executions().rows) for site in sites)
    statement, iteration, engine, busy_ps, latency_ps = np.zeros(
        (5, num_instructions), dtype=np.int64
    )
    for position, site in enumerate(sites):
        executions = site.executions()
        rows = executions.rows
        statement[rows] = position
        iteration[rows] = executions.linear
        engine[rows] = machine.server_of(site.instruction)
        busy_ps[rows], latency_ps[rows] = cost_columns(
            site.instruction, machine, executions.values, len(rows)
        )
    _require_countable(function, machine, busy_ps, latency_ps)
    first_access = _first_accesses(sites, num_instructions)
    accesses = _AccessColumns(function, sites, int(first_access[-1]))
    for site in sites:
        accesses.fill(site, first_access)
    location_tensor, location_instance = accesses.compact()
    program = Program(
        function=function,
        machine=machine,
        statement=statement,
        iteration=iteration,
        engine=engine,
        busy_ps=busy_ps,
        latency_ps=latency_ps,
        access_instruction=accesses.instruction,
        access_location=accesses.location,
        access_is_write=accesses.is_write,
        access_start=accesses.start,
        access_extent=accesses.extent,
        location_tensor=location_tensor,
        location_instance=location_instance,
    )
    verify_extents(program)
    program = replace(program, distinct=distinct_statements(program))
    verify_distinct_rows(program)
    verify_writes(program)
    verify_reads(program)
    verify_pins(program)
    return program


def count_instructions(body: tuple[Statement, ...]) -> int:
    """Return how many instructions one execution of a body unrolls to.

    Both arms of an `if` count.
    """
    return sum(map(_count, body))


def _count(statement: Statement) -> int:
    match statement:
        case Loop():
            return statement.trip_count * count_instructions(statement.body)
        case If():
            arms = (statement.then, statement.otherwise)
            return sum(map(count_instructions, arms))
        case Call():
            return count_instructions(statement.body)
        case Instruction():
            return 1
        case _:
            return 0


def _require_countable(
    function: Function, machine: Machine, busy_ps: Ints, latency_ps: Ints
) -> None:
    """Raise if the times one after the other are more than 64 bits can count."""
    total_ps = busy_ps.sum(dtype=float) + latency_ps.sum(dtype=float)
    if total_ps > MAX_TOTAL_PS:
        days = int(total_ps / PS_PER_DAY)
        message = f"kernel {function.name} takes {days} days on {machine.name}"
        hint = f"the most is {MAX_TOTAL_PS // PS_PER_DAY}; look at the rates of it"
        raise KernelError(message, function.span, hint)


def _too_large(function: Function, num_instructions: int) -> KernelError:
    parts = [s for s in function.body if isinstance(s, (Loop, If, Call))]
    largest = max(parts, key=_count)
    return KernelError(
        f"kernel {function.name} unrolls to {num_instructions:,} instructions; "
        f"the most is {MAX_INSTRUCTIONS:,}",
        largest.span,
        "use larger tiles, or fewer iterations in one kernel",
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Executions:
    """The x executions of one instruction, in source order.

    Attributes:
        rows: Their rows in the program, (x,).
        linear: Linear trip number over all loops around it, (x,).
        trips: Trip number of each loop around it, from the outermost in, (x,) each.
        adds: True where the destination is added to: not in the first iteration of
            all loops that are accumulated over, which overwrites it, (x,).
    """

    rows: Ints
    linear: Ints
    trips: dict[AffineIdx, Ints]
    adds: Bools

    def values(self, expr: Expr) -> Ints:
        """Return the value of an index expression at each execution, (x,)."""
        value = fold(expr, lambda i: value_at(i, self.trips[i]))
        return np.broadcast_to(np.asarray(value, dtype=np.int64), self.rows.shape)


@dataclass(frozen=True, slots=True, eq=False)
class _Site:
    """An instruction of the loop form, and where its executions stand.

    Attributes:
        instruction: The instruction.
        loops: The loops around it, from the outermost in.
        arms: The arms of ifs around it, from the outermost in.
        strides: Numbers from one iteration of each loop to the next, when what ifs
            leave out is numbered too.
        first: Number of the first execution.
        row: Row of each number, for those that are done; None if all are.
    """

    instruction: Instruction
    loops: tuple[Loop, ...]
    arms: tuple[Arm, ...]
    strides: tuple[int, ...]
    first: int
    row: Ints | None = None

    def executions(self) -> _Executions:
        """Return the columns of all executions that happen."""
        inside = prod(loop.trip_count for loop in self.loops)
        linear = np.arange(inside, dtype=np.int64)
        rows = np.full(inside, self.first, dtype=np.int64)
        trips: dict[AffineIdx, Ints] = {}
        for loop, stride in zip(self.loops, self.strides, strict=True):
            inside //= loop.trip_count
            trips[loop.index] = linear // inside % loop.trip_count
            rows += trips[loop.index] * stride
        adds = np.zeros(len(rows), dtype=np.bool_)
        for index in self.instruction.accumulates:
            adds |= trips[index] > 0
        every = _Executions(rows, linear, trips, adds)
        done = np.flatnonzero(arm_mask(self.arms, every.values, len(rows)))
        rows = rows[done] if self.row is None else self.row[rows[done]]
        kept = {index: trip[done] for index, trip in trips.items()}
        return _Executions(rows, linear[done], kept, adds[done])


def _sites(
    body: tuple[Statement, ...],
    loops: tuple[Loop, ...] = (),
    arms: tuple[Arm, ...] = (),
    strides: tuple[int, ...] = (),
    first: int = 0,
) -> Iterator[_Site]:
    """Yield the sites of a body whose first number is `first`, in source order."""
    for statement in body:
        match statement:
            case MemoryLocationSet():
                pass
            case Instruction():
                yield _Site(statement, loops, arms, strides, first)
            case Loop():
                inside = (*loops, statement)
                steps = (*strides, count_instructions(statement.body))
                yield from _sites(statement.body, inside, arms, steps, first)
            case Call():
                yield from _sites(statement.body, loops, arms, strides, first)
            case If():
                then, other = Arm(statement, taken=True), Arm(statement, taken=False)
                yield from _sites(statement.then, loops, (*arms, then), strides, first)
                past = first + count_instructions(statement.then)
                yield from _sites(
                    statement.otherwise, loops, (*arms, other), strides, past
                )
        first += _count(statement)


def _numbered(sites: tuple[_Site, ...], most: int) -> tuple[_Site, ...]:
    """Return the sites with the rows of the executions that ifs do not leave out."""
    if not any(arm.choice.comparisons for site in sites for arm in site.arms):
        return sites
    done = np.zeros(most, dtype=np.bool_)
    for site in sites:
        done[site.executions().rows] = True
    row = np.cumsum(done, dtype=np.int64) - 1
    return tuple(replace(site, row=row) for site in sites)


def _first_accesses(sites: tuple[_Site, ...], num_instructions: int) -> Ints:
    """Return the first access of each instruction, and the number of all, (n + 1,)."""
    bounds = np.zeros(num_instructions + 1, dtype=np.int64)
    for site in sites:
        executions = site.executions()
        reads, writes = len(site.instruction.reads), len(site.instruction.writes)
        reads += len(deciding_regions(site.arms))
        bounds[executions.rows + 1] = reads + writes * (1 + executions.adds)
    return np.cumsum(bounds, out=bounds)


class _AccessColumns:
    """The access columns of a `Program`; each access has its row from the start.

    `location` holds numbers with gaps until `compact`: each buffer that is touched
    has as many as it has instances.
    """

    def __init__(
        self, function: Function, sites: tuple[_Site, ...], total: int
    ) -> None:
        self._function = function
        touched = {
            region.tensor
            for site in sites
            for region in (
                *site.instruction.reads,
                *site.instruction.writes,
                *deciding_regions(site.arms),
            )
        }
        instances = [
            function.instance_spans[tensor].count if tensor in touched else 0
            for tensor in function.tensors
        ]
        self._base = np.cumsum([0, *instances], dtype=np.int64)
        self._position = {tensor: k for k, tensor in enumerate(function.tensors)}
        rank = max((len(tensor.shape) for tensor in function.tensors), default=1)
        self.instruction = np.zeros(total, dtype=np.int64)
        self.location = np.zeros(total, dtype=np.int64)
        self.is_write = np.zeros(total, dtype=np.bool_)
        self.start = np.zeros((total, rank), dtype=np.int64)
        self.extent = np.ones((total, rank), dtype=np.int64)

    def fill(self, site: _Site, first_access: Ints) -> None:
        """Fill in the accesses of a site: reads, then additions, then writes.

        The last reads are of what decides the ifs around it.
        """
        executions = site.executions()
        at = first_access[executions.rows]
        everywhere = np.ones_like(executions.adds)
        for region in site.instruction.reads:
            self._put(at, region, executions, everywhere)
            self._reach(at, region, site.instruction)
            at = at + 1
        for region in site.instruction.writes:
            self._put(at, region, executions, executions.adds)
            at = at + executions.adds
        for region in deciding_regions(site.arms):
            self._put(at, region, executions, everywhere)
            at = at + 1
        for region in site.instruction.writes:
            self._put(at, region, executions, everywhere)
            self._reach(at, region, site.instruction)
            self.is_write[at] = True
            at = at + 1

    def _reach(self, at: Ints, region: Region, instruction: Instruction) -> None:
        """Let accesses touch the whole of a buffer whose rows are only named later."""
        if region is instruction.reached_region:
            self.start[at] = 0
            self.extent[at, : len(region.extents)] = region.tensor.shape

    def _put(
        self, at: Ints, region: Region, executions: _Executions, kept: Bools
    ) -> None:
        """Write one operand of each execution that is kept to the rows `at`."""
        at = at[kept]
        base = self._base[self._position[region.tensor]]
        number = executions.values(region_number(self._function, region))
        self.instruction[at] = executions.rows[kept]
        first = self._function.instance_spans[region.tensor].first
        self.location[at] = base + number[kept] - first
        for dimension, start in enumerate(region.starts):
            self.start[at, dimension] = executions.values(start.expr)[kept]
        for dimension in range(len(region.extents)):
            column = extent_column(region, dimension, executions.values)
            self.extent[at, dimension] = np.broadcast_to(column, kept.shape)[kept]

    def compact(self) -> tuple[Ints, Ints]:
        """Number the locations that are touched, and return what they are.

        Returns:
            The tensor and the instance of each location, (l,) each.
        """
        is_touched = np.zeros(self._base[-1], dtype=np.bool_)
        is_touched[self.location] = True
        number = np.cumsum(is_touched, dtype=np.int64) - 1
        self.location = number[self.location]
        old = np.flatnonzero(is_touched)
        # Buffers without instances share their base with the next one, and
        # the last of equals is the one that is touched.
        tensor = np.searchsorted(self._base, old, side="right") - 1
        spans = self._function.instance_spans
        first = np.array([spans[t].first for t in self._function.tensors], np.int64)
        return tensor, old - self._base[tensor] + first[tensor]
