"""Time limits of what is done in many small steps."""

import pytest

from proofs.deadline import STEPS_PER_LOOK, Deadline, TimeIsUpError


def test_a_deadline_that_is_over_stops_a_walk():
    """After a few steps at most."""
    deadline = Deadline(-1)

    for _ in range(STEPS_PER_LOOK - 1):
        deadline.check()
    with pytest.raises(TimeIsUpError):
        deadline.check()


def test_a_deadline_ahead_stops_nothing():
    """However many steps there are."""
    deadline = Deadline(3600)

    for _ in range(3 * STEPS_PER_LOOK):
        deadline.check()
    assert deadline.left_s > 0
