"""The files that other solvers check."""

from __future__ import annotations

from collections import Counter

import cvc5
import pytest
import z3

from proofs.book import BookResult
from proofs.refuted import REFUTED
from proofs.smtlib import Script, scripts

SECONDS = 20
"""Time limit of a solver for one file [s]."""

ONLY_Z3 = {
    "evaluator/1-one-idiv-and-its-correction-give-the-floored-mod-in-64-bits.smt2"
}
"""What cvc5 does not decide in the time: a division of 64 bits."""


@pytest.fixture(scope="module")
def written(book: BookResult) -> list[Script]:
    """Return every file."""
    return list(scripts(book))


def _z3(text: str) -> str:
    solver = z3.Solver()
    solver.set(timeout=SECONDS * 1000)
    solver.from_string(text)
    return str(solver.check())


def _cvc5(text: str) -> str:
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(SECONDS * 1000))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, parser.getSymbolManager())).strip() or said
    return said


def test_z3_answers_every_file_as_expected(written: list[Script]):
    """Read from the text alone."""
    wrong = [s.path for s in written if _z3(s.text) != s.expected]

    assert wrong == []


def test_cvc5_answers_every_file_as_expected(written: list[Script]):
    """But for one that takes it too long."""
    asked = [s for s in written if s.path not in ONLY_Z3]
    wrong = [s.path for s in asked if _cvc5(s.text) != s.expected]

    assert wrong == []
    assert len(asked) == len(written) - len(ONLY_Z3)


def test_no_two_files_have_one_path(written: list[Script]):
    """None overwrites another."""
    assert max(Counter(script.path for script in written).values()) == 1


def test_every_record_has_a_file(book: BookResult, written: list[Script]):
    """And every law of the refuted corpus."""
    folders = {"/".join(s.path.split("/")[:2]).removesuffix(".smt2") for s in written}

    assert {f"records/{proof.record.name}" for proof in book.records} <= folders
    assert {f"refuted/{wrong.law.name}" for wrong in REFUTED} <= folders


def test_every_file_states_what_is_expected(written: list[Script]):
    """As SMT-LIB 2 has it."""
    assert all(f"(set-info :status {s.expected})" in s.text for s in written)


def test_every_needed_guard_has_a_file(book: BookResult, written: list[Script]):
    """A law without it, at its counterexample."""
    guards = sum(len(proof.guards) for proof in book.records)

    assert sum("without-guard" in script.path for script in written) == guards
