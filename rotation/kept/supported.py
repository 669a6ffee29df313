"""What kernels with run-time loops may not hold.

The proof for every number of trips does not cover it, so it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from pelican.errors import Span
from rotation.errors import KernelError
from rotation.kernel import Function


def require_supported(function: Function) -> None:
    """Refuse a function with run-time loops that are not kept.

    Raises:
        KernelError: If it has an `if`, a call, a placed buffer, or the least of two
            terms as an extent; it names the first.
    """
    for what, span in _unsupported(function):
        raise KernelError(
            f"{what} in a kernel whose loops run to a register is not supported",
            span,
            "write the number of trips in place of the register",
        )


def _unsupported(function: Function) -> Iterator[tuple[str, Span | None]]:
    for choice in function.choices:
        yield "an if", choice.span
    for call in function.calls:
        yield f"a call of {call.callee}", call.span
    for tensor in function.tensors:
        if tensor.pin is not None:
            yield f"a place of {tensor.name}", tensor.span
    for instruction in function.instructions:
        for region in (*instruction.writes, *instruction.reads):
            if region.least:
                yield "a min(a, b) as an extent", region.span
