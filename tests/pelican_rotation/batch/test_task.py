"""One kernel: what comes of it is what `rotation run` says of it."""

import os
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Lock

import pytest

from pelican_rotation.batch import task as module
from pelican_rotation.batch.errors import WorkerError
from pelican_rotation.batch.lost import Lost
from pelican_rotation.batch.task import lost_outcome, run_task
from rotation import run
from rotation.machine.machine import get_machine
from rotation.running.result import Result, to_json
from rotation.text.parse import parse
from tests.pelican_rotation.batch.kernels import FITS, TOO_LARGE, task, untimed


def test_the_result_is_that_of_a_run():
    """The same object, and the same exit code."""
    (function,) = parse(FITS.replace("NAME", "k"), "a.kernel")
    outcome = run_task(task(FITS, "k"))

    assert untimed(to_json(run(function))) == untimed(outcome.result)
    assert (outcome.file, outcome.kernel, outcome.exit_code) == ("a.kernel", "k", 0)


def test_a_kernel_that_does_not_fit_has_a_result_that_says_so():
    """As with `rotation run --json`."""
    outcome = run_task(task(TOO_LARGE, "k"))

    assert (outcome.exit_code, outcome.errors) == (2, ())
    assert outcome.result["verdict"] == "refused"


def test_another_machine_is_named_in_what_is_refused():
    """By its name where it is not one of the project."""
    mine = replace(get_machine("planning"), name="mine")
    outcome = run_task(replace(task(TOO_LARGE, "k"), machine=mine))

    assert outcome.result["machine"] == "mine"


def test_a_machine_that_is_not_there_is_an_error_of_the_kernel():
    """There is no result."""
    outcome = run_task(task(FITS.replace("planning", "trn22"), "k"))

    assert (outcome.exit_code, outcome.result) == (2, None)
    assert outcome.errors[0]["message"] == "no machine 'trn22'"


def test_a_fault_of_the_program_is_that_of_one_kernel(monkeypatch: pytest.MonkeyPatch):
    """It is not decided, and says how to see more."""

    def broken(*_args: object, **_options: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(module, "run", broken)
    outcome = run_task(task(FITS, "k"))
    (error,) = outcome.errors

    assert (outcome.exit_code, outcome.result) == (3, None)
    assert error["message"].endswith("it failed with ZeroDivisionError: by zero")
    assert error["hint"] == "try it alone: rotation run a.kernel k"


def test_a_process_runs_one_kernel_at_a_time(monkeypatch: pytest.MonkeyPatch):
    """Whatever threads a worker of a cluster has."""
    inside = Lock()

    def alone(*_args: object, **_options: object) -> Result:
        assert inside.acquire(blocking=False)
        time.sleep(0.01)
        inside.release()
        return Result("k", "planning", "accepted", ())

    monkeypatch.setattr(module, "run", alone)
    with ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(run_task, 4 * [task(FITS, "k")]))

    assert [each.exit_code for each in outcomes] == [0, 0, 0, 0]


def test_another_version_runs_nothing():
    """A worker that joins late may have one."""
    with pytest.raises(WorkerError, match=r"cannot run what 0\.0 asks for"):
        run_task(replace(task(FITS, "k"), version="0.0"))


def test_a_lost_kernel_is_not_decided():
    """Nobody knows whether it is right."""
    outcome = lost_outcome(task(FITS, "k"), Lost("its process ended by SIGKILL"))

    assert outcome.exit_code == 3
    assert outcome.errors[0]["type"] == "WorkerError"
    assert "ended by SIGKILL" in outcome.errors[0]["message"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("file", "b.kernel"),
        ("text", "kernel k on trn2 {}"),
        ("machine", "trn2"),
        ("machine", get_machine("planning")),
        ("options", {"policy": "modelled"}),
        ("version", "0.0"),
    ],
)
def test_a_key_is_of_all_that_decides_the_result(field: str, value: object):
    """A change of one gives another key."""
    one = task(FITS, "k")

    assert one.key == task(FITS, "k").key
    assert one.key != replace(one, **{field: value}).key


def test_a_key_is_the_same_in_every_process():
    """With the table of a machine in it, and whatever the order of hashes is."""
    one = replace(task(FITS, "k"), machine=get_machine("trn2"))
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).key)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps(one),
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
    )

    assert done.stdout.decode().strip() == one.key
