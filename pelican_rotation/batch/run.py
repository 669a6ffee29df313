"""A batch: many kernels, each with one outcome, in the order of the inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Unpack

from pelican_rotation.batch.cluster import on_cluster, require_library
from pelican_rotation.batch.folder import ResultFolder
from pelican_rotation.batch.inputs import tasks_of
from pelican_rotation.batch.lost import Lost
from pelican_rotation.batch.processes import in_processes, usable_cores
from pelican_rotation.batch.task import Outcome, Task, lost_outcome, run_task
from rotation.errors import ArgumentError
from rotation.machine.machine import Machine
from rotation.running.arguments import RunOptions

Runner = Callable[[Sequence[Task]], Iterator[tuple[int, Outcome | Lost]]]
"""Runs tasks somewhere, and yields positions and what came of them, as it comes."""


def run_batch(
    paths: Sequence[str],
    machine: str | Machine | None = None,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    output: str | None = None,
    resume: bool = False,
    **options: Unpack[RunOptions],
) -> tuple[Outcome, ...]:
    """Return what came of each kernel of some paths, in their order.

    A program that calls this needs ``if __name__ == "__main__":`` around its own work,
    since each local process reads the program once more.

    Args:
        paths: Files, folders, and patterns such as ``**/*.kernel``.
        machine: A machine, its name, or the path of a ``.toml`` file that describes
            it; None for each kernel's own.
        jobs: Local processes, >= 1; None for one on each core.
        scheduler: Address of a Dask scheduler, whose workers run the kernels instead.
        output: A folder that keeps the outcome of each kernel as a JSON file.
        resume: Whether an outcome that is kept there for the same text and options
            is taken as it is.
        options: What is asked of each run, as of `rotation.run`.

    Raises:
        ArgumentError: If an argument makes no sense.
        MachineError: If there is no such machine.
        PassError: If a pass cannot be skipped or does not exist.
        ClusterError: If the cluster does not answer, or has another version.

    >>> from pelican_rotation.batch.run import run_batch
    >>> (outcome,) = run_batch(["examples/first_ring.kernel"], jobs=1)
    >>> outcome.kernel, outcome.exit_code, outcome.result["verdict"]
    ('first_ring', 0, 'accepted')
    """
    runner = runner_of(jobs, scheduler)
    batch = Batch(tasks_of(paths, machine, options), output, resume=resume)
    for _ in batch.run(runner):
        pass
    return batch.outcomes


def runner_of(jobs: int | None, scheduler: str | None) -> Runner:
    """Return what runs the tasks: local processes, or the workers of a cluster.

    Raises:
        ArgumentError: If both are asked for, `jobs` is no count, or the library of
            clusters is not installed.
    """
    if jobs is not None and (isinstance(jobs, bool) or jobs < 1):
        message = f"at least 1 job runs at a time, got {jobs!r}"
        raise ArgumentError(message, hint="leave it out for one on each core")
    if scheduler is None:
        return partial(in_processes, run_task, jobs=jobs or usable_cores())
    if jobs is not None:
        message = "--jobs is for local processes, and --scheduler has its own workers"
        raise ArgumentError(message, hint="leave one of them out")
    require_library()
    return partial(on_cluster, run_task, address=scheduler)


class Batch:
    """Kernels to run, and the outcomes that there are so far.

    Attributes:
        total: Kernels, and paths that gave none.
        resumed: Kernels whose outcome was kept by an earlier batch.

    Args:
        entries: Tasks, and the outcomes of paths that gave none.
        output: A folder that keeps the outcomes, if any.
        resume: Whether those that it has already are taken as they are.

    Raises:
        ArgumentError: If `resume` is asked for without a folder, or the folder cannot
            be made.
    """

    def __init__(
        self,
        entries: Sequence[Task | Outcome],
        output: str | None = None,
        *,
        resume: bool = False,
    ) -> None:
        if resume and output is None:
            message = "--resume needs the folder of the earlier results"
            raise ArgumentError(message, hint="add --output DIR")
        self.total = len(entries)
        self.resumed = 0
        self._done: dict[int, Outcome] = {}
        self._tasks: dict[int, Task] = {}
        files = [each.file for each in entries if isinstance(each, Task)]
        self._folder = None if output is None else ResultFolder(output, files)
        for position, entry in enumerate(entries):
            kept = self._kept(entry, resume=resume)
            if kept is not None:
                self._done[position] = kept
                self.resumed += isinstance(entry, Task)
            elif isinstance(entry, Task):
                self._tasks[position] = entry

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes so far, in the order of the inputs."""
        return tuple(self._done[position] for position in sorted(self._done))

    def run(self, runner: Runner) -> Iterator[Outcome]:
        """Run what has no outcome yet; yield each outcome as it comes, and keep it.

        Raises:
            ArgumentError: If a folder for an outcome cannot be made.
            PelicanError: If an outcome cannot be written.
            ClusterError: If the cluster does not answer, or has another version.
        """
        positions, tasks = list(self._tasks), list(self._tasks.values())
        if not tasks:
            return
        answers: Any = runner(tasks)
        with closing(answers):
            for index, answer in answers:
                lost = isinstance(answer, Lost)
                outcome = lost_outcome(tasks[index], answer) if lost else answer
                if self._folder is not None:
                    self._folder.write(outcome)
                self._done[positions[index]] = outcome
                yield outcome

    def _kept(self, entry: Task | Outcome, *, resume: bool) -> Outcome | None:
        """Return an outcome that needs no run."""
        if isinstance(entry, Outcome):
            return entry
        if self._folder is None or not resume:
            return None
        return self._folder.kept(entry)
