from __future__ import annotations

from proofs.evaluator import (
    prove_machine_sequence,
    prove_mod_range,
    refute_bare_remainder,
)
from proofs.verdict import Proved, Refuted


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
