"""An expression as a Python function of the values of its leaves, for many points.

The function is written by `pelican.traverse.fold` itself, over parts of code in place
of numbers, so that it does what evaluating does.
"""

from __future__ import annotations

from pelican.build import as_expr
from pelican.errors import OperandError, TooLargeError, UnboundIndexError
from pelican.integers import brief, literal
from pelican.kinds import is_expr, is_leaf
from pelican.printing import brief_text
from pelican.traverse import fold, indices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from pelican.expr import SimpleExpr
    from pelican.node import Expr

MAX_NODES: Final = 120
"""Most nodes of an expression that is written as one Python expression: Python allows
200 open brackets."""


class _Code:
    """Python code of a value."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __add__(self, other: _Code | int) -> _Code:
        if other == 0:
            return self
        return _Code(f"({self.text} + {_text(other)})")

    __radd__ = __add__

    def __sub__(self, other: _Code | int) -> _Code:
        return _Code(f"({self.text} - {_text(other)})")

    def __rsub__(self, other: int) -> _Code:
        return _Code(f"({_text(other)} - {self.text})")

    def __rmul__(self, factor: int) -> _Code:
        return self if factor == 1 else _Code(f"{_text(factor)} * {self.text}")

    def __floordiv__(self, denom: int) -> _Code:
        return _Code(f"({self.text} // {_text(denom)})")

    def __mod__(self, denom: int) -> _Code:
        return _Code(f"({self.text} % {_text(denom)})")

    def indicator(self, comparison: str) -> _Code:
        """Return code of 1 where the value compares with 0 as said, else of 0."""
        return _Code(f"(1 if {self.text} {comparison} 0 else 0)")


def _text(value: _Code | int) -> str:
    if isinstance(value, _Code):
        return value.text
    return literal(value) if value >= 0 else f"({literal(value)})"


def is_small(expr: Expr) -> bool:
    """Tell whether an expression can be written as one Python expression."""
    return expr.divisions <= MAX_NODES and expr.nodes <= MAX_NODES


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
        TooLargeError: If the expression has more than `MAX_NODES` nodes.

    >>> from pelican import index
    >>> i, j = index("i", 0, 64), index("j", 0, 8)
    >>> point_function((3 * i + j) % 16, i, j)(5, 2)
    1
    """
    expr = as_expr(expr)
    if not is_small(expr):
        raise TooLargeError(
            f"{brief_text(expr)} is too large for a Python expression",
            hint=f"it has {brief(expr.nodes)} nodes, at most {MAX_NODES} are written; "
            "`pelican.compile` takes larger ones",
        )
    leaves = indices(expr)
    return written(expr, _arguments(leaves, order) if order else leaves)


def _arguments(
    leaves: tuple[SimpleExpr, ...], order: tuple[Expr, ...]
) -> tuple[SimpleExpr, ...]:
    """Return the arguments that are asked for, which hold all leaves."""
    for at in order:
        if not is_expr(at) or not is_leaf(at):
            hint = "write point_function(expr, i, j)"
            raise OperandError(f"{brief_text(at)} is no index", hint=hint)
    missing = [brief_text(leaf) for leaf in leaves if leaf not in order]
    if missing:
        raise UnboundIndexError(
            f"no argument for {', '.join(missing)}",
            hint="name every index of the expression after it",
        )
    return order  # type: ignore[return-value] # leaves, as tested


def written(expr: Expr, leaves: tuple[SimpleExpr, ...]) -> Callable[..., int]:
    """Return the function of some leaves, which hold those of a small expression."""
    names = {leaf: f"v{k}" for k, leaf in enumerate(leaves)}
    code: Any = fold(expr, lambda leaf: _Code(names[leaf]))
    text = f"lambda {', '.join(names.values())}: {_text(code)}"
    function: Callable[..., int] = eval(text, {"__builtins__": {}})
    return function
