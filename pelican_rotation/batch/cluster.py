"""Work on the workers of a Dask cluster (extra ``cluster``)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pelican_rotation.batch.errors import ClusterError
from pelican_rotation.batch.lost import Lost
from pelican_rotation.batch.task import PACKAGE
from rotation.errors import ArgumentError

if TYPE_CHECKING:
    from distributed import Client, Future

ANSWER_S: Final = 5
"""A scheduler that answers no sooner is not there [s]."""

RETRIES: Final = 2
"""How often an item is tried again after it failed on a worker.

The items of a worker that is lost are given to others in any case, each of them as
often as the scheduler's ``allowed-failures`` says.
"""

_LOGGERS: Final = ("distributed", "distributed.client")
"""Those that the library gives a level of their own."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def on_cluster(
    work: Callable[[Item], Answer], items: Sequence[Item], *, address: str
) -> Iterator[tuple[int, Answer | Lost]]:
    """Yield the position and the answer of each item once, as they come.

    When the iterator is closed or fails, no further item is begun.

    Args:
        work: A function that the workers can import.
        items: What it is called with; the workers get them from here.
        address: Where the scheduler listens, such as ``tcp://10.0.0.1:8786``.

    Raises:
        ArgumentError: If the library is not installed.
        ClusterError: If no scheduler answers there, or a worker has another version
            of this package, or none.
    """
    require_library()
    from distributed import Client, as_completed  # noqa: PLC0415 - an extra, and heavy

    with _quiet():
        _require_scheduler(address)
        try:
            client = Client(address, timeout=ANSWER_S, set_as_default=False)
        except (OSError, ValueError) as error:
            raise _no_scheduler(address, error) from None
        with client:
            _require_versions(client)
            positions = {
                client.submit(work, item, pure=False, retries=RETRIES): position
                for position, item in enumerate(items)
            }
            for future in as_completed(list(positions), loop=client.loop):
                yield positions.pop(future), _answer(future)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library's own words, tracebacks among them, from standard error.

    What matters in them is an answer or an error here.
    """
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def require_library() -> None:
    """Raise unless clusters can be talked to.

    Raises:
        ArgumentError: If the library is not installed.
    """
    try:
        import distributed  # noqa: F401, PLC0415 - an extra, and heavy
    except ImportError:
        message = "--scheduler needs the library distributed, which is not installed"
        hint = "install the extra: pip install 'pelican-rotation[cluster]'"
        raise ArgumentError(message, hint=hint) from None


def _require_scheduler(address: str) -> None:
    """Raise unless a scheduler answers.

    A client that has nobody to talk to goes on trying when it is given up, so that
    the address is asked without one.
    """
    # A notebook has a loop of its own in this thread.
    with ThreadPoolExecutor(max_workers=1) as thread:
        asked = thread.submit(asyncio.run, asyncio.wait_for(_kind(address), ANSWER_S))
    try:
        kind = asked.result()
    except (OSError, ValueError) as error:  # a timeout is the former
        raise _no_scheduler(address, error) from None
    if kind != "Scheduler":
        message = f"{address!r} is the address of a {kind.lower()}, not of a scheduler"
        raise ClusterError(message, hint="give the one that `dask scheduler` prints")


def _no_scheduler(address: str, error: Exception) -> ClusterError:
    why = str(error) or f"nothing came within {ANSWER_S} s"
    message = f"no scheduler answers at {address!r}: {why}"
    hint = "give the address that `dask scheduler` prints, such as tcp://host:8786"
    return ClusterError(message, hint=hint)


async def _kind(address: str) -> str:
    """Return what listens at an address, in the word of the library."""
    from distributed import rpc  # noqa: PLC0415 - an extra, and heavy
    from distributed.security import Security  # noqa: PLC0415

    arguments = Security().get_connection_args("client")
    async with rpc(address, timeout=ANSWER_S, connection_args=arguments) as there:
        return str((await there.identity())["type"])


def _require_versions(client: Client) -> None:
    """Raise unless all workers have this version of the package."""
    ours = version(PACKAGE)
    found: dict[str, object] = client.run(version, PACKAGE, on_error="return")
    for worker, theirs in sorted(found.items()):
        # A worker that cannot be reached takes no kernel.
        if theirs == ours or isinstance(theirs, OSError):
            continue
        if isinstance(theirs, Exception):
            what = f"no {PACKAGE} ({type(theirs).__name__}: {theirs})"
        else:
            what = f"{PACKAGE} {theirs}, and this is {ours}"
        hint = f"install it where the workers run: pip install '{PACKAGE}=={ours}'"
        raise ClusterError(f"the worker {worker} has {what}", hint=hint)


def _answer(future: Future[Any]) -> Any:  # noqa: ANN401 - what the work returns
    """Return the answer of an item that is finished, or why there is none."""
    from distributed import KilledWorker  # noqa: PLC0415 - an extra, and heavy

    try:
        return future.result()
    except KilledWorker:
        return Lost("every worker that ran it ended before it was done")
    except CancelledError:
        return Lost("the scheduler gave it up, or is gone")
    except Exception as error:
        return Lost(f"{type(error).__name__}: {error}")
