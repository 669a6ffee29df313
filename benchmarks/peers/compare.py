"""pelican beside its peers: every work, every library, one run.

    python -m benchmarks.peers.compare --rounds 3

Each library does each work in a process of its own, which is ended after a time of the
processor; the rounds go over all of them, and a figure is the median of the rounds, one
that was ended being the longest. Libraries that
are not installed are left out, with a line on standard error. `ratio` is pelican's
figure divided by the peer's: below 1 pelican is faster.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.peers import works
from benchmarks.peers.adapters import NAMES
from benchmarks.peers.measure import WORKS

LIMIT_SECONDS: Final = 60
"""Time of the processor for one work."""

WAIT_SECONDS: Final = 10 * LIMIT_SECONDS
"""Time for one work, however little of the processor it gets."""

OURS: Final = "pelican"
SLOW: Final = f"over {LIMIT_SECONDS} s"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    Attributes:
        title: What is measured, with its unit.
        figures: Figure of each peer; a word where there is none.
    """

    title: str
    figures: Mapping[str, float | str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write the table."""
    options = argparse.ArgumentParser(description="pelican beside its peers.")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--peers", nargs="*", default=list(NAMES))
    chosen = options.parse_args(arguments)
    peers = [name for name in chosen.peers if installed(name)]
    rounds = [{peer: figures_of(peer) for peer in peers} for _ in range(chosen.rounds)]
    sys.stdout.write(table(rows(rounds), peers))
    return 0


def figures_of(peer: str) -> dict[str, Any]:
    """Return what one library gives for each work.

    A sum is not tried after a shorter one that took too long.
    """
    found: dict[str, Any] = {}
    shorter: Any = None
    for work in WORKS:
        is_sum = work.startswith("sum-")
        if is_sum and isinstance(shorter, str):
            found[work] = shorter
            continue
        found[work] = measured(peer, work)
        shorter = found[work] if is_sum else None
        sys.stderr.write(f"{peer} {work}\n")
    return found


def installed(peer: str) -> bool:
    """Tell whether a library can be imported; say so if not."""
    code = f"import benchmarks.peers.adapters.{peer}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, text=True
    )
    if done.returncode:
        sys.stderr.write(f"{peer}: {done.stderr.splitlines()[-1]}\n")
    return not done.returncode


def measured(peer: str, work: str) -> Any:
    """Return the figures of one work in a process of its own, or a word."""
    command = [sys.executable, "-m", "benchmarks.peers.measure", peer, work]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=WAIT_SECONDS,
            check=True,
            text=True,
            preexec_fn=_limit,
        )
    except subprocess.TimeoutExpired:
        return SLOW
    except subprocess.CalledProcessError as error:
        if error.returncode == -signal.SIGXCPU:
            return SLOW
        return error.stderr.splitlines()[-1].split(":")[0]
    return json.loads(done.stdout.splitlines()[-1])["figures"]


def _limit() -> None:
    """Let this process be ended after a time of the processor."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS, most))


def rows(rounds: Sequence[Mapping[str, Mapping[str, Any]]]) -> list[Row]:
    """Return the lines of the table, medians over the rounds."""

    def line(title: str, work: str, *path: str) -> Row:
        return Row(
            title,
            {
                peer: _median(_at(found[peer][work], path) for found in rounds)
                for peer in rounds[0]
            },
        )

    folds = [fold.name for fold in works.FOLDS]
    made = {
        peer: sum(
            _at(rounds[0][peer]["folds"], (fold, "folded")) is True for fold in folds
        )
        for peer in rounds[0]
    }
    times = [line(fold, "folds", fold, "us") for fold in folds]
    median = {
        peer: _median(row.figures[peer] for row in times if not _is_word(row, peer))
        for peer in rounds[0]
    }
    sums = [
        line(f"sum of {count} terms, {way}, us a term", f"sum-{count}", key)
        for way, key in (("at once", "at_once"), ("one by one", "by_plus"))
        for count in works.SUM_COUNTS
    ]
    return [
        line("ring address, us", "ring"),
        Row(f"folds made, of {len(folds)}", {p: str(n) for p, n in made.items()}),
        Row("fold, median, us", median),
        *sums,
        line("value at a point by a walk, us", "point", "walk_us"),
        line("value at a point compiled, us", "point", "call_us"),
        line("compilation, us", "point", "compile_us"),
        line("value at 10^6 points, ns a point", "point", "bulk_ns"),
        line("the same by machine code, ns a point", "point", "machine_ns"),
        line("== of equal expressions, us", "pair", "equal_us"),
        line("hash, us", "pair", "hash_us"),
    ]


def _is_word(row: Row, peer: str) -> bool:
    return isinstance(row.figures[peer], str)


def _at(found: Any, path: Sequence[str]) -> Any:
    """Return what stands under a path; a word is passed on, nothing is "-"."""
    for key in path:
        if not isinstance(found, dict):
            return found
        found = found.get(key)
    return "-" if found is None else found


def _median(figures: Iterable[Any]) -> float | str:
    found: list[float | str] = list(figures)
    words = [figure for figure in found if isinstance(figure, str)]
    if 2 * len(words) >= len(found):
        return words[0] if words else "-"
    numbers = [math.inf if isinstance(figure, str) else figure for figure in found]
    return statistics.median(numbers)


def table(lines: Sequence[Row], peers: Sequence[str]) -> str:
    """Return a Markdown table: each peer's figure, and pelican's divided by it."""
    head = f"| work | {' | '.join(peers)} |\n|---|{'---|' * len(peers)}\n"
    return head + "".join(
        f"| {row.title} | {' | '.join(_cell(row, peer) for peer in peers)} |\n"
        for row in lines
    )


def _cell(row: Row, peer: str) -> str:
    theirs, ours = row.figures[peer], row.figures.get(OURS)
    if isinstance(theirs, str):
        return theirs
    if peer == OURS or isinstance(ours, str) or ours is None or not theirs:
        return f"{theirs:.3g}"
    return f"{theirs:.3g} (ratio {ours / theirs:.2g})"


if __name__ == "__main__":
    sys.exit(main())
