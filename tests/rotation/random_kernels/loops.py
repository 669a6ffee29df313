"""The loops and ifs of a random kernel."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from tests.rotation.random_kernels.scope import MAX_TRIPS, Around, Tile
from tests.rotation.random_kernels.tiles import Tiles

MAX_DEPTH = 3
TRIPS = (2, 3, 1, 5, 0, 7, 11)


class Loops(Tiles):
    """Writes the statements that have others in them."""

    @abstractmethod
    def body(self, most: int) -> None:
        """Write up to `most` statements."""

    def header(self) -> Around | None:
        """Return a loop that may stand here; None if there may be no more."""
        if len(self.loops) == MAX_DEPTH:
            return None
        run_time = self.run_time and not self.static and self.pick(3) < 2
        if self.inside and not all(loop.run_time for loop in self.loops):
            run_time = False
        most = MAX_TRIPS // max(self.trips(), 1)
        trips = [n for n in TRIPS if n <= most and (n or not run_time)]
        count = trips[self.pick(len(trips))]
        lo, step = (0, 1, -2)[self.pick(2 if run_time else 3)], 1 + self.pick(3)
        return Around(self.new("i"), lo, step, count, run_time)

    def loop(
        self, write: Callable[[], None] | None = None, *, around: Around | None = None
    ) -> None:
        """Write a loop: the given one, or another if there may be one more."""
        loop = around or self.header()
        if loop is None:
            return
        self.lines.append(
            f"for {loop.name} in [{loop.lo}, {self.end(loop)}) step {loop.step} {{"
        )
        outside = list(self.tiles)
        self.loops.append(loop)
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

    def end(self, loop: Around) -> str:
        """Return the end of a loop: a number, or a register whose name says one."""
        short = self.pick(loop.step)
        hi = loop.lo + loop.trips * loop.step - short if loop.trips else loop.lo
        if not loop.run_time:
            return str(hi)
        header = f"{loop.lo} {hi} {loop.step}"
        if header not in self.registers or self.pick(2):
            self.registers[header] = f"%{self.new('n')}_{hi}"
        return self.registers[header]

    def accumulation(self) -> None:
        """Add up over a loop what its iterations load."""
        loop = self.header()
        if loop is None:
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

        self.loop(step, around=loop)
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

    def choice(self) -> None:
        """Write an if: over indices, or rarely over what was loaded."""
        if self.pick(8) == 7 and not self.run_time:
            flag = self.new("f")
            self.lines.append(f"sb {flag} [1, 1] int32")
            self.lines.append(f"dma.load {flag} <- ids[0:+1, 0:+1]")
            asked = f"loaded({flag})"
        elif loops := self.known():
            loop = loops[-1 - self.pick(len(loops))]
            sign = ("<", "<=", ">", ">=", "==", "!=")[self.pick(6)]
            asked = f"{loop.trip} {sign} {self.pick(4)}"
        else:
            asked = f"{self.pick(2)} == 0"
        outside = list(self.tiles)
        self.lines.append(f"if {asked} {{")
        inside, self.static = self.static, True
        self.body(2)
        self.tiles = list(outside)
        if self.pick(2):
            self.lines.append("} else {")
            self.body(2)
            self.tiles = outside
        self.static = inside
        self.lines.append("}")

    def carried(self) -> None:
        """Hand a value on in instances: those before the loop, or after it, too.

        Each iteration takes what an earlier one has left for it, or leaves something
        for a later one; the first ones find what was filled before the loop.
        """
        loop = self.header()
        if loop is None:
            return
        space, forward = ("sb", "dram", "psum")[self.pick(3)], self.pick(2)
        far = 1 + self.pick(2)
        if space == "psum":
            if self.banks <= far:
                space = "sb"
            else:
                self.banks -= far + 1
        name = self.new("c")
        ring = (" ring auto", "")[self.pick(2)]
        self.lines.append(f"{space} {name} [2, 4] fp32 at {loop.name}{ring}")
        before = [loop.lo + k * loop.step for k in range(far)]
        if not forward:
            before = [value - far * loop.step for value in before]
        filled = self.any_tile()
        self.lines += [self.move(space, f"{name}@({v})", filled.name) for v in before]
        sign = "+" if forward else "-"
        other = f"{name}@({loop.name} {sign} {far * loop.step})"
        target, source = (other, name) if forward else (name, other)
        self.loop(lambda: self.handed_on(space, target, source), around=loop)
        last = loop.lo + (loop.trips - 1) * loop.step
        left = last + far * loop.step if forward else last
        if self.pick(2) and (loop.trips or forward):
            tile = self.declared()
            self.lines.append(self.move(space, tile.name, f"{name}@({left})"))
            self.tiles.append(tile)

    def handed_on(self, space: str, target: str, source: str) -> None:
        """Write one iteration: a new instance from an old one."""
        self.tile(load=True)
        tile, how = self.tiles[-1], self.pick(3)
        if how == 0 and space != "dram":  # two instances in one operation
            operands = f"{target} <- {tile.name}, {source}"
            engine = self.engine(tile, Tile(name="", psum=space == "psum"))
            self.lines.append(f"{engine}.f {operands}")
        elif how == 0:
            self.lines.append(f"cc.g {target} <- {source}")
        else:
            got = self.declared()
            steps = [self.move(space, got.name, source)]
            steps.append(self.move(space, target, tile.name))
            if how == 1:
                steps.insert(1, f"vector.add {tile.name} <- {tile.name}, {got.name}")
            self.lines += steps
            self.tiles.append(got)
        if self.pick(2):
            self.store()

    def move(self, space: str, target: str, source: str) -> str:
        """Return a copy to or from a buffer of a space."""
        return f"{'dma' if space == 'dram' else 'vector'}.copy {target} <- {source}"
