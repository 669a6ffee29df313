"""The value of an expression at one point."""

from __future__ import annotations

from pelican.errors import IndexRangeError, OperandError, UnboundIndexError
from pelican.evaluation.pointwise import written
from pelican.integers import brief, literal
from pelican.tree.arguments import as_int, as_mapping
from pelican.tree.kinds import is_ap_index, is_expr, is_index, is_leaf
from pelican.tree.printing import brief_text
from pelican.tree.traverse import fold, indices, postorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final, TypeVar

    from pelican.core.given import Integer
    from pelican.expr import SimpleExpr
    from pelican.expr.node import Expr

    Leaf = TypeVar("Leaf", bound=SimpleExpr)


class EvalResult:
    """A value, or the fact that an index had none.

    Attributes:
        value: The integer; None if an index was unbound.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> (i + 1).eval({i: 3}), (i + 1).eval({})
    (EvalResult(4), EvalResult(None, (index('i', 0, 64),)))
    """

    __slots__ = ("unbound", "value")

    def __init__(self, value: int | None, unbound: tuple[SimpleExpr, ...] = ()) -> None:
        self.value = value
        self.unbound = unbound

    @property
    def valid(self) -> bool:
        """True if every index had a value."""
        return self.value is not None

    def __int__(self) -> int:
        if self.value is None:
            names = ", ".join(idx.name for idx in self.unbound)
            raise UnboundIndexError(
                f"the expression has no value: no value for {names}",
                hint="bind every index: e.eval({i: 3, j: 0})",
            )
        return self.value

    __index__ = __int__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EvalResult):
            return NotImplemented
        return self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        unbound = f", {self.unbound!r}" if self.unbound else ""
        return f"EvalResult({literal(self.value)}{unbound})"


def evaluate(
    expr: Expr, at: Mapping[Leaf, int], default: Integer | None = None
) -> EvalResult:
    """Return the value of an expression where indices have the given values.

    An index of an access pattern follows from its child; it may be bound too.

    Args:
        expr: The expression.
        at: Value of each index or opaque value.
        default: Value of the leaves that `at` leaves out, where it is given.

    Raises:
        IndexRangeError: If a value is outside its index's range or off its step, or
            that of an access pattern's index is not the one that its child gives.
        OperandError: If a key is no index or a value is no integer.
    """
    quick = expr.point
    if type(quick) is Point and type(at) is dict:
        value = quick.value(at)
        if value is not None:
            return EvalResult(value)
    return _evaluated(expr, at, default)


class Point:
    """What evaluates an expression that is asked again and again.

    Attributes:
        leaves: Each leaf with its least value, its exclusive end, and its step.
        function: The value of the expression, from those of the leaves.
    """

    __slots__ = ("function", "leaves")

    def __init__(
        self, function: Callable[..., int], leaves: tuple[SimpleExpr, ...]
    ) -> None:
        self.function = function
        self.leaves = [(leaf, *_ends(leaf), leaf.step) for leaf in leaves]

    def value(self, at: dict[Any, Any]) -> int | None:
        """Return the value, or None where a leaf has no good one, or there are more."""
        if len(at) != len(self.leaves):
            return None
        values = []
        given = iter(at.items())
        for leaf, lo, hi, step in self.leaves:
            key, value = next(given)
            if key is not leaf:  # in another order than before
                value = at.get(leaf)
            if type(value) is not int or not lo <= value < hi:
                return None
            if step != 1 and (value - lo) % step:
                return None
            values.append(value)
        return self.function(*values)


def _ends(leaf: SimpleExpr) -> tuple[float, float]:
    low = float("-inf") if leaf.lo is None else leaf.lo
    return low, float("inf") if leaf.hi is None else leaf.hi


ASKED: Final = 2
"""After so many evaluations of an expression it gets a `Point`."""


def _evaluated(
    expr: Expr, at: Mapping[Leaf, int], default: Integer | None = None
) -> EvalResult:
    values: dict[SimpleExpr, int] = {
        idx: _checked(idx, value) for idx, value in as_mapping(at, "eval").items()
    }
    unbound = []
    for node in postorder(expr, done=values.__contains__):
        if is_leaf(node) and node not in values:
            if default is None:
                unbound.append(node)
            else:
                values[node] = _checked(node, default)
    if unbound:
        return EvalResult(None, tuple(sorted(unbound, key=lambda leaf: leaf.order_key)))
    bound = {node: v for node, v in values.items() if is_ap_index(node)}
    for idx, value in bound.items():
        _check_child(idx, value, values)
    _count(expr)
    known = {id(node): value for node, value in bound.items()}
    return EvalResult(fold(expr, values.__getitem__, known))


def _count(expr: Expr) -> None:
    """Count an evaluation; the expression gets a `Point` if it is asked often."""
    asked = expr.point or 0
    if type(asked) is not int:
        return
    found = written(expr) if asked == ASKED else None
    expr.keep_point(asked + 1 if found is None else Point(*found))


def _check_child(idx: Expr, value: int, values: Mapping[Any, int]) -> None:
    if any(leaf not in values for leaf in indices(idx)):
        return
    given = fold(idx, values.__getitem__)
    if given != value:
        raise IndexRangeError(
            f"{brief_text(idx)} = {brief(value)}, but its child gives {brief(given)}"
        )


def _checked(idx: object, value: object) -> int:
    if not is_expr(idx) or not (is_index(idx) or is_leaf(idx)):
        raise OperandError(
            f"a key of eval must be an index, got {brief_text(idx)}",
            hint="use e.eval({i: 3})",
        )
    number = as_int(value)
    if number not in idx.range:
        raise IndexRangeError(
            f"{idx.name} = {brief(number)} is outside {idx.describe()}",
            hint="give a value in the range, or declare the index with a wider one",
        )
    if idx.lo is not None and (number - idx.lo) % idx.step:
        below = number - (number - idx.lo) % idx.step
        raise IndexRangeError(
            f"{idx.name} = {brief(number)} is off the step of {idx.describe()}",
            hint=f"the nearest value below is {brief(below)}",
        )
    return number
