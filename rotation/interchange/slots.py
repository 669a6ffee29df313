"""The ``slot`` of an operand in the JSON form: which instance of a buffer it means.

``"s=0"`` is that of the iteration in which loop s has the value 0, ``"s+1"`` that of
the next iteration, ``"s"`` that of the current one. In text they are ``@(0)``,
``@(s+1)`` and nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from rotation.interchange.document import Value

_SLOT: Final = re.compile(
    r"\s*(?:(?P<loop>[A-Za-z_]\w*)\s*=(?!=))?(?P<at>[A-Za-z_0-9*+\-\s]+)"
)


def selection(slot: Value, scope: str, around: tuple[str, ...]) -> str:
    """Return what selects an instance in text; empty for the current one.

    Args:
        slot: The value of the field.
        scope: Name of the scope loop of the buffer.
        around: Names of the loops around the operation.

    Raises:
        InterchangeError: If it is no index expression, or of another loop.
    """
    match = _SLOT.fullmatch(slot.text())
    if match is None or not match["at"].strip():
        slot.refuse(f"a slot is an index expression such as {scope}+1 or {scope}=0")
    if match["loop"] not in {None, scope}:
        slot.refuse(f"the instances of this buffer are those of loop {scope}")
    at = match["at"].strip()
    return "" if at == scope and scope in around else f"@({at})"


def selected(body: object) -> set[str]:
    """Return the buffers of which an operand in a body has a slot."""
    return {name for name, has_slot, _ in _uses(body, ()) if has_slot}


def used_outside(body: Any, buffers: Any) -> set[str]:  # noqa: ANN401 - unread JSON
    """Return the buffers that are used outside of their scope loop, with a slot.

    Args:
        body: The body of a kernel. What is malformed is passed over here.
        buffers: Its buffers, likewise.
    """
    found = buffers if isinstance(buffers, list) else []
    known = [buffer for buffer in found if isinstance(buffer, dict)]
    scopes = {str(b.get("name")): b.get("scope") for b in known}
    return {
        name
        for name, has_slot, around in _uses(body, ("top",))
        if has_slot and name in scopes and scopes[name] not in around
    }


def loops_of(body: object) -> Iterator[str]:
    """Yield the names of the loops of a body, those in the arms of its ifs included.

    Those inside other loops are left out, and what is malformed.
    """
    for statement in body if isinstance(body, list) else ():
        if isinstance(statement, dict) and isinstance(statement.get("for"), str):
            yield statement["for"]
        elif isinstance(statement, dict):
            for key in ("then", "else"):
                yield from loops_of(statement.get(key))


def _uses(
    body: object, around: tuple[str, ...]
) -> Iterator[tuple[str, bool, tuple[str, ...]]]:
    """Yield each operand: its buffer, whether it has a slot, and the loops around."""
    for statement in body if isinstance(body, list) else ():
        if not isinstance(statement, dict):
            continue
        name = statement.get("for")
        inside = (*around, name) if isinstance(name, str) else around
        for key in ("body", "then", "else"):
            yield from _uses(statement.get(key), inside)
        for key in ("reads", "writes"):
            operands = statement.get(key)
            for operand in operands if isinstance(operands, list) else ():
                if isinstance(operand, dict) and isinstance(operand.get("buf"), str):
                    yield operand["buf"], "slot" in operand, around
