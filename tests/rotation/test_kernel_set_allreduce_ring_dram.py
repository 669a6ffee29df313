"""The ring all-reduce of the public kernel set: what the set expects, line by line."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from proofs import Proved, Refuted
from rotation import load, run
from rotation.check import check_equivalence, check_overlap, check_races
from rotation.errors import PlanError
from rotation.loop_form.instances import instance_number
from rotation.loop_form.kernel import EdgeKind, Function
from rotation.passes.base import State, built
from rotation.placement.binding import bound_to_rings
from rotation.running.obligations import instance_claims
from rotation.running.pipeline import check
from rotation.running.result import Result
from rotation.unrolled.program import Edges, Program
from rotation.unrolled.unroll import unroll
from tests.rotation.finished import finished
from tests.rotation.programs import PLANNING, kernel

EXAMPLE = Path(__file__).parents[2] / "examples/allreduce_ring_dram.kernel"
CHUNK_BYTES = 4 * 2**20


@cache
def function() -> Function:
    """Return the kernel."""
    return load(EXAMPLE)


@cache
def result() -> Result:
    """Return what a run of it finds."""
    return run(function())


def state() -> State:
    """Return the final state of that run."""
    return built(result().after, "state")


def row_of(program: Program, name: str, step: int = 0) -> int:
    """Return the row of an operation at a step."""
    names = [operation.name for operation in program.function.instructions]
    return int(np.flatnonzero(program.statement == names.index(name))[step])


def test_it_is_accepted_at_its_bound():
    """The busy time is that of the set; the sends, one after the other, bound it."""
    found = result()

    assert (found.verdict, found.hazards, found.equivalent) == ("accepted", (), True)
    assert found.engines["cc"].busy_ns == pytest.approx(524_288, rel=0.01)
    assert found.schedule.serial_ns == pytest.approx(692_899, abs=1)
    assert found.schedule.bound.kind == "recurrence"
    assert found.schedule.bound.tensors == ("hb",)
    assert found.schedule.bound_ns == 548_288
    assert found.schedule.ratio <= 1.05


def test_the_received_chunk_has_two_slots():
    """One more would not help, and one less is no ring."""
    rings = {ring.tensor: ring for ring in result().rings}

    assert {name: ring.slots for name, ring in rings.items()} == {
        "ac": 1,
        "hb": 2,
        "rv": 1,
    }
    assert (rings["hb"].space, rings["hb"].slot_bytes) == ("dram", CHUNK_BYTES)
    assert result().memory["sb"].after == 65_536


def test_a_ring_of_one_slot_is_refused():
    """The send would overwrite the slot that is being read."""
    text = EXAMPLE.read_text().replace("at s", "at s ring 1")

    with pytest.raises(PlanError) as error:
        run(kernel(text))

    assert error.value.message == (
        "ring 1 of hb puts both into one slot: snd needs hb@(0) and hb@(1) at once"
    )
    assert error.value.hint == "write ring 2 or more, or leave the ring to the plan"


@pytest.mark.parametrize(("slots", "verdict"), [(1, Refuted), (2, Proved), (3, Proved)])
def test_the_send_has_two_slots_is_proved_from_two_on(slots, verdict):
    """The solver finds the counterexample of one slot."""
    rings = dict.fromkeys(function().tensors, slots)
    claims = [c for c in instance_claims(function(), rings) if "two slots" in c.claim]

    assert [type(claim.verdict) for claim in claims] == [verdict]


def test_one_slot_in_memory_is_found_by_the_checks():
    """Bound to a single slot by force, the send may run into the load of that slot.

    A send reads before it writes, so the one order of the schedule gives right data:
    that other orders may not is what the race check says.
    """
    program = built(state().program, "program")
    placement = built(state().placement, "placement")
    schedule = built(state().schedule, "schedule")
    arenas = state().arenas[next(s for s in state().arenas if s.value == "dram")]
    one = bound_to_rings(program, placement, arenas, dict.fromkeys(arenas, 1))
    edges = built(state().edges, "edges")

    assert {h.check for h in check_overlap(program, one, schedule)} == {"overlap"}
    assert check_races(program, one, edges, schedule)
    assert not check_equivalence(program, one, schedule)


def test_the_window_holds_two_chunks_of_the_eight_gib():
    """Two slots of 4 MiB behind what the outside sees."""
    memory = result().memory["dram"]

    assert memory.after == 4 * CHUNK_BYTES
    assert memory.capacity == 2 * CHUNK_BYTES + 8 * 2**30


def test_the_value_is_carried_over_one_iteration():
    """What step s writes is what step s + 1 reads."""
    program = built(state().program, "program")
    hb = next(t for t in function().tensors if t.name == "hb")
    ahead = instance_number(function(), hb, hb.scope + 1)
    send = row_of(program, "snd", 2), row_of(program, "snd", 3)
    accesses = [np.flatnonzero(program.access_instruction == row) for row in send]
    written, read = accesses[0][-1], accesses[1][0]

    assert str(ahead - instance_number(function(), hb)) == "1"
    assert program.access_location[written] == program.access_location[read]


def renamed_together(program: Program) -> Program:
    """Return the program whose step s writes the instance that it reads.

    The fill before the loop stays where it is.
    """
    sends = [row_of(program, "snd", step) for step in range(7)]
    location = program.access_location.copy()
    for row in sends:
        read, written = np.flatnonzero(program.access_instruction == row)
        location[written] = location[read]
    kept, location = np.unique(location, return_inverse=True)
    return replace(
        program,
        access_location=location,
        location_tensor=program.location_tensor[kept],
        location_instance=program.location_instance[kept],
    )


def test_renaming_the_read_and_the_write_of_a_step_together_is_caught():
    """From step 1 on, a step then reads what nothing has written."""
    program = renamed_together(unroll(function(), PLANNING))
    faulty = finished(function(), program=program)

    assert "equivalence" in {hazard.check for hazard in check(faulty)}


def test_the_last_send_waits_for_the_readers_of_its_slot():
    """Nobody reads what it writes, and yet it overwrites what step 5 reads."""
    program = built(state().program, "program")
    placement = built(state().placement, "placement")
    schedule = built(state().schedule, "schedule")
    edges = built(state().edges, "edges")
    last, reader = row_of(program, "snd", 6), row_of(program, "cp", 5)
    written = np.flatnonzero(program.access_instruction == last)[-1]
    dead = program.access_location[written]
    others = edges.sink != last
    without = Edges(edges.source[others], edges.sink[others], edges.kind[others])
    races = check_races(program, placement, without, schedule)

    assert (program.access_location == dead).sum() == 1  # dead: it is only written
    assert EdgeKind.ANTI in edges.kind[edges.sink == last]
    assert any({reader, last} == set(hazard.instructions) for hazard in races)
