from __future__ import annotations

from collections.abc import Sequence

import pytest

from pelican.laws.lemma import Lemma, divisor_of
from pelican.laws.term import Term, expr, literal
from pelican.lemmas import RECORDS
from pelican.lemmas.modulo import NESTED_MOD_DIVIDES, SUM_MOD_DROP
from proofs.certificate import (
    Obligation,
    check_certificate,
    foundations,
    normal_form,
)
from proofs.polynomial import Polynomial
from proofs.verdict import Proved, Unknown

x, a, k, m, n = expr("x"), literal("a"), literal("k"), literal("m"), literal("n")
CERTIFIED = [r for r in RECORDS if isinstance(r, Lemma) and r.quotient is not None]


def _changed(lemma: Lemma, **fields: Term | int) -> Lemma:
    """Return a law with some fields replaced."""
    kept = {
        "lhs": lemma.lhs,
        "rhs": lemma.rhs,
        "quotient": lemma.quotient,
        "remainder": lemma.remainder,
    }
    same = {"certifies": lemma.certifies, "uses": lemma.uses}
    return Lemma(
        name=lemma.name,
        given=lemma.given,
        source=lemma.source,
        **same,
        **{**kept, **fields},
    )


def _failed(obligations: Sequence[Obligation]) -> set[str]:
    return {o.name for o in obligations if not isinstance(o.verdict, Proved)}


@pytest.mark.parametrize("lemma", CERTIFIED, ids=lambda lemma: lemma.name)
def test_every_certificate_holds(lemma: Lemma):
    """Identity, right side and range are shown for each law that has a certificate."""
    assert _failed(check_certificate(lemma)) == set()


@pytest.mark.parametrize("lemma", CERTIFIED, ids=lambda lemma: lemma.name)
def test_a_quotient_off_by_one_breaks_the_identity(lemma: Lemma):
    """Both the normal form and the solver see it."""
    off = _changed(lemma, quotient=lemma.quotient + 1)  # type: ignore[operator]

    failed = _failed(check_certificate(off))

    assert {"identity by normal form", "identity by z3"} <= failed


@pytest.mark.parametrize("lemma", CERTIFIED, ids=lambda lemma: lemma.name)
def test_a_remainder_off_by_a_period_breaks_the_range(lemma: Lemma):
    """The identity still holds with the quotient one less; the range does not."""
    divisor = getattr(lemma, lemma.certifies).args[1]
    off = _changed(
        lemma,
        quotient=lemma.quotient - 1,  # type: ignore[operator]
        remainder=lemma.remainder + divisor,  # type: ignore[operator]
    )

    failed = _failed(check_certificate(off))

    assert "range by z3" in failed
    assert "identity by normal form" not in failed


def test_a_right_side_that_is_not_the_certified_one_is_seen():
    """The certificate has to be one for this law."""
    off = _changed(SUM_MOD_DROP, rhs=SUM_MOD_DROP.rhs + 1)

    assert _failed(check_certificate(off)) == {"other side by normal form"}


def test_a_failing_certificate_does_not_refute_the_law():
    """Its obligations are unknown, with the point at which they fail."""
    off = _changed(SUM_MOD_DROP, quotient=0)

    verdicts = {o.name: o.verdict for o in check_certificate(off)}

    assert isinstance(verdicts["identity by z3"], Unknown)


def test_a_certificate_may_not_divide_by_something_new():
    """Nothing says that another letter is at least 1."""
    off = _changed(SUM_MOD_DROP, quotient=x // a + SUM_MOD_DROP.quotient)  # type: ignore[operator]

    failed = _failed(check_certificate(off))

    assert "divisors" in failed


def test_a_law_without_a_division_has_no_certificate():
    """The certified side must be a mod or a floordiv."""
    ring = Lemma(name="ring", lhs=x, rhs=x, quotient=0, remainder=x, source="test")

    assert _failed(check_certificate(ring)) == {"form"}


def test_a_divides_fact_replaces_the_multiple():
    """From n divides m follows m = n*(m floordiv n)."""
    assert normal_form(m - n * (m // n), (divisor_of(n, m),)) == Polynomial(())


def test_a_divides_fact_replaces_a_product():
    """From n divides a*m follows a*m*x = n*x*((a*m) floordiv n)."""
    term = a * m * x - n * x * ((a * m) // n)

    assert normal_form(term, (divisor_of(n, a * m),)) == Polynomial(())


def test_without_the_fact_the_multiple_stays():
    """The remainder of m by n is not zero in general."""
    assert normal_form(m % n, ()) != Polynomial(())


def test_the_identity_of_nested_mods_needs_its_fact():
    """The certificate leans on n divides m."""
    bare = Lemma(
        name="bare",
        lhs=NESTED_MOD_DIVIDES.lhs,
        rhs=NESTED_MOD_DIVIDES.rhs,
        quotient=NESTED_MOD_DIVIDES.quotient,
        remainder=NESTED_MOD_DIVIDES.remainder,
        source="test",
    )

    assert "identity by normal form" in _failed(check_certificate(bare))


def test_every_foundation_is_proved():
    """Uniqueness and the two facts about products hold."""
    proved = {o.name: isinstance(o.verdict, Proved) for o in foundations()}

    assert proved
    assert all(proved.values()), proved
