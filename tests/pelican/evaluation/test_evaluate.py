"""The value at a point, and the results that have none."""

import numpy as np
import pytest

from pelican import IndexRangeError, OperandError, UnboundIndexError, index
from pelican.tree.traverse import fold
from tests.strategies import I, J, N


def test_mod_and_floordiv_round_down():
    """Negative numerators give values in [0, denom)."""
    assert int((N % 3).eval({N: -1})) == 2
    assert int((N // 3).eval({N: -1})) == -1


def test_an_unbound_index_makes_the_result_invalid():
    """Without a value for every index there is no value, and int() says which."""
    result = (I + J).eval({I: 3})

    assert (result.value, result.valid) == (None, False)
    with pytest.raises(UnboundIndexError, match="no value for j"):
        int(result)


@pytest.mark.parametrize("value", [-1, 64, 1000])
def test_a_value_outside_its_range_is_refused(value: int):
    """A value outside [lo, hi) is an error, even where it would not matter."""
    with pytest.raises(IndexRangeError, match=f"i = {value} is outside"):
        (I + 0).eval({I: value})


def test_a_value_off_the_step_is_refused():
    """A value that the index never takes is an error."""
    with pytest.raises(IndexRangeError, match="off the step of j in"):
        (J + 0).eval({J: 0})


def test_a_key_must_be_an_index():
    """A name is no index, an expression is none."""
    with pytest.raises(OperandError, match="must be an index"):
        (I + 0).eval({"i": 3})
    with pytest.raises(OperandError, match="must be an index"):
        (I + 0).eval({I + 1: 3})


def test_a_value_must_be_an_integer():
    """A float is refused."""
    with pytest.raises(OperandError, match="integer"):
        (I + 0).eval({I: 1.0})


def test_an_extra_index_is_ignored():
    """A point may bind indices that the expression does not have."""
    assert int((I + 1).eval({I: 3, N: 5})) == 4


def test_fold_takes_columns():
    """One expression is evaluated over whole columns of values."""
    x = index("x")
    column = np.arange(-8, 8)

    assert (
        fold((3 * x + 1) % 5 // 2, {x: column}.get) == (3 * column + 1) % 5 // 2
    ).all()
