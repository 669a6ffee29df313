"""Read the headers of loops: bounds and step to an index."""

from __future__ import annotations

from pelican.expr import AffineIV
from rotation.text.reading import Node, Reading, parts, tokens, trees


def new_index(reading: Reading, tree: Node, depth: int) -> AffineIV:
    """Return a new index of a loop that has a number of loops around it.

    A loop without trips is read as if it had one, for the mistakes inside.

    Raises:
        KernelError: If a number of the header is wrong.
    """
    lo, hi, step, _ = bounds(reading, tree)
    end = lo + 1 if hi is not None and hi <= lo else hi
    return AffineIV(str(tokens(tree)[0]), lo, end, step, depth)


def bounds(reading: Reading, tree: Node) -> tuple[int, int | None, int, str | None]:
    """Return the bounds and the step of a loop, and the register that it runs to.

    One of the upper bound and the register is None.

    Raises:
        KernelError: If one of them is wrong.
    """
    first, second, *_ = trees(tree)
    lo = _bound(reading, first)
    register = str(tokens(second)[0])[1:] if second.data == "register" else None
    hi = None if register is not None else _bound(reading, second)
    step = parts(tree).get("step")
    if step is None:
        return lo, hi, 1, register
    number = reading.integer(tokens(step)[0], "the step of a loop", least=1)
    return lo, hi, number, register


def _bound(reading: Reading, tree: Node) -> int:
    *minus, digits = tokens(tree)
    value = reading.integer(digits, "a bound of a loop")
    return -value if minus else value
