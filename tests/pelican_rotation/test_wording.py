"""What the screen, the page and the explanation of a run say in the same words."""

from dataclasses import replace

import pytest

from pelican_rotation.wording import refusal_word, speedup_of
from rotation import PlanError, run
from rotation.running.result import Result, refused
from tests.rotation.programs import STREAM, kernel


@pytest.fixture(scope="module")
def result() -> Result:
    """Return the result of a small kernel."""
    return run(kernel(STREAM))


def test_what_takes_no_time_is_no_faster(result: Result):
    """Else it is how often the result fits into the time without rotation."""
    schedule = result.schedule
    assert schedule is not None

    assert speedup_of(replace(schedule, before_ns=30, after_ns=20)) == 1.5
    assert speedup_of(replace(schedule, before_ns=0, after_ns=0)) == 1


def test_only_a_kernel_without_a_result_is_refused(result: Result):
    """Of others something was left."""
    assert refusal_word(result) == "left as it was"
    assert refusal_word(refused(kernel(STREAM), "trn2", PlanError("no"))) == "refused"
