"""Smart comparisons, and divisions of a rank by a group size.

No law but a fold by ranges applies to them; their parts are simplified sums.
"""

from __future__ import annotations

from pelican.engine.collective import collective_of, comparison_of
from pelican.engine.simplify import sum_of
from pelican.tree.arguments import as_expr
from pelican.tree.kinds import CC_DIV, CC_MOD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.expr.node import Expr


def icmp(lhs: Expr | int, comparison: str, rhs: Expr | int) -> Expr:
    """Return 1 where a comparison holds, else 0, as ``e >= 0`` or ``e == 0``.

    A comparison that the ranges of its sides decide is the constant.

    Args:
        lhs: Left side.
        comparison: One of `pelican.engine.collective.COMPARISONS`.
        rhs: Right side.

    Raises:
        OperandError: If the comparison is another one, or a side no expression.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print(icmp(i, "<", 8), icmp(i, "<", 64))
    7 - i >= 0 1
    """
    return comparison_of(as_expr(lhs), comparison, as_expr(rhs), sum_of)


def cc_div(numer: Expr | int, denom: int, group: int) -> Expr:
    """Return the shard of a rank, ``numer floordiv denom``, for a replica group.

    Folds only if the numerator's range lies in one period of the divisor.

    Args:
        numer: Any expression or integer.
        denom: The group size, an integer >= 1.
        group: Id of the replica groups, >= 0.

    Raises:
        DivisorError: If the divisor is below 1.
        OperandError: If the group id is negative.

    >>> from pelican import rank, shard
    >>> print(cc_div(rank(0, 1), 4, 7), cc_div(shard(4), 4, 7))
    cc_div(rank(0, 1), 4, 7) 0
    """
    return collective_of(CC_DIV, numer, denom, group, sum_of)


def cc_mod(numer: Expr | int, denom: int, group: int) -> Expr:
    """Return the lane of a rank, ``numer mod denom``, for a replica group.

    Folds only if the numerator's range lies in one period of the divisor.

    Args:
        numer: Any expression or integer.
        denom: The group size, an integer >= 1.
        group: Id of the replica groups, >= 0.

    Raises:
        DivisorError: If the divisor is below 1.
        OperandError: If the group id is negative.

    >>> from pelican import rank, shard
    >>> print(cc_mod(rank(0, 1), 4, 7), cc_mod(shard(4), 4, 7))
    cc_mod(rank(0, 1), 4, 7) shard_4
    """
    return collective_of(CC_MOD, numer, denom, group, sum_of)
