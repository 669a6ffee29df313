"""Every law, equation and range rule, in the order in which the pages list them.

`BUILDER` holds the equations of canonical building, `LEMMAS` the laws that the engine
proposes, `IDENTITIES` the equations, `RANGE_RULES` and
`CONGRUENCE_RULES` the rules that ranges and classes use. Each
module lists every record that it defines, and the engine uses no others, so all that
is used is proved; tests see to both.
"""

from __future__ import annotations

from pelican.lemmas import congruences, floordiv, modulo, ranges, sums
from pelican.lemmas import divmod as joint

BUILDER = sums.LEMMAS
LEMMAS = (*modulo.LEMMAS, *floordiv.LEMMAS, *joint.LEMMAS)
IDENTITIES = ranges.IDENTITIES
RANGE_RULES = ranges.RANGE_RULES
CONGRUENCE_RULES = congruences.CONGRUENCE_RULES
RECORDS = (*BUILDER, *IDENTITIES, *LEMMAS, *RANGE_RULES, *CONGRUENCE_RULES)

__all__ = [
    "BUILDER",
    "CONGRUENCE_RULES",
    "IDENTITIES",
    "LEMMAS",
    "RANGE_RULES",
    "RECORDS",
]
