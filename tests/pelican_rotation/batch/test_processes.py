"""Local processes: each answers its own items, and is gone afterwards."""

import os

import pytest

from pelican_rotation.batch.lost import Lost
from pelican_rotation.batch.processes import in_processes, usable_cores
from tests.pelican_rotation.batch.work import (
    interrupting,
    killing_number,
    pid,
    sleeping,
)


@pytest.mark.parametrize("jobs", [1, 2, 9])
def test_a_process_that_dies_loses_its_own_item(jobs: int):
    """So does an item that raises; each says why, and the others are answered."""
    answers = dict(in_processes(killing_number, range(7), jobs=jobs))

    assert answers.pop(3) == Lost("its process ended by SIGKILL")
    assert answers.pop(4) == Lost("ValueError: four")
    assert answers == {0: 0, 1: 2, 2: 4, 5: 10, 6: 12}


def test_a_process_answers_item_after_item():
    """It is not started anew for each."""
    assert len(set(dict(in_processes(pid, range(5), jobs=1)).values())) == 1


def test_nothing_needs_no_process():
    """No item, no answer."""
    assert list(in_processes(pid, [], jobs=2)) == []


def test_processes_are_killed_when_nobody_wants_more():
    """While one of them still works."""
    answers = in_processes(sleeping, [0, 600, 600], jobs=2)
    _, first = next(answers)
    answers.close()

    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


def test_an_interrupt_is_left_to_the_caller():
    """A terminal sends it to every process: the work goes on until it is killed."""
    assert dict(in_processes(interrupting, [1], jobs=1)) == {0: 1}


def test_a_usable_core_is_one_of_this_process():
    """There is at least one, and never more than the machine has."""
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)
