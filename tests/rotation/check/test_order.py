import numpy as np
import pytest

from rotation.check.order import completions_ps, positions
from rotation.errors import InternalError
from tests.rotation.check.builder import in_turn, stream


def test_positions_are_the_inverse_of_the_order():
    """The instruction at place p of the order has position p."""
    assert positions(stream(1), np.array([2, 0, 1])).tolist() == [1, 2, 0]


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [0, 1, 3], [0, 1, 2, 2]])
def test_an_order_names_each_instruction_once(order: list[int]):
    """Anything else is a fault of the passes, whatever it is."""
    with pytest.raises(InternalError, match="does not name 3 rows once each"):
        positions(stream(1), np.array(order))


def test_an_instruction_is_complete_after_busy_and_latency():
    """A load takes its engine 10 ps and is complete 30 ps later."""
    program = stream(1)

    assert completions_ps(program, in_turn(program).start_ps).tolist() == [40, 50, 90]
