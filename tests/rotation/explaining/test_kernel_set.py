"""What `explain` says of public kernels, by name."""

import json
from pathlib import Path
from typing import Any

import pytest

from rotation.explaining.explain import explain
from rotation.explaining.explanation import Explanation
from rotation.interchange.json_form import read_kernel
from rotation.loading import load

DOCUMENT = Path(__file__).parents[1] / "data/kernels.json"


def explained(name: str, *, try_slots: bool = False) -> Explanation:
    return explain(load(DOCUMENT, name), try_slots=try_slots)


@pytest.fixture(scope="module")
def flash() -> Explanation:
    """Return the explanation of two rows of blocks of flash attention."""
    document: dict[str, Any] = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    named = {each["name"]: each for each in document["kernels"]}
    rows = next(e for e in named["flash_attention_fwd"]["body"] if e.get("for") == "i")
    rows["hi"] = 2
    function = read_kernel(document, "flash_attention_fwd")
    return explain(function, try_slots=False)


@pytest.mark.parametrize("name", ["stream_add", "softmax_rows", "short_loop"])
def test_the_idle_time_of_every_engine_is_attributed(name: str):
    """All of it, to waits that are named one by one."""
    found = explained(name)

    assert found.attributed == 1
    for engine, report in found.engines.items():
        waits = sum(wait.idle_ns for wait in found.waits if wait.engine == engine)
        assert waits == pytest.approx(sum(report.idle_ns.values()), abs=0.01)
        assert report.busy_ns + waits == pytest.approx(found.makespan_ns, abs=0.01)


def test_flash_attention_lists_its_recurrence_below_the_engine(flash: Explanation):
    """The scalar engine binds first; the running maximum turns below it."""
    loop = next(each for each in flash.loops if each.loop == "j")

    assert (flash.bound.name, loop.engine) == ("scalar", "scalar")
    assert loop.recurrence.tensors == ("m",)
    assert {"mn", "um"} <= {each.name for each in loop.recurrence.operations}
    assert loop.recurrence.interval_ns < loop.engine_ns


def test_flash_attention_is_explained_to_the_last(flash: Explanation):
    """Every engine's idle time has a cause, in a kernel of five engines."""
    assert flash.attributed == 1
    assert len(flash.engines) == 5


def test_consume_then_load_is_bound_by_its_one_slot():
    """The value of S goes from one iteration to the next, and no slot parts them."""
    found = explained("consume_then_load")
    (loop,) = found.loops

    assert (found.bound.kind, found.bound.tensors) == ("recurrence", ("S",))
    assert (found.bound_ns, found.bound.name) == (20_777.804, "k")
    assert (loop.binds, loop.by) == ("recurrence", ("S",))


def test_a_softmax_that_meets_its_target_could_still_gain():
    """One more slot for the output, or for all buffers, by running."""
    found = explained("softmax_rows", try_slots=True)
    gains = {slot.tensors: slot.speedup for slot in found.slots}

    assert gains[("ot",)] > 1.01
    assert gains[tuple(slot.tensors[0] for slot in found.slots[:-1])] > 1.03
