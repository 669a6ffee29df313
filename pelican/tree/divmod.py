"""A mod or floordiv that is not built yet: what the engine simplifies."""

from __future__ import annotations

from pelican.integers import literal
from pelican.tree.build import plain, unwrapped
from pelican.tree.kinds import AFFINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.expr.node import Expr


class DivMod:
    """A mod or floordiv that is not built yet.

    Attributes:
        op: ``%`` or ``//``.
        numer: The canonical numerator; a bare index, where a node wraps it.
        denom: The divisor, >= 1.
    """

    __slots__ = ("denom", "numer", "op")

    def __init__(self, op: str, numer: Expr, denom: int) -> None:
        self.op = op
        self.numer = unwrapped(numer) if numer.kind == AFFINE else numer
        self.denom = denom

    @property
    def node(self) -> Expr:
        """The plain node."""
        return plain(self.op, self.numer, self.denom)

    def __repr__(self) -> str:
        return f"DivMod({self.op!r}, {self.numer!r}, {literal(self.denom)})"
