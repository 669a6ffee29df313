"""The timeline of a run: every instruction once, at its times and places."""

import json

from typer.testing import CliRunner

from pelican_rotation.cli.rotation import app
from rotation import run
from rotation.running.timeline import timeline_of
from tests.rotation.programs import STREAM, kernel

RESULT = run(kernel(STREAM))
TIMELINE = timeline_of(RESULT.after)


def test_every_instruction_is_listed_once_in_the_order_of_starts():
    """The last completion is the makespan."""
    starts = [each.start_ns for each in TIMELINE]

    assert sorted(each.row for each in TIMELINE) == [*range(len(RESULT.after.program))]
    assert starts == sorted(starts)
    assert max(e.complete_ns for e in TIMELINE) == RESULT.schedule.after_ns


def test_busy_times_are_those_of_the_engines():
    """They add up to the busy time of each engine."""
    busy = dict.fromkeys(RESULT.engines, 0)
    for each in TIMELINE:
        busy[each.engine] += each.busy_end_ns - each.start_ns

    assert {name: round(ns, 3) for name, ns in busy.items()} == {
        name: engine.busy_ns for name, engine in RESULT.engines.items()
    }


def test_the_slots_of_a_ring_are_written():
    """As many slots as the ring has, each at one byte."""
    for ring in RESULT.rings:
        written = {
            (write.slot, write.byte)
            for each in TIMELINE
            for write in each.writes
            if write.tensor == ring.tensor
        }
        assert len(written) == ring.slots


def test_a_timeline_needs_the_object():
    """Without --json there is nothing to add it to."""
    done = CliRunner().invoke(app, ["run", "examples/stream_add.kernel", "--timeline"])

    assert done.exit_code == 2
    assert "add --json" in done.stderr


def test_the_option_fills_the_object():
    """Line and loop values are those of the text."""
    words = ["run", "examples/stream_add.kernel", "--timeline", "--json"]
    first = json.loads(CliRunner().invoke(app, words).stdout)["timeline"][0]

    assert (first["row"], first["start_ns"]) == (0, 0)
    assert set(first["iteration"].values()) == {0}
