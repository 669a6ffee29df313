"""`address_rotation_psum`, `_sb` and `_dram`; the first two after scheduling too.

Policy ``ring`` binds instance k to slot k mod N, and leaves nothing to do once the
program is scheduled. Policy ``modelled`` moves locations as the modelled system does
(`rotation.modelled`). A pass only re-binds addresses: the new map is computed whole,
checked, and then installed; if it does not pass the check the old one stays and the
reason is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal, get_args

import numpy as np

from rotation.loop_form.joins import joins
from rotation.loop_form.kernel import MemorySpace
from rotation.modelled.preconditions import Path
from rotation.modelled.rotating import (
    JOIN_FOUND,
    SPACES,
    Rotated,
    logged,
    rotate_modelled,
)
from rotation.passes.base import PassResult, Refusal, State, Statistic, built
from rotation.passes.preconditions import refusals_of
from rotation.placement.binding import bound_to_rings, resident_tensors
from rotation.placement.binding_check import binding_fault

ROTATED: Final = Statistic("rotated", "tensors", "buffers given more than one slot")
GUARDED: Final = Statistic(
    "guarded", "locations", "locations that stay with what shares their bytes"
)
UNDONE: Final = Statistic("undone", "maps", "maps that were made and not installed")
IDENTITY: Final = Statistic(
    "identity", "passes", "1 under policy ring, which leaves the schedule's addresses"
)
MOVED: Final = Statistic("moved", "locations", "instances bound to another address")
LEFT: Final = Statistic("left", "spaces", "spaces left as coloured, for a reason")


Policy = Literal["ring", "modelled"]

POLICIES: Final[tuple[Policy, ...]] = get_args(Policy)
"""How instances are bound to addresses; the first is the default."""


@dataclass(frozen=True, slots=True)
class AddressRotationPsum:
    """Bind each PSUM instance to its place, before scheduling.

    Attributes:
        policy: How places are chosen.
    """

    name: ClassVar[str] = "address_rotation_psum"
    statistics: ClassVar[tuple[Statistic, ...]] = (ROTATED, MOVED, GUARDED, LEFT)
    policy: Policy = "ring"

    def run(self, state: State) -> PassResult:
        """Return the state with PSUM rotated, or as it was with the reason."""
        if self.policy == "ring":
            return rotate(state, MemorySpace.PSUM)
        return _modelled(state, Path.PSUM)


@dataclass(frozen=True, slots=True)
class AddressRotationSb:
    """Bind each SB instance to its place, before scheduling.

    Attributes:
        policy: How places are chosen.
    """

    name: ClassVar[str] = "address_rotation_sb"
    statistics: ClassVar[tuple[Statistic, ...]] = (ROTATED, MOVED, GUARDED, LEFT)
    policy: Policy = "ring"

    def run(self, state: State) -> PassResult:
        """Return the state with SB rotated, or as it was with the reason."""
        if self.policy == "ring":
            return rotate(state, MemorySpace.SB)
        return _modelled(state, Path.SB)


@dataclass(frozen=True, slots=True)
class AddressRotationDram:
    """Bind each DRAM instance to its place, before scheduling.

    Attributes:
        policy: How places are chosen.
    """

    name: ClassVar[str] = "address_rotation_dram"
    statistics: ClassVar[tuple[Statistic, ...]] = (ROTATED, MOVED, GUARDED, LEFT)
    policy: Policy = "ring"

    def run(self, state: State) -> PassResult:
        """Return the state with DRAM rotated, or as it was with the reason."""
        if self.policy == "ring":
            return rotate(state, MemorySpace.DRAM)
        return _modelled(state, Path.DRAM)


@dataclass(frozen=True, slots=True)
class AddressRotationPsumPostSchedule:
    """Bind each PSUM instance anew, by the order of the schedule.

    Attributes:
        policy: Under ``ring`` the pass is the identity.
    """

    name: ClassVar[str] = "address_rotation_psum_post_schedule"
    statistics: ClassVar[tuple[Statistic, ...]] = (IDENTITY, MOVED, GUARDED, UNDONE)
    policy: Policy = "ring"

    def run(self, state: State) -> PassResult:
        """Return the state with PSUM moved, if it is no slower then."""
        return _after_schedule(state, self.policy, Path.PSUM_POST_SCHEDULE)


@dataclass(frozen=True, slots=True)
class AddressRotationSbAgain:
    """Bind each SB instance anew, by the order of the schedule.

    It is `address_rotation_sb`, run again, and has its name.

    Attributes:
        policy: Under ``ring`` the pass is the identity.
    """

    name: ClassVar[str] = AddressRotationSb.name
    statistics: ClassVar[tuple[Statistic, ...]] = (IDENTITY, MOVED, GUARDED, UNDONE)
    policy: Policy = "ring"

    def run(self, state: State) -> PassResult:
        """Return the state with SB moved, if it is no slower then."""
        return _after_schedule(state, self.policy, Path.SB_POST_SCHEDULE)


def _modelled(state: State, path: Path) -> PassResult:
    done = _rotated(state, path)
    program = built(done.state.program, "unrolled program")
    slot = built(done.state.placement, "placement").slot
    residents = resident_tensors(program, SPACES[path])
    counts = {
        ROTATED: sum(bool(slot[program.location_tensor == t].any()) for t in residents),
        MOVED: done.moved,
        GUARDED: done.guarded,
        LEFT: int(done.undone or bool(refusals_of(state.function))),
    }
    return PassResult(done.state, counts)


def _rotated(state: State, path: Path) -> Rotated:
    """Return what policy ``modelled`` does, nothing where a function may not rotate."""
    refusals = refusals_of(state.function)
    if not refusals:
        return rotate_modelled(state, path)
    untold = (r for r in refusals if r not in state.refusals)
    left = replace(state, refusals=(*state.refusals, *untold))
    lines = [JOIN_FOUND] if joins(state.function) else [r.reason for r in refusals]
    return Rotated(logged(left, *lines))


def _after_schedule(state: State, policy: Policy, path: Path) -> PassResult:
    if policy == "ring":
        return PassResult(state, {IDENTITY: 1, MOVED: 0, GUARDED: 0, UNDONE: 0})
    done = _rotated(state, path)
    counts = {
        IDENTITY: 0,
        MOVED: done.moved,
        GUARDED: done.guarded,
        UNDONE: done.undone,
    }
    return PassResult(done.state, counts)


def rotate(state: State, space: MemorySpace) -> PassResult:
    """Return the state with the rings of one space in use.

    A space without private arenas has no rings and stays as it is, and so does a
    function that may not be rotated.
    """
    refusals = refusals_of(state.function)
    if refusals:
        untold = (r for r in refusals if r not in state.refusals)
        left = replace(state, refusals=(*state.refusals, *untold))
        return PassResult(left, {ROTATED: 0, MOVED: 0, GUARDED: 0, LEFT: 1})
    program = built(state.program, "unrolled program")
    old = built(state.placement, "placement")
    plan = built(state.plan, "ring plan").slots()
    arenas = state.arenas.get(space)
    if arenas is None:
        return PassResult(state, {ROTATED: 0, MOVED: 0, GUARDED: 0, LEFT: 0})
    new = bound_to_rings(program, old, arenas, plan)
    fault = binding_fault(program, new, state.machine, space)
    if fault is not None:
        refusal = Refusal(f"{space.value} was not rotated: {fault}")
        left = replace(state, refusals=(*state.refusals, refusal))
        return PassResult(left, {ROTATED: 0, MOVED: 0, GUARDED: 0, LEFT: 1})
    counts = {
        ROTATED: sum(plan[tensor] > 1 for tensor in arenas),
        MOVED: int(np.count_nonzero(new.byte != old.byte)),
        GUARDED: 0,
        LEFT: 0,
    }
    return PassResult(replace(state, placement=new), counts)
