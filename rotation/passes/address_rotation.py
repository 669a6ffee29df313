"""`address_rotation_psum`, `_sb` and `_dram`; the first two after scheduling too.

Policy ``ring`` binds instance k to slot k mod N, and leaves nothing to do once the
program is scheduled. Policy ``modelled`` moves locations as the modelled system does
(`rotation.modelled`). A pass only re-binds addresses: the new map is computed whole,
checked, and then installed; if it does not pass the check the old one stays and the
reason is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
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
        return _before_schedule(state, self.policy, Path.PSUM)


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
        return _before_schedule(state, self.policy, Path.SB)


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
        return _before_schedule(state, self.policy, Path.DRAM)


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


def _before_schedule(state: State, policy: Policy, path: Path) -> PassResult:
    if policy == "ring":
        return rotate(state, SPACES[path])
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


def _rotated(state: State, path: Path) -> Rotated:
    """Return what policy ``modelled`` does, nothing where a function may not rotate."""
    refusals = refusals_of(state.function)
    if not refusals:
        return rotate_modelled(state, path)
    lines = [JOIN_FOUND] if joins(state.function) else [r.reason for r in refusals]
    return Rotated(logged(_with_refusals(state, refusals), *lines))


def _with_refusals(state: State, refusals: Sequence[Refusal]) -> State:
    """Return the state with the refusals that it has not told yet."""
    untold = (refusal for refusal in refusals if refusal not in state.refusals)
    return replace(state, refusals=(*state.refusals, *untold))


def _counts(*, rotated: int = 0, moved: int = 0, left: int = 0) -> dict[Statistic, int]:
    return {ROTATED: rotated, MOVED: moved, GUARDED: 0, LEFT: left}


def rotate(state: State, space: MemorySpace) -> PassResult:
    """Return the state with the rings of one space in use.

    A space without private arenas has no rings and stays as it is, and so does a
    function that may not be rotated.
    """
    refusals = refusals_of(state.function)
    if refusals:
        return PassResult(_with_refusals(state, refusals), _counts(left=1))
    program = built(state.program, "unrolled program")
    old = built(state.placement, "placement")
    plan = built(state.plan, "ring plan").slots()
    arenas = state.arenas.get(space)
    if arenas is None:
        return PassResult(state, _counts())
    new = bound_to_rings(program, old, arenas, plan)
    fault = binding_fault(program, new, state.machine, space)
    if fault is not None:
        refusal = Refusal(f"{space.value} was not rotated: {fault}")
        return PassResult(_with_refusals(state, [refusal]), _counts(left=1))
    counts = _counts(
        rotated=sum(plan[tensor] > 1 for tensor in arenas),
        moved=int(np.count_nonzero(new.byte != old.byte)),
    )
    return PassResult(replace(state, placement=new), counts)
