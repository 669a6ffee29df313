"""The ring plan: how many slots each on-chip buffer gets, and why not more.

`plan_rings` makes it; every later pass obeys it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from pelican.expr import AffineIV
from pelican.kinds import constant
from pelican.node import Expr
from rotation.kernel import MemoryLocationSet


class Limit(Enum):
    """What kept a ring from getting more slots; the value is its JSON spelling."""

    NONE = "none"
    CAPACITY = "capacity"
    TRIP = "trip"
    USER = "user"


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """The slots of one buffer: instance k lives in slot ``k mod slots``.

    Attributes:
        tensor: The buffer.
        loop: Index of its scope loop; None for one instance in the whole kernel.
        slots: Number of slots, 1 <= slots <= linear trips of the scope loop.
        slot: The slot of the current instance, an expression of the loop indices; of
            a pinned buffer its bank or byte.
        limited_by: Why it has no more slots.
        wanted: The least number of slots for which the kernel comes within the
            target of its bound, the other rings as they are; None if none does, or
            if the rings were not searched for.
    """

    tensor: MemoryLocationSet
    loop: AffineIV | None
    slots: int
    slot: Expr
    limited_by: Limit
    wanted: int | None


@dataclass(frozen=True, slots=True, eq=False)
class RingPlan:
    """One ring for each on-chip buffer of a function, in the order of the text."""

    rings: tuple[Ring, ...]

    def slots(self) -> dict[MemoryLocationSet, int]:
        """Return the number of slots of each buffer."""
        return {ring.tensor: ring.slots for ring in self.rings}

    def single(self) -> RingPlan:
        """Return the plan in which each ring has one slot; pins stay."""
        return RingPlan(
            tuple(
                replace(ring, slots=1, slot=constant(0))
                if ring.tensor.pin is None
                else ring
                for ring in self.rings
            )
        )
