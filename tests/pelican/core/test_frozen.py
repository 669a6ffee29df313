"""What the plain records share, those that are not compiled."""

import pickle

import pytest

from pelican import AccessPattern, RingMap, index
from pelican.questions.claims import (
    Bijective,
    Claim,
    Disjoint,
    Distinct,
    Equal,
    InBounds,
    Injective,
    InRange,
)

i = index("i", 0, 8)
P = AccessPattern(64 * i, [(1, 64)], tensor="acc", name="p")
F = RingMap([i], [(i + 1) % 8], [(0, 8)], name="f")
RECORDS = [
    P,
    F,
    F.inverse(),
    InRange(i, 0, 8),
    Equal(i, 2 * i),
    Distinct(i, i, 2),
    Disjoint(P, P, {i: i - 1}),
    Injective(P),
    Bijective(F),
    InBounds(P, 0, 512),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: type(r).__name__)
def test_a_record_is_equal_to_its_pickle(record: Claim):
    """By its fields, with an equal hash."""
    again = pickle.loads(pickle.dumps(record))

    assert again == record
    assert hash(again) == hash(record)


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: type(r).__name__)
def test_a_record_never_changes(record: Claim):
    """Neither set nor deleted."""
    with pytest.raises(AttributeError, match="immutable, cannot set fields"):
        record.fields = ()
    with pytest.raises(AttributeError, match="immutable, cannot delete fields"):
        del record.fields


def test_records_of_two_classes_differ():
    """Equal fields are not enough."""
    assert Injective(F) != Bijective(F)


def test_a_name_is_no_part_of_equality():
    """It says what text calls a thing."""
    assert AccessPattern(64 * i, [(1, 64)], tensor="acc") == P
    assert RingMap([i], [(i + 1) % 8], [(0, 8)]) == F
