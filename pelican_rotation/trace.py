"""A run as Chrome trace events, which trace viewers such as Perfetto load.

Each program is a process: 1 the result, 2 the one without rotation. Each engine is a
thread, each instruction a complete event, each dependence a flow, and each memory a
counter.

Source: Trace Event Format (Google, 2016): phases M, X, s, f and C; times in
microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pelican_rotation.report.columns import engines_of, iteration_text, writes_text
from rotation.loop_form.kernel import EdgeKind
from rotation.passes.base import State
from rotation.placement.binding import PLACED, UNITS, unit_bytes
from rotation.running.residence import live_bytes, residences_of
from rotation.running.result import Result
from rotation.running.timeline import InstructionReport, timeline_of

NS_PER_US: Final = 1000
"""Nanoseconds in the format's unit of time."""

INSIDE_NS: Final = 2
"""A flow leaves a box so long before its end: viewers round times to whole ns.

A viewer binds a flow to the box that is open at its time, and a box is no longer open
at its end.
"""

PROCESSES: Final = (("after", "after rotation"), ("before", "before rotation"))
"""The programs, in the order of their processes."""

Event = dict[str, Any]


def trace_document(result: Result) -> dict[str, Any]:
    """Return the JSON object of a trace of a run.

    Of a file with several kernels each has processes of its own.

    Args:
        result: What a run found; one that is refused gives no events.

    >>> from rotation import load, run
    >>> trace = trace_document(run(load("examples/stream_add.kernel")))
    >>> sorted({event["ph"] for event in trace["traceEvents"]})
    ['C', 'M', 'X', 'f', 's']
    """
    events: list[Event] = []
    process = 0
    for each in result.functions or (result,):
        for name, words in PROCESSES:
            process += 1
            state = each.after if name == "after" else each.before
            if state is not None:
                title = f"{each.kernel} on {each.machine}, {words}"
                events += _process(state, process, title)
    return {"traceEvents": events, "displayTimeUnit": "ns"}


def _process(state: State, process: int, title: str) -> Iterator[Event]:
    """Yield the events of one program: names first, then by time."""
    rows = timeline_of(state)
    engines = engines_of(rows)
    yield _named("process_name", process, 0, {"name": title})
    yield _named("process_sort_index", process, 0, {"sort_index": process})
    for thread, engine in enumerate(engines, start=1):
        yield _named("thread_name", process, thread, {"name": engine})
        yield _named("thread_sort_index", process, thread, {"sort_index": thread})
    events = [
        *_slices(rows, engines, process),
        *_flows(state, rows, engines, process),
        *_counters(state, process),
    ]
    # The sort is stable: a box stands before the flows at its start.
    yield from sorted(events, key=lambda event: event["ts"])


def _named(name: str, process: int, thread: int, args: Event) -> Event:
    return {"ph": "M", "name": name, "pid": process, "tid": thread, "args": args}


def _us(time_ns: float) -> float:
    """Return nanoseconds in the format's unit, exact to a picosecond."""
    return round(time_ns / NS_PER_US, 6)


def _slices(
    rows: tuple[InstructionReport, ...], engines: list[str], process: int
) -> Iterator[Event]:
    for each in rows:
        yield {
            "ph": "X",
            "name": each.operation,
            "cat": each.engine,
            "pid": process,
            "tid": engines.index(each.engine) + 1,
            "ts": _us(each.start_ns),
            "dur": _us(each.busy_end_ns - each.start_ns),
            "args": {
                "row": each.row,
                "iteration": iteration_text(each.iteration),
                "line": each.line,
                "writes": writes_text(each.writes),
                "complete_ns": each.complete_ns,
            },
        }


def _flows(
    state: State,
    rows: tuple[InstructionReport, ...],
    engines: list[str],
    process: int,
) -> Iterator[Event]:
    """Yield the two ends of each dependence."""
    if state.edges is None:
        return
    by_row = {each.row: each for each in rows}
    edges = zip(
        state.edges.source.tolist(),
        state.edges.sink.tolist(),
        state.edges.kind.tolist(),
        strict=True,
    )
    for number, (source, sink, kind) in enumerate(edges):
        first, then = by_row[source], by_row[sink]
        shared = {
            "name": EdgeKind(kind).name.lower(),
            "cat": "dependence",
            "id": f"{process}.{number}",
            "pid": process,
        }
        leaves_ns = max(first.start_ns, first.busy_end_ns - INSIDE_NS)
        thread = engines.index(first.engine) + 1
        yield {"ph": "s", **shared, "tid": thread, "ts": _us(leaves_ns)}
        thread = engines.index(then.engine) + 1
        end = {"ph": "f", "bp": "e", **shared}
        yield {**end, "tid": thread, "ts": _us(then.start_ns)}


def _counters(state: State, process: int) -> Iterator[Event]:
    """Yield how much of each memory is in use whenever that changes."""
    lives = residences_of(state)
    for space in PLACED:
        unit, each_bytes = UNITS[space], unit_bytes(space, state.machine)
        for time_ns, size in live_bytes(lives, space.value):
            yield {
                "ph": "C",
                "name": f"{space.value} in use [{unit}]",
                "pid": process,
                "tid": 0,
                "ts": _us(time_ns),
                "args": {unit: size // each_bytes},
            }
