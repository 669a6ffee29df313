"""What a random kernel has around the statement that is written next."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from tests.rotation.random_kernels.choices import Pick

MAX_TRIPS = 11
"""Iterations of a whole nest."""

ROWS = 2 * MAX_TRIPS
"""Rows of every DRAM tensor: a tile of two for each iteration."""

MACHINE_BANKS = 8
PSUM_BANKS = 6
"""Banks for the rings of PSUM; the others are for the user's places."""


class Around(NamedTuple):
    """A loop around: its name, first value, step and trips.

    Attributes:
        name: Name of its index.
        lo: First value.
        step: Distance of two values.
        trips: Iterations; of a run-time loop the most that it may have.
        run_time: True if a register holds its end.
    """

    name: str
    lo: int
    step: int
    trips: int
    run_time: bool = False

    @property
    def trip(self) -> str:
        """The number of its iteration, 0 or more."""
        shifted = f"{self.name} - {self.lo}" if self.lo else self.name
        return f"({shifted}) floordiv {self.step}" if self.step > 1 else f"({shifted})"


class Tile(NamedTuple):
    """A tile that is filled, and whether it lies in PSUM."""

    name: str
    psum: bool


class Scope:
    """The lines so far, with the loops and the filled tiles around the next one."""

    def __init__(self, pick: Pick, *, run_time: bool = False) -> None:
        self.pick = pick
        self.run_time = run_time
        """True if loops may run to registers; some statements are left out then."""
        self.static = False
        """True in an arm, where no loop runs to a register."""
        self.inside = run_time and pick(2) == 1
        """True if static loops have no run-time loop in them, and are unrolled."""
        self.lines: list[str] = []
        self.loops: list[Around] = []
        self.tiles: list[Tile] = []
        self.count = 0
        self.banks = PSUM_BANKS
        """Banks that rings of PSUM have not taken."""
        self.user_banks = MACHINE_BANKS - PSUM_BANKS
        """Banks that the user's places have not taken."""
        self.registers: dict[str, str] = {}
        """Register of each header of a run-time loop."""

    def new(self, stem: str) -> str:
        """Return a new name."""
        self.count += 1
        return f"{stem}{self.count}"

    def known(self) -> list[Around]:
        """Return the loops around that ifs and extents may ask: unrolled ones."""
        if self.run_time and not self.inside:
            return []
        return [loop for loop in self.loops if not loop.run_time]

    def trips(self) -> int:
        """Return the iterations of the loops around."""
        return prod(loop.trips for loop in self.loops)

    def linear(self, loops: list[Around] | None = None) -> str:
        """Return the linear trip number of the loops around, or of some of them."""
        terms, factor = [], 1
        for loop in reversed(self.loops if loops is None else loops):
            terms.append(f"{factor}*({loop.trip})" if factor != 1 else loop.trip)
            factor *= loop.trips
        return " + ".join(reversed(terms)) or "0"

    def rows(self) -> str:
        """Return the rows of a DRAM tensor that this iteration works on."""
        if self.loops and self.pick(4) == 1:
            terms = [f"{1 + self.pick(9)}*{loop.name}" for loop in self.loops]
            return f"2*(({' + '.join(terms)} + {self.pick(9)}) mod {MAX_TRIPS}):+2"
        return f"2*({self.linear()}):+2" if self.loops else "0:+2"

    def any_tile(self) -> Tile:
        """Return one of the tiles; the newest is the simplest."""
        return self.tiles[-1 - self.pick(len(self.tiles))]
