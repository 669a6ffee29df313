"""Check the ifs of a kernel: what decides them can be read, and stays as it is."""

from __future__ import annotations

from collections.abc import Iterator

from rotation.errors import KernelError
from rotation.loop_form.kernel import Function, If, MemorySpace
from rotation.loop_form.points import fits_64_bits


def choice_mistakes(function: Function) -> Iterator[KernelError]:
    """Yield what is wrong with what decides an if."""
    for choice in function.choices:
        yield from _comparison_mistakes(choice)
        yield from _loaded_mistakes(choice)
    for instruction in function.instructions:
        deciding = {
            region.tensor: arm.choice
            for arm in function.arms_of[instruction]
            for region in arm.choice.loaded
        }
        for region in instruction.writes:
            if region.tensor in deciding:
                name = region.tensor.name
                choice = deciding[region.tensor]
                line = "" if choice.span is None else f" of line {choice.span.line}"
                yield KernelError(
                    f"{instruction.name} writes {name}, which decides the if{line} "
                    "around it",
                    region.span,
                    f"write to another buffer, and copy it to {name} after the if",
                )


def _comparison_mistakes(choice: If) -> Iterator[KernelError]:
    for comparison in choice.comparisons:
        for side in (comparison.left, comparison.right):
            if not fits_64_bits(side.expr):
                message = "an index expression needs more than 64 bits"
                yield KernelError(message, side.span, "make the numbers in it smaller")


def _loaded_mistakes(choice: If) -> Iterator[KernelError]:
    for region in choice.loaded:
        tensor = region.tensor
        if tensor.space is not MemorySpace.SB:
            yield KernelError(
                f"{tensor.name} is in {tensor.space.value} and cannot decide an if: "
                "only values in sb can",
                region.span,
                f"bring it to an sb tile first, as in dma.load TILE <- {tensor.name}",
            )
