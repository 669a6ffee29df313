"""What run-time loops do not go with is refused, never left out of a proof."""

import pytest

from rotation import KernelError, run
from tests.rotation.programs import kernel

TEXT = """
kernel short on planning {
  dram x [4096, 512] fp32 input
  dram y [4096, 512] fp32 output
  for i in [0, %n) {
    sb t [128, 512] fp32 PLACE
    LOAD
    st: dma.store y[128*i:+128, 0:+512] <- t
  }
}
"""
LOAD = "ld: dma.load t <- x[128*i:+128, 0:+512]"


@pytest.mark.parametrize(
    ("what", "place", "load"),
    [
        ("a place of t", "byte 2048*(i mod 2)", LOAD),
        (
            "an if on loaded values",
            "",
            f"{LOAD} if loaded(t) {{ vector.f t <- t inplace }}",
        ),
    ],
)
def test_what_the_proof_does_not_cover_is_refused(what, place, load):
    """The message names it and its place."""
    text = TEXT.replace("PLACE", place).replace("LOAD", load)

    with pytest.raises(KernelError, match=rf"{what}.* is not supported") as error:
        run(kernel(text))

    assert error.value.line is not None


@pytest.mark.parametrize(
    ("what", "load"),
    [
        ("the if", f"if i < 4 {{ {LOAD} }} else {{ z: gpsimd.zero t <- }}"),
        (
            "the extent",
            "ld: dma.load t[0:+min(128, 4096 - 128*i), 0:+512]"
            " <- x[128*i:+min(128, 4096 - 128*i), 0:+512]",
        ),
    ],
)
def test_what_a_kept_loop_decides_is_refused(what: str, load: str):
    """With the loop, the place and what to do."""
    text = TEXT.replace("PLACE", "").replace("LOAD", load)

    with pytest.raises(KernelError, match=f"{what} is decided by i") as error:
        run(kernel(text))

    assert error.value.line is not None
    assert "only static loops inside the run-time loop" in (error.value.hint or "")


def test_a_run_time_loop_in_an_arm_is_refused():
    """It would be there for some trips only."""
    text = TEXT.replace("PLACE", "").replace("LOAD", LOAD)
    text = text.replace("  for i", "  if 0 < 1 {\n  for i").replace(
        "<- t\n  }", "<- t } }"
    )

    with pytest.raises(KernelError, match="is in an arm of an if"):
        run(kernel(text))
