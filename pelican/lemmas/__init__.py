"""Every law, equation and range rule, in the order in which the pages list them.

`BUILDER` holds the equations of canonical building, `LEMMAS` the laws that the engine
proposes, `RANGE_RULES` the rules of ranges. Each module lists every record that it
defines, and the engine uses no others, so all that is used is proved; tests see to
both.
"""

from __future__ import annotations

from pelican.lemmas import floordiv, modulo, ranges, sums

BUILDER = sums.LEMMAS
LEMMAS = (*modulo.LEMMAS, *floordiv.LEMMAS)
RANGE_RULES = ranges.RANGE_RULES
RECORDS = (*BUILDER, *LEMMAS, *RANGE_RULES)

__all__ = ["BUILDER", "LEMMAS", "RANGE_RULES", "RECORDS"]
