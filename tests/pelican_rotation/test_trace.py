"""Traces of runs, as viewers read them."""

import json
from collections import Counter
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pelican_rotation.trace import trace_document
from rotation import PlanError, run
from rotation.running.result import Result, refused
from rotation.running.timeline import timeline_of
from tests.rotation.programs import COPY, STREAM, kernel, matmul

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "trace.json"
KEPT = COPY.replace("RING", "").replace("4)", "%n)")
TEXTS = {
    "stream": STREAM,
    "matmul": matmul(2, 2, 4),
    "kept": KEPT,
    "split": COPY.replace("RING", "").replace("on planning", "on split-dma"),
}


@pytest.fixture(scope="module", params=TEXTS)
def result(request: pytest.FixtureRequest) -> Result:
    """Return the result of a small kernel."""
    return run(kernel(TEXTS[request.param]))


def events(result: Result, phase: str, process: int = 1) -> list[dict]:
    """Return the events of one kind of one process."""
    found = trace_document(result)["traceEvents"]
    return [e for e in found if e["ph"] == phase and e["pid"] == process]


def test_a_trace_has_the_published_form(result: Result):
    """As of the schema, after a way through text."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    trace = json.loads(json.dumps(trace_document(result)))

    Draft202012Validator(schema).validate(trace)


def test_every_instruction_is_one_box(result: Result):
    """With its times, on the track of its engine."""
    names = {
        e["tid"]: e["args"]["name"]
        for e in events(result, "M")
        if e["name"] == "thread_name"
    }
    rows = {
        (each.row, each.engine, each.operation, each.start_ns, each.busy_end_ns)
        for each in timeline_of(result.after)
    }
    boxes = {
        (
            e["args"]["row"],
            names[e["tid"]],
            e["name"],
            round(1000 * e["ts"], 3),
            round(1000 * (e["ts"] + e["dur"]), 3),
        )
        for e in events(result, "X")
    }

    assert rows == boxes


def test_boxes_of_a_track_do_not_overlap_in_whole_nanoseconds(result: Result):
    """As viewers round them: so they nest in nothing and hide nothing."""
    for process in (1, 2):
        free: Counter[int] = Counter()
        for event in events(result, "X", process):
            start = int(event["ts"] * 1000)
            assert free[event["tid"]] <= start
            free[event["tid"]] = start + int(event["dur"] * 1000)


def test_events_come_in_the_order_of_time(result: Result):
    """Names first."""
    times = [
        e.get("ts", -1) for e in trace_document(result)["traceEvents"] if e["pid"] == 1
    ]

    assert times == sorted(times)


def test_every_dependence_is_an_arrow_between_its_boxes(result: Result):
    """It leaves inside the box of its source and ends at the start of its sink."""
    edges = result.after.edges
    boxes = {e["args"]["row"]: e for e in events(result, "X")}
    starts = {e["id"]: e for e in events(result, "s")}
    ends = {e["id"]: e for e in events(result, "f")}

    assert starts.keys() == ends.keys()
    assert len(starts) == len(edges)
    for number, (source, sink) in enumerate(
        zip(edges.source.tolist(), edges.sink.tolist(), strict=True)
    ):
        leaves, arrives = starts[f"1.{number}"], ends[f"1.{number}"]
        box = boxes[source]
        assert leaves["tid"] == box["tid"]
        assert box["ts"] <= leaves["ts"] < box["ts"] + box["dur"]
        place = (arrives["tid"], arrives["ts"])
        assert place == (boxes[sink]["tid"], boxes[sink]["ts"])
        assert leaves["ts"] <= arrives["ts"]


def test_counters_never_exceed_what_is_reported(result: Result):
    """And memory is empty at the end."""
    peaks: Counter[str] = Counter()
    last: dict[str, int] = {}
    for event in events(result, "C"):
        space = event["name"].split()[0]
        (last[space],) = event["args"].values()
        peaks[space] = max(peaks[space], last[space])

    assert set(last.values()) == {0}
    assert all(peaks[space] <= result.memory[space].after for space in peaks)


def test_the_program_without_rotation_is_the_second_process():
    """So that both stand below each other on one axis."""
    result = run(kernel(STREAM))
    titles = [
        event["args"]["name"]
        for event in trace_document(result)["traceEvents"]
        if event["name"] == "process_name"
    ]

    assert titles == [
        "stream on planning, after rotation",
        "stream on planning, before rotation",
    ]


def test_a_kernel_that_is_refused_has_no_events():
    """The file is a trace all the same."""
    wrong = refused(kernel(STREAM), "planning", PlanError("too long"))

    assert trace_document(wrong)["traceEvents"] == []
