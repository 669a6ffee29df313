"""Where the buffers of a kept function live: arenas of rings, or packed tightly.

Liveness is that of the tree: what is used in a loop and was not made in that trip is
live around the back edge, and so in the whole loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rotation.allocation import allocate, buffers, side_by_side
from rotation.errors import CapacityError
from rotation.kept.data import Node, Straight, Tree
from rotation.kept.edges import Sharing
from rotation.loop_form.kernel import Loop, MemoryLocationSet, MemorySpace
from rotation.machine.machine import Machine
from rotation.placement.binding import (
    ON_CHIP,
    UNITS,
    Arena,
    capacity_bytes,
    ring_room,
    slot_layout,
    unit_bytes,
)
from rotation.placement.dram import DRAM_ALIGNMENT_BYTES
from rotation.rounding import round_up

Tensors = tuple[MemoryLocationSet, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The bytes of every buffer that is used.

    Attributes:
        arenas: Of each buffer; slot s begins at ``base_bytes + s * stride_bytes``.
        slots: Number of slots of each buffer.
        sharing: Pairs of buffers with bytes in common; each of these has one slot.
        packed: The spaces that were packed.
    """

    arenas: dict[MemoryLocationSet, Arena]
    slots: dict[MemoryLocationSet, int]
    sharing: Sharing
    packed: frozenset[MemorySpace]


def used_tensors(tree: Tree) -> Tensors:
    """Return the buffers that operations touch, in the order of the text."""
    ops = (op for node in tree.straights for op in node.ops)
    used = {access.tensor for op in ops for access in op.accesses}
    return tuple(tensor for tensor in tree.function.tensors if tensor in used)


def dram_arenas(tensors: Tensors) -> dict[MemoryLocationSet, Arena]:
    """Return the bytes of the DRAM tensors, one after another.

    Those that the outside sees come first.
    """
    arenas, cursor = {}, 0
    in_dram = (tensor for tensor in tensors if not tensor.on_chip)
    for tensor in sorted(in_dram, key=lambda tensor: tensor.is_placed):
        arenas[tensor] = Arena(cursor, 0)
        cursor += round_up(tensor.bytes_in_space, DRAM_ALIGNMENT_BYTES)
    return arenas


def private(
    tensors: Tensors,
    machine: Machine,
    space: MemorySpace,
    slots: Mapping[MemoryLocationSet, int],
) -> dict[MemoryLocationSet, Arena] | None:
    """Return an arena for each buffer of a space; None if they do not fit."""
    layouts = {t: slot_layout(t, machine) for t in tensors if t.space is space}
    ordered = sorted(
        layouts, key=lambda t: (-layouts[t].alignment_bytes, -layouts[t].size_bytes)
    )
    bases, end = side_by_side([ring_room(layouts[t], slots[t]) for t in ordered])
    if end > capacity_bytes(space, machine):
        return None
    return {
        tensor: Arena(base, layouts[tensor].stride_bytes)
        for tensor, base in zip(ordered, bases, strict=True)
    }


def laid_out(
    tree: Tree,
    machine: Machine,
    slots: Mapping[MemoryLocationSet, int],
    *,
    compact: bool = False,
) -> Layout:
    """Return the bytes of all buffers.

    A space in which not even one slot of each buffer fits is packed by live interval,
    one slot each; so are all with `compact`.

    Raises:
        CapacityError: If they do not fit even when packed.
    """
    tensors = used_tensors(tree)
    arenas, packed = dram_arenas(tensors), set()
    kept = {tensor: slots.get(tensor, 1) for tensor in tensors}
    for space in ON_CHIP:
        own = None if compact else private(tensors, machine, space, kept)
        if own is None:
            own = _packed(tree, machine, space)
            packed.add(space)
            kept |= dict.fromkeys(own, 1)
        arenas |= own
    return Layout(arenas, kept, _sharing(arenas, machine), frozenset(packed))


def live_intervals(tree: Tree) -> dict[MemoryLocationSet, tuple[int, int]]:
    """Return the first and last place at which each buffer is live.

    Places count the operations of the straight nodes in order; the bytes are free
    strictly after the last one.
    """
    span: dict[Loop, tuple[int, int]] = {}
    used: dict[MemoryLocationSet, list[tuple[int, Loop | None]]] = {}
    _visit(tree.nodes, 0, span, used)
    loops_of = tree.function.nests
    intervals = {}
    for tensor, places in used.items():
        own = () if tensor.scope is None else loops_of[tensor.scope]
        first = min(place for place, _ in places)
        last = max(place for place, _ in places)
        for loop, (begin, end) in span.items():
            touched = any(begin <= place <= end for place, _ in places)
            if touched and loop not in own:
                first, last = min(first, begin), max(last, end)
        intervals[tensor] = first, last
    return intervals


def _visit(
    nodes: tuple[Node, ...],
    place: int,
    span: dict[Loop, tuple[int, int]],
    used: dict[MemoryLocationSet, list[tuple[int, Loop | None]]],
) -> int:
    """Number the operations of nodes from a place on; return the next place."""
    for node in nodes:
        begin = place
        if isinstance(node, Straight):
            for op in node.ops:
                for access in op.accesses:
                    used.setdefault(access.tensor, []).append((place, node.loop))
                place += 1
        else:
            place = _visit(node.nodes, place, span, used)
        if node.loop is not None and place > begin:
            span[node.loop] = begin, place - 1
    return place


def _packed(
    tree: Tree, machine: Machine, space: MemorySpace
) -> dict[MemoryLocationSet, Arena]:
    intervals = live_intervals(tree)
    tensors = [t for t in used_tensors(tree) if t.space is space]
    layouts = {t: slot_layout(t, machine) for t in tensors}
    sizes = [layouts[t].size_bytes for t in tensors]
    found = allocate(
        buffers(
            np.array([intervals[t][0] for t in tensors], np.int64),
            np.array([intervals[t][1] + 1 for t in tensors], np.int64),
            np.array(sizes, np.int64),
            alignment=np.array([layouts[t].alignment_bytes for t in tensors], np.int64),
        )
    )
    if found.peak > capacity_bytes(space, machine):
        raise _does_not_fit(space, machine, tensors, sizes, found.peak)
    return {
        tensor: Arena(offset, layouts[tensor].stride_bytes)
        for tensor, offset in zip(tensors, found.offset.tolist(), strict=True)
    }


def _does_not_fit(
    space: MemorySpace,
    machine: Machine,
    tensors: list[MemoryLocationSet],
    sizes_bytes: list[int],
    peak_bytes: int,
) -> CapacityError:
    each, unit = unit_bytes(space, machine), UNITS[space]
    sizes = dict(zip(tensors, sizes_bytes, strict=True))
    names = ", ".join(f"{t.name} {size // each}" for t, size in sizes.items())
    need, capacity = peak_bytes // each, capacity_bytes(space, machine) // each
    widest = max(sizes, key=lambda t: sizes[t])
    return CapacityError(
        f"{space.value} is too small: {names} need {need} {unit} though those that "
        f"are not live together share, {machine.name} has {capacity}",
        need=need,
        capacity=capacity,
        unit=unit,
        span=widest.span,
        hint="make a tile smaller, or declare it in a loop further in",
    )


def _sharing(arenas: Mapping[MemoryLocationSet, Arena], machine: Machine) -> Sharing:
    """Return the pairs of on-chip buffers with bytes in common; one slot each."""
    found = set()
    chips = sorted(
        (tensor.space.value, arena.base_bytes, number, tensor)
        for number, (tensor, arena) in enumerate(arenas.items())
        if tensor.on_chip
    )
    for row, (space, base, _, tensor) in enumerate(chips):
        end = base + slot_layout(tensor, machine).size_bytes
        for other_space, other_base, _, other in chips[row + 1 :]:
            if (other_space, other_base) >= (space, end):
                break
            found |= {(tensor, other), (other, tensor)}
    return frozenset(found)
