import pytest

from rotation.errors import InternalError
from rotation.passes.base import built


def test_a_part_that_was_made_is_returned():
    """Even an empty one counts as made."""
    assert built((), "edges") == ()


def test_a_part_that_is_missing_is_an_internal_error():
    """A pass that runs too early is a fault of the pipeline."""
    with pytest.raises(InternalError, match="no pass has made the schedule yet"):
        built(None, "schedule")
