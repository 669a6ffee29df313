"""Tables of a few values."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from pelican import index
from pelican.known.tables import MAX_PARTS, MAX_VALUES, set_of, table_of_leaf

A, B, C = index("a", 0, 3), index("b", -4, 12, 4), index("c", 5, 9)
LONG = index("long", 0, MAX_VALUES + 1)


def table(leaf):
    """Return the table of an index that has one."""
    found = table_of_leaf(leaf)
    assert found is not None
    return found


def test_an_index_lists_its_values():
    """In order; not more than a table holds."""
    assert table(B).values == (-4, 0, 4, 8)
    assert table(index("m", 0, MAX_VALUES)).members == tuple(range(MAX_VALUES))
    assert table_of_leaf(LONG) is None
    assert table_of_leaf(index("n")) is None


def test_parts_of_one_index_vary_together():
    """The difference of a value with itself is 0."""
    same = table(B).join(table(B), lambda a, b: a - b)

    assert same is not None
    assert same.members == (0,)


@given(st.permutations([A, B, C]), st.integers(-3, 3))
def test_a_table_over_several_indices_is_exact(order, factor: int):
    """Whatever the order in which they come in, and twice too."""
    one, two, three = order
    total = table(one).join(table(two), lambda a, b: a + factor * b)
    assert total is not None
    total = total.join(table(three), lambda a, b: a - b)
    assert total is not None
    total = total.join(table(one), lambda a, b: a * b)
    assert total is not None

    values = [range(idx.lo, idx.hi, idx.step) for idx in order]
    expected = {(x + factor * y - z) * x for x, y, z in product(*values)}
    assert total.members == tuple(sorted(expected))


def test_too_many_points_leave_a_set():
    """Then what varies together is taken apart: the set may hold more."""
    wide = table(index("w", 0, 16)).join(table(index("v", 0, 16)), lambda a, b: a % 2)
    assert wide is not None

    assert wide.leaves is None
    assert wide.members == (0, 1)
    difference = wide.join(wide, lambda a, b: a - b)
    assert difference is not None
    assert difference.members == (-1, 0, 1)


def test_too_many_members_leave_nothing():
    """A set of more than the bound, or of too many pairs."""
    full = set_of(range(MAX_VALUES))
    assert full is not None

    assert set_of(range(MAX_VALUES + 1)) is None
    assert full.join(full, lambda a, b: 0 * a * b) is None


def test_a_deep_table_ends():
    """So that a deep tree does not carry a table at each node."""
    found = table(A)
    for _ in range(MAX_PARTS - 1):
        mapped = found.map(lambda v: v + 1)
        assert mapped is not None
        found = mapped

    assert found.map(lambda v: v) is None
    assert found.join(table(A), lambda a, b: a + b) is None
