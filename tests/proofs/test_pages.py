from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from proofs.book import BookResult
from proofs.pages import lemma_book, refuted_page

DOCS = Path(__file__).parents[2] / "docs"
Golden = Callable[[Path, str], None]


def test_the_lemma_book_is_up_to_date(golden: Golden, book: BookResult):
    """The page in the docs is the one that the records and proofs give."""
    golden(DOCS / "lemma-book.md", lemma_book(book))


def test_the_refuted_laws_are_up_to_date(golden: Golden):
    """The page in the docs is the one that the corpus gives."""
    golden(DOCS / "refuted.md", refuted_page())
