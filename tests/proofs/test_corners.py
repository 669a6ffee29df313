"""Points at which steps are likely to be extreme."""

from hypothesis import given
from hypothesis import strategies as st

from pelican import index
from pelican.evaluation.program import lower
from pelican.tree.build import linear_sum
from proofs import corners
from proofs.corners import corner_points, values_at
from tests.strategies import points_of, small_indices


@given(st.data())
def test_the_ends_of_a_linear_expression_are_attained(data: st.DataObject):
    """Each index moves it on its own."""
    over = data.draw(small_indices(3, 5))
    weights = [data.draw(st.integers(-9, 9)) for _ in over]
    expr = linear_sum([w * idx for w, idx in zip(weights, over, strict=True)])
    program = lower(expr)
    points = corner_points(program, over, [program.result], 1)
    every = [int(expr.eval(at)) for at in points_of(over)]

    assert points is not None
    if any(weights):
        found = values_at(program, points)[program.result]
        assert (min(every), max(every)) == (min(found), max(found))


@given(st.data())
def test_a_point_gives_each_index_one_of_its_values(data: st.DataObject):
    """In its range and on its step."""
    over = data.draw(small_indices(3, 9))
    program = lower(linear_sum(over))
    points = corner_points(program, over, [program.result], 1)

    assert points is not None
    for idx in over:
        values = range(idx.lo or 0, idx.hi or 0, idx.step)
        assert all(int(value) in values for value in points[idx])


def test_an_index_without_an_end_goes_far():
    """As far as is asked for."""
    n, m = index("n"), index("m", 5, None, 3)
    program = lower(m - n)
    points = corner_points(program, (n, m), [program.result], 1000)

    assert points is not None
    assert [int(v) for v in points[n]] == [1000, -1000]
    assert [int(v) for v in points[m]] == [5, 998]


def test_long_integers_are_exact():
    """They do not fit numpy's own."""
    program = lower(10**30 * index("i", 0, 10))
    points = corner_points(program, program.indices, [program.result], 1)

    assert points is not None
    assert values_at(program, points)[program.result][1] == 9 * 10**30


def test_a_very_long_program_is_not_looked_at(monkeypatch):
    """Nothing is computed."""
    monkeypatch.setattr(corners, "MAX_VALUES", 10)
    program = lower(index("i", 0, 10) + 1)

    assert corner_points(program, program.indices, [program.result], 1) is None
