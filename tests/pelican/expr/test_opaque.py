"""Opaque leaves: ids, ranges, loop depth."""

import pytest

from pelican import CCGetRank, IndirectArg, Interval, OperandError, arg, index, rank


def test_opaque_leaves_are_unbounded():
    """Nothing is known of their values."""
    assert rank(0, 1).range == Interval(None, None)
    assert arg(0).range == Interval(None, None)


def test_opaque_leaves_are_equal_by_their_ids():
    """Equal ids are one value, other ids another."""
    assert rank(0, 1) - CCGetRank(0, 1) == 0
    assert arg(3) - IndirectArg(3) == 0
    assert len({rank(0, 1), rank(1, 0), rank(0, 0), arg(0), arg(1)}) == 5


@pytest.mark.parametrize(("iteration", "channel"), [(-1, 0), (0, -1)])
def test_a_rank_has_ids_of_at_least_zero(iteration: int, channel: int):
    """A negative id is refused."""
    with pytest.raises(OperandError, match="must be >= 0, got -1"):
        rank(iteration, channel)


def test_an_argument_has_a_number_of_at_least_zero():
    """A negative number is refused."""
    with pytest.raises(OperandError, match="arg_id must be >= 0, got -2"):
        arg(-2)


def test_opaque_leaves_are_in_no_loop():
    """Their depth is -1."""
    assert (rank(0, 1).depth, arg(0).depth) == (-1, -1)
    assert (arg(0) + index("i")).max_loop_depth == 0


def test_an_opaque_leaf_is_no_term_of_an_affine_node():
    """The index family has the kinds 6 to 13."""
    assert not (2 * rank(0, 1)).is_affine
    assert str(2 * rank(0, 1) + 3) == "2*rank(0, 1) + 3"


def test_an_opaque_leaf_has_a_value_only_where_it_is_bound():
    """Without a binding the result is invalid."""
    expr = 4 * rank(0, 1) + arg(2)

    assert not expr.eval({rank(0, 1): 3}).valid
    assert int(expr.eval({rank(0, 1): 3, arg(2): -1})) == 11
