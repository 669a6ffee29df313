"""A batch: outcomes in the order of the inputs, wherever they were made."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pelican_rotation.batch.lost import Lost
from pelican_rotation.batch.run import Batch, run_batch, runner_of
from pelican_rotation.batch.task import Outcome, Task, run_task
from rotation import ArgumentError
from tests.pelican_rotation.batch.kernels import TOO_LARGE, task


def second_is_lost(tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome | Lost]]:
    """Run the first kernel, after the second was lost."""
    yield 1, Lost("its process ended by SIGKILL")
    yield 0, run_task(tasks[0])


def test_a_lost_kernel_has_an_outcome_in_its_place():
    """Between what is known of the others."""
    missing = Outcome("none*", None, None, 2, 0.0)
    batch = Batch([missing, task(TOO_LARGE, "a"), task(TOO_LARGE, "b")])
    came = [outcome.kernel for outcome in batch.run(second_is_lost)]

    assert came == ["b", "a"]
    assert [each.kernel for each in batch.outcomes] == [None, "a", "b"]
    assert [each.exit_code for each in batch.outcomes] == [2, 2, 3]


def test_without_tasks_nobody_is_asked():
    """A cluster need not be there."""
    batch = Batch([Outcome("none*", None, None, 2, 0.0)])

    assert list(batch.run(runner_of(None, "nonsense"))) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"jobs": 0}, "at least 1 job runs at a time, got 0"),
        ({"jobs": True}, "at least 1 job runs at a time, got True"),
        ({"jobs": 1, "scheduler": "h:1"}, "has its own workers"),
        ({"resume": True}, "--resume needs the folder"),
    ],
)
def test_an_argument_that_makes_no_sense_is_refused(
    options: dict[str, object], message: str, tmp_path: Path
):
    """With what to do."""
    with pytest.raises(ArgumentError, match=message) as refused:
        run_batch([str(tmp_path)], **options)
    assert refused.value.hint
