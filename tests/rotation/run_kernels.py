"""Random kernels that run, as text: everything that the language has, in small.

All choices come from one function, `pick(n)`, which gives a number below n. It may
draw from a seeded generator, which is fast, from hypothesis, or from a list of
numbers: what `choices_of` found for a seed, and `shrunk` made as simple as it gets.
The choice 0 is always the simplest one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

Pick = Callable[[int], int]

MAX_DEPTH = 3
MAX_TRIPS = 11
"""Iterations of a whole nest."""

ROWS = 2 * MAX_TRIPS
"""Rows of every DRAM tensor: a tile of two for each iteration."""

TRIPS = (2, 3, 1, 5, 0, 7, 11)
RINGS = ("", "", " ring 1", " ring 2", " ring 3", " ring auto")
PSUM_BANKS = 6
"""Banks for the rings of PSUM; two more are for the user's places."""


class _Loop(NamedTuple):
    """A loop around: its name, first value, step and trips."""

    name: str
    lo: int
    step: int
    trips: int

    @property
    def trip(self) -> str:
        """The number of its iteration, 0 or more."""
        shifted = f"{self.name} - {self.lo}" if self.lo else self.name
        return f"({shifted}) floordiv {self.step}" if self.step > 1 else f"({shifted})"


class _Tile(NamedTuple):
    """A tile that is filled, and whether it lies in PSUM."""

    name: str
    psum: bool


class _Writer:
    """Writes one kernel, line by line."""

    def __init__(self, pick: Pick) -> None:
        self.pick = pick
        self.lines: list[str] = []
        self.loops: list[_Loop] = []
        self.tiles: list[_Tile] = []
        self.count = 0
        self.banks = PSUM_BANKS
        self.left = (0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 3)[pick(12)]
        """Statements that may still be written."""

    def kernel(self) -> str:
        """Return the whole text."""
        self.tile(load=True)
        self.statement()
        self.body(3)
        self.store()
        body = "\n".join(self.lines)
        before = after = ""
        if re.search(r"\bw\b", body):
            before = (
                f"dram w [{ROWS}, 4] fp32\nsb z [{ROWS}, 4] fp32\n"
                "vector.memset z <-\ndma.store w <- z\n"
            )
            after = "dma.load z <- w\ndma.store y <- z\n"
        ids = f"dram ids [{ROWS}, 1] int32 input\n" if "ids" in body else ""
        return (
            f"kernel legal on planning {{\ndram x [{ROWS}, 4] fp32 input\n{ids}"
            f"dram y [{ROWS}, 4] fp32 output\n{before}{body}\n{after}}}\n"
        )

    def body(self, most: int) -> None:
        """Write up to `most` statements."""
        for _ in range(1 + self.pick(most)):
            if self.left <= 0:
                return
            self.left -= 1
            self.statement()

    def statement(self) -> None:
        """Write one statement, with what stands in it."""
        writers = (
            *(self.operation, self.tile, self.loop, self.store, self.loop),
            *(self.accumulation, self.running, self.indirect, self.choice),
            *(self.overwritten, self.pinned, self.loop),
        )
        writers[self.pick(len(writers))]()

    def new(self, stem: str) -> str:
        """Return a new name."""
        self.count += 1
        return f"{stem}{self.count}"

    def trips(self) -> int:
        """Return the iterations of the loops around."""
        product = 1
        for loop in self.loops:
            product *= loop.trips
        return product

    def linear(self) -> str:
        """Return the linear trip number of the loops around."""
        terms, factor = [], 1
        for loop in reversed(self.loops):
            terms.append(f"{factor}*({loop.trip})" if factor != 1 else loop.trip)
            factor *= loop.trips
        return " + ".join(reversed(terms)) or "0"

    def rows(self) -> str:
        """Return the rows of a DRAM tensor that this iteration works on."""
        if self.loops and self.pick(4) == 1:
            terms = [f"{1 + self.pick(9)}*{loop.name}" for loop in self.loops]
            return f"2*(({' + '.join(terms)} + {self.pick(9)}) mod {MAX_TRIPS}):+2"
        return f"2*({self.linear()}):+2" if self.loops else "0:+2"

    def any_tile(self) -> _Tile:
        """Return one of the tiles; the newest is the simplest."""
        return self.tiles[-1 - self.pick(len(self.tiles))]

    def declared(self, *, ring: bool = True, stem: str = "t") -> _Tile:
        """Declare a tile of two rows."""
        name, psum = self.new(stem), self.pick(4) == 3
        at, around = "", self.trips()
        if len(self.loops) > 1 and self.pick(5) == 4:
            at = f" at {self.loops[-2].name}"
            around //= max(self.loops[-1].trips, 1)
        asked = RINGS[self.pick(len(RINGS))] if ring and self.loops else ""
        slots = int(asked[-1]) if asked[-1:].isdigit() else 1
        if slots > around:
            asked, slots = "", 1
        if psum and slots <= self.banks:
            self.banks -= slots
        else:
            psum = False
        space = "psum" if psum else "sb"
        self.lines.append(f"{space} {name} [2, 4] fp32{at}{asked}")
        return _Tile(name, psum)

    def engine(self, *tiles: _Tile) -> str:
        """Return an engine that may touch some tiles."""
        engines = ("vector", "scalar", "pe", "gpsimd")
        psum = any(tile.psum for tile in tiles)
        return engines[self.pick(3 if psum else 4)]

    def tile(self, *, load: bool = False) -> None:
        """Declare a tile and fill it: loaded, computed, in halves or in part."""
        how = 0 if load else self.pick(5)
        tile = self.declared()
        name = tile.name
        if how in (0, 4):
            if how == 4:  # some iterations load one row only
                self.lines.append(f"vector.memset {name} <-")
            self.lines.append(self.load(name, part=how == 4))
        elif how == 1:
            source = self.any_tile()
            self.lines.append(f"{self.engine(tile, source)}.f {name} <- {source.name}")
        elif how == 2:
            for half in ("0:+1, 0:+4", "1:+1, 0:+4"):
                source = self.any_tile()
                engine = self.engine(tile, source)
                region = f"{name}[{half}] <- {source.name}[{half}]"
                self.lines.append(f"{engine}.h {region}")
        else:
            self.lines.append(f"vector.memset {name} <-")
        self.tiles.append(tile)

    def load(self, name: str, *, part: bool) -> str:
        """Return a load of a tile, or of a part of it that may be smaller at the end.

        Only whole nests have parts: there the last iteration has one row.
        """
        if not part or not self.loops:
            return f"dma.load {name} <- x[{self.rows()}, 0:+4]"
        extent = self.extent()
        rows = f"2*({self.linear()}):+{extent}"
        return f"dma.load {name}[0:+{extent}, 0:+4] <- x[{rows}, 0:+4]"

    def extent(self) -> str:
        """Return an extent of two rows, of one in the last iteration."""
        last = max(2 * self.trips() - 1, 1)
        return f"min(2, {last} - 2*({self.linear()}))"

    def operation(self) -> None:
        """Compute a tile, or a part of one, from others."""
        target, source = self.any_tile(), self.any_tile()
        engine = self.engine(target, source)
        part = ("", "[0:+1, 0:+4]", "[1:+1, 1:+2]")[self.pick(3)]
        operands = [f"{source.name}{part}"]
        attribute = ""
        if target != source and self.pick(3) == 2:
            operands.append(f"{target.name}{part}")
            attribute = " inplace" if self.pick(2) else ""
        self.lines.append(
            f"{engine}.g {target.name}{part} <- {', '.join(operands)}{attribute}"
        )

    def store(self) -> None:
        """Store a tile, to be seen at the end or read back."""
        tensor, tile = "yyyw"[self.pick(4)], self.any_tile()
        if self.loops and self.pick(5) == 4:
            extent = self.extent()
            rows = f"2*({self.linear()}):+{extent}"
            self.lines.append(
                f"dma.store {tensor}[{rows}, 0:+4] <- {tile.name}[0:+{extent}, 0:+4]"
            )
            return
        self.lines.append(f"dma.store {tensor}[{self.rows()}, 0:+4] <- {tile.name}")

    def loop(self, write: Callable[[], None] | None = None) -> None:
        """Write a loop, if there may be one more."""
        if len(self.loops) == MAX_DEPTH:
            return
        most = MAX_TRIPS // max(self.trips(), 1)
        trips = [n for n in TRIPS if n <= most]
        count = trips[self.pick(len(trips))]
        lo, step = (0, 1, -2)[self.pick(3)], 1 + self.pick(3)
        name = self.new("i")
        hi = lo + count * step - self.pick(step) if count else lo
        self.lines.append(f"for {name} in [{lo}, {hi}) step {step} {{")
        outside = list(self.tiles)
        self.loops.append(_Loop(name, lo, step, count))
        if write is not None:
            write()
        else:
            if self.pick(4):
                self.tile(load=True)
            self.body(3)
            if self.pick(4):
                self.store()
        self.loops.pop()
        self.tiles = outside
        self.lines.append("}")

    def accumulation(self) -> None:
        """Add up over a loop what its iterations load."""
        if len(self.loops) == MAX_DEPTH:
            return
        total = self.declared()
        self.lines.append(f"vector.memset {total.name} <-")

        def step() -> None:
            self.tile(load=True)
            tile = self.tiles[-1]
            over = self.loops[-1].name
            engine = self.engine(total, tile)
            self.lines.append(
                f"{engine}.matmul {total.name} <- {tile.name} over({over})"
            )

        self.loop(step)
        self.tiles.append(total)

    def running(self) -> None:
        """Carry a value from iteration to iteration."""
        total = self.declared()
        self.lines.append(f"vector.memset {total.name} <-")
        self.tiles.append(total)

        def step() -> None:
            self.tile(load=True)
            tile = self.tiles[-1]
            mark = " inplace" if self.pick(2) else ""
            self.lines.append(
                f"{self.engine(total, tile)}.add {total.name} <- "
                f"{total.name}, {tile.name}{mark}"
            )
            if self.pick(2):
                self.store()

        self.loop(step)

    def overwritten(self) -> None:
        """Read what the iteration before has left, then overwrite it."""
        kept = self.declared()
        self.lines.append(self.load(kept.name, part=False))
        self.tiles.append(kept)

        def step() -> None:
            self.lines.append(f"dma.store y[{self.rows()}, 0:+4] <- {kept.name}")
            self.lines.append(self.load(kept.name, part=False))

        self.loop(step)

    def indirect(self) -> None:
        """Gather or scatter rows that a tile names."""
        index = self.new("n")
        scatters, unique = self.pick(2), self.pick(2)
        self.lines.append(f"sb {index} [2, 1] int32")
        rows = f"2*({self.linear()}):+2"
        self.lines.append(f"dma.load {index} <- ids[{rows}, 0:+1]")
        if scatters:
            mark = " unique" if unique else ""
            self.lines.append(
                f"dma.scatter w <- {self.any_tile().name} index({index}, dim 0){mark}"
            )
            return
        tile = self.declared()
        tensor = "xw"[self.pick(2)]
        self.lines.append(f"dma.gather {tile.name} <- {tensor} index({index}, dim 0)")
        self.tiles.append(tile)

    def choice(self) -> None:
        """Write an if: over indices, or rarely over what was loaded."""
        if self.pick(8) == 7:
            flag = self.new("f")
            self.lines.append(f"sb {flag} [1, 1] int32")
            self.lines.append(f"dma.load {flag} <- ids[0:+1, 0:+1]")
            asked = f"loaded({flag})"
        elif self.loops:
            loop = self.loops[-1 - self.pick(len(self.loops))]
            sign = ("<", "<=", ">", ">=", "==", "!=")[self.pick(6)]
            asked = f"{loop.trip} {sign} {self.pick(4)}"
        else:
            asked = f"{self.pick(2)} == 0"
        outside = list(self.tiles)
        self.lines.append(f"if {asked} {{")
        self.body(2)
        self.tiles = list(outside)
        if self.pick(2):
            self.lines.append("} else {")
            self.body(2)
            self.tiles = outside
        self.lines.append("}")

    def pinned(self) -> None:
        """Declare a tile at a place of the user, and load it."""
        name, ways = self.new("p"), 1 + self.pick(3)
        self.lines.append(
            f"sb {name} [2, 4] fp32 "
            f"byte {65536 + 1024 * self.count} + 16*(({self.linear()}) mod {ways}) "
            f"part 32*(({self.linear()}) mod {1 + self.pick(2)})"
        )
        self.lines.append(self.load(name, part=False))
        self.tiles.append(_Tile(name, psum=False))


def run_kernel(pick: Pick) -> str:
    """Return the text of a kernel that runs."""
    return _Writer(pick).kernel()


def seeded(seed: int) -> str:
    """Return the kernel of a seed."""
    return run_kernel(Random(seed).randrange)


@st.composite
def run_kernel_texts(draw: st.DrawFn) -> str:
    """Draw the text of a kernel that runs."""
    return run_kernel(lambda n: draw(st.integers(0, n - 1)))


def replayed(choices: Sequence[int]) -> str:
    """Return the kernel of a list of choices; what is missing is 0."""
    left = iter(choices)
    return run_kernel(lambda n: next(left, 0) % n)


def choices_of(seed: int) -> list[int]:
    """Return the choices behind the kernel of a seed."""
    random, made = Random(seed), []

    def pick(n: int) -> int:
        made.append(random.randrange(n))
        return made[-1]

    run_kernel(pick)
    return made


def shrunk(choices: Sequence[int], fails: Callable[[str], bool]) -> str:
    """Return the text of a simpler kernel that fails too.

    Args:
        choices: The choices behind a kernel that fails.
        fails: Whether a kernel fails.
    """
    best = list(choices)
    width = len(best)
    while width:
        at = 0
        while at < len(best):
            cut, zero = best[:at] + best[at + width :], list(best)
            zero[at : at + width] = [0] * len(zero[at : at + width])
            simpler = [c for c in (cut, zero) if c != best and fails(replayed(c))]
            if simpler:
                best = simpler[0]
            if not simpler or simpler[0] is zero:
                at += width
        width //= 2
    return replayed(best)
