"""The list of planted faults is what the tests plant, and its page is up to date."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rotation.fault_list import (
    FAULTS,
    GUARDED,
    KEPT_RIGHT,
    REPORTED,
    Fault,
)
from tests.rotation.faults import HAZARDS, faults_page, source_of

HERE = Path(__file__).parent
CAUGHT = re.compile(r"^def (test_\w+(?:is|are)_caught\w*)\(", re.MULTILINE)
PAGE = Path(__file__).parents[2] / "docs/planted-faults.md"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.test.removeprefix("test_"))
def test_a_fault_is_planted_by_a_test_that_names_its_checks(fault: Fault):
    """A test that is renamed, or expects another check, is told here."""
    text = source_of(fault.file, fault.test)

    assert [check for check in fault.caught if check not in text] == []
    assert fault.caught


@pytest.mark.parametrize(("source", "file", "test"), GUARDED)
def test_a_guard_has_a_test(source: str, file: str, test: str):
    """It stands where the page says."""
    assert source
    assert source_of(file, test)


@pytest.mark.parametrize(("source", "test"), KEPT_RIGHT)
def test_a_reported_case_runs_as_a_kernel(source: str, test: str):
    """Its docstring or name says which."""
    assert source.lower() in test
    assert source_of(REPORTED, test)


def test_at_least_thirty_faults_are_planted_and_no_hazard_is_left_out():
    """Each hazard is planted or kept from happening, and no test stands twice."""
    sources = {
        source
        for text in (*(f.source for f in FAULTS), *(g[0] for g in GUARDED))
        for source in text.split(", ")
    }
    hazards = [f"H{n}" for n in range(1, len(HAZARDS) + 1)]

    assert len({(f.file, f.test) for f in FAULTS}) == len(FAULTS) >= 30
    assert [hazard for hazard in hazards if hazard not in sources] == []


def test_no_planted_fault_is_missing_in_the_list():
    """A test whose name says that something is caught stands there."""
    named = {(fault.file, fault.test) for fault in FAULTS}
    missing = [
        (path.relative_to(HERE).as_posix(), name)
        for path in HERE.rglob("test_*.py")
        for name in CAUGHT.findall(path.read_text(encoding="utf-8"))
        if (path.relative_to(HERE).as_posix(), name) not in named
    ]

    assert missing == []


def test_the_page_is_up_to_date(golden: Callable[[Path, str], None]):
    """The page in the docs is the one that the list gives."""
    golden(PAGE, faults_page())
