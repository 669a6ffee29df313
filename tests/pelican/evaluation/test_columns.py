"""What is given for an index: its shape, its range and its step, in any type."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import OperandError, index
from pelican.evaluation.columns import faults, is_fit, shape_of

KINDS = ["i1", "u1", "<i2", ">i2", "u2", "i4", ">u4", "i8", ">i8", "u8", "O"]
ENDS = [0, 1, 7, 8, 16, 31, 32, 62, 63, 64]


@st.composite
def given_values(draw: st.DrawFn):
    """Return an index and some values, close to its ends and to those of a type."""
    edges = st.builds(
        lambda bits, sign, off: sign * (1 << bits) + off,
        st.sampled_from(ENDS),
        st.sampled_from([1, -1]),
        st.integers(-3, 3),
    )
    lo, hi = sorted((draw(edges), draw(edges)))
    step = draw(st.one_of(st.integers(1, 9), edges.map(abs))) or 1
    idx = index("i", lo, hi + 1, step)
    kind = np.dtype(draw(st.sampled_from(KINDS)))
    near = st.one_of(
        edges,
        st.integers(lo - 2, lo + 2),
        st.integers(0, (hi - lo) // step).map(lambda trip: lo + step * trip),
    )
    values = draw(st.lists(near, min_size=1, max_size=4))
    if not kind.hasobject:
        ends = np.iinfo(kind)
        values = [v for v in values if ends.min <= v <= ends.max] or [int(ends.max)]
    return idx, np.array(values, kind)


@given(given_values())
def test_a_column_is_fit_if_each_of_its_values_is_in_the_range_and_on_the_step(drawn):
    """As Python's range of the index tells; else the first fault names one."""
    idx, column = drawn
    hoped = [
        value in range(idx.lo, idx.range.hi + 1, idx.step) for value in column.tolist()
    ]

    assert is_fit(idx, column) is all(hoped)
    wrong = [
        f"i[{at}] = {value} is"
        for at, (value, good) in enumerate(zip(column.tolist(), hoped, strict=True))
        if not good
    ]
    told = [str(error) for error in faults({idx: column})]
    assert len(told) == (not all(hoped))
    assert all(any(text.startswith(start) for start in wrong) for text in told)


@pytest.mark.parametrize("kind", KINDS)
def test_an_index_without_ends_takes_any_value(kind: str):
    """It has no step either."""
    assert is_fit(index("x"), np.array([[3, 100], [0, 127]], kind))


def test_a_single_value_is_tested_too():
    """It has no axes."""
    idx = index("i", -128, 200, 100)
    fit = [v for v in range(-128, 128) if is_fit(idx, np.array(v, np.int8))]

    assert fit == [-128, -28, 72]


@pytest.mark.parametrize("step", [1 << 62, 1 << 63, 1 << 64, 1 << 70])
@pytest.mark.parametrize("kind", ["i1", "i8", "u8", "O"])
def test_a_step_may_be_larger_than_any_value(step: int, kind: str):
    """It leaves the first value alone then."""
    idx = index("i", 3, 1 << 72, step)

    assert is_fit(idx, np.array([3], kind))
    assert not is_fit(idx, np.array([3, 4], kind))


def test_no_values_are_fit():
    """There is none that is wrong."""
    assert is_fit(index("i", 3, 9, 2), np.empty((0, 3), np.int8))


def test_columns_broadcast():
    """Without columns there is one point."""
    i, j = index("i", 0, 9), index("j", 0, 9)

    assert shape_of({}) == ()
    assert shape_of({i: np.zeros((3, 1)), j: np.zeros(2)}) == (3, 2)
    assert shape_of({i: np.zeros((3, 2)), j: np.zeros((3, 2))}) == (3, 2)


def test_shapes_that_do_not_broadcast_are_named():
    """In the order in which they are given."""
    i, j = index("i", 0, 9), index("j", 0, 9)

    with pytest.raises(OperandError, match=r"broadcast: i \(3,\), j \(2,\)"):
        shape_of({i: np.zeros(3), j: np.zeros(2)})
