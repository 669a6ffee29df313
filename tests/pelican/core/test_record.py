"""What records are by their fields; `test_frozen.py` beside it asks the plain ones."""

import pickle

import pytest

from pelican import Congruence, Interval
from pelican.core.record import Record


def test_a_record_without_fields_says_so():
    """Each class names its own."""
    with pytest.raises(NotImplementedError, match="Record"):
        _ = Record().fields


def test_a_change_is_refused_by_the_name_of_the_class():
    """With the article that it takes."""
    with pytest.raises(AttributeError, match="an Interval is immutable, cannot set"):
        Interval(0, 7).lo = 1  # type: ignore[misc]
    with pytest.raises(AttributeError, match="a Congruence is immutable, cannot del"):
        del Congruence(8, 3).residue


def test_a_record_differs_from_what_has_equal_fields():
    """Another class is another thing."""
    assert Interval(0, 8).fields == Congruence(0, 8).fields
    assert Interval(0, 8) != Congruence(0, 8)


@pytest.mark.parametrize("record", [Interval(0, None), Congruence(8, 3)])
def test_a_record_of_the_core_is_equal_to_its_pickle(record: Record):
    """By its fields, with an equal hash."""
    again = pickle.loads(pickle.dumps(record))

    assert (again, hash(again)) == (record, hash(record))
