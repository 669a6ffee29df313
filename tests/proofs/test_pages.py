from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from proofs.book import BookResult
from proofs.pages import lemma_book, refuted_page

Golden = Callable[[Path, str], None]


def test_the_lemma_book_is_up_to_date(golden: Golden, book: BookResult):
    """The page in the docs is the one that the records and proofs give."""
    golden(Path("docs/lemma-book.md"), lemma_book(book))


def test_the_refuted_laws_are_up_to_date(golden: Golden):
    """The page in the docs is the one that the corpus gives."""
    golden(Path("docs/refuted.md"), refuted_page())
