"""Kernels whose operations select instances of other iterations."""

from hypothesis import strategies as st

from rotation.loop_form.kernel import Function
from tests.rotation.programs import kernel

SPACES = ("sb", "psum", "dram")


@st.composite
def instance_kernel_texts(draw: st.DrawFn) -> str:
    """Return the text of a kernel that runs.

    A loop over i, some times inside one over o, passes a value on from iteration to
    iteration in a buffer with an instance for each; those before the first are filled
    before the loop. A spill buffer is new in each iteration.
    """
    space, trips = draw(st.sampled_from(SPACES)), draw(st.integers(0, 5))
    lo, step = draw(st.integers(-3, 3)), draw(st.integers(1, 3))
    distance = draw(st.integers(1, 3)) * step
    outer = draw(st.booleans())
    ring = draw(st.sampled_from(["", "", " ring auto"]))
    head = [
        *["for o in [0, 2) {" for _ in range(outer)],
        f"{space} c [2, 4] int32 at i{ring}",
        *_fills(space, lo, distance, step),
        f"for i in [{lo}, {lo + trips * step}) step {step} {{",
        *("sb t [2, 4] int32", "sb u [2, 4] int32", "dram w [4, 2] int32"),
    ]
    back = f"c@(i - {distance})"
    read = _move(space, "u", back)
    steps = [
        ["dma.load t <- x", "vector.f t <- t inplace"],
        [read, "dma.store w <- u"],
        [_move(space, "c", "t")],
    ]
    order = draw(st.permutations(range(3)))
    body = [line for k in sorted(order[:3]) for line in steps[k]]
    if draw(st.booleans()):  # the new value first: two instances at a time
        body = [*steps[0], *steps[2], *steps[1]]
    if draw(st.booleans()):  # a chain: what is passed on depends on what came
        body = [*steps[0], *steps[1], "vector.add t <- t, u", *steps[2]]
    if draw(st.booleans()):  # one operation on two instances
        engine = "cc" if space == "dram" else "vector"
        body = [*steps[0], f"{engine}.g c <- {back}", *steps[1]]
    tail = ["dma.load u <- w", "dma.store y <- u"]
    end = ["}", *["}" for _ in range(outer)]]
    return (
        "kernel selects on planning {\ndram x [2, 4] int32 input\n"
        "dram y [2, 4] int32 output\nsb z [2, 4] int32\nvector.memset z <-\n"
        "dma.store y <- z\n" + "\n".join([*head, *body, *tail, *end]) + "\n}\n"
    )


def _fills(space: str, lo: int, distance: int, step: int) -> list[str]:
    """Return what fills the instances before the first iteration."""
    values = range(lo - distance, lo, step)
    return [_move(space, f"c@({value})", "z") for value in values]


def _move(space: str, target: str, source: str) -> str:
    """Return an operation that copies to or from a buffer in a space."""
    return f"{'dma' if space == 'dram' else 'vector'}.copy {target} <- {source}"


DELAY = """
kernel delay on planning {
  dram x [64, 8] fp32 input
  dram y [64, 8] fp32 output
  for o in [0, 2) {
    sb c [4, 8] fp32 at i
    vector.memset c@(1) <-
    vector.memset c@(-1) <-
    for i in [3, 9) step 2 {
      NEW
      sb u [4, 8] fp32
      rd: vector.copy u <- c@(i - DISTANCE)
      OLD
      st: dma.store y[4*i:+4, 0:+8] <- u
    }
  }
}
"""
"""A tile of an earlier iteration; ``NEW`` or ``OLD`` writes that of the current one."""


def delay(distance: int, *, first: bool) -> Function:
    """Return the kernel in which a tile is read so far behind."""
    write = "ld: dma.load c <- x[4*i:+4, 0:+8]"
    text = DELAY.replace("NEW", write if first else "")
    return kernel(
        text.replace("OLD", "" if first else write).replace("DISTANCE", str(distance))
    )
