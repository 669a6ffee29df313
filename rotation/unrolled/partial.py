"""Partial tiles: extents, and so costs, that differ from execution to execution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pelican.expr.node import Expr
from rotation.loop_form.kernel import Instruction, Region
from rotation.machine.cost import instruction_cost
from rotation.machine.machine import Machine
from rotation.unrolled.program import Ints

Values = Callable[[Expr], Ints]
"""The value of an index expression at each execution."""


def extent_column(region: Region, dimension: int, values: Values) -> Ints:
    """Return the extent of a dimension at each execution, (x,), or one for all, ().

    Args:
        region: An operand.
        dimension: Which dimension.
        values: Gives the values of its terms.
    """
    columns = [values(term.expr) for term in region.terms(dimension)]
    if not columns:
        return np.asarray(region.extents[dimension], np.int64)
    return np.asarray(np.minimum.reduce(columns), np.int64)


def cost_columns(
    instruction: Instruction, machine: Machine, values: Values, count: int
) -> tuple[Ints, Ints]:
    """Return busy time and latency of each execution, (x,) each [ps].

    A partial tile costs what its own extents cost; each set of extents that occurs is
    asked for once.

    Args:
        instruction: The instruction.
        machine: Where it runs.
        values: Gives the values of its index expressions.
        count: Number of its executions.
    """
    operands = (*instruction.writes, *instruction.reads)
    if not any(region.partial for region in operands):
        cost = instruction_cost(instruction, machine)
        return np.full(count, cost.busy_ps), np.full(count, cost.latency_ps)
    extents = [
        np.broadcast_to(extent_column(region, dimension, values), (count,))
        for region in operands
        for dimension in range(len(region.extents))
    ]
    kinds, kind = np.unique(np.stack(extents, axis=1), axis=0, return_inverse=True)
    costs = [_cost(instruction, machine, row) for row in kinds.tolist()]
    table = np.array(costs, np.int64).reshape(-1, 2)[kind.reshape(-1)]
    return table[:, 0], table[:, 1]


def _cost(
    instruction: Instruction, machine: Machine, extents: list[int]
) -> tuple[int, int]:
    """Return what an execution costs whose operands have these extents."""
    taken = iter(extents)

    def cut(region: Region) -> Region:
        return replace(region, extents=tuple(next(taken) for _ in region.extents))

    writes = tuple(map(cut, instruction.writes))
    reads = tuple(map(cut, instruction.reads))
    cost = instruction_cost(replace(instruction, writes=writes, reads=reads), machine)
    return cost.busy_ps, cost.latency_ps
