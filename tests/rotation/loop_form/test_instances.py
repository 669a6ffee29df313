from pathlib import Path

import pytest
from hypothesis import given, settings

from rotation import load, run
from rotation.errors import CapacityError, PlanError
from rotation.loop_form.instance_span import InstanceSpan
from rotation.loop_form.instances import instance_number, instance_text
from rotation.loop_form.kernel import Function
from rotation.running.pipeline import check
from rotation.text.parse import parse
from rotation.text.print import print_function
from rotation.unrolled.unroll import unroll
from tests.rotation.instance_kernels import delay, instance_kernel_texts
from tests.rotation.interpreter import executions
from tests.rotation.programs import PLANNING, kernel
from tests.rotation.unrolled.tables import table_of

EXAMPLES = Path(__file__).parents[3] / "examples"


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
