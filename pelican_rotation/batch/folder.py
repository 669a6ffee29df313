"""A folder of results: one JSON file for each kernel, whole or not there."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from pelican.schema import SCHEMA
from pelican_rotation.batch.errors import WorkerError
from pelican_rotation.batch.task import Outcome, Task
from pelican_rotation.exits import EXIT_CODES
from pelican_rotation.files import write_text
from rotation.errors import ArgumentError
from rotation.running.result import plain


class ResultFolder:
    """Where the results of a batch are kept.

    The kernel `k` of the file ``F`` has the file ``F/k.json`` in it, where ``F`` starts
    below the deepest folder that holds all files of the batch.

    Args:
        path: The folder; it is made if it is not there.
        files: The files of the batch.

    Raises:
        ArgumentError: If the folder cannot be made, or a file stands where one of its
            folders would, such as a file of the batch.
    """

    def __init__(self, path: str, files: Sequence[str]) -> None:
        parents = {os.path.dirname(os.path.abspath(file)) for file in files}
        self._path = path
        self._root = os.path.commonpath(parents) if parents else os.path.abspath(".")
        for file in files:
            self._require_room(file)
        _make(path)

    def file(self, task: Task | Outcome) -> str:
        """Return the path of the file of a kernel."""
        return os.path.join(self._folder(task.file), f"{task.kernel}.json")

    def _folder(self, file: str) -> str:
        """Return the path of the folder for the kernels of a file."""
        return os.path.join(
            self._path, os.path.relpath(os.path.abspath(file), self._root)
        )

    def _require_room(self, file: str) -> None:
        """Raise an `ArgumentError` if a file is in the way of a folder of results."""
        folder = Path(self._folder(file))
        for place in (folder, *folder.parents):
            if place.is_file():
                message = f"the results of {file} have no place in {self._path!r}"
                hint = f"{str(place)!r} is a file: name another folder after --output"
                raise ArgumentError(message, hint=hint)

    def write(self, outcome: Outcome) -> None:
        """Keep the outcome of a kernel.

        Raises:
            ArgumentError: If a folder in it cannot be made.
            PelicanError: If the file cannot be written.
        """
        file = self.file(outcome)
        _make(os.path.dirname(file))
        document = {"schema": SCHEMA, **outcome_fields(outcome)}
        write_text(file, json.dumps(document, indent=2) + "\n", "--output")

    def kept(self, task: Task) -> Outcome | None:
        """Return the outcome that is kept for exactly this kernel and these options.

        None if there is none, or if it tells only that a process was lost.
        """
        try:
            text = Path(self.file(task)).read_text(encoding="utf-8")
            document = json.loads(text)
            outcome = Outcome(**{name: document[name] for name in _FIELDS})
            return outcome if _is_of(task, outcome) else None
        except (OSError, *_NO_RESULT):
            return None  # not there, or written by something else: it is run again


def _is_of(task: Task, outcome: Outcome) -> bool:
    """Tell whether an outcome that was read is that of a task, and answers it."""
    lost = any(each["type"] == WorkerError.__name__ for each in outcome.errors)
    whole = bool(outcome.errors) or outcome.result is not None
    if outcome.result is not None:
        whole &= outcome.result.keys() >= {"schedule", "hazards", "refusals"}
    ours = task.file, task.kernel, task.key
    theirs = outcome.file, outcome.kernel, outcome.key
    return whole and not lost and ours == theirs and outcome.exit_code in EXIT_CODES


_NO_RESULT = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What a file raises that something else has written."""

_FIELDS = tuple(field.name for field in fields(Outcome))


def outcome_fields(outcome: Outcome) -> dict[str, Any]:
    """Return the JSON fields of an outcome.

    >>> outcome_fields(Outcome("a.kernel", "k", None, 0, 0.5))["errors"]
    []
    """
    return {name: plain(getattr(outcome, name)) for name in _FIELDS}


def _make(folder: str) -> None:
    """Make a folder and those above it.

    Raises:
        ArgumentError: If the system does not let it.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot make the folder {folder!r}: {error.strerror}"
        raise ArgumentError(message, hint="name another one after --output") from None
