"""`address_rotation_psum` and `address_rotation_sb`, before and after scheduling.

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

from rotation.binding import binding_fault, bound_to_rings, resident_tensors
from rotation.kernel import MemorySpace
from rotation.modelled.preconditions import Path
from rotation.modelled.rotating import SPACES, rotate_modelled
from rotation.modelled.scope import KernelInstruction
from rotation.passes.base import PassResult, Refusal, State, Statistic, built

ROTATED: Final = Statistic("rotated", "tensors", "buffers given more than one slot")
GUARDED: Final = Statistic("guarded", "locations", "in-place partners that stay")
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
        kernel: What the function says of itself, if it is a kernel of another one;
            policy ``modelled`` only.
    """

    name: ClassVar[str] = "address_rotation_psum"
    statistics: ClassVar[tuple[Statistic, ...]] = (ROTATED, MOVED, GUARDED, LEFT)
    policy: Policy = "ring"
    kernel: KernelInstruction | None = None

    def run(self, state: State) -> PassResult:
        """Return the state with PSUM rotated, or as it was with the reason."""
        if self.policy == "ring":
            return rotate(state, MemorySpace.PSUM)
        return _modelled(state, Path.PSUM, self.kernel)


@dataclass(frozen=True, slots=True)
class AddressRotationSb:
    """Bind each SB instance to its place, before scheduling.

    Attributes:
        policy: How places are chosen.
        kernel: As of `AddressRotationPsum`.
    """

    name: ClassVar[str] = "address_rotation_sb"
    statistics: ClassVar[tuple[Statistic, ...]] = (ROTATED, MOVED, GUARDED, LEFT)
    policy: Policy = "ring"
    kernel: KernelInstruction | None = None

    def run(self, state: State) -> PassResult:
        """Return the state with SB rotated, or as it was with the reason."""
        if self.policy == "ring":
            return rotate(state, MemorySpace.SB)
        return _modelled(state, Path.SB, self.kernel)


@dataclass(frozen=True, slots=True)
class AddressRotationPsumPostSchedule:
    """Bind each PSUM instance anew, by the order of the schedule.

    Attributes:
        policy: Under ``ring`` the pass is the identity.
        kernel: As of `AddressRotationPsum`.
    """

    name: ClassVar[str] = "address_rotation_psum_post_schedule"
    statistics: ClassVar[tuple[Statistic, ...]] = (IDENTITY, MOVED, GUARDED, UNDONE)
    policy: Policy = "ring"
    kernel: KernelInstruction | None = None

    def run(self, state: State) -> PassResult:
        """Return the state with PSUM moved, if it is no slower then."""
        return _after_schedule(state, self.policy, Path.PSUM_POST_SCHEDULE, self.kernel)


@dataclass(frozen=True, slots=True)
class AddressRotationSbAgain:
    """Bind each SB instance anew, by the order of the schedule.

    It is `address_rotation_sb`, run again, and has its name.

    Attributes:
        policy: Under ``ring`` the pass is the identity.
        kernel: As of `AddressRotationPsum`.
    """

    name: ClassVar[str] = AddressRotationSb.name
    statistics: ClassVar[tuple[Statistic, ...]] = (IDENTITY, MOVED, GUARDED, UNDONE)
    policy: Policy = "ring"
    kernel: KernelInstruction | None = None

    def run(self, state: State) -> PassResult:
        """Return the state with SB moved, if it is no slower then."""
        return _after_schedule(state, self.policy, Path.SB_POST_SCHEDULE, self.kernel)


def _modelled(state: State, path: Path, kernel: KernelInstruction | None) -> PassResult:
    done = rotate_modelled(state, path, kernel)
    program = built(done.state.program, "unrolled program")
    slot = built(done.state.placement, "placement").slot
    residents = resident_tensors(program, SPACES[path])
    counts = {
        ROTATED: sum(bool(slot[program.location_tensor == t].any()) for t in residents),
        MOVED: done.moved,
        GUARDED: done.guarded,
        LEFT: done.undone,
    }
    return PassResult(done.state, counts)


def _after_schedule(
    state: State, policy: Policy, path: Path, kernel: KernelInstruction | None
) -> PassResult:
    if policy == "ring":
        return PassResult(state, {IDENTITY: 1, MOVED: 0, GUARDED: 0, UNDONE: 0})
    done = rotate_modelled(state, path, kernel)
    counts = {
        IDENTITY: 0,
        MOVED: done.moved,
        GUARDED: done.guarded,
        UNDONE: done.undone,
    }
    return PassResult(done.state, counts)


def rotate(state: State, space: MemorySpace) -> PassResult:
    """Return the state with the rings of one space in use.

    A space without private arenas has no rings and stays as it is.
    """
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
