from __future__ import annotations

import pytest
import z3

from proofs import second_solver
from proofs.obligation import Obligation
from proofs.second_solver import ask_again, second_opinion
from proofs.solver import Implication
from proofs.verdict import Proved, Refuted, Unknown

x, y, n = z3.Ints("x y n")
TRUE = Implication((x >= 3,), x >= 1)
FALSE = Implication((x >= 3,), x >= 4)
HARD = Implication((x > 2, y > 2, n > 2), x * x * x + y * y * y != n * n * n)


def _shown(question: Implication | None) -> Obligation:
    return Obligation("shown", Proved(0.0), question=question)


def test_a_claim_that_holds_is_proved():
    assert isinstance(ask_again(TRUE), Proved)


def test_a_claim_that_fails_is_refuted():
    assert isinstance(ask_again(FALSE), Refuted)


def test_a_question_that_takes_too_long_is_unknown():
    """The reason names the solver."""
    verdict = ask_again(HARD, timeout_s=0.2)

    assert isinstance(verdict, Unknown)
    assert "cvc5 gave up" in verdict.reason


def test_one_doubt_is_the_opinion():
    """However many others are proved."""
    obligations = (_shown(TRUE), _shown(FALSE), _shown(TRUE))

    assert isinstance(second_opinion(obligations), Refuted)


def test_all_proved_is_proved():
    assert isinstance(second_opinion((_shown(TRUE), _shown(None))), Proved)


def test_without_a_question_there_is_no_opinion():
    """A normal form is not asked of a solver."""
    assert second_opinion((_shown(None),)) is None


def test_what_z3_did_not_prove_is_not_asked_again():
    """It is a failure already."""
    doubt = Obligation("doubt", Unknown("no time"), question=FALSE)

    assert second_opinion((doubt,)) is None


def test_without_the_solver_there_is_no_opinion(monkeypatch: pytest.MonkeyPatch):
    """It is an extra."""
    monkeypatch.setattr(second_solver, "is_installed", lambda: False)

    assert second_opinion((_shown(TRUE),)) is None
