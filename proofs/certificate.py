"""Proofs without a search: a law names its quotient and its remainder.

To show ``e mod n = R`` and ``e floordiv n = Q`` it is enough that ``e = n*Q + R`` and
``0 <= R < n``, because quotient and remainder are unique. Uniqueness, and the two facts
about products that `proofs.encode` adds, are proved once here (`foundations`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import z3

from pelican.laws.lemma import CongruenceRule, Fact, Lemma
from pelican.laws.term import Term, divisors, evaluate, metavariables, substitute
from proofs.encode import RecordEncoder
from proofs.obligation import Obligation
from proofs.polynomial import Polynomial
from proofs.solver import ask
from proofs.verdict import Proved, Refuted, Unknown


def check_certificate(lemma: Lemma) -> tuple[Obligation, ...]:
    """Return what the certificate of a law owes; the law holds if all are proved.

    Args:
        lemma: A law of which the certified side is ``e mod n`` or ``e floordiv n``.
    """
    quotient, remainder = lemma.quotient, lemma.remainder
    sides = (lemma.lhs, lemma.rhs)
    division, other = sides if lemma.certifies == "lhs" else reversed(sides)
    if quotient is None or remainder is None or division.op not in {"%", "//"}:
        why = Unknown("a certificate needs a quotient, a remainder and a division")
        return (Obligation("form", why),)
    numer, denom = division.args
    result = remainder if division.op == "%" else quotient
    rebuilt = denom * quotient + remainder
    known = (*lemma.instances, *lemma.given)
    return (
        _divisors_are_known(lemma, (quotient, remainder)),
        *_instances_apply(lemma),
        _same_form("identity", known, numer, rebuilt),
        _same_form("other side", known, other, result),
        _by_solver("identity", lemma, lambda e: e.term(numer) == e.term(rebuilt)),
        _by_solver(
            "range",
            lemma,
            lambda e: z3.And(e.term(remainder) >= 0, e.term(remainder) < e.term(denom)),
        ),
    )


def check_class(rule: CongruenceRule) -> tuple[Obligation, ...]:
    """Return what the certificate of a congruence rule owes.

    Two terms that differ by ``modulus*quotient`` are the same modulo `modulus`.
    """
    difference = rule.subject - rule.residue
    multiple = rule.modulus * rule.quotient
    return (
        _divisors_are_known(rule, (rule.quotient,)),
        *_instances_apply(rule),
        _same_form("multiple", (*rule.instances, *rule.given), difference, multiple),
        _by_solver("multiple", rule, lambda e: e.term(difference) == e.term(multiple)),
    )


def _instances_apply(lemma: Lemma | CongruenceRule) -> Iterable[Obligation]:
    """Yield, for each fact of a law that is used, that the lemma's facts imply it."""
    for law, terms in lemma.uses:
        for fact in law.given:
            left, right = (substitute(s, terms) for s in (fact.left, fact.right))
            needed = Fact(fact.relation, left, right)
            encoder = RecordEncoder(lemma)
            given = [encoder.fact(known) for known in lemma.given]
            wanted = encoder.fact(needed)
            answer = ask([*encoder.facts, *given], wanted, encoder.constants)
            yield Obligation.of(f"{law.name} may be used: {needed}", answer)


def _divisors_are_known(
    lemma: Lemma | CongruenceRule, certificate: Iterable[Term]
) -> Obligation:
    known = set(map(str, lemma.divisors))
    for divisor in lemma.divisors:
        if divisor.op == "*" and str(divisor.args[0]) in known:
            known.add(str(divisor.args[1]))
    new = [str(d) for d in divisors(certificate) if str(d) not in known]
    if not new:
        return Obligation("divisors", Proved(0.0))
    why = Unknown(f"the certificate divides by {', '.join(new)}, the law does not")
    return Obligation("divisors", why)


def _same_form(name: str, given: Iterable[Fact], left: Term, right: Term) -> Obligation:
    rest = normal_form(left - right, given)
    if rest == Polynomial(()):
        return Obligation(f"{name} by normal form", Proved(0.0))
    why = Unknown(f"{name}: {left} and {right} differ by {rest}")
    return Obligation(f"{name} by normal form", why)


def normal_form(term: Term, given: Iterable[Fact]) -> Polynomial:
    """Return the polynomial of a term, with the divisions that `given` knows.

    A fact ``d divides t`` lets t be ``d*(t floordiv d)``; a fact ``t = u`` lets t be u.
    """
    result = _polynomial(term)
    for fact in given:
        left, right = _polynomial(fact.left), _polynomial(fact.right)
        if fact.relation == "divides":
            result = _replaced(result, right, left * (right // left))
        elif fact.relation == "==":
            result = _replaced(result, left, right)
    return result


def _replaced(result: Polynomial, term: Polynomial, by: Polynomial) -> Polynomial:
    """Return a polynomial with the value of a term put in.

    The term's first product of variables that counts once stands for the rest.
    """
    for monomial, coefficient in term.terms:
        if coefficient == 1 and monomial:
            rest = term - Polynomial(((monomial, 1),))
            return result.replaced(monomial, by - rest)
    return result


def _polynomial(term: Term) -> Polynomial:
    variables = {
        v.args[0]: Polynomial.variable(v.args[0]) for v in metavariables((term,))
    }
    return Polynomial.of(evaluate(term, variables))


def _by_solver(
    name: str,
    record: Lemma | CongruenceRule,
    claim: Callable[[RecordEncoder], z3.BoolRef],
) -> Obligation:
    encoder = RecordEncoder(record)
    given = [encoder.fact(fact) for fact in (*record.instances, *record.given)]
    wanted = claim(encoder)
    answer = ask([*encoder.facts, *given], wanted, encoder.constants)
    shown = Obligation.of(f"{name} by z3", answer)
    if not isinstance(answer.verdict, Refuted):
        return shown
    # The certificate is wrong there; the law may still hold.
    where = answer.verdict.model
    why = Unknown(f"the {name} of the certificate fails at {where}")
    return replace(shown, verdict=why)


def foundations() -> tuple[Obligation, ...]:
    """Return the lemmas that every other proof leans on, each proved by z3.

    Source: Graham, Knuth, Patashnik, Concrete Mathematics, section 3.4 (uniqueness).
    """
    n, t = z3.Ints("n t")
    one, other, r, s = z3.Ints("one other r s")
    in_range = [r >= 0, r < n, s >= 0, s < n]
    equal = n * one + r == n * other + s
    return (
        _foundation(
            "quotient and remainder are unique",
            [n >= 1, *in_range, equal],
            z3.And(one == other, r == s),
        ),
        _foundation(
            "terms that differ by a multiple of n are equal mod n",
            [n >= 1, *in_range, n * one + r - (n * other + s) == n * t],
            r == s,
        ),
        _foundation("t >= 1 for n >= 1 and n*t >= 1", [n >= 1, n * t >= 1], t >= 1),
        _foundation("n*t >= n for t >= 1", [n >= 1, t >= 1], n * t >= n),
        _foundation("n*t <= -n for t <= -1", [n >= 1, t <= -1], n * t <= -n),
    )


def _foundation(
    name: str, given: Iterable[z3.BoolRef], claim: z3.BoolRef
) -> Obligation:
    return Obligation.of(name, ask(given, claim, ()))
