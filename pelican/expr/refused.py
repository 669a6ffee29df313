"""The operators of Python that no expression has: each says what to write instead."""

from __future__ import annotations

from pelican.errors import OperandError
from pelican.expr.interface import Interface
from pelican.expr.remedies import no_binary, no_unary
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    This = Any  # the expression that inherits these methods


class Refused(Interface):
    """What Python may ask of a number, and no expression answers.

    Where the other operand is no number either, its own operator has its turn.
    """

    __slots__ = ()

    def __lt__(self: This, other: object) -> NoReturn:
        raise _no_order(self, other)

    def __le__(self: This, other: object) -> NoReturn:
        raise _no_order(self, other)

    def __gt__(self: This, other: object) -> NoReturn:
        raise _no_order(self, other)

    def __ge__(self: This, other: object) -> NoReturn:
        raise _no_order(self, other)

    def __bool__(self: This) -> bool:
        raise OperandError(
            f"an expression has no truth value: {brief_text(self)}",
            hint="compare with ==, or ask proofs.prove_in about its values",
        )

    def __truediv__(self: This, other: object) -> NoReturn:
        raise OperandError(
            f"/ does not give integers: ({brief_text(self)}) / ({brief_text(other)})",
            hint="write // to round down",
        )

    def __rtruediv__(self: This, other: object) -> NoReturn:
        raise OperandError(
            f"/ does not give integers: ({brief_text(other)}) / ({brief_text(self)})",
            hint="write // to round down",
        )

    def __pow__(self: This, other: object, modulus: object = None) -> Any:  # noqa: ANN401 - or NotImplemented
        del modulus
        if _is_number(other):
            raise no_binary("**", self, other)
        return NotImplemented

    def __rpow__(self: This, other: object) -> NoReturn:
        raise no_binary("**", other, self)

    def __matmul__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        if _is_number(other):
            raise no_binary("@", self, other)
        return NotImplemented

    def __rmatmul__(self: This, other: object) -> NoReturn:
        raise no_binary("@", other, self)

    def __lshift__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        if _is_number(other):
            raise no_binary("<<", self, other)
        return NotImplemented

    def __rlshift__(self: This, other: object) -> NoReturn:
        raise no_binary("<<", other, self)

    def __rshift__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        if _is_number(other):
            raise no_binary(">>", self, other)
        return NotImplemented

    def __rrshift__(self: This, other: object) -> NoReturn:
        raise no_binary(">>", other, self)

    def __and__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        if _is_number(other):
            raise no_binary("&", self, other)
        return NotImplemented

    def __rand__(self: This, other: object) -> NoReturn:
        raise no_binary("&", other, self)

    def __or__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        if _is_number(other):
            raise no_binary("|", self, other)
        return NotImplemented

    def __ror__(self: This, other: object) -> NoReturn:
        raise no_binary("|", other, self)

    def __xor__(self: This, other: object) -> Any:  # noqa: ANN401 - or NotImplemented
        if _is_number(other):
            raise no_binary("^", self, other)
        return NotImplemented

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


def _no_order(left: object, right: object) -> OperandError:
    return OperandError(
        f"expressions have no order: ({brief_text(left)}) compared with "
        f"({brief_text(right)})",
        hint="ask proofs.prove_in(e, Interval(lo, hi)) whether a bound holds",
    )


def _is_number(value: object) -> bool:
    """Tell whether an operand is a number or an expression, which has ``__float__``."""
    return hasattr(value, "__index__") or hasattr(value, "__float__")
