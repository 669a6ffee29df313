import pytest

from rotation.errors import PlanError
from rotation.loop_form.kernel import MemoryLocationSet, MemorySpace
from rotation.rings.asked import asked_names, require_instances, without_room

SMALL = MemoryLocationSet("small", MemorySpace.SB, (128, 8), "fp32", ring_slots=6)
LARGE = MemoryLocationSet("large", MemorySpace.SB, (128, 64), "fp32", ring_slots=2)
SLOTS = {SMALL: 6, LARGE: 2}


def test_a_ring_has_no_more_slots_than_there_are_instances():
    """The last one that can be is named."""
    require_instances(SMALL, 6)
    with pytest.raises(PlanError, match="ring 6 of small has more slots") as error:
        require_instances(SMALL, 5)

    assert error.value.hint == "write ring 5 or less"


def test_rings_are_named_as_they_are_written():
    """In the order in which they are given."""
    assert asked_names([SMALL, LARGE], SLOTS) == "ring 6 of small, ring 2 of large"


def test_the_remedy_is_about_the_ring_that_takes_most():
    """By its slots times their bytes."""
    error = without_room("no room", [SMALL, LARGE], SLOTS)

    assert error.hint is not None
    assert error.hint.startswith("ask for fewer slots of large")
