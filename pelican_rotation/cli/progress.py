"""What a command is doing, while it takes longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Final

QUIET_S: Final = 1.0
"""Work that takes no longer shows nothing [s]."""


class Progress:
    """The present step of some work, for whoever shows it.

    >>> progress = Progress("prove")
    >>> progress.step("claim 2 of 3")
    >>> progress.text
    'prove: claim 2 of 3'
    """

    def __init__(self, work: str) -> None:
        self._work = work
        self.text = work

    def step(self, words: str) -> None:
        """Say what is done now."""
        self.text = f"{self._work}: {words}"


@contextmanager
def progress(work: str, *, prints: bool = False) -> Iterator[Progress]:
    """Show what is done on standard error, while the block runs.

    Nothing is shown in the first second, or where standard error is no terminal. What
    was shown is wiped at the end.

    Args:
        work: What the block does, in a few words.
        prints: True if the block prints lines itself; on a terminal they are what
            shows how far it is.

    >>> with progress("prove") as shown:
    ...     shown.step("lemma 1 of 40")
    """
    state = Progress(work)
    if not _shows() or (prints and sys.stdout.isatty()):
        yield state
        return
    done = Event()
    watcher = Thread(target=_show, args=(state, done), daemon=True)
    watcher.start()
    try:
        yield state
    finally:
        done.set()
        # Ctrl-C here must still end the program.
        with suppress(RuntimeError):
            watcher.join()


def _shows() -> bool:
    """Return whether somebody looks at standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


def _show(state: Progress, done: Event) -> None:
    """Show the state, from a second after the start until it is done."""
    if done.wait(QUIET_S):
        return
    from rich.console import Console  # noqa: PLC0415 - not for short work
    from rich.progress import Progress as Bar  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    # Standard output stays where it goes: it may be a file.
    with Bar(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(state.text, total=None)
        while not done.wait(0.1):
            bar.update(task, description=state.text)
