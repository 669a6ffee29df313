"""Give every name of a parsed kernel its meaning: syntax tree to loop form.

A declaration is visible from its line to the end of its block. Every mistake is
noted at its place and the rest is still read, so that one run reports them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from lark import Token

from pelican.errors import LocatedError, Source, Span, nearest
from rotation.errors import KernelError, MachineError
from rotation.loop_form.kernel import (
    DTYPE_BYTES,
    Function,
    If,
    Loop,
    MemoryLocationSet,
    MemorySpace,
    Role,
    RotationScope,
    Statement,
)
from rotation.machine.machine import Machine, machine_among
from rotation.text.calling import read_call, read_scope
from rotation.text.choices import read_comparisons, read_loaded
from rotation.text.explain import missing_type
from rotation.text.loops import bounds, new_index
from rotation.text.operations import read_operation
from rotation.text.pins import read_pin
from rotation.text.reading import Node, Reading, parts, tokens, trees
from rotation.text.scope import Scope
from rotation.text.scope_loop import scope_loop

MAX_LOOPS_DEEP: Final = 100
"""Loops, and arms of ifs, inside one another; passes walk a nest by recursion."""


_Reader = Callable[[Reading, Node, Scope], Statement | None]

_OTHER_TYPES: Final = {
    **dict.fromkeys(("float32", "f32", "float"), "fp32"),
    **dict.fromkeys(("float16", "f16", "half"), "fp16"),
    **dict.fromkeys(("bfloat16", "bfloat"), "bf16"),
    **dict.fromkeys(("float8", "f8"), "fp8"),
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32)},
}
"""Names that other languages have for the element types."""

ROLES: Final = frozenset(role.value for role in Role)


def resolve(
    tree: Node,
    source: Source,
    above: Mapping[str, Function],
    own: Machine | None = None,
) -> tuple[Function, list[LocatedError]]:
    """Return the loop form of a ``kernel`` block, and the mistakes in it.

    Args:
        tree: The block.
        source: Its text.
        above: The kernels above it, which it may call, by name.
        own: A machine of the user, for which it may be written.

    Statements with a mistake are left out of the function.
    """
    name, machine = tokens(tree)
    declared, labels = _declared(tree), _labels(tree)
    reading = Reading(source, declared=declared, labels=labels, above=above)
    reading.attempt(_require_machine, reading, machine, own)
    block = parts(tree)["block"]
    scope = reading.attempt(_rotation_scope, reading, parts(tree).get("rotation"))
    body = _block(reading, block, Scope())
    header = Span(source, tree.meta.start_pos, block.meta.start_pos - 1)
    function = Function(
        str(name), str(machine), body, scope or RotationScope.GLOBAL, header
    )
    return function, reading.errors


def _rotation_scope(reading: Reading, tree: Node | None) -> RotationScope:
    if tree is None:
        return RotationScope.GLOBAL
    return read_scope(reading, tree)


def _declared(kernel: Node) -> dict[str, Token]:
    """Return the name in the first declaration of each buffer."""
    return _first(tokens(tree)[1] for tree in kernel.find_data("tensor"))


def _labels(kernel: Node) -> dict[str, Token]:
    """Return the first use of each operation id."""
    found = (tokens(tree)[0] for tree in kernel.find_data("operation"))
    return _first(token for token in found if token.type == "OPERATION_ID")


def _first(names: Iterable[Token]) -> dict[str, Token]:
    ordered = sorted(names, key=lambda name: name.start_pos or 0, reverse=True)
    return {str(name): name for name in ordered}


def _require_machine(reading: Reading, name: Token, own: Machine | None) -> None:
    try:
        machine_among(str(name), own)
    except MachineError as error:
        raise MachineError(error.message, reading.span(name), error.hint) from None


def _block(reading: Reading, tree: Node, scope: Scope) -> tuple[Statement, ...]:
    """Return the statements of a block, in order, without the wrong ones."""
    tensor: _Reader = partial(_tensor, block=tree)
    read: dict[str, _Reader] = {
        "tensor": tensor,
        "loop": _loop,
        "choice": _choice,
        "call_statement": read_call,
        "operation": read_operation,
    }
    found = [
        reading.attempt(read[str(part.data)], reading, part, scope)
        for part in trees(tree)
    ]
    return tuple(statement for statement in found if statement is not None)


def _loop(reading: Reading, tree: Node, scope: Scope) -> Loop:
    """Return a loop; without trips it keeps its body only to be printed again."""
    _require_new_loop(reading, tokens(tree)[0], scope)
    lo, hi, _, register = bounds(reading, tree)
    if hi is not None and hi < lo:
        reading.errors.append(_reversed(reading, tree, lo, hi))
    index = reading.coming.get(tree.meta.start_pos)
    if index is None:
        index = new_index(reading, tree, len(scope.loops))
    block = parts(tree)["block"]
    body = _block(reading, block, scope.inside(index))
    header = Span(reading.source, tree.meta.start_pos, block.meta.start_pos - 1)
    if hi is not None and hi <= lo:
        return Loop(index, (), header, skipped=body)
    return Loop(index, body, header, register)


def _reversed(reading: Reading, tree: Node, lo: int, hi: int) -> LocatedError:
    """Return the error of a loop that would count down."""
    first, second, *_ = trees(tree)
    place = Span(reading.source, first.meta.start_pos, second.meta.end_pos)
    name = tokens(tree)[0]
    message = f"loop {name} starts at {lo} and ends below it, at {hi}"
    hint = f"a loop counts up: write for {name} in [{hi}, {lo})"
    return KernelError(message, place, hint)


def _choice(reading: Reading, tree: Node, scope: Scope) -> If:
    """Return an ``if`` with its arms."""
    if scope.depth >= MAX_LOOPS_DEEP:
        raise _too_deep(reading, tree)
    blocks = [part for part in trees(tree) if part.data == "block"]
    comparisons = read_comparisons(reading, tree, scope)
    loaded, text = read_loaded(reading, tree, scope)
    then, *others = (_block(reading, block, scope.arm()) for block in blocks)
    header = Span(reading.source, tree.meta.start_pos, blocks[0].meta.start_pos - 1)
    join = Span(reading.source, tree.meta.end_pos - 1, tree.meta.end_pos)
    other = others[0] if others else ()
    return If(comparisons, loaded, text, then, other, header, join)


def _too_deep(reading: Reading, part: Node | Token) -> LocatedError:
    message = f"more than {MAX_LOOPS_DEEP} loops and ifs are inside one another"
    return reading.error(message, part, "merge loops of the nest")


def _require_new_loop(reading: Reading, name: Token, scope: Scope) -> None:
    hint = "rename one of the two"
    if scope.loop(name) is not None:
        raise reading.error(f"loop {name} is inside another loop {name}", name, hint)
    if name in scope.tensors:
        raise reading.error(f"loop {name} has the name of a buffer", name, hint)
    if scope.depth >= MAX_LOOPS_DEEP:
        raise _too_deep(reading, name)


def _tensor(
    reading: Reading, tree: Node, scope: Scope, *, block: Node
) -> MemoryLocationSet:
    """Return a declared buffer; from here to the end of its block it is visible."""
    space_token, name, _ = tokens(tree)
    _require_new_tensor(reading, name, scope)
    space = MemorySpace(str(space_token))
    part = parts(tree)
    role = Role(str(tokens(part["role"])[0])) if "role" in part else Role.INTERNAL
    at = reading.attempt(scope_loop, reading, tree, scope, block)
    tensor = MemoryLocationSet(
        name=str(name),
        space=space,
        # A wrong part gets a value that stands in, so that uses of the buffer
        # are not reported as well.
        shape=reading.attempt(_shape, reading, part["shape"]) or (1,),
        dtype=reading.attempt(_dtype, reading, tree) or "fp32",
        role=role,
        scope=at,
        ring_slots=reading.attempt(_ring_slots, reading, space, role, part.get("ring")),
        span=reading.span(tree),
        pin=reading.attempt(read_pin, reading, tree, at, scope),
    )
    scope.tensors[tensor.name] = tensor
    return tensor


def _require_new_tensor(reading: Reading, name: Token, scope: Scope) -> None:
    first = reading.declared[str(name)]
    if first is not name:
        message = (
            f"buffer {name} is declared twice, first at {reading.span(first).place}"
        )
        raise reading.error(message, name, "give each buffer of a kernel its own name")
    if scope.loop(name) is not None:
        hint = "rename the buffer or the loop"
        raise reading.error(f"buffer {name} has the name of a loop", name, hint)


def _shape(reading: Reading, tree: Node) -> tuple[int, ...]:
    return tuple(reading.integer(t, "an extent", least=1) for t in tokens(tree))


def _dtype(reading: Reading, tree: Node) -> str:
    """Return the element type of a declaration."""
    space, _, name = tokens(tree)
    if name in ROLES:
        end = parts(tree)["shape"].meta.end_pos
        raise missing_type(str(space), Span(reading.source, end, end))
    if name not in DTYPE_BYTES:
        known = f"the types are {', '.join(DTYPE_BYTES)}"
        hint = nearest(_OTHER_TYPES.get(name.lower(), name), DTYPE_BYTES) or known
        raise reading.error(f"no element type {name}", name, hint)
    return str(name)


def _ring_slots(
    reading: Reading, space: MemorySpace, role: Role, ring: Node | None
) -> int | None:
    """Return the number of slots that the text asks for, None for ``auto``."""
    if ring is None or tokens(ring)[0].type == "AUTO":
        return None
    if space is MemorySpace.DRAM and role is not Role.INTERNAL:
        message = f"{role.value} is one instance that the outside sees, and has no ring"
        raise reading.error(message, ring, "leave the `ring` out")
    return reading.integer(tokens(ring)[0], "the number of slots", least=1)
