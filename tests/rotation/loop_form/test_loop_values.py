"""Values and trips of a loop are inverse to one another."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pelican import index
from pelican.tree.kinds import constant
from rotation.loop_form.loop_values import first_value, trip_at, value_at

loops = st.builds(
    lambda lo, trips, step: index("i", lo, lo + trips * step, step),
    st.integers(-50, 50),
    st.integers(1, 9),
    st.integers(1, 7),
)


@given(loops)
def test_the_values_are_those_of_a_range(loop):
    """Number by number, and as one column."""
    expected = list(range(loop.lo, loop.hi, loop.step))

    assert [value_at(loop, trip) for trip in range(loop.trip_count)] == expected
    assert value_at(loop, np.arange(loop.trip_count)).tolist() == expected
    assert first_value(loop) == expected[0]


@given(loops, st.integers(-20, 20))
def test_the_trip_of_a_value_is_the_one_that_has_it(loop, trip: int):
    """Also before the first trip and after the last, which `@` may select."""
    assert trip_at(loop, constant(value_at(loop, trip))) == trip
