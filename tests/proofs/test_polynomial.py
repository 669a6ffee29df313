from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from proofs.polynomial import Polynomial

x, y, n = (Polynomial.variable(name) for name in "xyn")
ZERO = Polynomial(())


def test_equal_values_have_equal_forms():
    """A square expands."""
    assert (x + y) * (x + y) == x * x + 2 * x * y + y * y


def test_reflected_operators_keep_their_order():
    """3 - x is not x - 3."""
    assert 3 - x == -1 * (x - 3)


def test_mod_is_what_the_quotient_leaves():
    """A number is n times its quotient plus its remainder."""
    assert n * (x // n) + x % n == x


def test_the_divisor_of_a_quotient_may_be_a_literal():
    """A number divides and is divided."""
    assert 7 % n + n * (7 // n) == Polynomial.of(7)


def test_quotients_of_equal_forms_are_one_variable():
    """The form decides, not the way it was written."""
    assert (x + y) // n == (y + x) // n


def test_quotients_of_different_forms_differ():
    """Nothing is known of the floor of a sum."""
    assert (x + y) // n != x // n + y // n


def test_a_product_is_replaced_wherever_it_divides():
    """x*y is replaced inside x*x*y as well."""
    assert (x * x * y + y).replaced(("x", "y"), n) == x * n + y


def test_every_power_is_replaced():
    """Rewriting goes on until the product divides nothing."""
    assert (x * x * x).replaced(("x",), y) == y * y * y


def test_replacing_ends_when_the_product_comes_back():
    """A replacement by itself changes nothing."""
    assert (x * y).replaced(("x",), x) == x * y


def test_a_replacement_that_grows_is_cut_off():
    """Replacing x by 2*x for ever ends, with a polynomial that still has x."""
    assert (x - x).replaced(("x",), 2 * x) == ZERO
    assert x.replaced(("x",), 2 * x) != x


def test_the_form_is_printed_in_one_order():
    """Terms are sorted, whatever the order of the sum."""
    assert str(y + 2 * x) == str(2 * x + y) == "2*x + 1*y"


coefficients = st.integers(min_value=-9, max_value=9)


@given(st.lists(coefficients, min_size=6, max_size=6), coefficients, coefficients)
def test_arithmetic_agrees_with_integers(c: list[int], at_x: int, at_y: int):
    """Normal forms of a product and a difference have the value of the integers."""
    left, right = c[0] * x * y + c[1] * x + c[2], c[3] * y * y + c[4] * x - c[5]
    product = _value(left * right - left, at_x, at_y)

    first, second = _value(left, at_x, at_y), _value(right, at_x, at_y)
    assert product == first * second - first


def _value(polynomial: Polynomial, at_x: int, at_y: int) -> int:
    total = 0
    for monomial, coefficient in polynomial.terms:
        term = coefficient
        for name in monomial:
            term *= {"x": at_x, "y": at_y}[name]
        total += term
    return total
