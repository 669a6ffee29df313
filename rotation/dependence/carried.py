"""Which edges lead from one iteration of a loop to another, and through what buffer.

Everything is read from the columns of the unrolled program: an execution of an
instruction is a row, and its linear trip number gives the iteration of each loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from rotation.loop_form.kernel import Loop, MemoryLocationSet
from rotation.loop_form.trips import common_loops
from rotation.unrolled.program import Program


@dataclass(frozen=True, slots=True)
class Step:
    """From where to where an edge leads.

    Attributes:
        loop: The outermost loop around both ends whose iteration changes; None if
            both ends are in one iteration of all loops that they share.
        inside: The innermost loop around both ends, or None.
        distance: Iterations of `inside` from the source to the sink, counted over
            all loops outside it too.
    """

    loop: Loop | None
    inside: Loop | None
    distance: int


class Iterations:
    """The iterations of the rows of a program, loop by loop."""

    def __init__(self, program: Program) -> None:
        function = program.function
        self.nest = [function.loops_of[each] for each in function.instructions]
        self.statement: list[int] = program.statement.tolist()
        self.iteration: list[int] = program.iteration.tolist()
        self._inner = [
            [
                prod(loop.trip_count for loop in nest[depth:])
                for depth in range(len(nest) + 1)
            ]
            for nest in self.nest
        ]
        self._shared: dict[tuple[int, int], int] = {}

    def common_depth(self, row: int, other: int) -> int:
        """Return how many loops stand around both rows."""
        key = (self.statement[row], self.statement[other])
        depth = self._shared.get(key)
        if depth is None:
            depth = len(common_loops(self.nest[key[0]], self.nest[key[1]]))
            self._shared[key] = depth
        return depth

    def number(self, row: int, depth: int) -> int:
        """Return the linear iteration of a row over its outermost `depth` loops."""
        return self.iteration[row] // self._inner[self.statement[row]][depth]

    def step(self, source: int, sink: int) -> Step:
        """Return from where to where an edge leads."""
        depth = self.common_depth(source, sink)
        if not depth:
            return Step(None, None, 0)
        nest = self.nest[self.statement[source]]
        distance = self.number(sink, depth) - self.number(source, depth)
        changed = None
        if distance:  # the linear number differs exactly if some loop's does
            changed = next(
                nest[d]
                for d in range(depth)
                if self.number(source, d + 1) != self.number(sink, d + 1)
            )
        return Step(changed, nest[depth - 1], distance)


class Accesses:
    """The accesses of each row of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._location: list[int] = program.access_location.tolist()
        self._is_write: list[bool] = program.access_is_write.tolist()
        self._owner: list[int] = program.location_tensor.tolist()
        self._first: list[int] = program.first_accesses().tolist()

    def of(self, row: int) -> range:
        """Return the accesses of a row: reads first."""
        return range(self._first[row], self._first[row + 1])

    def reads_from(self, source: int, sink: int) -> bool:
        """Return whether a row reads a location that another one writes."""
        written = {self._location[a] for a in self.of(source) if self._is_write[a]}
        return any(
            self._location[b] in written and not self._is_write[b]
            for b in self.of(sink)
        )

    def shared_tensors(self, source: int, sink: int) -> list[MemoryLocationSet]:
        """Return the buffers that both rows touch and one of them writes.

        Those come first of which the sink reads what the source wrote.
        """
        location, is_write, owner = self._location, self._is_write, self._owner
        found = {
            (
                not (is_write[a] and not is_write[b] and location[a] == location[b]),
                location[a] != location[b],
                owner[location[a]],
            )
            for a in self.of(source)
            for b in self.of(sink)
            if owner[location[a]] == owner[location[b]] and (is_write[a] or is_write[b])
        }
        tensors = [
            self.program.function.tensors[tensor] for *_, tensor in sorted(found)
        ]
        return list(dict.fromkeys(tensors))
