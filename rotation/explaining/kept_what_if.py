"""What another slot would bring in a kernel with run-time loops: it is run again.

The whole run is done again with the slots of the plan asked for as the text would ask
for them, and one more for some buffers, at the same numbers in the registers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from rotation.errors import RotationError
from rotation.explaining.what_if import Trial, cost_bytes
from rotation.loop_form.calls import edited
from rotation.loop_form.kernel import Function, MemoryLocationSet
from rotation.passes.base import State, built
from rotation.rings.plan import Ring


def kept_trials(
    function: Function,
    state: State,
    values: Mapping[str, int],
    skip_passes: Collection[str],
) -> Iterator[Trial]:
    """Yield a run for each buffer that can grow, and for those of a loop together.

    Args:
        function: The kernel, with its run-time loops.
        state: The finished state of its run.
        values: A number for each register.
        skip_passes: Names of passes that do not run.
    """
    rings = built(state.plan, "ring plan").rings
    growing = [
        ring
        for ring in rings
        if ring.loop is not None
        and ring.slots < state.function.instance_spans[ring.tensor].count
    ]
    groups = [[ring] for ring in growing]
    for loop in dict.fromkeys(ring.loop for ring in growing):
        together = [ring for ring in growing if ring.loop is loop]
        groups += [together] if len(together) > 1 else []
    for group in groups:
        changed = _with_slots(function, rings, {ring.tensor for ring in group})
        yield _trial(changed, state, group, values, skip_passes)


def _with_slots(
    function: Function, rings: Collection[Ring], more: Collection[MemoryLocationSet]
) -> Function:
    """Return the kernel that asks for the rings of a plan, and some more slots."""
    slots = {
        ring.tensor.name: ring.slots + (ring.tensor in more)
        for ring in rings
        if ring.loop is not None
    }
    return edited(
        function,
        tensor=lambda t: replace(t, ring_slots=slots.get(t.name, t.ring_slots)),
    )


def _trial(
    function: Function,
    state: State,
    grown: list[Ring],
    values: Mapping[str, int],
    skip_passes: Collection[str],
) -> Trial:
    from rotation.kept.run import run_kept  # noqa: PLC0415 - help loads no solver

    makespan_ps = None
    try:
        result = run_kept(function, state.machine, skip_passes, values, checks=False)
    except RotationError:  # there is no room for it
        pass
    else:
        after = built(result.after, "final state")
        makespan_ps = built(after.schedule, "schedule").makespan_ps
    return Trial(
        tuple(ring.tensor for ring in grown),
        tuple(ring.slots + 1 for ring in grown),
        cost_bytes(grown, state.machine),
        makespan_ps is not None,
        makespan_ps,
    )
