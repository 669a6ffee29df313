"""What tells an affine node whose terms are out of order; it is never compiled."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.expr.indices import AffineIdx


class Disordered(tuple["tuple[AffineIdx, int]", ...]):
    """Terms that are out of order, or hold an index twice."""

    __slots__ = ()
