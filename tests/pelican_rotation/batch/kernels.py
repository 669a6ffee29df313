"""Small kernels for the tests of batches, and work that ends its process."""

import os
import signal
import sys
import time
from importlib.metadata import version
from pathlib import Path

from pelican_rotation.batch.task import PACKAGE, Outcome, Task, run_task

FITS = """kernel NAME on planning {
  dram x [128, 64] fp32 input
  dram z [128, 64] fp32 output
  sb t [128, 64] fp32
  ld: dma.load t <- x
  st: dma.store z <- t
}
"""
"""Two operations, and all holds."""

TOO_LARGE = FITS.replace("64]", "100000]")
"""It is refused, in a millisecond."""


def task(text: str, name: str, file: str = "a.kernel") -> Task:
    """Return the task of a kernel that is called NAME in its text."""
    text = text.replace("NAME", name)
    return Task(file, text, name, None, {}, version(PACKAGE))


def write(folder: Path, **texts: str) -> None:
    """Write kernels into a folder, each named as its file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.kernel").write_text(text.replace("NAME", name), "utf-8")


def untimed(value: object) -> object:
    """Return JSON values without what varies between runs."""
    if isinstance(value, dict):
        return {k: untimed(v) for k, v in value.items() if k != "seconds"}
    if isinstance(value, list):
        return [untimed(each) for each in value]
    return value


def killing(task: Task) -> Outcome:
    """Run a kernel; one that is called `killer` ends the process like a crash."""
    if task.kernel == "killer":
        os.kill(os.getpid(), signal.SIGKILL)
    return run_task(task)


def sleeping(task: Task) -> Outcome:
    """Run a kernel; one that is called `sleeper` says who it is, and sleeps."""
    if task.kernel == "sleeper":
        Path("sleeper.new").write_text(str(os.getpid()))
        Path("sleeper.new").rename("sleeper.pid")
        time.sleep(600)
    return run_task(task)


def version_there(package: str) -> str:
    """Return another version where the tests run than where a worker does."""
    return "0.0" if "pytest" in sys.modules else version(package)


def worker_address(_: int) -> str:
    """Return where the worker that runs this listens."""
    from distributed import get_worker  # noqa: PLC0415 - an extra

    return str(get_worker().address)


def unknown_there(package: str) -> str:
    """Return a version where the tests run; a worker has no such package."""
    if "pytest" not in sys.modules:
        raise ModuleNotFoundError(package)
    return "1"
