"""What callers give, checked: an expression, an integer, a collection, a text.

Each function returns what its argument must be, or raises an error that names it: by
`what`, which is what the message calls the argument, or by words of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from pelican.errors import IndexRangeError, OperandError
from pelican.integers import half_open, integer_of
from pelican.tree.kinds import constant, is_expr, is_index, is_leaf
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    from pelican.expr import AffineIdx
    from pelican.expr.node import Expr

    Given = TypeVar("Given")
    Key = TypeVar("Key")


def as_expr(value: object) -> Expr:
    """Return the expression of an operand.

    Raises:
        OperandError: If it is no expression and no integer; a bool is none.
    """
    return value if is_expr(value) else constant(as_int(value))


def as_int(value: object, what: str = "") -> int:
    """Return the integer of an operand: anything with ``__index__`` except bool.

    Args:
        value: The operand.
        what: What the message calls it, where no expression may stand; or empty.

    Raises:
        OperandError: If it is not an integer.
    """
    number = integer_of(value)
    if number is None:
        wanted = "an integer" if what else "an integer or an expression"
        raise OperandError(
            f"{what or 'an operand'} must be {wanted}, got {brief_text(value)} "
            f"of type {type(value).__name__}"
        )
    return number


def as_index(value: object, what: str, hint: str) -> AffineIdx:
    """Return an argument that must be an index, and none of an access pattern.

    Args:
        value: The argument.
        what: What the message calls it.
        hint: The remedy.

    Raises:
        OperandError: If it is something else.
    """
    if is_expr(value) and is_leaf(value) and is_index(value):
        return value
    raise OperandError(f"{what} must be an index, got {brief_text(value)}", hint=hint)


def as_half_open(pair: object, what: str) -> tuple[int, int]:
    """Return the two integers of an argument that must be a half-open range.

    Args:
        pair: The argument.
        what: What the message calls it.

    Raises:
        OperandError: If it is no pair of integers.
        IndexRangeError: If it is empty.
    """
    hint = "the end is exclusive: [0, 8) holds 0 to 7"
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise OperandError(
            f"{what} is a pair (lo, hi), got {brief_text(pair)}", hint=hint
        )
    low, high = (as_int(end, f"an end of {what}") for end in pair)
    if low < high:
        return low, high
    message = f"{what} needs lo < hi, got {half_open(low, high)}"
    raise IndexRangeError(message, hint=hint)


def as_tuple(values: Iterable[Given], demand: str) -> tuple[Given, ...]:
    """Return the items of an argument that must be a collection.

    Args:
        values: The argument.
        demand: What the message says of it, as in "the sizes are a list".

    Raises:
        OperandError: If it is none.
    """
    try:
        return tuple(values)
    except TypeError:
        raise OperandError(f"{demand}, got {brief_text(values)}") from None


def as_mapping(value: Mapping[Key, Given], user: str) -> Mapping[Key, Given]:
    """Return an argument that must be a mapping.

    Args:
        value: The argument.
        user: What needs it, as the message says.

    Raises:
        OperandError: If it is none.
    """
    if isinstance(value, Mapping):
        return value
    raise OperandError(
        f"{user} needs a mapping, got {brief_text(value)}",
        hint='write {i: 3}, or {"i": i} where names are needed',
    )


def as_text(value: object, user: str) -> str:
    """Return an argument that must be a text.

    Args:
        value: The argument.
        user: What needs it, as the message says.

    Raises:
        OperandError: If it is none.
    """
    if isinstance(value, str):
        return value
    raise OperandError(f"{user} needs a text, got {brief_text(value)}")
