from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rotation import load, run
from rotation.errors import CapacityError, PlanError
from rotation.loop_form.instance_span import InstanceSpan
from rotation.loop_form.instances import (
    _farthest_overlap,
    instance_number,
    instance_text,
    least_slots,
    slot_clash,
)
from rotation.loop_form.kernel import Function
from rotation.running.pipeline import check
from rotation.text.parse import parse
from rotation.text.print import print_function
from rotation.unrolled.liveness import live_intervals
from rotation.unrolled.unroll import unroll
from tests.rotation.instance_kernels import instance_kernel_texts
from tests.rotation.interpreter import executions
from tests.rotation.programs import PLANNING, kernel
from tests.rotation.unrolled.test_unroll import table_of

EXAMPLES = Path(__file__).parents[3] / "examples"

DELAY = """
kernel delay on planning {
  dram x [64, 8] fp32 input
  dram y [64, 8] fp32 output
  for o in [0, 2) {
    sb c [4, 8] fp32 at i
    vector.memset c@(1) <-
    vector.memset c@(-1) <-
    for i in [3, 9) step 2 {
      NEW
      sb u [4, 8] fp32
      rd: vector.copy u <- c@(i - DISTANCE)
      OLD
      st: dma.store y[4*i:+4, 0:+8] <- u
    }
  }
}
"""
"""A tile of an earlier iteration; ``NEW`` or ``OLD`` writes that of the current one."""


def delay(distance: int, *, first: bool) -> Function:
    """Return the kernel in which a tile is read so far behind."""
    write = "ld: dma.load c <- x[4*i:+4, 0:+8]"
    text = DELAY.replace("NEW", write if first else "")
    return kernel(
        text.replace("OLD", "" if first else write).replace("DISTANCE", str(distance))
    )


def tensor(function: Function, name: str):
    """Return the buffer of a name."""
    return next(t for t in function.tensors if t.name == name)


@pytest.mark.parametrize(
    ("distance", "first", "span"),
    [(2, False, (-2, 5)), (4, False, (-2, 5)), (4, True, (-2, 5))],
)
def test_instances_before_the_loop_count_too(distance, first, span):
    """Trips -2 and -1 have an instance in each iteration of the loop outside."""
    function = delay(distance, first=first)

    assert function.instance_spans[tensor(function, "c")] == InstanceSpan(*span, 2)


def test_a_buffer_without_selections_has_an_instance_for_each_trip():
    """The width is the trip count, from trip 0 on."""
    function = delay(2, first=True)

    assert function.instance_spans[tensor(function, "u")] == InstanceSpan(0, 3, 2)


def test_an_instance_has_the_number_of_its_trip_and_of_the_loops_outside():
    """Each iteration of o has 5 instances of c."""
    function = delay(2, first=True)
    c = tensor(function, "c")

    assert str(instance_number(function, c)) == "5*o + (i - 3) floordiv 2"
    assert str(instance_number(function, c, c.scope - 2)) == "5*o + (i - 5) floordiv 2"


def test_an_instance_is_named_as_the_text_selects_it():
    """The value of the loop, and where the loops outside are."""
    function = delay(2, first=True)
    c = tensor(function, "c")

    assert instance_text(function, c, -1) == "c@(1), at o = 0"
    assert instance_text(function, c, 3) == "c@(-1), at o = 1"
    assert instance_text(function, tensor(function, "x"), 0) == "x"


@pytest.mark.parametrize(
    ("distance", "first", "least"),
    [(2, False, 2), (4, False, 2), (2, True, 2), (4, True, 3)],
)
def test_the_least_ring_holds_all_that_is_needed_at_a_time(distance, first, least):
    """Two are filled before the loop; a third may come before the first is read."""
    program = unroll(delay(distance, first=first), PLANNING)
    slots = least_slots(program, live_intervals(program))
    c = tensor(program.function, "c")

    assert slots[c] == least
    assert set(slots.values()) == {1, least}


def test_a_ring_that_is_too_short_has_a_clash():
    """Two locations are named; from the least ring on there are none."""
    program = unroll(delay(4, first=True), PLANNING)
    c, lives = tensor(program.function, "c"), live_intervals(program)
    older, newer = slot_clash(program, lives, c, 2)

    assert program.location_instance[newer] - program.location_instance[older] == 2
    assert [slot_clash(program, lives, c, n) for n in (3, 4, 5)] == [None] * 3


LIVES = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=9
)


@given(LIVES)
def test_the_farthest_overlap_is_that_of_all_pairs(spans):
    """Heaps find what comparing every two instances finds."""
    lives = [(min(s), max(s), number) for number, s in enumerate(spans)]
    pairs = [
        abs(k - j)
        for first, last, k in lives
        for begin, end, j in lives
        if begin <= last and first <= end
    ]

    assert _farthest_overlap(sorted(lives)) == max(pairs)


@settings(max_examples=12)
@given(instance_kernel_texts())
def test_a_random_kernel_with_selections_goes_through_the_pipeline(text):
    """Its text reads back, its tables are a plain run, and its result is right."""
    (function,) = parse(text)
    printed = print_function(function)
    result = run(function)
    spans = [getattr(result.schedule, f"{name}_ns") for name in ("before", "after")]

    assert print_function(parse(printed)[0]) == printed
    assert table_of(unroll(function, PLANNING)) == executions(function)
    assert (result.hazards, result.equivalent, result.failures) == ((), True, ())
    assert check(result.before) == ()
    assert spans[0] >= spans[1] >= result.schedule.bound_ns


@pytest.mark.parametrize("distance", [1, 2, 5])
@pytest.mark.parametrize("trips", [0, 1, 2, 7])
def test_a_carried_value_is_right_for_every_trip_count(distance, trips):
    """Few trips, a prime number of them, and more distance than trips."""
    fills = "\n".join(f"vector.memset c@({-k}) <-" for k in range(1, distance + 1))
    result = run(
        kernel(
            f"kernel k on planning {{ dram y [64, 8] fp32 output\nsb z [64, 8] fp32\n"
            f"sb c [4, 8] fp32 at i\nvector.memset z <- dma.store y <- z\n{fills}\n"
            f"for i in [0, {trips}) {{ vector.next c <- c@(i - {distance})\n"
            "dma.store y[4*i:+4, 0:+8] <- c } }"
        )
    )
    (ring,) = (ring for ring in result.rings if ring.tensor == "c")

    assert (result.hazards, result.equivalent) == ((), True)
    assert ring.slots >= (distance + 1 if trips else 1)


@pytest.mark.parametrize(
    ("ring", "message"),
    [
        (
            1,
            "ring 1 of c puts both into one slot: memset2 needs c@(-1), at o = 0 while",
        ),
        (2, "ring 2 of c puts both into one slot: ld needs c@(3), at o = 0 while"),
        (11, "ring 11 of c has more slots than the 10 instances"),
    ],
)
def test_a_ring_that_cannot_be_is_refused_with_the_reason(ring, message):
    """The two instances and the operations that need them are named."""
    text = print_function(delay(4, first=True)).replace("at i", f"at i ring {ring}")

    with pytest.raises(PlanError) as error:
        run(kernel(text))

    assert error.value.message.startswith(message)


def test_a_ring_of_the_user_that_is_long_enough_is_given():
    """It is honoured as it stands."""
    text = print_function(delay(4, first=True)).replace("at i", "at i ring 4")
    rings = {ring.tensor: ring for ring in run(kernel(text)).rings}

    assert (rings["c"].slots, rings["c"].limited_by) == (4, "user")


def test_instances_that_are_needed_together_must_fit_together():
    """Three of one buffer and one of the other, which share nothing."""
    text = print_function(delay(4, first=True)).replace("[4, 8]", "[4, 14000]")
    text = text.replace("[64, 8]", "[64, 14000]").replace("0:+8", "0:+14000")
    with pytest.raises(CapacityError, match=r"c 56000, u 56000 are live .* 224000"):
        run(kernel(text))


@pytest.mark.parametrize("name", ["allreduce_ring_dram", "spill_dram"])
def test_a_skipped_plan_leaves_the_least_ring_that_is_legal(name):
    """So does a rotation that is skipped: the colouring starts with as many slots."""
    function = load(EXAMPLES / f"{name}.kernel")
    for skipped in ("plan_rings", "address_rotation_dram"):
        result = run(function, skip_passes=[skipped])
        (ring,) = (ring for ring in result.rings if ring.space == "dram")

        assert (ring.slots, result.hazards, result.equivalent) == (2, (), True)
