"""The comparison of two expressions, as an expression."""

from __future__ import annotations

from pelican.errors import OperandError
from pelican.expr.spine import CompoundExpr, text_hash
from pelican.tree.arguments import as_expr
from pelican.tree.kinds import ICMP, is_constant
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pelican.core.given import Operand, Text
    from pelican.expr.node import Expr

    Parts = tuple[Expr, ...]
    Rank = tuple[Any, ...]


class ICmpExpr(CompoundExpr):
    """1 where a comparison of two expressions holds, else 0.

    Attributes:
        compare_op: ``>=`` or ``==``; `pelican.icmp` lowers the other comparisons.
        lhs: Any expression.
        rhs: Any expression.

    Raises:
        OperandError: If the comparison is another one.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> e = ICmpExpr(">=", i, 3)
    >>> print(e)
    i >= 3
    >>> int(e.eval({i: 3})), int(e.eval({i: 2}))
    (1, 0)
    """

    __slots__ = ("_lead", "compare_op", "divisions", "lhs", "rhs")

    kind: int = ICMP

    compare_op: str
    divisions: int
    _lead: Rank
    lhs: Expr
    rhs: Expr

    def __init__(self, compare_op: Text, lhs: Operand, rhs: Operand) -> None:
        if compare_op not in (">=", "=="):  # what has no hash is refused
            raise OperandError(
                f"an ICmpExpr compares by >= or ==, got {brief_text(compare_op)}",
                hint="icmp(a, '<', b) lowers the other comparisons to these",
            )
        left, right = as_expr(lhs), as_expr(rhs)
        object.__setattr__(self, "compare_op", compare_op)
        object.__setattr__(self, "lhs", left)
        object.__setattr__(self, "rhs", right)
        lead = right.lead if is_constant(left) else left.lead
        object.__setattr__(self, "_lead", lead)
        object.__setattr__(self, "divisions", left.divisions + right.divisions)

    @property
    def lead(self) -> Rank:
        """The rank of the first index in it."""
        return self._lead

    def own_hash(self) -> int:
        """Return the hash."""
        return hash((self.kind, text_hash(self.compare_op), self.lhs, self.rhs))

    @property
    def parts(self) -> tuple[Expr, Expr]:
        """The two sides."""
        return self.lhs, self.rhs

    @property
    def own(self) -> tuple[str]:
        """The comparison."""
        return (self.compare_op,)

    @classmethod
    def built(cls, own: tuple[str], parts: Parts) -> ICmpExpr:
        """Return the comparison of the given parts."""
        return cls(own[0], *parts)
