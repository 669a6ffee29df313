from dataclasses import replace

import pytest

from rotation import run
from rotation.loop_form.loop_carried import carried_tensors
from tests.rotation.programs import MATMUL, PLANNING, STREAM, kernel

HEAD = "kernel k on planning { dram x [64, 8] fp32 input dram y [64, 8] fp32 output\n"


def carried(body: str) -> list[str]:
    """Return the names of the carried buffers of a kernel."""
    return sorted(t.name for t in carried_tensors(kernel(f"{HEAD}{body} }}")))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("sb s [2, 8] fp32 for k in [0, 2) { vector.f s <- s }", ["s"]),
        ("sb s [2, 8] fp32 for k in [0, 2) { vector.f s <- vector.g s <- s }", []),
        ("for k in [0, 2) { sb s [2, 8] fp32 vector.f s <- s }", []),
        (
            "for k in [0, 2) { sb s [2, 8] fp32 for j in [0, 2) { vector.f s <- s } }",
            ["s"],
        ),
        ("sb s [2, 8] fp32 at k for k in [0, 2) { vector.f s <- s@(k - 1) }", []),
        ("sb s [2, 8] fp32 for k in [0, 2) { vector.f s <- over(k) }", ["s"]),
        ("for k in [0, 2) { sb s [2, 8] fp32 dma.st y[0:+2, 0:+8] <- s }", []),
    ],
)
def test_a_buffer_is_carried_if_an_iteration_first_reads_it(body, expected):
    """It lives outside the loop, and the loop changes it."""
    assert carried(body) == expected


def test_a_sum_over_an_inner_loop_is_carried_by_it():
    """The accumulator of a matmul is, and no tile of a stream."""
    assert [t.name for t in carried_tensors(kernel(MATMUL))] == ["acc"]
    assert carried_tensors(kernel(STREAM)) == set()


def test_the_plan_says_that_a_value_is_carried():
    """Where a kernel misses its target, a buffer that carries a value has no ring."""
    body = (
        "sb s [128, 512] fp32 vector.memset s <-\n"
        "for k in [0, 32) { sb t [128, 512] fp32\n"
        "dma.store y[128*k:+128, 0:+512] <- s dma.load t <- x[128*k:+128, 0:+512]\n"
        "vector.f s <- s, t inplace }"
    )
    text = HEAD.replace("[64, 8]", "[4096, 512]") + body + " }"
    small = replace(PLANNING, sb_bytes_per_partition=4096)
    rings = {ring.tensor: ring for ring in run(kernel(text), small).rings}

    assert {name: (r.slots, r.limited_by) for name, r in rings.items()} == {
        "s": (1, "carried"),
        "t": (1, "capacity"),
    }
