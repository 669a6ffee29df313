"""Steps: their bindings, their places, and those inside right sides."""

from pelican import DerivationStep, ModuloExpr, MultExpr, explain
from pelican.derivations.derivation import common_path, place_of
from tests.strategies import INDICES, I, N


def test_a_law_for_several_terms_is_one_step():
    """Its binding lists the different values in order."""
    (step,) = explain("(9*i + 17*n + 3) mod 8", INDICES).steps

    assert step.lemma == "coefficient-shift"
    assert step.binding == {
        "a": "9, 17",
        "n": "8",
        "r": "3",
        "t": "-1, -2",
        "x": "i, n",
    }


def test_what_is_rewritten_inside_a_right_side_is_a_step_of_its_own():
    """The law comes first, with its plain right side."""
    text = "(12*n + 3*(n mod 4)) floordiv 2"

    assert [step.lemma for step in explain(text, INDICES).steps] == [
        "floordiv-shift",
        "scaled-mod-join",
        "mod-floordiv-exchange",
    ]


def test_a_step_prints_the_part_that_it_rewrites():
    """After the law and the place; a rewrite of the whole has no place."""
    before, after = 3 * ModuloExpr(N % 24, 8), 3 * (N % 8)
    values = {"x": [N], "m": [24], "n": [8]}
    inside = DerivationStep("nested-mod-divides", [0], values, before, after)
    whole = DerivationStep("nested-mod-divides", [], values, before, after)

    assert str(inside) == "nested-mod-divides at 0: n mod 24 mod 8 -> n mod 8"
    assert str(whole) == "nested-mod-divides: 3*(n mod 24 mod 8) -> 3*(n mod 8)"


def test_a_place_stops_at_what_was_rewritten():
    """Though its numerator is the only thing that differs."""
    before, after = ModuloExpr(9 * N, 8), ModuloExpr(N, 8)
    wholes = MultExpr(before, 3), MultExpr(after, 3)

    assert place_of(*wholes, before) == [0]
    assert place_of(before + I, after + I, before) == [1]


def test_a_common_path_ends_where_the_nodes_differ():
    """There the rest of the path leads nowhere."""
    assert common_path([0, 0], 3 * (N % 8), 3 * (N % 4)) == [0]
    assert common_path([0], 3 * (N % 8), 5 * (N % 8)) == []
