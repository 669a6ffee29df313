"""Kernels that do not overlap, each for a reason of its own."""

from __future__ import annotations

from tests.rotation.programs import COPY

FULL = COPY.replace("RING", "").replace("512]", "21000]").replace("512*i", "21000*i")
FULL = FULL.replace("+512", "+21000").replace("[128, 2048]", "[128, 84000]")
"""Two tiles of 84,000 bytes a partition: SB has no room for a third."""

_COPIES = "".join(
    f"psum p{k} [128, 512] fp32\n m{k}: pe.f p{k} <- t\n"
    f"c{k}: vector.copy u[0:+128, {512 * k}:+512] <- p{k}\n"
    for k in range(9)
)

BANKS = f"""
kernel banks on planning {{
  dram x [128, 4096] fp32 input
  dram z [128, 36864] fp32 output
  for i in [0, 8) {{
    sb t [128, 512] fp32
    sb u [128, 4608] fp32
    ld: dma.load t <- x[0:+128, 512*i:+512]
    {_COPIES}
    st: dma.store z[0:+128, 4608*i:+4608] <- u
  }}
}}
"""
"""Nine tiles of a bank in eight banks: they are packed, and follow each other."""

OUTSIDE = """
kernel outside on planning {
  dram x [128, 16384] fp32 input
  dram z [128, 16384] fp32 output
  sb t [128, 2048] fp32
  sb u [128, 2048] fp32
  for i in [0, 8) {
    ld: dma.load t <- x[0:+128, 2048*i:+2048]
    cp: scalar.copy u <- t
    st: dma.store z[0:+128, 2048*i:+2048] <- u
  }
}
"""
"""Two buffers that are declared outside the loop that fills them."""

SCATTER = """
kernel scattered on planning {
  dram where [512, 1] int32 input
  dram x [512, 512] fp32 input
  dram z [512, 512] fp32 output
  for i in [0, 4) {
    sb rows [128, 1] int32
    sb t [128, 512] fp32
    ld_r: dma.load rows <- where[128*i:+128, 0:+1]
    ld: dma.load t <- x[128*i:+128, 0:+512]
    sc: dma.scatter z[0:+512, 0:+512] <- t index(rows, dim 0)
  }
}
"""
"""Rows that are written where a table says, which is known at run time only."""
