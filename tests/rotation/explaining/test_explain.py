import json
from dataclasses import replace

import pytest

from rotation import load
from rotation.explaining.explain import explain, explanation_of
from rotation.explaining.explanation import Explanation, LoopReport, to_json
from rotation.running.pipeline import run
from tests.rotation.explaining.kernels import OUTSIDE
from tests.rotation.programs import COPY, MATMUL, STREAM, SUM, TURNS, kernel


def explained(text: str, *, try_slots: bool = False) -> Explanation:
    return explain(kernel(text), try_slots=try_slots)


def test_a_loop_that_its_engine_fills_is_bound_by_it():
    """Transfers take the whole interval of a stream."""
    loop = explained(STREAM).loops[-1]

    assert (loop.loop, loop.iterations, loop.where) == ("j", 16, "<text>:6:21")
    assert (loop.binds, loop.by, loop.recurrence) == ("engine", ("dma",), None)
    assert loop.interval_ns == loop.engine_ns == pytest.approx(3 * 2849.392)


def test_a_loop_that_turns_is_bound_by_its_recurrence():
    """The sum takes the whole interval, and names what carries it."""
    (loop,) = explained(TURNS).loops

    assert (loop.binds, loop.by) == ("recurrence", ("total",))
    assert [each.name for each in loop.recurrence.operations] == ["add", "more"]
    assert loop.recurrence.interval_ns == loop.interval_ns


def test_a_recurrence_below_the_engine_is_listed():
    """It does not bind yet."""
    (loop,) = explained(SUM).loops

    assert loop.binds == "engine"
    assert (loop.recurrence.tensors, loop.recurrence.interval_ns < loop.engine_ns) == (
        ("total",),
        True,
    )


def test_a_loop_that_waits_names_cause_and_buffer():
    """Without a plan a stream has one slot for each buffer, and loads wait for them."""
    single = run(kernel(STREAM), skip_passes=["plan_rings"])
    loop = explanation_of(single, try_slots=False).loops[-1]

    assert (loop.binds, loop.by) == ("wait", ("ring", "xt"))
    assert next(iter(loop.idle_ns)) == "ring"


def test_the_edge_behind_a_missed_overlap_is_named_by_line():
    """Each load waits for the copy of the iteration before."""
    wait = next(
        w for w in explained(COPY.replace("RING", "ring 1")).waits if w.cause == "ring"
    )

    assert (wait.engine, wait.tensors, wait.kind) == ("dma", ("t",), "storage")
    assert (wait.sink.name, wait.sink.where) == ("ld", "<text>:8:5")
    assert (wait.source.name, wait.source.where) == ("cp", "<text>:9:5")
    assert (wait.distance, wait.loop) == (1, "i")


def test_another_slot_is_tried_for_each_buffer_and_for_all():
    """Its cost in bytes, and what the run gave."""
    found = explained(COPY.replace("RING", "ring 1"), try_slots=True)
    first = found.slots[0]

    assert (first.tensors, first.slots, first.cost_bytes) == (
        ("t",),
        (2,),
        {"sb": 2048},
    )
    assert first.speedup == round(found.makespan_ns / first.makespan_ns, 4) > 1
    assert found.slots[-1].tensors == ("t", "u")


def test_a_kernel_without_operations_is_explained():
    """Nothing binds it."""
    found = explained("kernel k on planning { }", try_slots=True)

    assert (found.engine, found.attributed, found.loops, found.slots, found.waits) == (
        *(None, 1),
        *((), (), ()),
    )


def test_an_explanation_is_the_same_every_time():
    """Nothing in it depends on time or hash order."""
    first, second = (
        json.dumps(to_json(explained(MATMUL, try_slots=True))) for _ in "ab"
    )

    assert first == second


def test_the_object_starts_with_its_schema():
    """Then come the fields, in their order."""
    document = to_json(explained(STREAM))

    assert list(document)[:4] == ["schema", "kernel", "machine", "verdict"]


KEPT = COPY.replace("[0, 4)", "[0, %n)")


def test_run_time_loops_are_explained():
    """All idle time of the assumed number has a cause."""
    explanation = explain(kernel(KEPT.replace("RING", "")), try_slots=False)

    assert explanation.slots == ()
    assert explanation.attributed == 1


def test_another_slot_in_a_run_time_loop_is_tried_by_running_with_it():
    """One buffer after the other, then both; the others keep the slots of the plan."""
    text = KEPT.replace("RING", "ring 1")
    found = explain(kernel(text), assume={"n": 4})
    both = found.slots[-1]
    by_hand = run(
        kernel(
            KEPT.replace("RING", f"ring {both.slots[0]}").replace(
                "sb u [128, 512] fp32", f"sb u [128, 512] fp32 ring {both.slots[1]}"
            )
        ),
        assume={"n": 4},
    )

    assert [slot.tensors for slot in found.slots] == [("t",), ("u",), ("t", "u")]
    assert found.slots[0].slots == (2,)
    assert found.slots[0].speedup > 1.2
    assert both.makespan_ns == by_hand.schedule.after_ns
    assert found.remedies == ()


def test_a_slot_without_room_in_a_run_time_loop_is_told():
    """It has no makespan."""
    text = KEPT.replace("RING", "ring 1").replace("2048", "65536")
    text = text.replace("512", "16384")
    found = explain(kernel(text), assume={"n": 2})

    assert found.slots[-1].makespan_ns is None


JOINED = COPY.replace("RING", "").replace(
    "    cp: scalar.copy u <- t\n",
    '    if loaded(t) "t > 0" { cp: scalar.copy u <- t } else { vector.zero u <- }\n',
)


def test_the_join_of_a_function_that_is_left_is_to_blame():
    """No slot would help the loads: the `if` keeps them back, and it is named."""
    found = explained(JOINED, try_slots=True)
    (loop,) = found.loops
    wait = next(w for w in found.waits if w.kind == "barrier")

    assert (found.slots, found.remedies) == ((), ())
    assert (loop.binds, loop.by) == (
        *("wait", ("recurrence", "the join of the if in line 9")),
    )
    assert (wait.engine, wait.cause, wait.barrier) == (
        *("dma", "recurrence", "the join of the if in line 9"),
    )
    assert (wait.tensors, wait.distance) == ((), 1)
    assert found.attributed == 1


def test_a_shared_instance_is_to_blame_by_its_bytes():
    """The load waits for the copy of the iteration before, though one value less."""
    wait = explained(OUTSIDE).waits[0]

    assert (wait.cause, wait.kind, wait.tensors) == ("ring", "storage", ("t",))
    assert (wait.sink.name, wait.source.name, wait.distance) == ("ld", "cp", 1)


def test_uneven_gaps_are_judged_by_their_mean():
    """Iterations that end in pairs have a median of which half is no time at all."""
    loop = LoopReport(
        *("i", None, 4, 0, 500, "dma", 490, None, "engine", ("dma",), {}),
    )

    assert (loop.is_uneven, replace(loop, interval_ns=490).is_uneven) == (True, False)


def test_the_border_of_a_run_time_loop_is_to_blame():
    """What stands before the loop is over before its first trip begins."""
    found = explain(load("examples/ragged_matmul.kernel"))
    borders = {w.barrier for w in found.waits if w.kind == "barrier"}

    assert "the border of loop k in line 17" in borders
    assert [w for w in found.waits if w.cause == "queue order" and not w.front] == []


NESTED = """
kernel nested on planning {
  dram x [1024, 4096] fp32 input
  dram y [1024, 4096] fp32 output
  for i in [0, 8) {
    for j in [0, %n) {
      sb t [128, 512] fp32
      sb u [128, 512] fp32
      ld: dma.load t <- x[128*i:+128, 512*j:+512]
      add: vector.add u <- t
      st: dma.store y[128*i:+128, 512*j:+512] <- u
    }
  }
}
"""


def test_all_that_stands_behind_a_border_waits_for_it():
    """Each turn of the outer loop starts when the one before is complete."""
    found = explain(kernel(NESTED), try_slots=False, assume={"n": 2})
    waits = {w.cause: w for w in found.waits if w.engine == "dma"}

    assert "queue order" not in waits
    assert waits["recurrence"].barrier == "the border of loop j in line 6"
    assert found.loops[0].by == ("recurrence", "the border of loop j in line 6")
    assert found.attributed == 1


def test_loads_that_a_border_keeps_back_do_not_wait_for_the_queue():
    """The second load of each trip stands behind the border as the first one does."""
    found = explain(load("examples/ragged_matmul.kernel"), try_slots=False)

    assert {w.cause for w in found.waits} & {"queue order", "ring"} == set()


def test_a_loop_without_trips_is_noted():
    """As the run notes it."""
    found = explained(COPY.replace("[0, 4)", "[0, 0)").replace("RING", ""))

    assert [note.text[:36] for note in found.notes] == [
        "loop i (line 5) has no iterations: l"
    ]
