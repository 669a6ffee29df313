"""Check that ``@`` selects instances that exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pelican.tree.printing import brief_text
from rotation.errors import KernelError
from rotation.loop_form.kernel import Arm, Function, IndexExpr, Instruction, Region
from rotation.loop_form.loop_values import first_value, trip_at
from rotation.loop_form.points import fits_64_bits
from rotation.verify.regions import find_outside

MAX_INSTANCES: Final = 24_999_999
"""Instances of one buffer; tables have a number for each."""


def instance_mistakes(
    instruction: Instruction, function: Function
) -> Iterator[KernelError]:
    """Yield what is wrong with the instances that one operation means."""
    around = [loop.index for loop in function.loops_of[instruction]]
    for region in (*instruction.writes, *instruction.reads):
        scope = region.tensor.scope
        if scope is None:
            continue
        outside = [loop.index for loop in function.nests[scope][:-1]]
        missing = next((index for index in outside if index not in around), None)
        if missing is not None:
            name = region.tensor.name
            yield KernelError(
                f"{name} has instances of its own in each iteration of {missing.name}, "
                f"and {instruction.name} is outside it",
                region.span,
                f"move {instruction.name} into loop {missing.name}",
            )
        elif region.instance is not None:
            arms = function.arms_of[instruction]
            yield from _selection_mistakes(region, region.instance, function, arms)


def _selection_mistakes(
    region: Region, instance: IndexExpr, function: Function, arms: tuple[Arm, ...]
) -> Iterator[KernelError]:
    scope, name = region.tensor.scope, region.tensor.name
    if scope is None:
        return
    lo, step = first_value(scope), scope.step
    if not fits_64_bits(instance.expr - lo):
        message = "the number of an instance needs more than 64 bits"
        yield KernelError(message, instance.span, "make the numbers in it smaller")
        return
    between = find_outside((instance.expr - lo) % step, 0, arms)
    if between is not None:
        shown = brief_text(instance.raw)
        yield KernelError(
            f"{name}@({shown}) is between two iterations of {scope.name}{between[1]}",
            instance.span,
            f"{scope.name} takes the values {lo}, {lo + step}, {lo + 2 * step}, ...",
        )
        return
    trips = trip_at(scope, instance.expr).range
    first, last = min(trips.lo or 0, 0), max(trips.hi or 0, scope.trip_count - 1)
    count = (last - first + 1) * function.instance_spans[region.tensor].outer
    if count > MAX_INSTANCES:
        yield KernelError(
            f"{name}@({brief_text(instance.raw)}) makes {count:,} instances of {name}; "
            f"the most is {MAX_INSTANCES:,}",
            instance.span,
            f"select instances nearer to those of {scope.name}",
        )
