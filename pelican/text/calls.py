"""The calls and comparisons of the text language, and what each stands for."""

from __future__ import annotations

from pelican.engine.simplify import simplify
from pelican.engine.special import cc_div, cc_mod, icmp
from pelican.errors import OperandError
from pelican.expr import (
    APIndex,
    CCDivExpr,
    CCGetRank,
    CCModExpr,
    ICmpExpr,
    IndirectArg,
    MultExpr,
    SumExpr,
    TiledAPIndex,
)
from pelican.tree.kinds import constant, is_constant
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from pelican.expr.node import Expr

_SHAPES: Final = {
    "rank": ("rank(iteration, channel)", 0, 2, 2),
    "arg": ("arg(number)", 0, 1, 1),
    "ap": ("ap(index, stride)", 1, 1, 1),
    "tile": ("tile(index, size, is_partition, flags)", 1, 1, 3),
    "cc_div": ("cc_div(numerator, divisor, group)", 1, 2, 2),
    "cc_mod": ("cc_mod(numerator, divisor, group)", 1, 2, 2),
}
"""How each call is written: its expressions, then at least and at most so many
integers."""

CALLS: Final = tuple(sorted(_SHAPES))
"""What may be called, in alphabetical order."""

_RAW: Final[dict[str, Callable[..., Expr]]] = {
    "rank": CCGetRank,
    "arg": IndirectArg,
    "ap": APIndex,
    "tile": TiledAPIndex,
    "cc_div": CCDivExpr,
    "cc_mod": CCModExpr,
}
_SMART: Final[dict[str, Callable[..., Expr]]] = {
    **_RAW,
    "cc_div": cc_div,
    "cc_mod": cc_mod,
}


def called(name: str, arguments: Sequence[Expr], *, smart: bool) -> Expr:
    """Return what a call stands for.

    Args:
        name: One of ``rank arg ap tile cc_div cc_mod``.
        arguments: What stands between the brackets.
        smart: True folds by ranges; False gives the plain node.

    Raises:
        OperandError: If the arguments are too few or too many, or one that must be a
            constant is none, or the value does not allow one of them.
        DivisorError: If a divisor or a tile size is below 1.
    """
    form, parts, least, most = _SHAPES[name]
    count = len(arguments) - parts
    if not least <= count <= most:
        raise OperandError(f"{name} is written {form}, got {len(arguments)} arguments")
    integers = [_integer(name, form, argument) for argument in arguments[parts:]]
    return (_SMART if smart else _RAW)[name](*arguments[:parts], *integers)


def _integer(name: str, form: str, argument: Expr) -> int:
    value = simplify(argument)
    if is_constant(value):
        return value.constant
    raise OperandError(
        f"{name} is written {form}, with a constant instead of {brief_text(value)}"
    )


def compared(left: Expr, comparison: str, right: Expr, *, smart: bool) -> Expr:
    """Return what a comparison stands for; ``< <= >`` are written with ``>=``."""
    if smart:
        return icmp(left, comparison, right)
    if comparison in {"<=", "<"}:
        left, right = right, left
    if comparison in {"<", ">"}:
        left, right = SumExpr((left, MultExpr(right, -1), -1)), constant(0)
    return ICmpExpr("==" if comparison == "==" else ">=", left, right)
