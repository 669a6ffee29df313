"""Profiles of hypothesis, goldens (files that hold expected text), the lemma book."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from proofs.book import BookResult, prove_book

# Both profiles draw the same examples on every run; `ci` draws more of them.
for name, examples in (("dev", 60), ("ci", 1000)):
    settings.register_profile(
        name,
        max_examples=examples,
        derandomize=True,
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites goldens."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the goldens instead of comparing with them",
    )
    parser.addoption(
        "--check-rewrites",
        action="store_true",
        help="decide every rewrite that the tests of pelican make, about 2 ms each",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with a golden file, or rewrite the file."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text

    return compare


@pytest.fixture(scope="session")
def book() -> BookResult:
    """Return the proofs of every record: the book is proved once."""
    return prove_book()
