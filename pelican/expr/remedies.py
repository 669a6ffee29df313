"""What to write instead of an operator or a class that gives no expression."""

from __future__ import annotations

from pelican.errors import OperandError
from pelican.integers import integer_of
from pelican.tree.kinds import is_constant, is_expr
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

    from pelican.expr.node import Expr

NO_BITS: Final = "there are no bit operators"
COMPLEMENT: Final = f"{NO_BITS}: ~x is -x - 1"
NO_POWERS: Final = "there are no powers"
NO_MATRICES: Final = "a product with a number is written *"

_SHIFTS: Final = frozenset({"<<", ">>"})
_MAX_BITS: Final = 63
"""Longer numbers are not repeated in a remedy [bits]."""

_MAX_NAMED: Final = 40
"""Longest text of an expression that a remedy repeats [characters]."""


def refuse_base(cls: type) -> NoReturn:
    """Raise the error of building a node of a class that is a base of others.

    Raises:
        OperandError: Always.
    """
    raise OperandError(
        f"{cls.__name__} is a base of other classes, and has no nodes of its own",
        hint='index("i", 0, 8) makes an index, operators make the others',
    )


def on_bits(op: str, number: int | None, e: str, *, python: bool = False) -> str:
    """Return the remedy for an operator on bits.

    Args:
        op: ``<<``, ``>>``, ``&``, ``|`` or ``^``.
        number: The operand that is a number, on the right of a shift; None if there
            is none.
        e: What the other operand is called.
        python: Whether the remedy is Python, or of the text language.

    >>> on_bits(">>", 2, "i")
    'there are no bit operators: i >> 2 is i floordiv 4'
    >>> on_bits("&", 7, "i", python=True), on_bits("&", 6, "i")
    ('there are no bit operators: i & 7 is i % 8', 'there are no bit operators')
    """
    same = _equal_to(op, number, e, ("%", "//") if python else ("mod", "floordiv"))
    return f"{NO_BITS}: {e} {op} {number} is {same}" if same else NO_BITS


def _equal_to(op: str, number: int | None, e: str, words: tuple[str, str]) -> str:
    """Return what equals an operator on bits, or an empty text."""
    if number is None or not 0 <= number < 1 << _MAX_BITS:
        return ""
    mod, floordiv = words
    if op == "&":
        is_mask = number & (number + 1) == 0
        return f"{e} {mod} {number + 1}" if is_mask else ""
    if op not in _SHIFTS:
        return f"{e} + {number} where no bit is in both"
    if number > _MAX_BITS:
        return ""
    return f"{1 << number}*{e}" if op == "<<" else f"{e} {floordiv} {1 << number}"


def no_binary(op: str, left: object, right: object) -> OperandError:
    """Return the error of an operator of which one operand is an expression."""
    return OperandError(
        f"an expression has no {op}: ({brief_text(left)}) {op} ({brief_text(right)})",
        hint=_for_binary(op, left, right),
    )


def _for_binary(op: str, left: object, right: object) -> str:
    if op == "**":
        return f"{NO_POWERS}: index expressions are linear"
    if op == "@":
        return NO_MATRICES
    if is_expr(left):
        return on_bits(op, integer_of(right), _named(left), python=True)
    number = None if op in _SHIFTS else integer_of(left)
    return on_bits(op, number, _named(right), python=True)


def no_division(left: object, right: object) -> OperandError:
    """Return the error of ``/``, of which one operand is an expression."""
    return OperandError(
        f"/ does not give integers: ({brief_text(left)}) / ({brief_text(right)})",
        hint="write // to round down",
    )


def no_order(left: object, right: object) -> OperandError:
    """Return the error of asking which of two expressions is greater."""
    return OperandError(
        f"expressions have no order: ({brief_text(left)}) compared with "
        f"({brief_text(right)})",
        hint="ask proofs.prove_in(e, Interval(lo, hi)) whether a bound holds",
    )


def no_truth_value(e: Expr) -> OperandError:
    """Return the error of asking whether an expression is true."""
    return OperandError(
        f"an expression has no truth value: {brief_text(e)}",
        hint="compare with ==, or ask proofs.prove_in about its values",
    )


def no_unary(name: str, e: Expr) -> OperandError:
    """Return the error of an operator or function of Python on an expression."""
    return OperandError(
        f"an expression has no {name}: {name}({brief_text(e)})",
        hint=_for_unary(name, e),
    )


def _for_unary(name: str, e: Expr) -> str:
    if name == "~":
        return COMPLEMENT
    if name == "abs":
        least, greatest = e.range.lo, e.range.hi
        if least is not None and least >= 0:
            return "it is never below 0: leave abs away"
        if greatest is not None and greatest <= 0:
            return "it is never above 0: write - instead"
        return "write x where x >= 0 is known, and -x where x <= 0 is"
    if name in {"int", "float"}:
        if is_constant(e):
            return "the integer of a constant is e.const"
        return f"a value needs one of each index: {name}(e.eval({{i: 3}}))"
    return f"every value is an integer already: leave {name} away"


def _named(value: object) -> str:
    """Return what a remedy calls an operand: itself where it is short."""
    text = brief_text(value)
    if text.isidentifier():
        return text
    return f"({text})" if len(text) <= _MAX_NAMED else "x"
