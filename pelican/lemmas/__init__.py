"""Every law, equation and range rule, in the order in which the pages list them.

`BUILDER` holds the equations of canonical building, `LEMMAS` the laws that the engine
proposes, `IDENTITIES` the equations and `RANGE_RULES` the rules that ranges use.
Whatever is proved is enumerated here; a test sees to it that nothing else is used.
"""

from __future__ import annotations

from pelican.lemmas import divmod as joint
from pelican.lemmas import floordiv, modulo, ranges, sums

BUILDER = sums.LEMMAS
LEMMAS = (*modulo.LEMMAS, *floordiv.LEMMAS, *joint.LEMMAS)
IDENTITIES = ranges.IDENTITIES
RANGE_RULES = ranges.RANGE_RULES
RECORDS = (*BUILDER, *IDENTITIES, *LEMMAS, *RANGE_RULES)

__all__ = ["BUILDER", "IDENTITIES", "LEMMAS", "RANGE_RULES", "RECORDS"]
