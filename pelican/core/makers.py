"""What makes nodes, and what is known of them, of parts that need no check.

`pelican.expr` fills it, so that nothing below the classes imports them: with the
functions of `pelican.expr.direct` where the core is compiled, which are then called
without a look at this module, else with those of `pelican.expr.fresh`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.expr.direct import (
        new_affine,
        new_congruence,
        new_floordiv,
        new_interval,
        new_modulo,
        new_mult,
        new_sum,
    )

__all__ = [
    "new_affine",
    "new_congruence",
    "new_floordiv",
    "new_interval",
    "new_modulo",
    "new_mult",
    "new_sum",
]
