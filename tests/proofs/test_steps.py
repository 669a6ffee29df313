"""Every step of every derivation is accepted by who knows no law."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings

from pelican import (
    DerivationStep,
    Expr,
    ModuloExpr,
    OperandError,
    SumExpr,
    explain,
    index,
    trace,
)
from pelican.engine import rewrite
from proofs import Proved, Refuted, Unknown, UnprovedStepError, check_step, checking
from tests.pelican.engine.cases import CASES
from tests.pelican.lemma_examples import lemmas, names_of
from tests.strategies import INDICES, I, N, all_expressions, raw_expressions

PEERS = json.loads(
    (Path(__file__).parents[1] / "pelican/data/peer-suites.json").read_text("utf-8")
)


def check_all(expression, names=None, rules: str = "default") -> None:
    """Check each step of a derivation."""
    for step in explain(expression, names, rules=rules).steps:
        assert isinstance(check_step(step), Proved), step


@settings(max_examples=40)
@given(raw_expressions(8))
def test_the_steps_of_random_expressions_are_accepted(raw: Expr):
    """By both rule sets."""
    check_all(raw)
    check_all(raw, rules="modelled")


@settings(max_examples=30)
@given(all_expressions(6))
def test_the_steps_of_every_kind_are_accepted(raw: Expr):
    """Comparisons and divisions of ranks too."""
    check_all(raw)


@lemmas
def test_the_steps_of_the_examples_are_accepted(lemma):
    """Those of each law's example and near miss."""
    check_all(lemma.example.before, names_of(lemma))
    check_all(lemma.example.near_miss, names_of(lemma))


@pytest.mark.parametrize("text", [text for text, _ in CASES])
def test_the_steps_of_the_folds_are_accepted(text: str):
    """Those of the expressions with known forms."""
    check_all(text, INDICES)
    check_all(text, INDICES, rules="modelled")


@pytest.mark.parametrize("case", PEERS[::9], ids=lambda case: case["id"])
def test_the_steps_of_the_peers_cases_are_accepted(case: dict):
    """A sample of the cases of other simplifiers."""
    names = {name: index(name, lo, hi) for name, (lo, hi) in case["vars"].items()}
    check_all(case["expr"], names)


def planted(before: Expr, after: Expr, path=()) -> DerivationStep:
    """Return a step that nobody derived."""
    return DerivationStep("planted", path, {}, before, after)


def test_a_wrong_step_is_refuted():
    """With a counterexample on the declared domain."""
    verdict = check_step(planted(N % 8, N % 4))

    assert isinstance(verdict, Refuted)
    at = verdict.model[N]
    assert at % 8 != at % 4
    assert isinstance(check_step(planted(I % 64 + N, I + N)), Proved)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ([0, 0], "the part at [1] is changed beside that at [0, 0]"),
        ([1], "the part at [0] is changed beside that at [1]"),
        ([2], "the node above path [2] is changed too"),
    ],
)
def test_a_step_that_changes_more_than_its_part_is_unknown(path, reason):
    """Though the two wholes are equal."""
    before = N % 8 + 3 * (N % 5)
    after = SumExpr((ModuloExpr(N + 8, 8), 3 * ModuloExpr(N + 5, 5)))
    verdict = check_step(planted(before, after, path))

    assert isinstance(verdict, Unknown)
    assert verdict.reason == reason


def test_checking_counts_what_it_proves():
    """Each rewrite once; none after the block."""
    with checking() as checks:
        assert N % 24 % 8 == N % 8
    assert N % 12 % 4 == N % 4

    assert checks.proved == 1


def test_checking_refuses_a_wrong_fold(monkeypatch):
    """The operation that made it fails, with the counterexample."""
    monkeypatch.setattr(rewrite, "FACTS", {})

    with (
        trace() as steps,
        checking(),
        pytest.raises(UnprovedStepError, match="nested-mod-divides is refuted at n ="),
    ):
        N % 24 % 7
    assert steps == []


@pytest.mark.parametrize("value", [None, 5, "a step"])
def test_what_is_no_step_is_refused(value):
    """By a message that says where steps come from."""
    with pytest.raises(OperandError, match="check_step needs a step"):
        check_step(value)
