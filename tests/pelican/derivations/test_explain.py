"""Derivations of whole expressions, and the steps of operators."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican import (
    Derivation,
    Expr,
    FloorDivExpr,
    ModuloExpr,
    MultExpr,
    OperandError,
    ParseError,
    SumExpr,
    TooLargeError,
    explain,
    simplify,
)
from pelican.derivations import explain as explainer
from pelican.lemmas import BUILDER, LEMMAS
from tests.pelican.lemma_examples import lemmas, names_of
from tests.strategies import INDICES, I, N, all_expressions, raw_expressions

NAMES = {law.name for law in (*BUILDER, *LEMMAS)} | {"comparison"}


def test_a_derivation_names_the_law_the_place_and_the_binding():
    """Each step holds whole expressions and what the law's letters stand for."""
    told = explain("((n mod 24) mod 8 + 16) floordiv 8 + 1", INDICES)

    assert [
        (s.lemma, s.path, s.binding, str(s.before), str(s.after)) for s in told.steps
    ] == [
        (
            "nested-mod-divides",
            [0, 0, 0],
            {"m": "24", "n": "8", "x": "n"},
            "(n mod 24 mod 8 + 16) floordiv 8 + 1",
            "(n mod 8 + 16) floordiv 8 + 1",
        ),
        (
            "period-fold-floordiv",
            [0],
            {"e": "n mod 8 + 16", "k": "2", "n": "8"},
            "(n mod 8 + 16) floordiv 8 + 1",
            "2 + 1",
        ),
        ("like-terms", [], {"a": "2", "b": "1", "x": "1"}, "2 + 1", "3"),
    ]


@given(raw_expressions())
def test_the_steps_lead_from_the_input_to_the_output(raw: Expr):
    """Each step starts where the one before it ended, and names a law."""
    check_chain(explain(raw), raw, simplify(raw))


@settings(max_examples=30)
@given(all_expressions())
def test_the_steps_of_any_kind_lead_to_the_output(raw: Expr):
    """By the modelled rules too."""
    check_chain(explain(raw), raw, simplify(raw))
    modelled = simplify(raw, rules="modelled")
    check_chain(explain(raw, rules="modelled"), raw, modelled)


def check_chain(told: Derivation, raw: Expr, simple: Expr) -> None:
    """Check that a derivation has no gap and says nothing twice."""
    assert told.input is raw
    assert told.output == simple
    here = raw
    for step in told.steps:
        assert step.before is here
        assert step.before != step.after
        assert step.lemma in NAMES
        here = step.after
    assert str(here) == str(simple)
    assert not told.steps or here is told.output


@lemmas
def test_the_example_of_a_law_is_explained_by_it(lemma):
    """Some step on the way from the example's first text to its second is the law.

    Three examples are also reached by other laws, which come first.
    """
    told = explain(lemma.example.before, names_of(lemma))
    used = {step.lemma for step in told.steps}

    assert str(told.output) == lemma.example.after
    assert lemma.name in used | {"recompose", "absorb-mod", "point"}


def test_each_division_of_a_right_side_is_simplified_in_its_place():
    """A mod for each operand first, then the first mod, then the second."""
    text = "(9*i + 5 + 9*(n floordiv 3)) mod 8"
    told = explain(text, INDICES, rules="modelled")

    assert [(s.lemma, s.path, str(s.after)) for s in told.steps[1:]] == [
        (
            "sum-mod-inner",
            [],
            "((9*i + 5) mod 8 + 9*(n floordiv 3) mod 8) mod 8",
        ),
        (
            "coefficient-shift",
            [0, 0],
            "((i + 5) mod 8 + 9*(n floordiv 3) mod 8) mod 8",
        ),
        (
            "coefficient-shift",
            [0, 1],
            "((i + 5) mod 8 + n floordiv 3 mod 8) mod 8",
        ),
    ]


def test_a_path_leads_to_the_part_that_is_rewritten():
    """Inside a sum inside a floordiv."""
    raw = FloorDivExpr(SumExpr((N, MultExpr(ModuloExpr(ModuloExpr(I, 24), 8), 5))), 7)
    step = explain(raw).steps[0]

    assert (step.lemma, step.path) == ("nested-mod-divides", [0, 1, 0])
    assert list(map(str, step.parts)) == ["i mod 24 mod 8", "i mod 8"]


def test_a_shared_part_is_rewritten_in_all_its_wholes():
    """The path ends at the node that holds them all."""
    shared = ModuloExpr(ModuloExpr(N, 24), 8)
    raw = MultExpr(SumExpr((FloorDivExpr(shared, 3), FloorDivExpr(shared, 5))), 2)
    step = explain(raw).steps[0]

    assert (step.lemma, step.path) == ("nested-mod-divides", [0])


def test_parts_are_shared_between_the_wholes():
    """A step copies the nodes above the part and nothing else."""
    kept = ModuloExpr(SumExpr((N, 1)), 5)
    told = explain(SumExpr((kept, ModuloExpr(ModuloExpr(I, 24), 8))))

    assert told.steps[0].after.parts[0] is kept


def test_a_canonical_expression_has_no_steps():
    """Neither has one that is only another tree of the same text."""
    assert explain(N % 8).steps == ()
    assert explain(SumExpr((MultExpr(I, 2), N))).steps == ()


def test_too_many_copies_are_refused(monkeypatch):
    """The message says what to do."""
    monkeypatch.setattr(explainer, "MAX_COPIED_NODES", 3)

    with pytest.raises(TooLargeError, match="more than 3 nodes"):
        explain("n mod 8 mod 4 + 3*(n + 1)", INDICES)


def test_explain_refuses_what_is_no_expression():
    """A number, an unknown name, and rules that do not exist."""
    with pytest.raises(OperandError, match="a text, got 3"):
        explain(3)  # type: ignore[arg-type]
    with pytest.raises(ParseError, match="unknown name 'x'"):
        explain("x")
    with pytest.raises(OperandError, match="'default' or 'modelled', got 'all'"):
        explain(N, rules="all")


@given(
    st.lists(
        st.tuples(
            st.integers(-9, 9),
            st.integers(-9, 9),
            st.integers(2, 5),
            st.integers(-3, 3),
        ),
        min_size=1,
        max_size=3,
    ),
    st.integers(2, 12),
)
def test_floordivs_beside_others_under_a_mod_are_explained(
    parts: list[tuple[int, int, int, int]], modulus: int
):
    """What stands beside a floordiv is no part of its numerator, heard or not."""
    terms: list[Expr | int] = [N]
    for a, b, divisor, factor in parts:
        terms.append(MultExpr(FloorDivExpr(a * I + b * N, divisor), factor))
    raw = ModuloExpr(SumExpr(tuple(terms)), modulus)

    assert explain(raw).output == simplify(raw)
