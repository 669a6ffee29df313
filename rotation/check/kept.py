"""Check loops that are kept: for every number of trips, by the solver.

`check_kept` asks of a placed kept program, with trips, distances and outer loops as
unknowns without an upper end:

* every slot is in its ring, every ring in its space, and rings share no byte unless
  their buffers are never alive together;
* every operation runs once at each trip, and at no other, whatever its stage;
* whatever may touch the same bytes, one of the two a write, is ordered as in the
  source by the waits of `rotation.check.kept_order`.

Nodes follow one another with a full wait, so nothing is asked across nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from pelican import Interval, IntRuntimeValue, icmp, index
from pelican.expr.node import Expr
from pelican.questions.substitute import rebuild, smart
from pelican.tree.kinds import constant
from pelican.tree.traverse import indices
from proofs import Proved, Refuted, prove_in, prove_never
from proofs.verdict import Verdict
from rotation.check.hazard import Check, Hazard
from rotation.check.kept_order import Waits
from rotation.kept.data import (
    BodyAccess,
    BodyOp,
    KeptProgram,
    Straight,
    WidenedLocation,
    counter_name,
)
from rotation.loop_form.kernel import Loop, MemoryLocationSet, MemorySpace


@dataclass(frozen=True, slots=True)
class KeptClaim:
    """One claim about all trip counts, and its answer.

    Attributes:
        check: The check that it belongs to.
        claim: What is claimed.
        verdict: Proved, refuted with a counterexample, or unknown.
    """

    check: Check
    claim: str
    verdict: Verdict

    def __str__(self) -> str:
        return f"{self.claim}: {self.verdict}"


def check_kept(kept: KeptProgram) -> tuple[KeptClaim, ...]:
    """Return every claim about a kept program; it holds if all of them are proved."""
    claims = [*_space_claims(kept), *_ring_claims(kept)]
    for node in kept.tree.straights:
        text = f"{_name(node)}: a round names each operation once"
        named_once = _named_once(kept, node)
        claims.append(KeptClaim("dependence", text, _plain(named_once)))
        if named_once:
            claims += _round_claims(kept, node)
            claims += _Conflicts(kept, node).claims()
    return tuple(claims)


def hazards_of(claims: tuple[KeptClaim, ...]) -> tuple[Hazard, ...]:
    """Return the claims that are refuted, as hazards."""
    return tuple(
        Hazard(claim.check, f"not for every number of trips: {claim}", ())
        for claim in claims
        if isinstance(claim.verdict, Refuted)
    )


def _plain(holds: bool) -> Verdict:  # noqa: FBT001 - a truth value becomes an answer
    return Proved(0.0) if holds else Refuted({})


def _end_bytes(place: WidenedLocation) -> int:
    tensor = place.tensor
    rows = 1 if tensor.on_chip else tensor.num_partitions
    size = tensor.bytes_per_partition * rows
    return place.base_bytes + (place.slots - 1) * place.stride_bytes + size


def _space_claims(kept: KeptProgram) -> Iterator[KeptClaim]:
    """Yield that rings lie in their space, and apart."""
    machine = kept.machine
    capacity = {
        MemorySpace.SB: machine.sb_bytes_per_partition,
        MemorySpace.PSUM: machine.psum_banks * machine.psum_bank_bytes,
    }
    places = list(kept.locations.values())
    for place in places:
        name, tensor = place.tensor.name, place.tensor
        if tensor.on_chip:
            inside = (
                place.base_bytes >= 0 and _end_bytes(place) <= capacity[tensor.space]
            )
            text = f"{name} lies in {tensor.space.value}"
            yield KeptClaim("capacity", text, _plain(inside))
        apart = place.slots == 1 or place.stride_bytes >= tensor.bytes_per_partition
        yield KeptClaim("overlap", f"slots of {name} are apart", _plain(apart))
    for one, other in combinations(places, 2):
        if not _share(one, other):
            continue
        free = not _alive_together(kept, one.tensor, other.tensor)
        alone = one.slots == other.slots == 1
        text = f"{one.tensor.name} and {other.tensor.name} are never alive together"
        yield KeptClaim("overlap", text, _plain(free and alone))


def _share(one: WidenedLocation, other: WidenedLocation) -> bool:
    """Return whether two rings have a byte in common."""
    return (
        one.tensor.space is other.tensor.space
        and one.base_bytes < _end_bytes(other)
        and other.base_bytes < _end_bytes(one)
    )


def _alive_together(
    kept: KeptProgram, one: MemoryLocationSet, other: MemoryLocationSet
) -> bool:
    """Return whether two buffers may hold something at the same time, in source order.

    A buffer is alive from its first to its last use; in the whole of a loop that uses
    it and that does not define it afresh.
    """
    mine, theirs = _life(kept, one), _life(kept, other)
    return mine[0] <= theirs[1] and theirs[0] <= mine[1]


def _life(kept: KeptProgram, tensor: MemoryLocationSet) -> tuple[int, int]:
    own = kept.tree.function.nests[tensor.scope] if tensor.scope is not None else ()
    loops: dict[Loop, list[int]] = {}
    uses: list[int] = []
    place = 0
    for node in kept.tree.straights:
        for op in node.ops:
            for loop in node.loops:
                loops.setdefault(loop, []).append(place)
            if any(access.tensor is tensor for access in op.accesses):
                uses.append(place)
            place += 1
    first, last = min(uses), max(uses)
    for loop, places in loops.items():
        if loop not in own and set(places) & set(uses):
            first, last = min(first, places[0]), max(last, places[-1])
    return first, last


def _ring_claims(kept: KeptProgram) -> Iterator[KeptClaim]:
    """Yield that each slot and address is in its ring."""
    for place in kept.locations.values():
        name, slots = place.tensor.name, place.slots
        verdict = prove_in(place.slot, Interval(0, slots - 1))
        text = f"slot of {name}: {place.slot} in [0, {slots})"
        yield KeptClaim("overlap", text, verdict)
        last = place.base_bytes + (slots - 1) * place.stride_bytes
        verdict = prove_in(place.address, Interval(place.base_bytes, last))
        within = f"[{place.base_bytes}, {last + 1})"
        text = f"address of {name}: {place.address} in {within}"
        yield KeptClaim("overlap", text, verdict)


def _named_once(kept: KeptProgram, node: Straight) -> bool:
    rounds, ops = kept.rounds[node], range(len(node.ops))
    staged = len(rounds.stage) == len(ops) and min(rounds.stage) >= 0
    return staged and sorted(rounds.order) == list(ops)


def _round_claims(kept: KeptProgram, node: Straight) -> Iterator[KeptClaim]:
    """Yield that each operation runs at each trip and at no other, edges forward."""
    rounds = kept.rounds[node]
    trips, trip = index("trips", 0, None), index("trip", 0, None)
    number = index("round", 0, None)
    for stage in sorted(set(rounds.stage)):
        text = f"{_name(node)}: stage {stage} runs in a round of the loop at each trip"
        beyond = icmp(trip + stage, ">=", trips + rounds.num_stages - 1)
        verdict = prove_never([icmp(trip, "<", trips), beyond])
        yield KeptClaim("dependence", text, verdict)
        text = f"{_name(node)}: stage {stage} runs at no trip outside [0, trips)"
        guard = [icmp(number, ">=", stage), icmp(number, "<", trips + stage)]
        below = prove_never([*guard, icmp(number - stage, "<", 0)])
        above = prove_never([*guard, icmp(number - stage, ">=", trips)])
        yield KeptClaim("dependence", text, _both(below, above))
    for edge in kept.edges[node]:
        place = rounds.order.index(edge.source), rounds.order.index(edge.sink)
        before = rounds.stage[edge.source], place[0]
        behind = edge.distance + rounds.stage[edge.sink], place[1]
        if before >= behind:
            names = node.ops[edge.sink].name, node.ops[edge.source].name
            text = f"{names[0]} waits for {names[1]}, which is before it in the order"
            yield KeptClaim("race", text, _plain(holds=False))


def _both(one: Verdict, other: Verdict) -> Verdict:
    return other if isinstance(one, Proved) else one


def _name(node: Straight) -> str:
    return "straight code" if node.loop is None else f"loop {node.loop.index.name}"


class _Conflicts:
    """The pairs of accesses of one node that may touch the same bytes."""

    def __init__(self, kept: KeptProgram, node: Straight) -> None:
        self._kept = kept
        self._node = node
        self._waits = Waits(kept, node)
        self._trip = index("trip", 0, None)
        # A counter runs on: it is somewhere when the loop begins.
        self._begun = index("begun", 0, None)
        self._answers: dict[tuple[Expr, ...], Verdict] = {}

    def claims(self) -> Iterator[KeptClaim]:
        """Yield one claim for each pair whose waits do not settle it at once."""
        uses = [(p, a) for p, op in enumerate(self._node.ops) for a in op.accesses]
        for (first, one), (second, other) in product(uses, uses):
            if not (one.is_write or other.is_write) or not self._meet(one, other):
                continue
            after = 0 if first < second else 1
            if self._node.loop is None and after:
                continue
            waits = self._waits.least(first, second, after)
            if waits != after:
                yield self._claim((first, one), (second, other), after, waits)

    def _meet(self, one: BodyAccess, other: BodyAccess) -> bool:
        if one.tensor is other.tensor:
            return True
        locations = self._kept.locations
        return _share(locations[one.tensor], locations[other.tensor])

    def _claim(
        self,
        first: tuple[int, BodyAccess],
        second: tuple[int, BodyAccess],
        after: int,
        waits: int | None,
    ) -> KeptClaim:
        """Return that two accesses do not meet at distances below what is waited."""
        ops = self._node.ops
        one, other = ops[first[0]], ops[second[0]]
        apart: Expr = constant(0)
        if self._node.loop is not None:
            apart = index("distance", after, waits)
        facts = tuple(self._facts(one, first[1], other, second[1], apart))
        if facts not in self._answers:
            self._answers[facts] = prove_never(facts)
        span = f"at distances from {after}" + (
            "" if waits is None else f" to {waits - 1}"
        )
        text = (
            f"{_name(self._node)}: {one.name} and {other.name} do not meet in "
            f"{first[1].tensor.name} {span}"
        )
        return KeptClaim("race", text, self._answers[facts])

    def _facts(
        self,
        one: BodyOp,
        first: BodyAccess,
        other: BodyOp,
        second: BodyAccess,
        apart: Expr,
    ) -> Iterator[Expr]:
        """Yield what holds where two accesses touch a common byte."""
        here, there = self._at(one, self._trip), self._at(other, self._trip + apart)
        if first.tensor is not second.tensor:
            return  # rings with bytes in common: whatever slots and places are
        slot = self._kept.locations[first.tensor].slot
        yield icmp(here(slot), "==", there(slot))
        for mine, theirs, size, length in zip(
            first.region.starts,
            second.region.starts,
            first.region.extents,
            second.region.extents,
            strict=True,
        ):
            begin, other_begin = here(mine.raw), there(theirs.raw)
            yield icmp(other_begin - begin, "<", size)
            yield icmp(begin - other_begin, "<", length)

    def _at(self, op: BodyOp, trip: Expr) -> _Place:
        return _Place(self._kept, self._node, op, trip, self._begun)


class _Place:
    """Puts an operation's trips into an expression; outer loops stay unknowns."""

    def __init__(
        self, kept: KeptProgram, node: Straight, op: BodyOp, trip: Expr, begun: Expr
    ) -> None:
        around = len(node.loops)
        loops = kept.tree.function.loops_of[op.instruction]
        self._values: dict[object, Expr] = {}
        self._registers: dict[str, Expr] = {}
        for loop, number in zip(loops[around:], op.trips, strict=True):
            value = (loop.index.lo or 0) + number * loop.index.step
            self._values[loop.index] = constant(value)
        if node.loop is not None:
            own = node.loop.index
            value_of_trip = trip * own.step + (own.lo or 0)
            self._values[own] = value_of_trip
            self._registers[own.name] = value_of_trip
            name = counter_name(kept.tree.function, node.loop)
            self._registers[name] = begun + trip

    def __call__(self, expr: Expr) -> Expr:
        """Return an expression of the text or of a slot at these trips."""
        changes: dict[Expr, Expr] = {}
        for leaf in indices(expr):
            if leaf in self._values:
                changes[leaf] = self._values[leaf]
            elif isinstance(leaf, IntRuntimeValue) and leaf.name in self._registers:
                changes[leaf] = self._registers[leaf.name]
        return rebuild(expr, smart, changes) if changes else expr
