from rotation.loop_form.trips import linear_trip, values_at
from tests.rotation.programs import kernel


def test_linear_trip_counts_the_iterations_of_a_nest():
    """It is 0, 1, 2, ... with bounds and steps other than 0 and 1."""
    function = kernel(
        "kernel k on planning { for i in [3, 12) step 4 { "
        "for j in [-1, 4) step 2 { } } }"
    )
    outer = function.body[0]
    nest = next(loops for loops in function.nests.values() if len(loops) == 2)
    trip = linear_trip(nest)
    values = [
        int(trip.eval({nest[0].index: i, nest[1].index: j}))
        for i in range(3, 12, 4)
        for j in range(-1, 4, 2)
    ]

    assert outer is nest[0]
    assert values == list(range(9))


def test_linear_trip_of_no_loop_is_zero():
    """A buffer without scope has one instance, number 0."""
    assert linear_trip(()) == 0


def test_the_values_at_a_trip_number_are_those_of_its_iteration():
    """They run through the nest in source order."""
    function = kernel(
        "kernel k on planning { for i in [3, 12) step 4 { "
        "for j in [-1, 4) step 2 { } } }"
    )
    nest = next(loops for loops in function.nests.values() if len(loops) == 2)
    found = [tuple(values_at(nest, trip).values()) for trip in range(9)]

    assert found == [(i, j) for i in range(3, 12, 4) for j in range(-1, 4, 2)]
    assert list(values_at(nest, 0)) == [loop.index for loop in nest]


def test_outside_all_loops_nothing_has_a_value():
    """There is one iteration, number 0."""
    assert values_at((), 0) == {}
