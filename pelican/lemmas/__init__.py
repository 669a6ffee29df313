"""Every law, equation and range rule, in the order in which the pages list them.

`BUILDER` holds the equations of canonical building, `LEMMAS` the laws that the engine
proposes, `IDENTITIES` the equations that ranges use, `RANGE_RULES` the rules of ranges. A record that is not in `RECORDS` is
used nowhere: the engine takes its records from here and so do the proofs.
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
