"""Placed and scheduled programs as text: what is written reads back to the same.

A ``placed`` block says of a kernel of the same text where its instances live, in
which order each engine works, and what waits for what.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lark import Token

from pelican.errors import Source, nearest
from rotation.errors import raise_all
from rotation.loop_form.kernel import EdgeKind, Engine, MemorySpace
from rotation.machine.machine import Machine
from rotation.placed.layout import Layout, Place, Queue, Wait
from rotation.text.explain import PLACE_FORM
from rotation.text.operations import ENGINES
from rotation.text.parse import blocks
from rotation.text.reading import Node, Reading, parts, tokens, trees

INDENT = "  "
_SERVERS: Final = {each.text: each for each in Engine if each.issuer is not each}


def print_layout(layout: Layout, machine: Machine) -> str:
    """Return the ``placed`` block of a layout, one record a line.

    >>> from rotation.machine.machine import get_machine
    >>> place = Place("acc", MemorySpace.PSUM, 0, 2048, slots=2, step_bytes=2048)
    >>> wait = Wait(12, 7, EdgeKind.ANTI, distance=3)
    >>> layout = Layout("mm", (place,), (Queue("pe", (0, 2, 1)),), (wait,))
    >>> print(print_layout(layout, get_machine("planning")), end="")
    placed mm {
      place acc[k mod 2] = psum part 0 bank 1 step 1
      order pe: 0 2 1
      edge 12 -> 7 anti distance 3
    }
    """
    lines = [
        f"placed {layout.kernel} {{",
        *(f"{INDENT}{line}" for line in _lines(layout, machine)),
        "}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _lines(layout: Layout, machine: Machine) -> Iterator[str]:
    for place in layout.places:
        yield _place_text(place, machine)
    for queue in layout.queues or ():
        yield f"order {queue.engine}: {' '.join(map(str, queue.rows))}"
    for wait in layout.waits or ():
        apart = "" if wait.distance is None else f" distance {wait.distance}"
        kind = wait.kind.name.lower()
        yield f"edge {wait.sink} -> {wait.source} {kind}{apart}"


def _place_text(place: Place, machine: Machine) -> str:
    which = "" if place.slots is None else f"[k mod {place.slots}]"
    if place.instance is not None:
        which = f"@({', '.join(map(str, place.instance))})"
    words = [f"place {place.tensor}{which} = {place.space.value}"]
    if place.space is not MemorySpace.DRAM:
        words.append(f"part {place.part}")
    unit, word = 1, "byte"
    bank_bytes = machine.psum_bank_bytes
    in_psum = place.space is MemorySpace.PSUM
    if in_psum and not place.byte % bank_bytes and not place.step_bytes % bank_bytes:
        unit, word = bank_bytes, "bank"
    words.append(f"{word} {place.byte // unit}")
    if place.slots is not None:
        words.append(f"step {place.step_bytes // unit}")
    if place.slot:
        words.append(f"slot {place.slot}")
    return " ".join(words)


def read_layouts(source: Source, machines: dict[str, Machine]) -> dict[str, Layout]:
    """Return the layouts of a text by the name of their kernel.

    Args:
        source: A text of ``kernel`` and ``placed`` blocks.
        machines: The machine of each kernel of the text.

    Raises:
        ParseError: If the text is not in the language.
        KernelError: If a block is of no kernel, or of the kernel of another block;
            or if a line of it makes no sense.
    """
    reading = Reading(source, declared={}, labels={})
    found: dict[str, Layout] = {}
    for tree in blocks(source):
        if tree.data != "placed":
            continue
        name = tokens(tree)[0]
        if name not in machines:
            hint = nearest(name, machines) or "the kernel stands in the same text"
            reading.errors.append(reading.error(f"no kernel {name}", name, hint))
        elif name in found:
            message = f"{name} is placed twice"
            reading.errors.append(reading.error(message, name, "keep one block"))
        else:
            found[str(name)] = _layout(reading, tree, machines[name])
    raise_all(reading.errors)
    return found


def _layout(reading: Reading, tree: Node, machine: Machine) -> Layout:
    name = tokens(tree)[0]
    by_kind: dict[str, list[Node]] = {"place": [], "order": [], "edge": []}
    for part in trees(tree):
        by_kind[str(part.data)].append(part)
    places = [reading.attempt(_place, reading, p, machine) for p in by_kind["place"]]
    queues = [reading.attempt(_queue, reading, q, machine) for q in by_kind["order"]]
    waits = [reading.attempt(_wait, reading, part) for part in by_kind["edge"]]
    return Layout(
        str(name),
        tuple(place for place in places if place is not None),
        tuple(q for q in queues if q is not None) if queues else None,
        tuple(wait for wait in waits if wait is not None) if waits else None,
        reading.span(name),
    )


def _place(reading: Reading, tree: Node, machine: Machine) -> Place:
    name, space_token = tokens(tree)
    part = parts(tree)
    address = parts(part["address"])
    space = MemorySpace(str(space_token))
    unit = 1
    if "at_bank" in address:
        unit = machine.psum_bank_bytes
        if space is not MemorySpace.PSUM:
            raise reading.error(
                f"{space.value} has no banks", address["at_bank"], "write byte N"
            )
    turn = part.get("turn")
    if (turn is None) is ("stride" in address):
        message = "a ring of slots has a step, one place has none"
        raise reading.error(message, tree, f"write {PLACE_FORM}")
    if "slot" in address and "point" not in part:
        message = "a slot belongs to one instance"
        raise reading.error(message, address["slot"], "leave the `slot` out")
    start = address.get("at_bank") or address["at_byte"]
    return Place(
        str(name),
        space,
        _number(reading, address.get("first")),
        _number(reading, start) * unit,
        None if turn is None else reading.integer(tokens(turn)[1], "slots", least=1),
        _number(reading, address.get("stride")) * unit,
        _instance(reading, part.get("point")),
        _number(reading, address.get("slot")),
        reading.span(tree),
    )


def _number(reading: Reading, tree: Node | None) -> int:
    """Return the number of a part of an address; 0 if it is not there."""
    return 0 if tree is None else reading.integer(tokens(tree)[0], "an address")


def _instance(reading: Reading, tree: Node | None) -> tuple[int, ...] | None:
    if tree is None:
        return None
    values = []
    for bound in trees(tree):
        *minus, digits = tokens(bound)
        value = reading.integer(digits, "the value of a loop")
        values.append(-value if minus else value)
    return tuple(values)


def _queue(reading: Reading, tree: Node, machine: Machine) -> Queue:
    name, *rows = tokens(tree)
    engine = queue_named(name)
    if engine is None:
        own = {server.text: server for server in machine.servers}
        known = ", ".join(each.text for each in own.values() if each is not Engine.SYNC)
        hint = nearest(name.lower(), {**ENGINES, **own}) or f"the engines are {known}"
        raise reading.error(f"no engine {name}", name, hint)
    numbers = tuple(reading.integer(row, "an instruction") for row in rows)
    return Queue(engine.text, numbers, reading.span(tree))


def queue_named(name: str) -> Engine | None:
    """Return the engine, or the server of one, of that name, or None."""
    return ENGINES.get(name.lower()) or _SERVERS.get(name.lower())


def _wait(reading: Reading, tree: Node) -> Wait:
    sink, source, kind = tokens(tree)
    apart = parts(tree).get("distance")
    return Wait(
        reading.integer(sink, "an instruction"),
        reading.integer(source, "an instruction"),
        EdgeKind[str(kind).upper()],
        None if apart is None else _distance(reading, tokens(apart)[0]),
        reading.span(tree),
    )


def _distance(reading: Reading, token: Token) -> int:
    return reading.integer(token, "a distance")
