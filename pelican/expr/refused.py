"""The operators of Python that no expression has: each says what to write instead."""

from __future__ import annotations

from pelican.expr.interface import Interface
from pelican.expr.remedies import (
    no_binary,
    no_division,
    no_order,
    no_truth_value,
    no_unary,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    This = Any  # the expression that inherits these methods


class Refused(Interface):
    """What Python may ask of a number, and no expression answers.

    An order and ``/`` are refused whatever the other operand is. Of the other
    operators, a right operand that is no number has its turn before the error.
    """

    __slots__ = ()

    def __lt__(self: This, other: object) -> NoReturn:
        raise no_order(self, other)

    def __le__(self: This, other: object) -> NoReturn:
        raise no_order(self, other)

    def __gt__(self: This, other: object) -> NoReturn:
        raise no_order(self, other)

    def __ge__(self: This, other: object) -> NoReturn:
        raise no_order(self, other)

    def __bool__(self: This) -> bool:
        raise no_truth_value(self)

    def __truediv__(self: This, other: object) -> NoReturn:
        raise no_division(self, other)

    def __rtruediv__(self: This, other: object) -> NoReturn:
        raise no_division(other, self)

    def __pow__(self: This, other: object, modulus: object = None) -> Any:  # noqa: ANN401 - or NotImplemented
        del modulus
        return _refused("**", self, other)

    def __rpow__(self: This, other: object) -> NoReturn:
        raise no_binary("**", other, self)

    def __matmul__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        return _refused("@", self, other)

    def __rmatmul__(self: This, other: object) -> NoReturn:
        raise no_binary("@", other, self)

    def __lshift__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        return _refused("<<", self, other)

    def __rlshift__(self: This, other: object) -> NoReturn:
        raise no_binary("<<", other, self)

    def __rshift__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        return _refused(">>", self, other)

    def __rrshift__(self: This, other: object) -> NoReturn:
        raise no_binary(">>", other, self)

    def __and__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        return _refused("&", self, other)

    def __rand__(self: This, other: object) -> NoReturn:
        raise no_binary("&", other, self)

    def __or__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        return _refused("|", self, other)

    def __ror__(self: This, other: object) -> NoReturn:
        raise no_binary("|", other, self)

    def __xor__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        return _refused("^", self, other)

    def __rxor__(self: This, other: object) -> NoReturn:
        raise no_binary("^", other, self)

    def __invert__(self: This) -> NoReturn:
        raise no_unary("~", self)

    def __abs__(self: This) -> NoReturn:
        raise no_unary("abs", self)

    def __int__(self: This) -> int:
        raise no_unary("int", self)

    def __float__(self: This) -> float:
        raise no_unary("float", self)

    def __trunc__(self: This) -> NoReturn:
        raise no_unary("math.trunc", self)

    def __floor__(self: This) -> NoReturn:
        raise no_unary("math.floor", self)

    def __ceil__(self: This) -> NoReturn:
        raise no_unary("math.ceil", self)

    def __round__(self: This, digits: object = None) -> NoReturn:
        del digits
        raise no_unary("round", self)


def _refused(op: str, left: Any, right: object) -> Any:  # noqa: ANN401 - as the methods
    """Return that an operator has no answer here, which gives the right one its turn.

    Raises:
        OperandError: If the right operand is a number or an expression.
    """
    # An expression has ``__float__``, as a number has.
    if hasattr(right, "__index__") or hasattr(right, "__float__"):
        raise no_binary(op, left, right)
    return NotImplemented
