"""What kernels with run-time loops may not hold.

The proof for every number of trips does not cover it, so it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from pelican.errors import Span
from pelican.expr import AffineIV
from rotation.errors import KernelError
from rotation.loop_form.kernel import Function, If, Loop, MemoryLocationSet, Statement


def require_supported(function: Function) -> None:
    """Refuse a function with run-time loops that are not kept.

    Raises:
        KernelError: If it has an `if` on loaded values, a call, a placed buffer, a
            buffer in DRAM that is new in each iteration, one declared above its loop,
            or an instance that `@` selects; it names the first.
    """
    for what, span in _unsupported(function):
        raise KernelError(
            f"{what} in a kernel whose loops run to a register is not supported",
            span,
            "write the number of trips in place of the register",
        )


def _unsupported(function: Function) -> Iterator[tuple[str, Span | None]]:
    for choice in function.choices:
        if choice.loaded:
            yield "an if on loaded values", choice.span
    for call in function.calls:
        yield f"a call of {call.callee.name}", call.span
    yield from _buffers(function)
    for instruction in function.instructions:
        for region in (*instruction.writes, *instruction.reads):
            if region.instance is not None:
                yield f"an instance of {region.tensor.name}", region.span


def _buffers(function: Function) -> Iterator[tuple[str, Span | None]]:
    for tensor in function.tensors:
        if tensor.pin is not None:
            yield f"a place of {tensor.name}", tensor.span
        if tensor.scope is not None and not tensor.on_chip:
            yield f"{tensor.name} in dram, new in each iteration,", tensor.span
    for tensor in _declared_above(function.body, ()):
        yield f"the declaration of {tensor.name} above its loop", tensor.span


def _declared_above(
    body: tuple[Statement, ...], around: tuple[AffineIV, ...]
) -> Iterator[MemoryLocationSet]:
    for statement in body:
        if isinstance(statement, Loop):
            yield from _declared_above(statement.body, (*around, statement.index))
        elif isinstance(statement, If):
            yield from _declared_above(statement.then, around)
            yield from _declared_above(statement.otherwise, around)
        elif isinstance(statement, MemoryLocationSet) and not (
            statement.scope is None or statement.scope in around
        ):
            yield statement
