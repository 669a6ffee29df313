"""Claims of a run, and what ties them to the program that runs."""

from itertools import product
from pathlib import Path

import pytest

from pelican.expr import AffineIdx
from proofs import Refuted
from rotation import load
from rotation.loop_form.kernel import Loop
from rotation.passes.base import State, built
from rotation.rings.plan import RingPlan
from rotation.running.obligations import RunClaim, prove_run
from rotation.text.parse import parse
from tests.rotation.finished import finished
from tests.rotation.programs import MATMUL, STREAM, kernel

EXAMPLES = Path(__file__).parents[3] / "examples"

SKEWED = """
kernel skewed on planning {
  dram x [1024, 4096] fp32 input
  dram z [1024, 4096] fp32 output
  for i in [-5, 18) step 3 { for j in [7, 11) step 2 {
    sb t [128, 2048] fp32 ring 3
    sb u [128, 2048] fp32 at i ring 2
    ld_t: dma.load t <- x[128*((i + 5) floordiv 3):+128, 1024*(j - 7):+2048]
    cp: vector.copy u <- t
    st: dma.store z[128*((i + 5) floordiv 3):+128, 1024*(j - 7):+2048] <- u
  } }
}
"""
"""Loops that start elsewhere than at 0, with steps, and rings of the user."""


def placed(name: str) -> State:
    """Return the state of a kernel after all passes."""
    texts = {"stream": STREAM, "matmul": MATMUL, "skewed": SKEWED}
    function = (
        kernel(texts[name]) if name in texts else load(EXAMPLES / f"{name}.kernel")
    )
    return finished(function)


def iterations(nest: tuple[Loop, ...]) -> list[dict[AffineIdx, int]]:
    """Return the values of the loops of a nest, in source order."""
    ranges = [range(n.index.lo, n.index.hi, n.index.step) for n in nest]
    indices = [loop.index for loop in nest]
    return [dict(zip(indices, point, strict=True)) for point in product(*ranges)]


@pytest.mark.parametrize("name", ["stream", "matmul", "skewed", "matmul_tiled"])
def test_an_instance_lives_in_the_slot_that_its_expression_names(name: str):
    """The slot expression, whose range is proved, is the slot that is used."""
    state = placed(name)
    program = built(state.program, "program")
    slot = built(state.placement, "placement").slot
    rotating = 0
    for ring in built(state.plan, "plan").rings:
        tensor = state.function.tensors.index(ring.tensor)
        rows = (program.location_tensor == tensor).nonzero()[0]
        nest = () if ring.loop is None else state.function.nests[ring.loop]
        points = iterations(nest)
        named = [
            int(ring.slot.eval(points[k])) for k in program.location_instance[rows]
        ]
        rotating += ring.slots > 1

        assert slot[rows].tolist() == named
    assert rotating


def test_all_claims_of_a_rotated_kernel_are_proved():
    """Two for each index that is written, one for each ring."""
    state = placed("stream")
    report, failures = prove_run(state.function, built(state.plan, "plan"))

    assert (report.total, report.proved, failures) == (2 * 2 * 3 + 3, report.total, ())


def test_a_claim_that_fails_is_a_line_with_its_place():
    """The index leaves its tensor in the last iteration."""
    (function,) = parse(
        "kernel k on planning { dram x [4, 8] fp32 input for i in [0, 5) {\n"
        "sb t [1, 8] fp32 dma.load t <- x[i + 0:+1, 0:+8] } }",
        "k.kernel",
    )
    report, failures = prove_run(function, RingPlan(()))

    assert (report.refuted, report.unknown) == (1, 0)
    assert failures == ("k.kernel:2:34: i in [0, 4): refuted at i = 4",)


def test_a_claim_without_a_place_says_what_is_claimed():
    """A slot expression stands in no text."""
    claim = RunClaim("slot of t: i in [0, 2)", Refuted({"i": 2}))

    assert str(claim) == "slot of t: i in [0, 2): refuted at i = 2"


GUARDED = """
kernel guarded on planning {
  dram x [1000, 4] fp32 input
  for i in [0, 9) {
    sb t [128, 4] fp32
    vector.memset t <-
    if 128*i < 1000 and i != 3 {
      dma.load t[0:+min(128, 1000 - 128*i), 0:+4]
        <- x[128*i:+min(128, 1000 - 128*i), 0:+4]
    } else {
      if i < 8 { dma.load t <- x[384 + 0*i:+128, 0:+4] } else { vector.memset t <- }
      if i > 9 { dma.load t <- x[i + 990:+128, 0:+4] }
    }
  }
}
"""
"""Claims that hold only where an if lets them, and one arm that is never done."""


def test_claims_take_the_ifs_around_them_as_given():
    """Each case of an arm is proved; a case that never happens asks for nothing."""
    report, failures = prove_run(kernel(GUARDED), RingPlan(()))

    assert failures == ()
    assert report.proved == report.total > 20


def test_a_claim_that_an_if_does_not_make_true_is_refuted():
    """One iteration too many."""
    report, failures = prove_run(
        kernel(GUARDED.replace("128*i < 1000", "128*i < 1030")), RingPlan(())
    )

    assert report.refuted >= 1
    assert any("1000 - 128*i in [1, ...)" in failure for failure in failures)
