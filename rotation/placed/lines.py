"""Placed and scheduled programs as JSON lines: the form of dumps that are large.

The first line holds the kernel as text; each other line is one record of the layout:
``{"place": ...}``, ``{"order": ...}`` or ``{"edge": [sink, source, kind, distance]}``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from pelican.errors import ParseError, Source
from rotation.errors import InterchangeError
from rotation.interchange.document import Value, read_document
from rotation.loop_form.kernel import EdgeKind, Engine, MemorySpace
from rotation.placed.layout import Layout, Place, Queue, Wait

PLACED_SCHEMA: Final = "rotation-placed/1"


def write_lines(kernel: str, layout: Layout) -> str:
    """Return the JSON lines of a kernel's text and its layout."""
    head = {"schema": PLACED_SCHEMA, "name": layout.kernel, "kernel": kernel}
    records = [head, *_records(layout)]
    return "".join(json.dumps(record) + "\n" for record in records)


def _records(layout: Layout) -> Iterator[dict[str, Any]]:
    for place in layout.places:
        fields: dict[str, Any] = {
            "tensor": place.tensor,
            "space": place.space.value,
            "part": place.part,
            "byte": place.byte,
        }
        if place.slots is not None:
            fields |= {"slots": place.slots, "step_bytes": place.step_bytes}
        if place.instance is not None:
            fields |= {"instance": list(place.instance), "slot": place.slot}
        yield {"place": fields}
    for queue in layout.queues or ():
        yield {"order": {"engine": queue.engine, "rows": list(queue.rows)}}
    for wait in layout.waits or ():
        entry = [wait.sink, wait.source, wait.kind.name.lower()]
        yield {"edge": entry if wait.distance is None else [*entry, wait.distance]}


def read_lines(text: str) -> tuple[str, Layout]:
    """Return the kernel text and the layout of JSON lines.

    Raises:
        InterchangeError: If a line is no such record; the pointer of a value in line
            n starts with ``/n``.
    """
    lines = [
        _value(line, number)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    if not lines:
        raise InterchangeError("a first line with the kernel is needed", "")
    head = lines[0].fields(("schema", "name", "kernel"))
    head["schema"].choice([PLACED_SCHEMA])
    if not isinstance(head["kernel"].data, str):
        head["kernel"].refuse("the text of a kernel is needed")
    places: list[Place] = []
    queues: list[Queue] = []
    waits: list[Wait] = []
    for line in lines[1:]:
        fields = line.fields((), ("place", "order", "edge"))
        if len(fields) != 1:
            line.refuse("a line has one of place, order and edge")
        if "place" in fields:
            places.append(_place(fields["place"]))
        if "order" in fields:
            queues.append(_queue(fields["order"]))
        if "edge" in fields:
            waits.append(_wait(fields["edge"]))
    layout = Layout(
        head["name"].word(),
        tuple(places),
        tuple(queues) if queues else None,
        tuple(waits) if waits else None,
    )
    return head["kernel"].data, layout


def _value(line: str, number: int) -> Value:
    try:
        return Value(read_document(Source(f"line {number}", line)), f"/{number}")
    except ParseError as error:
        raise InterchangeError(error.message, f"/{number}", error.hint) from None


def _place(value: Value) -> Place:
    fields = value.fields(
        ("tensor", "space", "part", "byte"), ("slots", "step_bytes", "instance", "slot")
    )
    if ("slots" in fields) is not ("step_bytes" in fields):
        value.refuse("slots and step_bytes stand together")
    instance = None
    if "instance" in fields:
        instance = tuple(each.integer() for each in fields["instance"].items())
    return Place(
        fields["tensor"].word(),
        MemorySpace(fields["space"].choice(space.value for space in MemorySpace)),
        fields["part"].integer(least=0),
        fields["byte"].integer(least=0),
        fields["slots"].integer(least=1) if "slots" in fields else None,
        fields["step_bytes"].integer(least=0) if "slots" in fields else 0,
        instance,
        fields["slot"].integer(least=0) if "slot" in fields else 0,
    )


def _queue(value: Value) -> Queue:
    fields = value.fields(("engine", "rows"))
    engine = fields["engine"].choice(engine.text for engine in Engine)
    rows = tuple(row.integer(least=0) for row in fields["rows"].items())
    return Queue(engine, rows)


def _wait(value: Value) -> Wait:
    entries = value.items()
    if len(entries) not in {3, 4}:
        value.refuse(
            "an edge is [sink, source, kind] or [sink, source, kind, distance]"
        )
    kind = entries[2].choice(kind.name.lower() for kind in EdgeKind)
    return Wait(
        entries[0].integer(least=0),
        entries[1].integer(least=0),
        EdgeKind[kind.upper()],
        entries[3].integer(least=0) if len(entries) == 4 else None,
    )
