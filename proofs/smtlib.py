"""The lemma book as SMT-LIB 2 files, for any solver to check.

A file states facts and the negation of a claim, so what holds is ``unsat``. A guard
that is needed is ``sat``: the law without it, at its counterexample. So is every law of
the refuted corpus.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from proofs.book import BookResult, RecordProof
from proofs.obligation import Obligation
from proofs.refuted import REFUTED
from proofs.witness import implication_at


@dataclass(frozen=True, slots=True)
class Script:
    """One question in SMT-LIB 2.

    Attributes:
        path: Where it belongs, such as ``laws/nested-mod-divides/1-range-by-z3.smt2``.
        expected: ``sat`` or ``unsat``.
        text: The whole file.
    """

    path: str
    expected: str
    text: str


def scripts(book: BookResult) -> Iterator[Script]:
    """Yield every question of the book and of the refuted corpus, in their order."""
    for proof in book.records:
        folder = f"records/{proof.record.name}"
        yield from _obligations(folder, proof.obligations)
        yield from _guards(folder, proof)
    yield from _obligations("foundations", book.foundations)
    yield from _obligations("evaluator", (*book.evaluator, book.mod_range))
    for number, ring in enumerate(book.rings, start=1):
        yield from _obligations(f"rings/{number}", ring.steps)
    for wrong in REFUTED:
        question = implication_at(wrong.law, wrong.law.given, wrong.counterexample)
        title = f"refuted: {wrong.law}"
        text = question.smt2(title=title, expected="sat")
        yield Script(f"refuted/{wrong.law.name}.smt2", "sat", text)


def _obligations(folder: str, obligations: Iterable[Obligation]) -> Iterator[Script]:
    asked = [(o.name, o.question) for o in obligations if o.question is not None]
    for number, (name, question) in enumerate(asked, start=1):
        text = question.smt2(title=name, expected="unsat")
        yield Script(f"{folder}/{number}-{_slug(name)}.smt2", "unsat", text)


def _guards(folder: str, proof: RecordProof) -> Iterator[Script]:
    for number, guard in enumerate(proof.guards, start=1):
        if guard.counterexample is None:
            continue
        rest = [fact for fact in proof.record.given if fact is not guard.guard]
        question = implication_at(proof.record, rest, guard.counterexample)
        title = f"{proof.record.name} without {guard.guard}"
        text = question.smt2(title=title, expected="sat")
        yield Script(f"{folder}/without-guard-{number}.smt2", "sat", text)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
