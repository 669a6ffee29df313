from rotation.loop_form.kernel import Engine
from rotation.unrolled.liveness import live_intervals
from tests.rotation.programs import Access, Op, program_of, tile


def test_an_interval_reaches_from_the_first_access_to_the_last():
    """Reads and writes count alike; other locations do not."""
    write = Access(0, 0, (0,), (4,), is_write=True)
    read = write._replace(is_write=False)
    other = write._replace(instance=1)
    ops = [Op(Engine.PE, 1, 0, (a,)) for a in (other, write, read, other, read, other)]
    live = live_intervals(program_of([tile("s", (4,))], ops))

    assert (live.first.tolist(), live.last.tolist()) == ([1, 0], [4, 5])
