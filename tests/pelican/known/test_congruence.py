"""Congruences and their arithmetic."""

import operator
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import Congruence, DivisorError, OperandError
from pelican.known.congruence import (
    EVERY_INTEGER,
    class_of_index,
    class_of_values,
    finer,
)

moduli = st.integers(0, 24)
residues = st.integers(-30, 30)
classes = st.builds(Congruence, moduli, residues)


def members(known: Congruence) -> list[int]:
    """Return some members of a class."""
    return [known.residue + known.modulus * k for k in range(-24, 25)]


def least_class(values: list[int]) -> Congruence:
    """Return the least class that holds some values."""
    return class_of_values(values)


@given(classes, classes)
def test_a_sum_is_exact(one: Congruence, other: Congruence):
    """Its class is the least that holds the sums of members."""
    sums = [a + b for a in members(one) for b in members(other)]
    differences = [a - b for a in members(one) for b in members(other)]

    assert one + other == least_class(sums)
    assert one - other == least_class(differences)
    assert one + 3 == Congruence(one.modulus, one.residue + 3)
    assert 3 - one == Congruence(one.modulus, 3 - one.residue)


@given(classes, st.integers(-9, 9))
def test_a_product_is_exact(known: Congruence, factor: int):
    """A negative factor, and 0, too."""
    assert factor * known == least_class([factor * v for v in members(known)])


@given(classes, st.integers(1, 24))
def test_a_mod_is_exact(known: Congruence, denom: int):
    """The members of [0, denom) that the numerator's class reaches."""
    assert known % denom == least_class([v % denom for v in members(known)])


@given(classes, st.integers(1, 24))
def test_a_floordiv_is_exact_where_the_divisor_divides(known: Congruence, denom: int):
    """Else nothing is said, and that is right too."""
    values = [v // denom for v in members(known)]

    assert all(value in known // denom for value in values)
    if known.modulus % denom == 0:
        assert known // denom == least_class(values)


@given(classes, classes, st.integers(-50, 50))
def test_membership_and_inclusion_agree(one: Congruence, other: Congruence, value: int):
    """A class is within another if all its members are."""
    assert one.within(other) == all(v in other for v in members(one))
    assert (value in one) == (value in members(one)) or abs(value) > 24


@given(classes, st.integers(1, 24))
def test_a_multiple_is_a_multiple(known: Congruence, n: int):
    """N divides every member or it is not said."""
    assert known.is_multiple_of(n) == all(v % n == 0 for v in members(known))


@given(classes)
def test_a_class_survives_pickling_and_printing(known: Congruence):
    """And equal classes hash alike."""
    assert pickle.loads(pickle.dumps(known)) == known
    assert eval(repr(known)) == known
    assert hash(Congruence(known.modulus, known.residue)) == hash(known)


def test_the_finer_class_has_fewer_members():
    """A single value is finest."""
    assert finer(Congruence(8, 3), Congruence(2, 1)) == Congruence(8, 3)
    assert finer(Congruence(8, 3), Congruence(0, 3)) == Congruence(0, 3)
    assert finer(Congruence(0, 3), EVERY_INTEGER) == Congruence(0, 3)


def test_an_index_is_on_its_step():
    """Without a least value nothing is known."""
    assert class_of_index(3, 4) == Congruence(4, 3)
    assert class_of_index(None, 1) == EVERY_INTEGER


def test_a_class_is_immutable_and_has_no_negative_modulus():
    """Both are refused with a reason."""
    with pytest.raises(AttributeError, match="immutable"):
        EVERY_INTEGER.modulus = 2  # type: ignore[misc]
    with pytest.raises(OperandError, match="modulus >= 0, got -2"):
        Congruence(-2, 0)
    assert Congruence(2, 0) != 2


EVEN = Congruence(2, 0)
TAKES_INTEGER = {
    "modulus": lambda x: Congruence(x, 0),
    "residue": lambda x: Congruence(2, x),
    "in": lambda x: x in EVEN,
    "+": lambda x: EVEN + x,
    "-": lambda x: x - EVEN,
    "*": lambda x: EVEN * x,
    "//": lambda x: EVEN // x,
    "%": lambda x: EVEN % x,
    "within": EVEN.within,
    "weaker": EVEN.weaker,
    "is_multiple_of": EVEN.is_multiple_of,
}


@pytest.mark.parametrize("value", [1.5, True, "3", None], ids=repr)
@pytest.mark.parametrize("take", TAKES_INTEGER.values(), ids=TAKES_INTEGER)
def test_what_is_no_integer_is_refused(take, value: object):
    """Floats and bools too: a class is of integers."""
    with pytest.raises(OperandError):
        take(value)


@pytest.mark.parametrize("denom", [0, -3])
@pytest.mark.parametrize("name", ["//", "%", "weaker", "is_multiple_of"])
@pytest.mark.parametrize("known", [EVEN, Congruence(0, 3)], ids=repr)
def test_a_divisor_below_one_is_refused(known: Congruence, name: str, denom: int):
    """Of a single value too."""
    takes = {
        "//": lambda x: known // x,
        "%": lambda x: known % x,
        "weaker": known.weaker,
        "is_multiple_of": known.is_multiple_of,
    }
    with pytest.raises(DivisorError, match=f">= 1, got {denom}"):
        takes[name](denom)


@pytest.mark.parametrize("operation", [operator.floordiv, operator.mod])
def test_a_number_is_not_divided_by_it(operation):
    """That is a plain mistake, in either core."""
    with pytest.raises(TypeError, match="unsupported operand"):
        operation(3, Congruence(4, 1))
