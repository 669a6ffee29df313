from __future__ import annotations

import pytest
import z3

from proofs import evaluator
from proofs.evaluator import (
    prove_correction,
    prove_evaluator,
    prove_machine_sequence,
    prove_mod_range,
    prove_no_overflow,
    refute_bare_remainder,
)
from proofs.solver import Answer, Implication, ask
from proofs.verdict import Proved, Refuted, Unknown


def test_the_machine_sequence_is_the_floored_mod():
    """For every 64-bit numerator and every positive 64-bit denominator."""
    assert isinstance(prove_machine_sequence().verdict, Proved)


def test_the_bare_remainder_is_refuted_by_a_negative_numerator():
    """The model is one at which C's remainder is not Python's."""
    verdict = refute_bare_remainder().verdict

    assert isinstance(verdict, Refuted)
    numer, denom = verdict.model["numer"], verdict.model["denom"]
    assert numer < 0 < denom
    assert numer % denom != -(-numer % denom)


def test_a_mod_fills_its_range():
    """[0, denom) for symbolic numerator and denominator, both ends reached."""
    assert isinstance(prove_mod_range().verdict, Proved)


ANSWERS = [*prove_correction(), *prove_no_overflow()]
every_answer = pytest.mark.parametrize(
    "answer", ANSWERS, ids=[*evaluator.CORRECTION, *evaluator.NO_OVERFLOW]
)


@every_answer
def test_in_integers_the_corrections_are_right(answer: Answer):
    """From what the machine promises of its division, and no more."""
    assert isinstance(answer.verdict, Proved)


@every_answer
def test_every_promise_is_needed(answer: Answer):
    """Without any one of them the step is refuted."""
    question = answer.question
    for left_out in question.given:
        rest = [fact for fact in question.given if fact is not left_out]

        assert isinstance(ask(rest, question.claim, ()).verdict, Refuted)


@every_answer
def test_the_promises_do_not_contradict_each_other(answer: Answer):
    """A proof from them would say nothing."""
    nothing = z3.BoolVal(val=False)

    assert isinstance(ask(answer.question.given, nothing, ()).verdict, Refuted)


def test_the_machine_in_python():
    """The same sequence on small numbers, against Python's own division."""
    for v in range(-40, 41):
        for d in range(1, 14):
            q = abs(v) // d * (1 if v >= 0 else -1)
            r = v - q * d
            corrected = (q - 1, r + d) if r < 0 else (q, r)

            assert corrected == divmod(v, d)


def test_an_encoding_that_takes_the_remainder_of_c_shows_nothing(
    monkeypatch: pytest.MonkeyPatch,
):
    """It must be able to tell both apart."""
    true = Implication((), z3.BoolVal(val=True))
    proved = Answer(true, Proved(0.0), 0.0, 0)
    monkeypatch.setattr(evaluator, "prove_machine_sequence", lambda: proved)
    monkeypatch.setattr(evaluator, "refute_bare_remainder", lambda: proved)

    first, *_ = prove_evaluator()

    assert first.verdict == Unknown("the remainder of C was not refuted")
