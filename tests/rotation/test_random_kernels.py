"""2,000 random kernels go through the whole pipeline, and nothing is found wrong.

Parsed, verified, planned, placed, scheduled, held against the source by the three
checks, and each claim about an index proved. A seed that fails is made simpler by
`python -m tests.rotation.whole_pipeline SEED SEED+1`.
"""

import pytest

from tests.rotation.programs import SPLIT
from tests.rotation.random_kernels.choices import choices_of, replayed, shrunk
from tests.rotation.random_kernels.kernel import run_kernel, seeded
from tests.rotation.whole_pipeline import Answers, wrong

KERNELS = 2000
SPLIT_KERNELS = 200
CHUNK = 100
ANSWERS = Answers()
"""Shared by the chunks of a process; only proofs are in it."""

WORDS = (
    *("for ", "step 2", "step 3", "floordiv", "min(", "over(", "inplace", "psum"),
    *("ring 1", "ring 2", "ring 3", "ring auto", " at i", "byte", "if ", "else"),
    *("gather", "scatter", "unique", "loaded", "bank", "dram d", "dram c", "psum c"),
    *("@(i", "scope kernel", "scope global", "scope none", ") step 2", "%n"),
)
"""What the kernels are to have, as it stands in their texts."""


@pytest.mark.parametrize("first", range(0, KERNELS, CHUNK))
def test_random_kernels_stay_the_same_programs(first: int):
    """No hazard, no other data, no claim without a proof, nothing refused."""
    found = {
        seed: faults
        for seed in range(first, first + CHUNK)
        if (faults := wrong(seeded(seed), ANSWERS, before=False))
    }

    assert found == {}


@pytest.mark.parametrize("first", range(0, SPLIT_KERNELS, CHUNK))
def test_random_kernels_run_with_two_servers_of_dma(first: int):
    """Two queues of transfers change nothing of what a kernel means."""
    found = {
        seed: faults
        for seed in range(first, first + CHUNK)
        if (faults := wrong(seeded(seed), ANSWERS, before=False, machine=SPLIT))
    }

    assert found == {}


def test_the_kernels_have_all_that_they_are_to_have():
    """Each construct stands in at least five of them."""
    texts = [seeded(seed) for seed in range(KERNELS)]
    rare = [word for word in WORDS if sum(word in text for text in texts) < 5]

    assert rare == []


def test_a_kernel_is_written_again_from_its_choices():
    """A seed and its choices give one text."""
    assert seeded(7) == replayed(run_kernel, choices_of(run_kernel, 7))


def test_a_failing_kernel_is_made_simpler():
    """What remains has what fails, and hardly anything else."""
    seed = next(s for s in range(KERNELS) if "gather" in seeded(s))
    simple = shrunk(
        run_kernel, choices_of(run_kernel, seed), lambda text: "gather" in text
    )

    assert "gather" in simple
    assert len(simple) <= len(seeded(seed))
