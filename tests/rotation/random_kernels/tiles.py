"""The tiles of a random kernel: declared, filled, computed with and stored."""

from __future__ import annotations

from math import prod

from tests.rotation.random_kernels.scope import PSUM_BANKS, Scope, Tile

RINGS = ("", "", " ring 1", " ring 2", " ring 3", " ring auto")


class Tiles(Scope):
    """Writes the statements that have no other statements in them."""

    def declared(self, *, ring: bool = True, stem: str = "t") -> Tile:
        """Declare a tile of two rows."""
        name, psum = self.new(stem), self.pick(4) == 3
        at, around = "", self.trips()
        if len(self.loops) > 1 and self.pick(5) == 4:
            at = f" at {self.loops[-2].name}"
            around //= max(self.loops[-1].trips, 1)
        asked = self.ring(around) if ring else ""
        slots = int(asked[-1]) if asked[-1:].isdigit() else 1
        if psum and slots <= self.banks:
            self.banks -= slots
        else:
            psum = False
        space = "psum" if psum else "sb"
        self.lines.append(f"{space} {name} [2, 4] fp32{at}{asked}")
        return Tile(name, psum)

    def ring(self, most: int) -> str:
        """Return what a declaration says of its ring of up to `most` slots."""
        asked = RINGS[self.pick(len(RINGS))] if self.loops else ""
        return "" if asked[-1:].isdigit() and int(asked[-1]) > most else asked

    def engine(self, *tiles: Tile) -> str:
        """Return an engine that may touch some tiles."""
        engines = ("vector", "scalar", "pe", "gpsimd")
        psum = any(tile.psum for tile in tiles)
        return engines[self.pick(3 if psum else 4)]

    def tile(self, *, load: bool = False) -> None:
        """Declare a tile and fill it: loaded, computed, in halves or in part."""
        how = 0 if load else self.pick(5 if self.known() or not self.run_time else 4)
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

        The last iteration of a nest that is known has one row.
        """
        if not part or not self.known():
            return f"dma.load {name} <- x[{self.rows()}, 0:+4]"
        extent = self.extent()
        rows = f"2*({self.linear()}):+{extent}"
        return f"dma.load {name}[0:+{extent}, 0:+4] <- x[{rows}, 0:+4]"

    def extent(self) -> str:
        """Return an extent of two rows, of one in the last iteration."""
        last = max(2 * prod(loop.trips for loop in self.known()) - 1, 1)
        return f"min(2, {last} - 2*({self.linear(self.known())}))"

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
        if self.known() and self.pick(5) == 4:
            extent = self.extent()
            rows = f"2*({self.linear()}):+{extent}"
            self.lines.append(
                f"dma.store {tensor}[{rows}, 0:+4] <- {tile.name}[0:+{extent}, 0:+4]"
            )
            return
        self.lines.append(f"dma.store {tensor}[{self.rows()}, 0:+4] <- {tile.name}")

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

    def spilled(self) -> None:
        """Store a tile in DRAM that is new in each iteration, and load it again."""
        spill, source = self.new("d"), self.any_tile()
        self.lines.append(f"dram {spill} [2, 4] fp32{self.ring(self.trips())}")
        self.lines.append(f"dma.store {spill} <- {source.name}")
        if self.pick(2):
            self.store()
        tile = self.declared()
        self.lines.append(f"dma.load {tile.name} <- {spill}")
        self.tiles.append(tile)

    def pinned(self) -> None:
        """Declare a tile at a place of the user, and load it."""
        name, ways = self.new("p"), 1 + self.pick(3)
        turn = f"(({self.linear()}) mod {ways})"
        rows = f"part 32*(({self.linear()}) mod {1 + self.pick(2)})"
        psum = ways <= self.user_banks and self.pick(3) == 2
        if psum:
            self.user_banks -= ways
            place = f"bank {PSUM_BANKS + self.user_banks} + {turn}"
        else:
            place = f"byte {65536 + 1024 * self.count} + 16*{turn}"
        space = "psum" if psum else "sb"
        self.lines.append(f"{space} {name} [2, 4] fp32 {place} {rows}")
        self.lines.append(self.load(name, part=False))
        self.tiles.append(Tile(name, psum))
