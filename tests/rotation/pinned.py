"""Small kernels whose author placed buffers, for the tests of pins."""

PINNED = """
kernel pinned on planning {
  dram x [1024, 512] fp32 input
  dram y [1024, 512] fp32 output
  for i in [0, 8) step 1 {
    sb t [128, 512] fp32 byte 4096*(i mod 2) part 0
    sb u [128, 512] fp32
    psum a [128, 512] fp32 bank i mod 2
    psum b [128, 512] fp32 bank 1 - i mod 2
    psum c [128, 512] fp32
    ld: dma.load t <- x[128*i:+128, 0:+512]
    f: pe.f a <- t
    g: vector.g u <- a
    h: pe.h b <- u
    k: scalar.k c <- b
    l: vector.l u <- c
    st: dma.store y[128*i:+128, 0:+512] <- u
  }
}
"""
"""Two buffers of the user on the same two banks, a third that goes elsewhere."""


def declared(place: str, *, shape: str = "[128, 512]", space: str = "psum") -> str:
    """Return a kernel of a buffer at a place, in a loop i of 8 trips inside j of 2."""
    return (
        "kernel one on planning {\n"
        "for j in [0, 2) { for i in [0, 8) {\n"
        f"{space} t {shape} fp32 {place}\n"
        "vector.f t[0:+1, 0:+1] <-\n} } }\n"
    )
