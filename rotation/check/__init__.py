"""Independent checkers: is the placed and scheduled program the source program?

Three checks that share no code with the passes, by geometry of their own:

* `check_overlap`: nothing lives where something else is alive, everything stays
  inside its space, engines do one thing at a time, source dependences are kept.
* `check_races`: the waits alone order every two accesses in conflict, however fast
  or slow each operation turns out to be.
* `check_equivalence`: run by symbols, the placed program leaves in DRAM what the
  source program leaves there, byte for byte.
* `check_windows`: what a call keeps for itself holds its buffers and no others.

Each returns the hazards that it finds; none means that the check holds. What the
first three mean together is in ``docs/trust.md``.
"""

from rotation.check.equivalence import check_equivalence
from rotation.check.hazard import Hazard
from rotation.check.overlap import check_overlap
from rotation.check.races import check_races
from rotation.check.windows import check_windows

__all__ = [
    "Hazard",
    "check_equivalence",
    "check_overlap",
    "check_races",
    "check_windows",
]
