"""Kernels of whole runs."""

from __future__ import annotations

TIGHT = """
kernel tight on planning {
  dram x [64, 65536] bf16 input
  dram z [64, 65536] bf16 output
  sb a [128, 22528] bf16
  dma.load a[0:+1, 0:+22528] <- x[37:+1, 46:+22528]
  sb c [128, 44984] int8
  sb b [128, 22528] fp32
  scalar.op c[0:+1, 0:+8] <- a[0:+1, 0:+8]
  vector.op b[0:+1, 0:+8] <- a[0:+1, 0:+8]
  for k in [0, 3) {
    vector.op a[0:+1, 0:+6] <- b[0:+1, k:+5], a[0:+1, 0:+6]
    sb t [128, 31] fp16
    dma.load t[0:+1, 0:+31] <- x[k:+1, 0:+31]
    dma.store z[k:+1, 0:+4] <- c[0:+1, 3:+4]
  }
}
"""
"""SB holds one slot of each; packed tightly, a late `t` gets the bytes of `a`."""
