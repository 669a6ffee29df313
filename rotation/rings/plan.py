"""The ring plan: how many slots each on-chip buffer gets, and why not more.

`plan_rings` makes it; every later pass obeys it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from pelican.expr import AffineIV
from pelican.expr.node import Expr
from rotation.loop_form.kernel import MemoryLocationSet


class Limit(Enum):
    """What kept a ring from getting more slots; the value is its JSON spelling."""

    NONE = "none"
    CAPACITY = "capacity"
    TRIP = "trip"
    USER = "user"
    CARRIED = "carried"


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """The slots of one buffer: instance k lives in slot ``k mod slots``.

    Attributes:
        tensor: The buffer.
        loop: Index of its scope loop; None for one instance in the whole kernel.
        slots: Number of slots, 1 <= slots <= number of instances.
        number: Number k of the current instance, an expression of the loop indices.
        limited_by: Why it has no more slots.
        wanted: The least number of slots for which the kernel comes within the
            target of its bound, the other rings as they are; None if none does, or
            if the rings were not searched for.
        legal: The fewest slots that it must have, whatever it costs: 1, unless
            instances of several iterations are needed at the same time; of a pinned
            buffer its number of places.
    """

    tensor: MemoryLocationSet
    loop: AffineIV | None
    slots: int
    number: Expr
    limited_by: Limit
    wanted: int | None
    legal: int = 1

    @property
    def slot(self) -> Expr:
        """The slot of the current instance; of a pinned buffer its bank or byte."""
        place = None if self.tensor.pin is None else self.tensor.pin.place
        return self.number % self.slots if place is None else place.expr


@dataclass(frozen=True, slots=True, eq=False)
class RingPlan:
    """One ring for each buffer that the compiler places, in the order of the text."""

    rings: tuple[Ring, ...]

    def slots(self) -> dict[MemoryLocationSet, int]:
        """Return the number of slots of each buffer."""
        return {ring.tensor: ring.slots for ring in self.rings}

    def legal_slots(self) -> dict[MemoryLocationSet, int]:
        """Return the fewest slots that each buffer must have."""
        return {ring.tensor: ring.legal for ring in self.rings}

    def single(self) -> RingPlan:
        """Return the plan in which each ring has the fewest slots that are legal."""
        return RingPlan(tuple(replace(ring, slots=ring.legal) for ring in self.rings))
