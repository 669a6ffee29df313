from __future__ import annotations

import pytest
import z3

from pelican.errors import DivisorError, OperandError, TooLargeError
from pelican.laws.lemma import Lemma, divisor_of, lt
from pelican.laws.term import expr, literal
from proofs.encode import MAX_DEPTH, Encoder, Integer, RecordEncoder

x, m, n = expr("x"), literal("m"), literal("n")
NESTED = Lemma(name="nested", lhs=x % m % n, rhs=x % n, source="test")


def test_a_division_by_a_literal_stays_with_the_solver():
    """A constant divisor is linear and needs no witness."""
    encoder = Encoder()

    encoder.variable("x") % 8

    assert encoder.facts == []


def test_quotient_and_remainder_of_a_pair_share_their_witness():
    """Both together cost one witness, which is three facts."""
    encoder = Encoder()
    number, divisor = encoder.variable("x"), encoder.variable("n")

    number // divisor
    number % divisor

    assert len(encoder.facts) == 3


def test_two_quotients_of_one_divisor_are_compared():
    """The case split on their distance is three facts."""
    encoder = Encoder()
    divisor = encoder.variable("n")

    encoder.variable("x") // divisor
    encoder.variable("y") // divisor

    assert len(encoder.comparisons()) == 3


def test_quotients_of_different_divisors_are_not_compared():
    """Nothing useful is known about their distance."""
    encoder = Encoder()

    encoder.variable("x") // encoder.variable("m")
    encoder.variable("x") // encoder.variable("n")

    assert encoder.comparisons() == []


@pytest.mark.parametrize(
    ("build", "value"),
    [
        (lambda a: 3 - a, -2),
        (lambda a: a - 3, 2),
        (lambda a: 2 + a, 7),
        (lambda a: 2 * a, 10),
        (lambda a: 17 // a, 3),
        (lambda a: 17 % a, 2),
        (lambda a: (a - 8) // 2, -2),
        (lambda a: (a - 8) % 2, 1),
    ],
)
def test_operators_mean_what_python_means(build: object, value: int):
    """Each operator, reflected too, gives Python's value at 5."""
    encoder = Encoder()
    result = build(encoder.variable("five"))  # type: ignore[operator]
    solver = z3.Solver()

    solver.add(z3.Int("five") == 5, *encoder.facts, result.term != value)

    assert solver.check() == z3.unsat


def test_a_divisor_below_one_is_refused():
    """Only divisors of at least 1 have witnesses."""
    with pytest.raises(DivisorError, match="got 0"):
        Encoder().variable("x") % 0


def test_a_float_is_refused():
    """The solver would round it."""
    with pytest.raises(OperandError, match=r"1\.5"):
        Encoder().lift(1.5)


def test_a_literal_beyond_the_text_limit_is_refused():
    """Python would not print it for the solver."""
    with pytest.raises(TooLargeError, match="bits"):
        Encoder().lift(10**6000)


def test_a_term_beyond_the_depth_limit_is_refused():
    """The depth is counted while the term is built."""
    encoder = Encoder()

    with pytest.raises(TooLargeError, match=str(MAX_DEPTH)):
        Integer(encoder, z3.Int("x"), MAX_DEPTH + 1)


def test_the_divisors_of_a_record_are_at_least_one():
    """Nothing else is assumed: one fact per divisor."""
    assert len(RecordEncoder(NESTED).facts) == 2


def test_a_divides_fact_needs_a_divisor_of_the_record():
    """Nothing says that another letter is not zero."""
    with pytest.raises(DivisorError, match="x divides m"):
        RecordEncoder(NESTED).fact(divisor_of(x, m))


def test_a_fact_becomes_a_formula():
    """A relation of terms is a relation of solver terms."""
    assert RecordEncoder(NESTED).fact(lt(m, n)).eq(z3.Int("m") < z3.Int("n"))
