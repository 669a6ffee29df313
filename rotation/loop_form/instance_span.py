"""How many instances a buffer has; a part of the loop form."""

from __future__ import annotations

from dataclasses import dataclass

from pelican.known.interval import Interval


@dataclass(frozen=True, slots=True)
class InstanceSpan:
    """Which instances a buffer has in each iteration of the loops outside its scope.

    Attributes:
        first: Trip of the scope loop of the first one; below 0 if ``@`` selects one
            before the loop begins.
        width: How many there are, at least the trips of the scope loop.
        outer: Iterations of the loops outside the scope loop.
    """

    first: int
    width: int
    outer: int

    def with_trips(self, trips: Interval) -> InstanceSpan:
        """Return the span that holds some trips of the scope loop too."""
        first = min(self.first, trips.lo or 0)
        past = max(self.first + self.width, (trips.hi or 0) + 1)
        return InstanceSpan(first, past - first, self.outer)

    @property
    def count(self) -> int:
        """Number of all instances."""
        return self.outer * self.width
