"""What the tests of proofs share: the book is proved once."""

from __future__ import annotations

import pytest

from proofs.book import BookResult, prove_book


@pytest.fixture(scope="session")
def book() -> BookResult:
    """Return the proofs of every record."""
    return prove_book()
