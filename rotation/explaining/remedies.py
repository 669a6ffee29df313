"""What else would help: the kernel is changed as a remedy says, and run again.

Each remedy is a change of the text or of an option that takes a limit away: a
declaration inside its loop, a ring or a place that is left to the passes, a promise
that rows are distinct, more PSUM banks. Another slot is tried in
`rotation.explaining.what_if`, where everything else stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from pelican.errors import Span
from rotation.errors import RotationError
from rotation.explaining.one_instance import declared_inside
from rotation.loop_form.calls import edited
from rotation.loop_form.kernel import Function, Instruction, Loop, MemoryLocationSet
from rotation.loop_form.kernel import MemorySpace as Space
from rotation.machine.machine import Machine
from rotation.passes.base import Pass, State, built
from rotation.rings.plan import Limit
from rotation.running.pipeline import no_slower, run_passes, unrotated
from rotation.running.report import bound_of

BANKS_FACTOR: Final = 2
"""A machine with more banks is tried with so many times as many."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that may help.

    Attributes:
        kind: ``declaration``, ``ring``, ``place``, ``unique`` or ``banks``.
        advice: What to write, in words.
        condition: What must be true for it, where nobody can see that; else None.
        tensors: The buffers that it is about.
        span: Where it is written; None for an option.
        function: The kernel with the change.
        machine: The machine with it.
    """

    kind: str
    advice: str
    condition: str | None
    tensors: tuple[MemoryLocationSet, ...]
    span: Span | None
    function: Function
    machine: Machine


class Times(NamedTuple):
    """Makespan and bound of a run [ps]."""

    makespan_ps: int
    bound_ps: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run with a remedy gave.

    Attributes:
        remedy: The change.
        times: Its makespan, and its bound, which is another than the kernel's; None
            if the kernel cannot run so.
        refusal: Why it cannot, or None.
    """

    remedy: Remedy
    times: Times | None
    refusal: str | None


def outcomes(
    state: State,
    passes: Sequence[Pass],
    needless: Mapping[str, Loop],
    waiting: Collection[MemoryLocationSet] = (),
) -> Iterator[Outcome]:
    """Yield what each remedy of a finished state gives.

    Args:
        state: The state.
        passes: The passes that made it.
        needless: The loops into which buffers may be moved, by name of the buffer.
        waiting: Buffers that wait for banks of others.
    """
    for remedy in (*_remedies(state, needless), *_banks(state, waiting)):
        yield _tried(remedy, passes)


def _tried(remedy: Remedy, passes: Sequence[Pass]) -> Outcome:
    try:
        after, _ = run_passes(passes, State(remedy.function, remedy.machine))
    except RotationError as error:
        return Outcome(remedy, None, error.message)
    after = no_slower(unrotated(after), after)
    makespan_ps = built(after.schedule, "schedule").makespan_ps
    return Outcome(remedy, Times(makespan_ps, bound_of(after).total_ps), None)


def _remedies(state: State, needless: Mapping[str, Loop]) -> Iterator[Remedy]:
    function = state.function
    movable = {t: needless[t.name] for t in function.tensors if t.name in needless}
    ringed = [t for t in function.tensors if t.ring_slots is not None and not t.pin]
    placed = [t for t in function.tensors if t.pin is not None]
    yield from _of_each(state, "declaration", list(movable), _moved(movable))
    yield from _of_each(state, "ring", ringed, _unringed)
    if placed:  # places that fit together rarely help one by one
        yield _changed(state, "place", tuple(placed), _unplaced)
    yield from _distinct(state)


Change = Callable[[Function, Sequence[MemoryLocationSet]], tuple[Function, str]]
"""Gives a kernel with some buffers changed, and what was done, in words."""


def _of_each(
    state: State, kind: str, tensors: Sequence[MemoryLocationSet], change: Change
) -> Iterator[Remedy]:
    """Yield a change of each buffer, and of all of them together."""
    groups: list[tuple[MemoryLocationSet, ...]] = [(tensor,) for tensor in tensors]
    if len(tensors) > 1:
        groups.append(tuple(tensors))
    for group in groups:
        yield _changed(state, kind, group, change)


def _changed(
    state: State, kind: str, tensors: tuple[MemoryLocationSet, ...], change: Change
) -> Remedy:
    function, advice = change(state.function, tensors)
    span = tensors[0].span
    return Remedy(kind, advice, None, tensors, span, function, state.machine)


def _moved(loops: Mapping[MemoryLocationSet, Loop]) -> Change:
    def change(
        function: Function, tensors: Sequence[MemoryLocationSet]
    ) -> tuple[Function, str]:
        advice = ", ".join(
            f"declare {tensor.name}{_line(tensor.span)} inside loop "
            f"{loops[tensor].index.name}{_line(loops[tensor].span)}"
            for tensor in tensors
        )
        mine = {tensor: loops[tensor] for tensor in tensors}
        return declared_inside(function, mine), advice

    return change


def _unringed(
    function: Function, tensors: Sequence[MemoryLocationSet]
) -> tuple[Function, str]:
    rings = ", ".join(
        f"ring {t.ring_slots} of {t.name}{_line(t.span)}" for t in tensors
    )
    changed = edited(
        function, tensor=lambda t: replace(t, ring_slots=None) if t in tensors else t
    )
    return changed, f"leave {rings} to the plan"


def _unplaced(
    function: Function, tensors: Sequence[MemoryLocationSet]
) -> tuple[Function, str]:
    places = ", ".join(f"{t.name}{_line(t.span)}" for t in tensors)
    changed = edited(
        function, tensor=lambda t: replace(t, pin=None) if t in tensors else t
    )
    return changed, f"leave the place of {places} to the passes"


def _distinct(state: State) -> Iterator[Remedy]:
    """Yield the promise of each scatter that its rows are distinct."""
    for scatter in state.function.instructions:
        indexed = scatter.indexed
        if indexed is None or not scatter.is_scatter or indexed.unique:
            continue

        def promised(same: Instruction, mine: Instruction = scatter) -> Instruction:
            if same is not mine or same.indexed is None:
                return same
            return replace(same, indexed=replace(same.indexed, unique=True))

        yield Remedy(
            "unique",
            f"write `unique` at {scatter.name}{_line(scatter.span)}",
            f"if no row of {indexed.tensor.name} comes twice in the whole kernel",
            tuple(region.tensor for region in scatter.writes),
            scatter.span,
            edited(state.function, instruction=promised),
            state.machine,
        )


def _banks(state: State, waiting: Collection[MemoryLocationSet]) -> Iterator[Remedy]:
    """Yield a machine with more PSUM banks, if some buffer is short of them."""
    rings = built(state.plan, "ring plan").rings
    full = {ring.tensor for ring in rings if ring.limited_by is Limit.CAPACITY}
    short = tuple(
        tensor
        for tensor in state.function.tensors
        if tensor.space is Space.PSUM and (tensor in full or tensor in waiting)
    )
    if short:
        banks = BANKS_FACTOR * state.machine.psum_banks
        yield Remedy(
            "banks",
            f"take {banks} PSUM banks (--psum-banks {banks})",
            "if there is such a machine",
            short,
            None,
            state.function,
            replace(state.machine, psum_banks=banks),
        )


def _line(span: Span | None) -> str:
    return "" if span is None else f" (line {span.line})"
