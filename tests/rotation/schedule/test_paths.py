import numpy as np

from rotation.loop_form.kernel import EdgeKind, Engine
from rotation.schedule.paths import earliest_start_ps, remaining_ps
from rotation.unrolled.program import Edges
from tests.rotation.programs import Op, program_of, tile


def diamond():
    """Return 0 -> 1 -> 3 and 0 -> 2 -> 3; only the first has a latency."""
    costs = [(2, 10), (5, 0), (3, 0), (1, 0)]
    ops = [Op(Engine.DMA, busy, latency, ()) for busy, latency in costs]
    source, sink = np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3])
    kinds = np.full(4, EdgeKind.FLOW)
    return program_of([tile("s", (1,))], ops), Edges(source, sink, kinds)


def test_the_earliest_start_is_the_longest_path_before():
    """A sink waits for completion: busy and latency of its source."""
    assert earliest_start_ps(*diamond()).tolist() == [0, 12, 12, 17]


def test_the_rest_is_the_longest_path_after_busy():
    """It counts the own latency and the busy time of all that waits."""
    assert remaining_ps(*diamond()).tolist() == [16, 1, 1, 0]
