"""Kernels with run-time loops: static ones in part, and one by hand."""

from __future__ import annotations

import re
from typing import NamedTuple

from hypothesis import strategies as st

from tests.rotation.kernels import kernel_texts, legal_kernel_texts

UNSUPPORTED = re.compile(r"\bif\b|\bmin\(|\bcall\b|\bbank\b|\bbyte\b")
"""Words of what run-time loops do not go with."""

HEADER = re.compile(r"for (\w+) in \[(-?\d+), (-?\d+)\)")

SHARED = """
kernel shared on planning {
  dram x [4096, 512] fp32 input
  dram z [4096, 512] fp32 output
  sb inv [128, 512] fp32
  vector.memset inv <-
  for i in [0, %n) {
    sb a [128, 512] fp32
    sb b [128, 512] fp32
    sb c [128, 512] fp32
    ld: dma.load a <- x[128*i:+128, 0:+512]
    ad: vector.add b <- a, inv
    cp: scalar.copy c <- b
    st: dma.store z[128*i:+128, 0:+512] <- c
  }
}
"""
"""A buffer made before the loop and read in every trip; scratch that comes after."""


class RunTime(NamedTuple):
    """A text with registers, the numbers that make it static, and that static text."""

    text: str
    values: dict[str, int]
    static: str


@st.composite
def run_time_kernels(draw: st.DrawFn) -> RunTime:
    """Draw a kernel of which at least one loop runs to a register."""
    texts = st.one_of(legal_kernel_texts(), kernel_texts())
    static = draw(texts.filter(lambda text: not UNSUPPORTED.search(text)))
    headers = list(HEADER.finditer(static))
    if not headers:
        static = static.replace(" sb last", " for i0 in [0, 2) { sb last", 1).replace(
            "}\n", "} }\n", 1
        )
        headers = list(HEADER.finditer(static))
    chosen = draw(
        st.lists(st.sampled_from(headers), min_size=1, max_size=2, unique=True)
    )
    values: dict[str, int] = {}

    def register(header: re.Match[str]) -> str:
        if header.group() not in {each.group() for each in chosen}:
            return header.group()
        name = f"n{len(values)}"
        values[name] = int(header[3])
        return f"for {header[1]} in [{header[2]}, %{name})"

    return RunTime(HEADER.sub(register, static), values, static)
