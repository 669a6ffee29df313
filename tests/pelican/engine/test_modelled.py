"""The modelled rule set: the seed's four lemmas with the seed's guards."""

import pytest
from hypothesis import given, settings

from pelican import Expr, OperandError, parse, simplify, trace
from pelican.derivations.derivation import DerivationStep
from pelican.engine.modelled import RULES, operands_of
from pelican.lemmas import LEMMAS
from pelican.tree.build import plain
from pelican.tree.flat import weights
from pelican.tree.kinds import is_divlike, is_floordiv, is_index, is_modulo
from pelican.tree.traverse import children, postorder
from tests.strategies import (
    INDICES,
    all_expressions,
    all_points,
    points,
    raw_expressions,
)

MODELLED = {law.name: law for law in LEMMAS if law.modelled is not None}

PRINTED = [
    # nested mods: n divides m first, then n > m, else both stay
    ("n mod 24 mod 8", "n mod 8"),
    ("n mod 8 mod 8", "n mod 8"),
    ("n mod 8 mod 12", "n mod 8"),
    ("n mod 4 mod 3", "n mod 4 mod 3"),
    # a mod under a floordiv: m < d is strict
    ("n mod 8 floordiv 9", "0"),
    ("n mod 8 floordiv 8", "n mod 8 floordiv 8"),
    ("n mod 8 floordiv 7", "n mod 8 floordiv 7"),
    # affine: coefficients in [0, n), zero terms dropped, the outer mod stays
    ("(4096*i + 5000 + 8193*n) mod 4096", "(n + 904) mod 4096"),
    ("(7 - i) mod 8", "(7*i + 7) mod 8"),
    ("(i + 64) mod 64", "i mod 64"),
    ("(-3*(n floordiv 5)) mod 8", "5*(n floordiv 5) mod 8"),
    # sums: one mod for each operand that needs one, the outer mod stays
    ("(2 + 2) mod 3", "1"),
    (
        "(9*i + 5 + n floordiv 3) mod 8",
        "((i + 5) mod 8 + n floordiv 3 mod 8) mod 8",
    ),
    (
        "(n mod 8 + n floordiv 3 + 11) mod 8",
        "(n mod 8 + n floordiv 3 mod 8 + 3) mod 8",
    ),
    ("(n mod 4 + n floordiv 3) mod 8", "(n mod 4 + n floordiv 3 mod 8) mod 8"),
    ("(8*(n floordiv 3) + i) mod 8", "i mod 8"),
    # nothing else is known
    ("i floordiv 64", "i floordiv 64"),
    ("n floordiv 1", "n floordiv 1"),
    ("8*(n floordiv 8) + n mod 8", "8*(n floordiv 8) + n mod 8"),
    ("n floordiv 3 floordiv 5", "n floordiv 3 floordiv 5"),
    ("3*i + 2*(i + n) - 7 + 7", "5*i + 2*n"),
    ("i - i", "0"),
    ("7 mod 3 + 8 floordiv 3", "3"),
    ("i >= 0", "i >= 0"),
]


@pytest.mark.parametrize(("text", "printed"), PRINTED)
def test_the_modelled_system_prints(text, printed):
    """What the modelled system's own lemmas make of a text."""
    assert str(parse(text, INDICES, rules="modelled")) == printed


@given(raw_expressions(), points())
def test_the_modelled_result_has_the_value_of_the_default(raw: Expr, at):
    """And of the raw tree."""
    modelled = simplify(raw, rules="modelled")

    assert modelled.eval(at) == simplify(raw).eval(at) == raw.eval(at)


@settings(max_examples=30)
@given(all_expressions(), all_points())
def test_every_kind_keeps_its_value(raw: Expr, at):
    """Comparisons and divisions of ranks stay."""
    assert simplify(raw, rules="modelled").eval(at) == raw.eval(at)


@settings(max_examples=30)
@given(raw_expressions())
def test_simplifying_again_changes_nothing(raw: Expr):
    """What the modelled rules made they leave as it is."""
    once = simplify(raw, rules="modelled")

    assert simplify(once, rules="modelled") == once


@given(raw_expressions())
def test_every_rewrite_lowers_its_measure(raw: Expr):
    """So the rules end; and no law is used that the modelled system has not."""
    with trace() as steps:
        simplify(raw, rules="modelled")
    for step in steps:
        assert step.lemma in {*MODELLED, "constant-mod", "constant-floordiv"}
        before, after = measures(step)
        assert after < before


def measures(step: DerivationStep) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the measure of the rewritten node before and after a step.

    Nested mods, mods under a floordiv and constants: the number of mods and
    floordivs. Else operands that are neither a mod n nor inside [0, n), then
    coefficients outside [0, n).
    """
    before, after = step.parts
    if step.lemma in {"coefficient-shift", "sum-mod-inner"}:
        return unreduced(before), unreduced(after)
    return (divisions(before),), (divisions(after),)


def divisions(expr: Expr) -> int:
    """Count the mods and floordivs of a tree."""
    count: dict[int, int] = {}
    for node in postorder(expr):
        count[id(node)] = is_divlike(node) + sum(count[id(p)] for p in children(node))
    return count[id(expr)]


def unreduced(mod: Expr) -> tuple[int, int]:
    """Return the measure of a mod; of a single operand all coefficients count."""
    if not is_modulo(mod):
        return (0, 0)
    n = mod.denom
    operands, offset = operands_of(mod.numer)
    if len(operands) > 1:
        needy = [e for e in operands if not (own_mod(e, n) or inside(e, n))]
        return len(needy), int(not 0 <= offset < n)
    terms, offset = weights(mod.numer)
    return 0, sum(not 0 <= c < n for c in [*(c for _, c in terms), offset])


def own_mod(expr: Expr, n: int) -> bool:
    """Tell whether an operand is a mod n."""
    return is_modulo(expr) and expr.denom == n


def inside(expr: Expr, n: int) -> bool:
    """Tell whether an operand is known to lie inside [0, n)."""
    low, high = expr.range.lo, expr.range.hi
    return low is not None and high is not None and low >= 0 and high < n


@settings(max_examples=30)
@given(raw_expressions())
def test_no_law_is_left_to_use(raw: Expr):
    """No nested mod with a law, no small mod under a floordiv, no operand to reduce."""
    for node in postorder(simplify(raw, rules="modelled")):
        if is_floordiv(node) and is_modulo(node.numer):
            assert node.numer.denom >= node.denom
        if is_modulo(node) and is_modulo(node.numer):
            assert node.numer.denom > node.denom
            assert node.numer.denom % node.denom
        elif is_modulo(node):
            assert unreduced(node) == (0, 0)


def test_the_modelled_laws_are_the_four_of_the_seed():
    """Nested mods are two laws; dropping a term is a part of the affine one."""
    assert sorted(MODELLED) == [
        "coefficient-shift",
        "mod-floordiv",
        "nested-mod-divides",
        "nested-mod-larger",
        "sum-mod-drop",
        "sum-mod-inner",
    ]


def test_other_rules_are_refused():
    """The message lists both, from `simplify` and from `parse`."""
    message = "rules must be 'default' or 'modelled', got 'fast'"
    with pytest.raises(OperandError, match=message):
        simplify(INDICES["n"], rules="fast")
    with pytest.raises(OperandError, match=message):
        parse("n", INDICES, rules="fast")
    assert RULES == ("default", "modelled")


def test_a_deep_expression_simplifies():
    """A deep tree is simplified without recursion into it."""
    raw: Expr = INDICES["n"]
    for _ in range(2_000):
        raw = plain("%", plain("//", raw, 2), 7)

    assert not is_index(simplify(raw, rules="modelled"))
