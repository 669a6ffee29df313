import pytest
from hypothesis import given, settings

from pelican.errors import LocatedError
from rotation.errors import ArgumentError, KernelError
from rotation.kept.registers import (
    MOST,
    assumed,
    limit_text,
    limits,
    value_for_trips,
    with_registers,
)
from rotation.text.parse import parse
from rotation.text.print import print_function
from tests.rotation.interpreter import executions
from tests.rotation.kept.kernels import RunTime, run_time_kernels
from tests.rotation.kept.programs import NEST, ROWS
from tests.rotation.programs import kernel


@settings(max_examples=10)
@given(run_time_kernels())
def test_numbers_in_registers_make_the_static_kernel(drawn: RunTime):
    """It executes what the text with these numbers executes, in the same order."""
    try:
        (static,) = parse(drawn.static)
    except LocatedError:
        return
    made = with_registers(kernel(drawn.text), drawn.values)

    assert executions(static) == executions(made)


def test_a_loop_whose_register_holds_its_start_has_no_trip():
    """What stands in it is left out, and printed."""
    static = with_registers(kernel(NEST), {"n": 0})

    assert "for k in [0, 0) step 1 {" in print_function(static)
    assert "ld" in {each.name for each in static.skipped}
    assert "ld" not in {each.name for each in static.instructions}


def test_the_limit_is_the_greatest_number_that_stays_inside():
    """64 tiles of 128 rows are 8192 rows."""
    (limit,) = limits(kernel(ROWS))

    assert limit.most == 64
    assert limit_text(limit) == "n: at most 64, by x[128*i, 0]"


def test_a_register_that_no_tensor_limits_holds_any_number():
    """An index that goes round stays inside whatever the trips are."""
    text = ROWS.replace("128*i:", "128*(i mod 8):")
    (limit,) = limits(kernel(text))

    assert (limit.most, limit_text(limit)) == (MOST, "n: any number")


def test_start_and_step_count():
    """Values 5, 8, 11, ... up to 63 are inside."""
    text = ROWS.replace("[0, %n)", "[5, %n) step 3")
    function = kernel(text)

    assert limits(function)[0].most == 65
    assert value_for_trips(function, "n", 2) == 11
    assert value_for_trips(function, "n", 0) == 5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n": 65}, "register n holds at most 64, got 65"),
        ({"m": 3}, "kernel rows has no register 'm'"),
        ({"n": "3"}, "register n holds an integer, got '3'"),
        ({"n": True}, "register n holds an integer, got True"),
    ],
)
def test_a_number_that_a_register_cannot_hold_is_refused(given, message):
    """With the register and the value."""
    with pytest.raises(ArgumentError) as error:
        assumed(kernel(ROWS), given)

    assert error.value.message == message


def test_the_place_of_a_limit_is_named():
    """Which region would leave its tensor."""
    with pytest.raises(ArgumentError) as error:
        assumed(kernel(ROWS), {"n": 65})

    assert error.value.hint == "beyond it x is left, <text>:8:24"


def test_without_a_number_it_is_64_or_the_most():
    """What totals are for."""
    assert assumed(kernel(ROWS), {}) == {"n": 64}
    assert assumed(kernel(NEST), {}) == {"n": 8}


def test_trips_are_not_counted_without_a_number():
    """A function with registers is no static one."""
    function = kernel(ROWS)
    (nest,) = function.nests.values()

    with pytest.raises(KernelError, match="loop i runs to %n, known at run time"):
        _ = nest[0].trip_count
