"""How points are shown."""

from pelican import index
from pelican.tree.points import point_names, point_text

i, other, k = index("i"), index("i"), index("k")


def test_a_point_is_shown_in_its_order():
    """A metavariable has its own name."""
    assert point_text({k: 3, i: 0, "a": -1}) == "k = 3, i = 0, a = -1"


def test_the_second_index_of_a_name_is_numbered_by_term_order():
    """Whatever the order of the point, and as in an expression."""
    assert point_text({other: 1, i: 0}) == "i#2 = 1, i = 0"
    assert str(i + other) == "i + i#2"


def test_points_beside_each_other_share_their_names():
    """One index has one name in both."""
    assert point_text({other: 1}, {i: 0}) == "i#2 = 1"
    assert point_names({i: 0}, {other: 1}) == {i: "i", other: "i#2"}
