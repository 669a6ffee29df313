"""Work in local processes, one item at a time in each.

Each process has a pipe of its own, so that one that is killed loses the item that it
had and no other. (An executor of `concurrent.futures` gives up all of its items when
one of its processes dies, and cannot say which item it was.)
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from typing import Any, Final, TypeVar

from pelican_rotation.batch.lost import Lost

_SPAWN: Final = get_context("spawn")
"""New interpreters: no lock, thread or solver of this one is copied."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def usable_cores() -> int:
    """Return the number of cores that this process may use.

    >>> usable_cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_processes(
    work: Callable[[Item], Answer], items: Sequence[Item], *, jobs: int
) -> Iterator[tuple[int, Answer | Lost]]:
    """Yield the position and the answer of each item, as they come.

    When the iterator is closed or fails, its processes are killed.

    Args:
        work: A function that a new interpreter can import; so is its answer.
        items: What it is called with.
        jobs: Processes at a time, >= 1.

    >>> dict(in_processes(abs, [3, -4], jobs=1))
    {0: 3, 1: 4}
    """
    waiting = deque(enumerate(items))
    workers: list[_Worker] = []
    try:
        while waiting or workers:
            while waiting and len(workers) < jobs:
                workers.append(_started(work))
                workers[-1].give(*waiting.popleft())
            ready = wait([worker.connection for worker in workers])
            for worker in [each for each in workers if each.connection in ready]:
                position, answer = worker.position, worker.answer()
                if worker.ended or not waiting:
                    workers.remove(worker)
                    worker.stop()
                else:
                    worker.give(*waiting.popleft())
                yield position, answer
    finally:
        for worker in workers:
            worker.stop()


@dataclass(slots=True, eq=False)
class _Worker:
    """A process, and the position of the item that it has."""

    process: SpawnProcess
    connection: Connection
    position: int = -1
    ended: bool = False

    def give(self, position: int, item: object) -> None:
        """Send an item; a process that has ended says so when it is asked."""
        self.position = position
        with suppress(OSError):
            self.connection.send(item)

    def answer(self) -> Any:  # noqa: ANN401 - what the work returns
        """Return the answer, or that the process ended without one."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            self.ended = True
            self.process.join()
            return Lost(f"its process ended {_how(self.process.exitcode)}")

    def stop(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join()
        self.process.close()
        self.connection.close()


def _how(code: int | None) -> str:
    """Return how a process ended, in words."""
    if code is None or code >= 0:
        return f"with the exit code {code}"
    try:
        return f"by {signal.Signals(-code).name}"
    except ValueError:
        return f"by signal {-code}"


def _started(work: Callable[[Any], object]) -> _Worker:
    """Return a new process that waits for items."""
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=_serve, args=(theirs, work), daemon=True)
    ensure_running()  # else it is started with the process, and lets Ctrl-C through
    with _no_interrupt():
        process.start()
    theirs.close()
    return _Worker(process, ours)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Hold back what ends a batch; a process that is started meanwhile never gets it.

    A terminal or a supervisor sends it to all processes, and this one ends the others.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    ending = {signal.SIGINT, signal.SIGTERM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection, work: Callable[[Any], object]) -> None:
    """Answer items until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # A process that is gone takes no answer.
    with suppress(EOFError, BrokenPipeError):
        while True:
            item = connection.recv()
            try:
                answer = work(item)
            except Exception as error:
                answer = Lost(f"{type(error).__name__}: {error}")
            connection.send(answer)
