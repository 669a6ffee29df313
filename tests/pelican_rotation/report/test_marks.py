"""How operations and buffers are told apart."""

from itertools import pairwise

from pelican_rotation.report.marks import COLOURS, PATTERNS, marks_of


def test_no_two_of_many_names_look_alike():
    """As many as there are pairs of a colour and a pattern."""
    count = len(COLOURS) * len(PATTERNS)
    marks = marks_of(f"name {k}" for k in range(count))

    assert len({(mark["colour"], mark["pattern"]) for mark in marks}) == count == 72


def test_neighbours_differ_in_both():
    """Whoever sees no colours, or no patterns, tells them apart too."""
    for one, other in pairwise(marks_of(f"name {k}" for k in range(100))):
        assert one["colour"] != other["colour"]
        assert one["pattern"] != other["pattern"]
