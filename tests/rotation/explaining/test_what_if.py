import pytest

from rotation.explaining.what_if import WhatIf
from rotation.loop_form.kernel import MemorySpace
from rotation.running.pipeline import PASSES
from tests.rotation.explaining.kernels import FULL
from tests.rotation.explaining.placed import finished
from tests.rotation.programs import COPY, MATMUL, STREAM


def what_if(text: str, *, plan: bool = True) -> WhatIf:
    return WhatIf(finished(text, plan=plan), PASSES)


def tensors(asked: WhatIf, *names: str):
    return [t for t in asked.state.function.tensors if t.name in names]


def test_a_slot_is_tried_by_a_run_with_it():
    """One more slot for an operand of a stream reaches what the plan reaches."""
    single, planned = what_if(STREAM, plan=False), finished(STREAM)
    trial = single.with_one_more(tensors(single, "xt"))

    assert (trial.slots, trial.cost_bytes) == ((2,), {MemorySpace.SB: 8192})
    assert trial.makespan_ps == planned.schedule.makespan_ps
    assert trial.makespan_ps < single.state.schedule.makespan_ps


@pytest.mark.parametrize("text", [STREAM, MATMUL, COPY.replace("RING", "ring 2")])
def test_another_slot_never_makes_a_kernel_slower(text: str):
    """What was scheduled for fewer slots is legal for more."""
    asked = what_if(text)
    growing = [ring for ring in asked.plan.rings if asked.can_grow(ring)]
    makespans = [asked.with_one_more([r.tensor]).makespan_ps for r in growing]

    assert growing
    assert max(makespans) <= asked.state.schedule.makespan_ps


def test_a_buffer_with_a_slot_for_each_instance_cannot_grow():
    """There is nothing to put into another slot."""
    two, four = (what_if(COPY.replace("RING", f"ring {n}")) for n in (2, 4))

    assert [each.can_grow(each.plan.rings[0]) for each in (two, four)] == [True, False]


def test_a_slot_without_room_is_not_run():
    """It is said what it would cost."""
    asked = what_if(FULL)
    trial = asked.with_one_more(tensors(asked, "t"))

    assert (trial.fits, trial.makespan_ps) == (False, None)
    assert trial.cost_bytes == {MemorySpace.SB: 84_000}


def test_buffers_grow_together_where_their_space_has_room():
    """Those of a full space are left out."""
    asked, full = what_if(MATMUL), what_if(FULL)

    assert len(asked.with_room(tensors(asked, "lt", "rt"))) == 2
    assert full.with_room(tensors(full, "t", "u")) == []


def test_psum_is_paid_for_in_banks():
    """A slot of an accumulator takes a whole bank."""
    asked = what_if(MATMUL)

    assert asked.with_one_more(tensors(asked, "acc")).cost_bytes == {
        MemorySpace.PSUM: 2048
    }


def test_a_ring_of_the_user_may_be_larger_in_a_trial():
    """What it costs to ask for so few slots is a fair question."""
    asked = what_if(COPY.replace("RING", "ring 1"))
    trial = asked.with_one_more(tensors(asked, "t"))

    assert trial.makespan_ps < asked.state.schedule.makespan_ps
