"""An expression as a Python function of the values of its leaves, for many points.

The function is written by `pelican.tree.traverse.fold` itself, over parts of code in
place of numbers, so that it does what evaluating does.
"""

from __future__ import annotations

from pelican.errors import OperandError, TooLargeError, UnboundIndexError
from pelican.integers import brief, literal
from pelican.tree.arguments import as_expr
from pelican.tree.kinds import is_expr, is_leaf
from pelican.tree.printing import brief_text
from pelican.tree.traverse import fold, indices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from pelican.expr import SimpleExpr
    from pelican.expr.node import Expr

MAX_SIZE: Final = 300
"""Most operators, names and numbers of one Python expression: Python allows 200 open
brackets, and each has four of these inside that the next one has not."""


class _TooLargeError(Exception):
    """Code grew larger than `MAX_SIZE`."""


class _Code:
    """Python code of a value.

    Attributes:
        text: The code.
        factor: The code as a factor, as a numerator, or taken from something.
        size: Its number of operators, names and numbers.
    """

    __slots__ = ("factor", "size", "text")

    def __init__(self, text: str, factor: str, size: int) -> None:
        if size > MAX_SIZE:
            raise _TooLargeError
        self.text = text
        self.factor = factor
        self.size = size

    def __add__(self, other: _Code | int) -> _Code:
        if isinstance(other, _Code):
            text, size = f"{self.text} + {other.text}", self.size + 1 + other.size
        elif other:
            text, size = f"{self.text} + {literal(other)}", self.size + 2
        else:
            return self
        return _Code(text, f"({text})", size)

    __radd__ = __add__

    def __sub__(self, other: _Code | int) -> _Code:
        if isinstance(other, int):
            return self + -other
        text = f"{self.text} - {other.factor}"
        return _Code(text, f"({text})", self.size + 1 + other.size)

    def __rsub__(self, other: int) -> _Code:
        return -1 * self + other

    # What stands in front is computed first, as Python reads from the left.

    def __rmul__(self, factor: int) -> _Code:
        if factor == 1:
            return self
        text = f"{self.factor} * {literal(factor)}"
        return _Code(text, text, self.size + 2)

    def __floordiv__(self, denom: int) -> _Code:
        text = f"{self.factor} // {literal(denom)}"
        return _Code(text, text, self.size + 2)

    def __mod__(self, denom: int) -> _Code:
        text = f"{self.factor} % {literal(denom)}"
        return _Code(text, text, self.size + 2)

    def indicator(self, comparison: str) -> _Code:
        """Return code of 1 where the value compares with 0 as said, else of 0."""
        text = f"(1 if {self.text} {comparison} 0 else 0)"
        return _Code(text, text, self.size + 4)


def point_function(expr: Expr, *order: Expr) -> Callable[..., int]:
    """Return a Python function from the values of the indices to that of an expression.

    It takes one integer for each index, and costs what a function written by hand
    costs. The values are not tested: outside the ranges of the indices the result is
    that of the simplified form.

    Args:
        expr: Any expression over indices and opaque values.
        order: Indices in the order of the arguments; others than those of the
            expression may be among them. None of them means term order.

    Raises:
        OperandError: If `expr` is no expression, or `order` holds what is no index.
        UnboundIndexError: If `order` lacks an index of the expression.
        TooLargeError: If its code has more than `MAX_SIZE` operators, names and
            numbers.

    >>> from pelican import index
    >>> i, j = index("i", 0, 64), index("j", 0, 8)
    >>> point_function((3 * i + j) % 16, i, j)(5, 2)
    1
    """
    expr = as_expr(expr)
    _must_be_leaves(order)
    found = written(expr, order)
    if found is None:
        raise TooLargeError(
            f"{brief_text(expr)} is too large for a Python expression",
            hint=f"it has {brief(expr.nodes)} nodes, and `pelican.compile` takes it",
        )
    return found[0]


def _must_be_leaves(order: tuple[Expr, ...]) -> None:
    for at in order:
        if not is_expr(at) or not is_leaf(at):
            hint = "write point_function(expr, i, j)"
            raise OperandError(f"{brief_text(at)} is no index", hint=hint)


def written(
    expr: Expr, order: tuple[Expr, ...] = ()
) -> tuple[Callable[..., int], tuple[SimpleExpr, ...]] | None:
    """Return the function of an expression and its arguments; None if it is too large.

    Args:
        expr: Any expression.
        order: The arguments, leaves; none means those of the expression in term order.

    Raises:
        UnboundIndexError: If `order` lacks an index of the expression.
    """
    codes: dict[Any, _Code] = {}

    def code_of(leaf: SimpleExpr) -> _Code:
        code = codes.get(leaf)
        if code is None:  # equal leaves are one
            name = f"v{len(codes)}"
            code = codes[leaf] = _Code(name, name, 1)
        return code

    try:
        body: Any = fold(expr, code_of)
    except _TooLargeError:
        return None
    arguments: tuple[Any, ...] = tuple(dict.fromkeys(order))
    if not arguments:
        arguments = tuple(sorted(codes, key=lambda leaf: leaf.order_key))
    names = ", ".join([code_of(leaf).text for leaf in arguments])
    if len(codes) > len(arguments):
        missing = [brief_text(leaf) for leaf in indices(expr) if leaf not in arguments]
        raise UnboundIndexError(
            f"no argument for {', '.join(missing)}",
            hint="name every index of the expression after it",
        )
    text = literal(body) if type(body) is int else body.text
    return eval(f"lambda {names}: {text}", {"__builtins__": {}}), arguments
