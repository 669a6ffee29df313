"""The lemma book as a table: one row a law, and what failed below it."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from pelican_rotation.tables import print_block, print_blocks, table_of
from proofs.book import BookResult, RecordProof
from proofs.obligation import Obligation
from proofs.rings import RingProof
from proofs.verdict import Proved, Verdict


def show_book(result: BookResult, console: Console) -> None:
    """Print what was proved of every law, range rule and the evaluator."""
    rows = [
        *map(_record_row, result.records),
        *map(_obligation_row, result.obligations),
        *map(_ring_row, result.rings),
    ]
    header = ("law", "verdict", "by", "second", "guards needed", "box", "seconds")
    print_blocks([table_of(header, rows)], console)
    print_block(_summary(result, len(rows)), console)


def _record_row(proof: RecordProof) -> tuple[str | Text, ...]:
    needed = sum(guard.needed for guard in proof.guards)
    guards = f"{needed} of {len(proof.guards)}" if proof.guards else ""
    return (
        proof.record.name,
        _word(proof.verdict),
        proof.encoding,
        _second(proof.second),
        guards,
        f"{proof.points:,}",
        f"{proof.seconds:.2f}",
    )


def _obligation_row(obligation: Obligation) -> tuple[str | Text, ...]:
    seconds = f"{obligation.seconds:.2f}"
    return (obligation.name, _word(obligation.verdict), "solver", "", "", "", seconds)


def _ring_row(ring: RingProof) -> tuple[str | Text, ...]:
    seconds = f"{sum(step.seconds for step in ring.steps):.2f}"
    second = _second(ring.second)
    return (ring.name, _word(ring.verdict), "steps", second, "", "", seconds)


def _second(verdict: Verdict | None) -> str | Text:
    return "" if verdict is None else _word(verdict)


def _word(verdict: Verdict) -> Text:
    return Text(verdict.word, style="green" if isinstance(verdict, Proved) else "red")


def _summary(result: BookResult, count: int) -> Text:
    if not result.failures:
        return Text(f"all {count} hold for all values, and every guard is needed")
    lines = "".join(f"\n  {failure}" for failure in result.failures)
    return Text(f"{len(result.failures)} failures:{lines}", style="red")
