import json

from rotation.check import Hazard
from rotation.errors import PlanError
from rotation.running.nanoseconds import ns
from rotation.running.pipeline import run
from rotation.running.result import Result, refused, to_json
from tests.rotation.documents import KEYS, without_seconds
from tests.rotation.programs import STREAM, kernel


def test_the_keys_come_in_the_promised_order():
    """The object starts with its schema, and null is never left out."""
    assert list(to_json(run(kernel(STREAM)))) == KEYS


def test_two_runs_differ_in_seconds_only():
    """Nothing depends on time, memory addresses or hash order."""
    first, second = (
        json.dumps(without_seconds(to_json(run(kernel(STREAM))))) for _ in "ab"
    )

    assert first == second


def test_the_parts_have_their_promised_keys():
    """Every nested object is complete."""
    document = to_json(run(kernel(STREAM)))

    assert {name: list(document[name]) for name in ("memory", "edges", "engines")} == {
        "memory": ["psum", "sb", "dram"],
        "edges": ["before", "after"],
        "engines": ["dma", "vector"],
    }
    assert list(document["memory"]["sb"]) == ["before", "after", "capacity", "unit"]
    assert list(document["edges"]["after"]) == ["flow", "anti", "output", "ordered"]
    assert list(document["engines"]["dma"]) == ["busy_ns", "idle_ns"]
    assert list(document["engines"]["dma"]["idle_ns"]) == [
        *("resource", "ring", "recurrence", "latency", "bank", "capacity"),
        *("queue order", "fill", "drain"),
    ]
    assert list(document["passes"][0]) == ["name", "seconds", "statistics"]
    assert list(document["rings"][0]) == (
        ["tensor", "space", "loop", "slots", "wanted", "limited_by", "slot_bytes"]
    )
    assert list(document["schedule"]) == [
        "serial_ns",
        "before_ns",
        "after_ns",
        "bound_ns",
        "bound",
        "steady_interval_ns",
        "fill_ns",
        "priority",
    ]
    assert list(document["schedule"]["bound"]) == (
        ["kind", "name", "head_ns", "busy_ns", "tail_ns", "tensors"]
    )
    assert list(document["proofs"]) == [
        "total",
        "proved",
        "refuted",
        "unknown",
        "seconds",
    ]


def test_a_hazard_is_an_object():
    """It names the check, the message and the instructions."""
    hazard = Hazard("race", "a and b", (1, 2))
    result = Result("k", "planning", "accepted", (), hazards=(hazard,))

    assert to_json(result)["hazards"] == [
        {"check": "race", "message": "a and b", "instructions": [1, 2]}
    ]


def test_a_refused_kernel_has_its_reason_and_nulls():
    """What was not computed is null."""
    document = to_json(refused(kernel(STREAM), "trn2", PlanError("too long")))
    null = [name for name, value in document.items() if value is None]

    assert document["verdict"] == "refused"
    assert document["refusals"] == [
        {"function": "stream", "reason": "too long", "where": None}
    ]
    assert null == KEYS[6:]


def test_nanoseconds_have_at_most_three_decimals():
    """A picosecond is the third decimal; whole nanoseconds are integers."""
    assert (ns(1), ns(1_234_567), ns(5_000)) == (0.001, 1234.567, 5)
