"""A Dask cluster: every kernel is answered once, whatever happens to a worker."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from distributed import KilledWorker

from pelican_rotation.batch import cluster as module
from pelican_rotation.batch.cluster import on_cluster, require_library
from pelican_rotation.batch.errors import ClusterError
from pelican_rotation.batch.folder import outcome_fields
from pelican_rotation.batch.lost import Lost
from pelican_rotation.batch.task import run_task
from rotation import ArgumentError
from tests.pelican_rotation.batch.kernels import (
    FITS,
    TOO_LARGE,
    task,
    unknown_there,
    untimed,
    version_there,
    worker_address,
)

ROOT = Path(__file__).parents[3]
START_S = 120
"""Most that the start of a scheduler may take on a busy machine."""


@dataclass
class Cluster:
    """A scheduler, and two worker processes of one thread."""

    address: str
    workers: list[subprocess.Popen]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a cluster on this machine, and end it."""
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    common = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--no-dashboard"]
    scheduler = start("scheduler", *common, "--port", "0", folder=folder)
    options = ("--nthreads", "1", "--no-nanny")
    workers = [start("worker", *common, *options, folder=folder) for _ in range(2)]
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "ANSWER_S", START_S)
            yield Cluster(json.loads(written(file))["address"], workers)
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def start(program: str, *words: str, folder: Path) -> subprocess.Popen:
    """Start a program of the library."""
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{program}", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def written(file: Path) -> str:
    """Return the text of a file, as soon as all of it is there."""
    end = time.monotonic() + START_S
    while not (file.exists() and file.read_text().endswith("}")):
        assert time.monotonic() < end, "the scheduler does not start"
        time.sleep(0.05)
    return file.read_text()


def kernels() -> list[tuple[str, str]]:
    """Return texts and names of 200 kernels, most of which are refused at once."""
    return [(TOO_LARGE if n % 4 else FITS, f"k{n}") for n in range(200)]


def test_every_kernel_is_answered_once_though_a_worker_is_killed(cluster: Cluster):
    """In the middle, with a kernel in work and others done; as if run here."""
    tasks = [task(text, name) for text, name in kernels()]
    answers: dict[int, object] = {}
    positions = []
    for position, answer in on_cluster(run_task, tasks, address=cluster.address):
        positions.append(position)
        answers[position] = untimed(outcome_fields(answer))
        if len(positions) == 60:
            cluster.workers[0].kill()
    cluster.workers[0].wait()
    local = [untimed(outcome_fields(run_task(tasks[n]))) for n in (0, 1)]

    assert sorted(positions) == list(range(200))
    for n, each in enumerate(tasks):
        like = min(n % 4, 1)
        here = renamed(local[like], tasks[like].kernel, each.kernel)
        assert {**here, "key": each.key} == answers[n]


def renamed(value: object, old: str, new: str) -> object:
    """Return JSON values with another name of the kernel."""
    return json.loads(json.dumps(value).replace(f'"{old}"', f'"{new}"'))


def test_a_worker_of_another_version_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
):
    """Before anything is run; it says what to install."""
    monkeypatch.setattr(module, "version", version_there)

    with pytest.raises(ClusterError, match=r"pelican-rotation .*, and this is 0\.0"):
        list(on_cluster(run_task, [], address=cluster.address))


def test_a_worker_without_the_package_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
):
    """What it says is shown."""
    monkeypatch.setattr(module, "PACKAGE", "no-such-package")
    monkeypatch.setattr(module, "version", unknown_there)

    with pytest.raises(ClusterError, match="has no no-such-package") as refused:
        list(on_cluster(run_task, [], address=cluster.address))
    assert refused.value.hint.endswith("pip install 'no-such-package==1'")


def test_a_worker_that_cannot_be_reached_is_no_other_version():
    """It takes no kernel; the scheduler will see that it is gone."""
    found = {"tcp://127.0.0.1:1": OSError("gone")}

    module._require_versions(SimpleNamespace(run=lambda *_, **__: found))


def test_a_notebook_may_ask_a_cluster():
    """It has a loop of its own."""

    async def cell() -> None:
        list(on_cluster(run_task, [], address="nonsense"))

    with pytest.raises(ClusterError, match="missing port number"):
        asyncio.run(cell())


def test_the_address_of_a_worker_is_refused(cluster: Cluster):
    """It would take no work."""
    ((_, address),) = on_cluster(worker_address, [0], address=cluster.address)

    with pytest.raises(ClusterError, match="is the address of a worker"):
        list(on_cluster(worker_address, [0], address=address))


@pytest.mark.parametrize("address", ["nonsense", "http://host:1", "127.0.0.1:1", ""])
def test_an_address_without_scheduler_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
):
    """Within a few seconds."""
    monkeypatch.setattr(module, "ANSWER_S", 0.2)

    with pytest.raises(ClusterError, match="no scheduler answers at"):
        list(on_cluster(run_task, [], address=address))


def test_something_else_that_listens_is_no_scheduler(monkeypatch: pytest.MonkeyPatch):
    """It says nothing that one would say."""
    monkeypatch.setattr(module, "ANSWER_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"

        with pytest.raises(ClusterError, match="no scheduler answers at"):
            list(on_cluster(run_task, [], address=address))


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (KilledWorker("k", None, 4), "every worker that ran it ended"),
        (CancelledError(), "the scheduler gave it up"),
        (ValueError("four"), "ValueError: four"),
    ],
)
def test_an_item_without_answer_says_why(error: Exception, reason: str):
    """The others go on."""

    def result() -> None:
        raise error

    answer = module._answer(SimpleNamespace(result=result))

    assert isinstance(answer, Lost)
    assert reason in answer.reason


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    """Clusters are an extra."""
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(ArgumentError, match="needs the library distributed") as refused:
        require_library()
    assert refused.value.hint.endswith("pip install 'pelican-rotation[cluster]'")
