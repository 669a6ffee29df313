"""Random kernels with gathers and scatters, and inputs for them."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from rotation.unrolled.program import Ints

ROWS = 12
"""Rows of every tensor that is reached into."""


class Numbers(NamedTuple):
    """An input of row numbers below `limit`."""

    limit: int
    unique: bool


class IndirectKernel(NamedTuple):
    """A kernel as text, and what its inputs of row numbers may hold."""

    text: str
    numbers: dict[str, Numbers]

    def inputs(self, random: Random) -> dict[str, Ints]:
        """Return inputs: row numbers as promised, and other data that differ."""
        found = {"h": np.arange(ROWS * 2).reshape(ROWS, 2) + 1000}
        for name, numbers in self.numbers.items():
            drawn = [random.randrange(numbers.limit) for _ in range(ROWS)]
            if numbers.unique:
                drawn = random.sample(range(ROWS), ROWS)
            found[name] = np.array(drawn).reshape(ROWS, 1)
        return found


@st.composite
def indirect_kernels(draw: st.DrawFn) -> IndirectKernel:
    """Return a kernel that gathers from and scatters into tensors and tiles.

    Everything that is read was written: `w` is cleared first, and each tile filled
    where it is declared.
    """
    outer = draw(st.sampled_from([1, 1, 2]))
    trips, height = draw(st.sampled_from([(0, 1), (1, 3), (2, 2), (3, 2), (5, 1)]))
    step = draw(st.integers(1, 3))
    trip = f"({trips}*a + (b - 1) floordiv {step})"
    here = f"{height}*{trip}:+{height}, 0:+"
    numbers: dict[str, Numbers] = {}
    lines = [f"sb t [{height}, 2] fp32 dma.load t <- h[{here}2]"]
    tiles = ["t"]

    def index(limit: int, *, unique: bool) -> str:
        """Load row numbers and return the attribute that names them."""
        name = f"n{len(numbers)}"
        ring = draw(st.sampled_from(["", "", " ring 1"]))
        numbers[name] = Numbers(limit, unique)
        lines.append(f"sb i{name} [{height}, 1] int32{ring if trips else ''}")
        lines.append(f"dma.load i{name} <- {name}[{here}1]")
        return f"index(i{name}, dim 0)" + (" unique" if unique else "")

    for kind in draw(st.lists(st.sampled_from("ggsssrwcxy"), min_size=1, max_size=6)):
        tile = draw(st.sampled_from(tiles))
        new = f"t{len(lines)}"
        if kind == "g":
            tensor = draw(st.sampled_from("hw"))
            named = index(ROWS, unique=False)
            lines.append(f"sb {new} [{height}, 2] fp32")
            lines.append(f"dma.gather {new} <- {tensor} {named}")
        elif kind == "s":
            tensor = draw(st.sampled_from(["w", "out"]))
            named = index(ROWS, unique=draw(st.integers(0, 3)) > 0)
            lines.append(f"dma.scatter {tensor} <- {tile} {named}")
        elif kind == "r":
            lines.append(f"sb {new} [3, 2] fp32 dma.load {new} <- w[b mod 9:+3, 0:+2]")
            lines.append(f"dma.store y[b mod 9:+3, 0:+2] <- {new}")
        elif kind == "w":
            lines.append(f"dma.store w[{here}2] <- {tile}")
        elif kind == "c":
            engine = draw(st.sampled_from(["vector", "scalar"]))
            lines.append(f"sb {new} [{height}, 2] fp32 {engine}.f {new} <- {tile}")
        elif kind == "x":
            named = index(height, unique=False)
            lines.append(f"sb {new} [{height}, 2] fp32")
            lines.append(f"gpsimd.gather {new} <- {tile} {named}")
        else:
            named = index(height, unique=False)
            lines.append(f"sb {new} [{height}, 2] fp32 vector.clear {new} <-")
            lines.append(f"gpsimd.scatter {new} <- {tile} {named}")
        if kind in "gcxy":
            tiles.append(new)
    lines.append(f"dma.store y[{here}2] <- {draw(st.sampled_from(tiles))}")
    declared = "\n".join(f"dram {name} [{ROWS}, 1] int32 input" for name in numbers)
    body = "\n".join(lines)
    hi = 1 + step * trips
    text = f"""kernel indirect on planning {{
dram h [{ROWS}, 2] fp32 input
{declared}
dram w [{ROWS}, 2] fp32
dram out [{ROWS}, 2] fp32
dram y [{ROWS}, 2] fp32
sb z [{ROWS}, 2] fp32 vector.clear z <-
dma.store w <- z
for a in [0, {outer}) {{ for b in [1, {hi}) step {step} {{
{body}
}} }}
sb e [{ROWS}, 2] fp32 dma.load e <- w
dma.store y <- e
}}
"""
    return IndirectKernel(text, numbers)
