"""Read calls of other kernels: syntax tree to the statements that they stand for."""

from __future__ import annotations

from lark import Token

from pelican.errors import nearest
from rotation.loop_form.calls import called, parameters
from rotation.loop_form.kernel import (
    Call,
    Function,
    MemoryLocationSet,
    RotationScope,
    Window,
)
from rotation.text.reading import Node, Reading, parts, tokens
from rotation.text.scope import Scope

CALL_FORM = "call NAME(x, y) scope kernel sb(128, 65536) banks 2"


def read_scope(reading: Reading, tree: Node) -> RotationScope:
    """Return a rotation scope.

    Raises:
        KernelError: If the word is none.
    """
    (word,) = tokens(tree)
    known = [scope.value for scope in RotationScope]
    if word not in known:
        hint = nearest(word, known) or f"the scopes are {', '.join(known)}"
        raise reading.error(f"no rotation scope {word}", word, hint)
    return RotationScope(str(word))


def read_call(reading: Reading, tree: Node, scope: Scope) -> Call:
    """Return a call of a kernel above.

    Raises:
        KernelError: If there is no such kernel, or what is passed does not fit.
    """
    (name,) = tokens(tree)
    callee = _callee(reading, name)
    part = parts(tree)
    rotation = read_scope(reading, part["rotation"])
    sizes = _sizes(reading, part.get("window"), rotation, tree)
    arguments = _arguments(reading, part["arguments"], callee, scope)
    # A window without room leaves the kernel as it is: it is skipped, and said so.
    unset = sizes is not None and 0 in sizes[:2]
    effective = RotationScope.NONE if unset else rotation
    if callee.scope is RotationScope.NONE:
        effective = RotationScope.NONE
    _require_no_rings(reading, callee, effective, tree)
    _require_no_places(reading, callee, sizes, tree)
    span = reading.span(tree)
    window = None
    if sizes is not None and effective is RotationScope.KERNEL:
        window = Window(callee.name, *sizes, span)
    prefix = _prefix(reading, callee.name)
    body = called(callee, arguments, scope.loops, prefix, effective, window)
    return Call(callee, arguments, rotation, sizes, body, span)


def _callee(reading: Reading, name: Token) -> Function:
    if name not in reading.above:
        hint = nearest(name, reading.above) or "a kernel is called below its text"
        raise reading.error(f"no kernel {name} is above this", name, hint)
    return reading.above[name]


def _sizes(
    reading: Reading, window: Node | None, scope: RotationScope, call: Node
) -> tuple[int, int, int] | None:
    if window is None and scope is RotationScope.KERNEL:
        message = "a call of scope kernel has a window of its own"
        raise reading.error(message, call, f"write {CALL_FORM}")
    if window is None:
        return None
    if scope is not RotationScope.KERNEL:
        message = f"a call of scope {scope.value} has no window"
        raise reading.error(message, window, "leave `sb(...) banks ...` out")
    partitions, num_bytes, banks = (
        reading.integer(token, "the size of a window") for token in tokens(window)
    )
    return partitions, num_bytes, banks


def _arguments(
    reading: Reading, tree: Node, callee: Function, scope: Scope
) -> tuple[MemoryLocationSet, ...]:
    wanted = parameters(callee)
    names = tokens(tree)
    if len(names) != len(wanted):
        listed = ", ".join(tensor.name for tensor in wanted)
        message = f"{callee.name} takes {len(wanted)} buffers, got {len(names)}"
        raise reading.error(message, tree, f"pass {callee.name}({listed})")
    given = [scope.tensor(reading, name) for name in names]
    for name, mine, theirs in zip(names, given, wanted, strict=True):
        if mine.scope is not None and mine.scope not in scope.loops:
            loop = mine.scope.name
            message = f"{name} has an instance for each {loop}, and none here"
            hint = f"call {callee.name} inside loop {loop}"
            raise reading.error(message, name, hint)
        told = [f"{t.space.value} {list(t.shape)} {t.dtype}" for t in (mine, theirs)]
        if told[0] != told[1]:
            message = f"{name} is {told[0]}, and {theirs.name} is {told[1]}"
            hint = f"pass a buffer like {theirs.name} of {callee.name}"
            raise reading.error(message, name, hint)
    return tuple(given)


def _require_no_rings(
    reading: Reading, callee: Function, scope: RotationScope, call: Node
) -> None:
    asked = [t for t in callee.tensors if (t.ring_slots or 1) > 1]
    if scope is RotationScope.NONE and asked:
        message = (
            f"{callee.name} asks for ring {asked[0].ring_slots} of {asked[0].name}, "
            "and is not rotated here"
        )
        hint = "call it with scope global, or leave the ring out"
        raise reading.error(message, call, hint)


def _require_no_places(
    reading: Reading,
    callee: Function,
    sizes: tuple[int, int, int] | None,
    call: Node,
) -> None:
    placed = [tensor for tensor in callee.tensors if tensor.pin is not None]
    if sizes is not None and placed:
        message = (
            f"{callee.name} puts {placed[0].name} at a place, and where the window of "
            "a call lies is for the passes to choose"
        )
        hint = "call it with scope global, or leave the place out"
        raise reading.error(message, call, hint)


def _prefix(reading: Reading, name: str) -> str:
    """Return what the names of a call get in front, different for each call."""
    taken = (*reading.declared, *reading.labels)
    number = reading.numbers.get(f"call {name}", 0) + 1
    while any(word.startswith(f"{name}{number}_") for word in taken):
        number += 1
    reading.numbers[f"call {name}"] = number
    return f"{name}{number}_"
