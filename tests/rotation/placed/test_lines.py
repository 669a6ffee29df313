"""JSON lines of a placed program: the same records, and the mistakes in them."""

import json

import pytest

from pelican.errors import Source
from rotation.errors import InterchangeError
from rotation.placed.layout import layout_of
from rotation.placed.lines import read_lines, write_lines
from rotation.running.dump import read_placed
from rotation.running.pipeline import unrotated
from tests.rotation.finished import finished
from tests.rotation.pinned import PINNED

STATE = finished(PINNED)


@pytest.mark.parametrize("rotated", [True, False])
def test_lines_read_back_to_the_same_records(rotated: bool):
    """Rings, single instances, queues and edges."""
    state = STATE if rotated else unrotated(STATE)
    layout = layout_of(state.program, state.placement, state.schedule, state.edges)

    assert read_lines(write_lines(PINNED, layout)) == (PINNED, layout)


def test_the_program_of_the_lines_is_that_of_the_text():
    """Placement, edges and times come back."""
    layout = layout_of(STATE.program, STATE.placement, STATE.schedule, STATE.edges)
    placed = read_placed(Source("p.jsonl", write_lines(PINNED, layout)))

    assert placed.placement.byte.tolist() == STATE.placement.byte.tolist()
    assert placed.edges.source.tolist() == STATE.edges.source.tolist()
    assert placed.schedule.start_ps.tolist() == STATE.schedule.start_ps.tolist()
    assert placed.hazards() == ()


HEAD = {"schema": "rotation-placed/1", "name": "pinned", "kernel": PINNED}
PLACE = {"tensor": "t", "space": "sb", "part": 0, "byte": 0}
WRONG = [
    ([], ""),
    ([3], "/1"),
    ([{**HEAD, "schema": "rotation-placed/2"}], "/1/schema"),
    ([{**HEAD, "kernel": None}], "/1/kernel"),
    ([{**HEAD, "name": "other"}], "/1/name"),
    ([HEAD, {}], "/2"),
    ([HEAD, {"places": PLACE}], "/2/places"),
    ([HEAD, {"place": {**PLACE, "byte": -1}}], "/2/place/byte"),
    ([HEAD, {"place": {**PLACE, "byte": True}}], "/2/place/byte"),
    ([HEAD, {"place": {**PLACE, "space": "sbuf"}}], "/2/place/space"),
    ([HEAD, {"place": {**PLACE, "slots": 2}}], "/2/place"),
    ([HEAD, {"place": {**PLACE, "instance": 0}}], "/2/place/instance"),
    ([HEAD, {"order": {"engine": "gpu", "rows": []}}], "/2/order/engine"),
    ([HEAD, {"order": {"engine": "pe", "rows": [None]}}], "/2/order/rows/0"),
    ([HEAD, {"edge": [1, 0]}], "/2/edge"),
    ([HEAD, {"edge": [1, 0, "war"]}], "/2/edge/2"),
    ([HEAD, {"edge": [1, -1, "anti"]}], "/2/edge/1"),
]


@pytest.mark.parametrize(("lines", "pointer"), WRONG)
def test_a_line_that_is_no_record_is_named(lines: list[object], pointer: str):
    """The pointer starts with the number of the line."""
    text = "\n".join(map(json.dumps, lines))
    with pytest.raises(InterchangeError) as caught:
        read_lines(text) if lines in ([], [3]) else read_placed(Source("p", text))

    assert caught.value.pointer == pointer


def test_a_line_that_is_no_json_is_named():
    """No bytes end in another exception."""
    with pytest.raises(InterchangeError) as caught:
        read_lines(json.dumps(HEAD) + "\n{")

    assert caught.value.pointer == "/2"
    assert "not JSON" in caught.value.message
