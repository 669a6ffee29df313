"""A pinned location that is elsewhere than its declaration says is a hazard."""

from dataclasses import replace

import numpy as np
import pytest

from rotation.check import check_overlap
from tests.rotation.finished import finished
from tests.rotation.pinned import PINNED

STATE = finished(PINNED)


def test_pins_that_are_honoured_are_no_hazard():
    """All instances are where they belong."""
    assert check_overlap(STATE.program, STATE.placement, STATE.schedule) == []


@pytest.mark.parametrize("column", ["byte", "partition"])
def test_a_pin_that_moves_is_found(column: str):
    """An instance that the user placed is put elsewhere, where nothing is."""
    moved = getattr(STATE.placement, column).copy()
    names = [tensor.name for tensor in STATE.function.tensors]
    location = int(np.flatnonzero(STATE.program.location_tensor == names.index("t"))[3])
    moved[location] += 100_000 if column == "byte" else -1
    placement = replace(STATE.placement, **{column: moved})

    hazards = check_overlap(STATE.program, placement, STATE.schedule)
    (found,) = [hazard for hazard in hazards if hazard.check == "pin"]

    assert "t[i = 3] is at sb partitions" in found.message
    assert "its declaration puts it at partition 0 byte 4096" in found.message
    assert found.instructions == (21,)
