from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from proofs.book import BookResult
from proofs.pages import book_table, lemma_book, refuted_page
from proofs.verdict import Refuted

DOCS = Path(__file__).parents[2] / "docs"
Golden = Callable[[Path, str], None]


def test_the_lemma_book_is_up_to_date(golden: Golden, book: BookResult):
    """The page in the docs is the one that the records and proofs give."""
    golden(DOCS / "lemma-book.md", lemma_book(book))


def test_the_refuted_laws_are_up_to_date(golden: Golden):
    """The page in the docs is the one that the corpus gives."""
    golden(DOCS / "refuted.md", refuted_page())


def test_the_table_has_a_line_for_every_record(book: BookResult):
    """With the verdict, the encoding and how many guards are needed."""
    lines = [line.split() for line in book_table(book).splitlines()]

    row = next(line for line in lines if line[:1] == ["period-fold-mod"])
    assert row[1:-1] == ["proved", "certificate", "2", "of", "2", "needed"]


def test_the_table_ends_with_the_sum(book: BookResult):
    """One sentence says that everything holds."""
    last = book_table(book).splitlines()[-1]

    assert last == "All 38 hold for all values, and every guard is needed."


def test_the_table_ends_with_what_is_wrong(book: BookResult):
    """A failure takes the place of the sum."""
    wrong = replace(book.ranges[0], verdict=Refuted({"step": -1}))
    broken = replace(book, ranges=(wrong,))

    last = book_table(broken).splitlines()[-1]

    assert last == "index-lower: refuted by {'step': -1}"
