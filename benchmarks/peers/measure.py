"""Measure one library on one work, in this process.

    python -m benchmarks.peers.measure tvm ring

writes one JSON value. Figures are medians over runs, of processor time; each run
builds what no run built before, so that no cache answers. The time is that of the
thread, which does all of the work: under a limit of processor time, as `compare` sets
one, the clock of the process counts whole ticks of some milliseconds.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import statistics
import sys
from collections.abc import Callable, Sequence
from functools import partial
from time import thread_time as clock
from typing import Any, Final

from benchmarks.peers import works
from benchmarks.peers.adapters import NAMES
from benchmarks.peers.peer import Peer, builder

RUNS: Final = 5
RUN_SECONDS: Final = 0.1
FRESH: Final = 600
"""Sets of new variables for one fold."""
BULK_RUNS: Final = 15
"""Runs over a million points: each takes some milliseconds."""
FRESH_COMPILED: Final = 120
"""Expressions over new variables that are compiled."""

Figures = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the figures of the library and the work that are named."""
    options = argparse.ArgumentParser(
        description="Measure one library on one work: times in us, *_ns in ns.",
    )
    options.add_argument("peer", choices=NAMES, metavar=f"PEER: {', '.join(NAMES)}")
    options.add_argument("work", choices=WORKS, metavar=f"WORK: {', '.join(WORKS)}")
    chosen = options.parse_args(arguments)
    try:
        peer = load(chosen.peer)
    except ImportError as error:
        options.error(f"{chosen.peer} is not installed: {error}")
    found = {"label": peer.label(), "figures": WORKS[chosen.work](peer)}
    sys.stdout.write(json.dumps(found) + "\n")
    return 0


def load(name: str) -> Peer:
    """Return the adapter of a name in `benchmarks.peers.adapters`.

    Raises:
        ImportError: If its library is not installed.
    """
    module = importlib.import_module(f"benchmarks.peers.adapters.{name}")
    adapter: Peer = module.Adapter()
    return adapter


def ring(peer: Peer) -> float:
    """Return microseconds to build and simplify one ring address by operators."""
    variables = list(peer.variables(works.RING_SIZES).values())
    build = builder(peer, works.RING, [*works.RING_SIZES, "base", "step"])
    return _microseconds(
        lambda at: peer.simplified(build(*variables, *works.ring_numbers(at)))
    )


def folds(peer: Peer) -> Figures:
    """Return `folded` of each fold, or the name of what it raises."""
    found: Figures = {}
    for fold in works.FOLDS:
        try:
            found[fold.name] = folded(peer, fold)
        except Exception as error:
            found[fold.name] = type(error).__name__
    return found


def folded(peer: Peer, fold: works.Fold) -> Figures:
    """Return whether the least form comes out, and microseconds of new variables.

    The variables are made before the clock starts.
    """
    names = list(fold.sizes)
    build, least = (builder(peer, text, names) for text in (fold.text, fold.least))
    known = list(peer.variables(fold.sizes).values())
    got, hoped = peer.simplified(build(*known)), least(*known)
    if isinstance(hoped, int):  # a library whose constants are ints gives one, or not
        made = got == hoped or peer.text(got) == str(hoped)
    else:
        made = peer.equal(got, peer.simplified(hoped))
    fresh = [list(peer.variables(fold.sizes, f"_{at}").values()) for at in range(FRESH)]
    return {
        "folded": bool(made),
        "text": peer.text(got)[:80],
        "us": _microseconds(
            lambda at: peer.simplified(build(*fresh[at])), most=FRESH // (RUNS + 1)
        ),
    }


def summed(peer: Peer, count: int) -> Figures:
    """Return microseconds a term of a long sum of ring terms, made at once and by +."""
    variables = peer.variables(works.SUM_SIZES)
    build = {
        period: builder(peer, f"(step*x + base) % {period}", ["x", "step", "base"])
        for period in works.SUM_PERIODS
    }
    terms = [works.sum_term(at) for at in range(count)]

    def made() -> list[Any]:
        return [build[p](variables[x], step, base) for x, step, base, p in terms]

    def by_plus(parts: Sequence[Any]) -> Any:
        return sum(parts[1:], parts[0])

    return {
        "at_once": _once(lambda: peer.simplified(peer.total(made()))) / count * 1e6,
        "by_plus": _once(lambda: peer.simplified(by_plus(made()))) / count * 1e6,
    }


def evaluated(peer: Peer) -> Figures:
    """Return what a value costs: by a walk, compiled, and over a million points."""
    variables = peer.variables(works.POINT_SIZES)
    build = builder(peer, works.POINT, list(works.POINT_SIZES))
    built = build(*variables.values())
    found: Figures = {"walk_us": None, "call_us": None}
    if peer.value(built, variables, _point(0)) is not None:
        for at in range(20):
            _must_equal(peer.value(built, variables, _point(at)), _truth(_point(at)))
        found["walk_us"] = _microseconds(
            lambda at: peer.value(built, variables, _point(at))
        )
    function = peer.compiled(built, variables)
    if function is not None:
        found["compile_us"] = _compilation(peer)
        values = tuple(_point(7).values())
        _must_equal(function(*values), _truth(_point(7)))
        found["call_us"] = _microseconds(lambda _at: function(*values), most=100_000)
    for key, make in (("bulk_ns", peer.bulk), ("machine_ns", peer.machine)):
        over_arrays = make(built, variables)
        found[key] = None if over_arrays is None else _bulk(over_arrays)
    return found


def _compilation(peer: Peer) -> float:
    """Return microseconds to compile an expression that was never compiled."""
    build = builder(peer, works.POINT, list(works.POINT_SIZES))
    fresh = [
        peer.variables(works.POINT_SIZES, f"_{at}") for at in range(FRESH_COMPILED)
    ]
    built = [build(*variables.values()) for variables in fresh]
    return _microseconds(
        lambda at: peer.compiled(built[at], fresh[at]),
        most=FRESH_COMPILED // (RUNS + 1),
    )


def _bulk(function: Callable[..., Any]) -> float:
    """Return nanoseconds a point over a million points; each value is checked.

    The check comes first, so that machine code is made before the clock starts.
    """
    import numpy as np  # noqa: PLC0415 - other works are measured without it

    draw = np.random.default_rng(1)
    columns = [
        draw.integers(0, size, works.BULK_POINTS) for size in works.POINT_SIZES.values()
    ]
    truth = eval(works.POINT, dict(zip(works.POINT_SIZES, columns, strict=True)))
    if not bool((np.asarray(function(*columns)) == truth).all()):
        raise ValueError("wrong values")
    return _once(lambda: function(*columns), BULK_RUNS) / works.BULK_POINTS * 1e9


def compared(peer: Peer) -> Figures:
    """Return microseconds of `==` and `hash` of equal results that were built apart."""
    variables = list(peer.variables(works.PAIR_SIZES).values())
    build = builder(peer, works.PAIR, list(works.PAIR_SIZES))
    one, other = (peer.simplified(build(*variables)) for _ in range(2))
    if not peer.equal(one, other):
        raise ValueError("equal expressions are not equal")
    return {
        "equal_us": _microseconds(lambda _at: peer.equal(one, other), most=50_000),
        "hash_us": _microseconds(lambda _at: hash(one), most=50_000),
    }


def _point(at: int) -> dict[str, int]:
    return {"i": at % 1000, "j": (at * 7 + 3) % 1000, "k": (at * 13 + 5) % 1000}


def _truth(point: dict[str, int]) -> int:
    return int(eval(works.POINT, dict(point)))


def _must_equal(got: object, truth: int) -> None:
    if got != truth:
        raise ValueError(f"wrong value: {got}, not {truth}")


def _microseconds(work: Callable[[int], object], most: int = 5_000) -> float:
    """Return the median of processor time for one work; each gets another number."""
    begin, probes = clock(), 0
    while clock() - begin < RUN_SECONDS / 10 and probes < most // 10:
        work(probes)
        probes += 1
    each = (clock() - begin) / max(1, probes)
    count = max(1, min(most, int(RUN_SECONDS / max(each, 1e-8))))
    taken, at = [], probes
    for _ in range(RUNS):
        gc.collect()
        begin = clock()
        for number in range(at, at + count):
            work(number)
        taken.append((clock() - begin) / count * 1e6)
        at += count
    return statistics.median(taken)


def _once(work: Callable[[], object], runs: int = 3) -> float:
    """Return the median of processor seconds of a long work over some runs."""
    taken = []
    for _ in range(runs):
        gc.collect()
        begin = clock()
        work()
        taken.append(clock() - begin)
    return statistics.median(taken)


WORKS: Final[dict[str, Callable[[Peer], Any]]] = {
    "ring": ring,
    "folds": folds,
    **{f"sum-{count}": partial(summed, count=count) for count in works.SUM_COUNTS},
    "point": evaluated,
    "pair": compared,
}
"""What can be measured, by name."""


if __name__ == "__main__":
    sys.exit(main())
