"""Read the JSON form ``rotation-kernels/1`` of a kernel, as far as the text goes.

The document is checked field by field and written as kernel text, which is then
parsed: what a kernel means is decided in one place. A mistake that the parser finds
is reported at the JSON value that its line came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from pelican.errors import LocatedError, nearest
from rotation.errors import InterchangeError
from rotation.interchange.document import Value
from rotation.interchange.hand_allocation import Hand, read_hand
from rotation.interchange.kernels import NOTES, kernel_of
from rotation.interchange.marks import MARKS, indirect_attributes
from rotation.interchange.slots import (
    loops_of,
    selected,
    selection,
    used_outside,
)
from rotation.loop_form.kernel import DTYPE_BYTES, Engine, Function
from rotation.text.parse import parse
from rotation.text.print import print_function
from rotation.text.resolve import MAX_LOOPS_DEEP

MACHINE: Final = "planning"
"""The machine that the kernels of the form are written for."""

TOP: Final = "top"
"""The scope of a buffer outside all loops."""

SPACES: Final = {"sbuf": "sb", "psum": "psum", "dram": "dram"}
"""The text's word for each space of the form."""

HAND: Final = "hand_allocation"
"""Where a kernel says what slots and places its author gave to buffers."""

KERNEL_NOTES: Final = (*NOTES, "title", "source", "expect", "derived", "variants")
"""Fields of a kernel that say something to people; nothing is read from them."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of kernel text, and the pointer of what it was written from."""

    text: str
    pointer: str


def convert(
    document: object,
    name: str,
    *,
    hand: bool = True,
    bounds: Mapping[str, int] | None = None,
) -> str:
    """Return the text of one kernel of a document; see `read_kernel`.

    Raises:
        InterchangeError: If the kernel is not there, or cannot be read.
    """
    return print_function(read_kernel(document, name, hand=hand, bounds=bounds))


def read_kernel(
    document: object,
    name: str,
    *,
    hand: bool = True,
    bounds: Mapping[str, int] | None = None,
) -> Function:
    """Return one kernel of a document; its places are those of its text.

    Args:
        document: What the `json` module made of it.
        name: Which kernel.
        hand: False leaves out what the author placed by hand.
        bounds: Other upper bounds of loops, by the name of the loop.

    Raises:
        InterchangeError: If the kernel is not there, or holds a field or a value
            that the text has no form for; it names the value by its JSON pointer.
    """
    kernel = kernel_of(document, name)
    lines = list(_kernel_lines(kernel, dict(bounds or {}), with_hand=hand))
    source_name = f"<kernel {name}>"
    try:
        (draft,) = parse("\n".join(line.text for line in lines), source_name)
    except LocatedError as error:
        pointer = "" if error.line is None else lines[error.line - 1].pointer
        raise InterchangeError(error.message, pointer, error.hint) from None
    (function,) = parse(print_function(draft), source_name)
    return function


def _kernel_lines(
    kernel: Value, bounds: dict[str, int], *, with_hand: bool
) -> Iterator[_Line]:
    """Yield the text of a kernel; each buffer is declared in its scope loop."""
    optional = (HAND, *KERNEL_NOTES)
    fields = kernel.fields(("name", "tensors", "buffers", "body"), optional)
    hand = read_hand(fields[HAND]) if HAND in fields else {}
    yield _Line(f"kernel {fields['name'].word()} on {MACHINE} {{", kernel.pointer)
    for tensor in fields["tensors"].items():
        yield _tensor(tensor)
    body = fields["body"].data
    outside = used_outside(body, fields["buffers"].data)
    given_by_hand = hand if with_hand else {}
    buffers = _Buffers(selected(body), outside, given_by_hand, bounds)
    for buffer in fields["buffers"].items():
        buffers.add(buffer)
    for buffer_name, given in hand.items():
        if buffer_name not in buffers.scopes:
            given.value.refuse(f"no buffer {buffer_name}")
    yield from _block(fields["body"], (TOP,), buffers)
    for scope in buffers.scopes.values():
        if any((scope.data, above) in buffers.waiting for above in (False, True)):
            scope.refuse(f"no loop has the name {scope.data}")
    for loop_name in bounds:
        if loop_name not in buffers.loops:
            hint = nearest(loop_name, buffers.loops)
            fields["body"].refuse(f"no loop has the name {loop_name}", hint)
    yield _Line("}", kernel.pointer)


def _tensor(tensor: Value) -> _Line:
    fields = tensor.fields(("name", "space", "shape", "dtype"), ("role", *NOTES))
    fields["space"].choice(["dram"])
    shape = [extent.integer(least=1) for extent in fields["shape"].items()]
    if not shape:
        fields["shape"].refuse("a buffer has at least one dimension")
    words = [
        "dram",
        fields["name"].word(),
        str(shape),
        fields["dtype"].choice(DTYPE_BYTES),
    ]
    if "role" in fields:
        words.append(fields["role"].choice(["input", "output", "const"]))
    return _Line(" ".join(words), tensor.pointer)


@dataclass(frozen=True, slots=True)
class _Buffers:
    """The buffers that are defined afresh in a loop, or on chip.

    Attributes:
        selected: Those of which an operand selects an instance.
        outside: Those of which one does outside the scope loop.
        hand: What the author gave to some of them.
        bounds: Other upper bounds of loops.
        loops: Names of the loops so far.
        scopes: Where each buffer names its scope.
        waiting: Declarations that are not written yet, by the name of the scope and
            by whether they stand above its loop.
    """

    selected: set[str] = field(default_factory=set)
    outside: set[str] = field(default_factory=set)
    hand: Mapping[str, Hand] = field(default_factory=dict)
    bounds: Mapping[str, int] = field(default_factory=dict)
    loops: set[str] = field(default_factory=set)
    scopes: dict[str, Value] = field(default_factory=dict)
    waiting: dict[tuple[str, bool], list[_Line]] = field(default_factory=dict)

    def add(self, buffer: Value) -> None:
        """Note a buffer, to be declared when its scope is reached."""
        fields = buffer.fields(
            ("name", "space", "partitions", "free_elems", "dtype", "scope", "rotate"),
            ("bytes_per_partition", *NOTES),
        )
        name, scope = fields["name"].word(), fields["scope"].word()
        space = SPACES[fields["space"].choice(SPACES)]
        shape = [fields[key].integer(least=1) for key in ("partitions", "free_elems")]
        dtype = fields["dtype"].choice(DTYPE_BYTES)
        words = [space, name, str(shape), dtype]
        _require_bytes(fields, shape[1] * DTYPE_BYTES[dtype])
        if scope == TOP and fields["rotate"].flag():
            fields["rotate"].refuse("a buffer outside all loops has one instance")
        above = name in self.outside
        if above:
            words.append(f"at {scope}")
        given = self.hand.get(name)
        if scope != TOP and not fields["rotate"].flag():
            words.append("ring 1")
            if given is not None and given.ring not in {None, 1}:
                given.value.refuse(f"rotate of {name} is false: it has one slot")
        elif given is not None and given.ring is not None:
            words.append(f"ring {given.ring}")
        if given is not None and given.place:
            words.append(given.place)
        self.scopes[name] = fields["scope"]
        line = _Line(" ".join(words), buffer.pointer)
        self.waiting.setdefault((scope, above), []).append(line)


def _require_bytes(fields: dict[str, Value], num_bytes: int) -> None:
    """Refuse a size that says something else than the shape."""
    told = fields.get("bytes_per_partition")
    if told is not None and told.integer() != num_bytes:
        told.refuse(f"free_elems and dtype make {num_bytes} bytes, not {told.data}")


def _block(body: Value, around: tuple[str, ...], buffers: _Buffers) -> Iterator[_Line]:
    """Yield what the body of the loop ``around[-1]`` declares and does."""
    yield from buffers.waiting.pop((around[-1], False), [])
    for loop in loops_of(body.data):
        yield from buffers.waiting.pop((loop, True), [])
    yield from _statements(body, around, buffers)


def _statements(
    body: Value, around: tuple[str, ...], buffers: _Buffers
) -> Iterator[_Line]:
    for statement in body.items():
        if isinstance(statement.data, dict) and "for" in statement.data:
            yield from _loop(statement, around, buffers)
        elif isinstance(statement.data, dict) and "if" in statement.data:
            yield from _choice(statement, around, buffers)
        else:
            yield _operation(statement, around, buffers)


def _loop(loop: Value, around: tuple[str, ...], buffers: _Buffers) -> Iterator[_Line]:
    fields = loop.fields(("for", "lo", "hi", "body"), ("step", "carried", *NOTES))
    name, lo = fields["for"].word(), fields["lo"].integer()
    hi = buffers.bounds.get(name, _end(fields["hi"]))
    buffers.loops.add(name)
    step = fields["step"].integer(least=1) if "step" in fields else 1
    if len(around) > MAX_LOOPS_DEEP:
        loop.refuse(f"more than {MAX_LOOPS_DEEP} loops are inside one another")
    for carried in fields["carried"].items() if "carried" in fields else ():
        _require_outside(carried, (*around, name), buffers)
    yield _Line(f"for {name} in [{lo}, {hi}) step {step} {{", loop.pointer)
    yield from _block(fields["body"], (*around, name), buffers)
    yield _Line("}", loop.pointer)


def _choice(
    choice: Value, around: tuple[str, ...], buffers: _Buffers
) -> Iterator[_Line]:
    """Yield an ``if`` on loaded values; the form has no other."""
    fields = choice.fields(("if", "then"), ("else", *NOTES))
    asked = fields["if"].fields(("reads",), ("cond", *NOTES))
    names = [name.word() for name in asked["reads"].items()]
    if not names:
        asked["reads"].refuse("an if reads at least one buffer")
    words = [f"if loaded({', '.join(names)})"]
    if "cond" in asked:
        words.append(f'"{asked["cond"].text()}"')
    yield _Line(f"{' '.join(words)} {{", fields["if"].pointer)
    yield from _statements(fields["then"], around, buffers)
    if "else" in fields:
        yield _Line("} else {", fields["else"].pointer)
        yield from _statements(fields["else"], around, buffers)
    yield _Line("}", choice.pointer)


def _end(hi: Value) -> str:
    """Return the upper bound of a loop: a number, or ``%`` and a register."""
    if not isinstance(hi.data, str) or not hi.data.startswith("%"):
        return str(hi.integer())
    return f"%{Value(hi.data[1:], hi.pointer).word()}"


def _require_outside(
    carried: Value, around: tuple[str, ...], buffers: _Buffers
) -> None:
    """Refuse a carried buffer that is defined afresh in the loop that carries it.

    Unless its iterations reach the instances of others.
    """
    name = carried.word()
    if name not in buffers.scopes:
        carried.refuse(f"no buffer {name}")
    scope = buffers.scopes[name].data
    if scope == around[-1] and name in buffers.selected:
        return
    if scope not in around[:-1]:
        carried.refuse(f"{name} is carried by a loop, and its scope is inside it")


def _operation(operation: Value, around: tuple[str, ...], buffers: _Buffers) -> _Line:
    fields = operation.fields(
        ("op", "kind", "engine", "reads", "writes"),
        ("fn", "inplace", "accumulate_over", "transpose", *NOTES),
    )
    engine = fields["engine"].choice(
        engine.text for engine in Engine if engine.issuer is engine
    )
    writes, reads = (
        [_operand(operand, around, buffers) for operand in fields[key].items()]
        for key in ("writes", "reads")
    )
    attributes = indirect_attributes(fields)
    if not writes:
        fields["writes"].refuse("an operation writes at least one buffer")
    words = [
        f"{fields['op'].word()}: {engine}.{fields['kind'].word()}",
        f"{', '.join(writes)} <- {', '.join(reads)}",
    ]
    if "accumulate_over" in fields:
        loops = [loop.word() for loop in fields["accumulate_over"].items()]
        words += [f"over({', '.join(loops)})"] if loops else []
    if "fn" in fields:
        words.append(f'fn "{fields["fn"].text()}"')
    for flag in ("inplace", "transpose"):
        if flag in fields and fields[flag].flag():
            words.append(flag)
    words += attributes
    return _Line(" ".join(words), operation.pointer)


def _operand(operand: Value, around: tuple[str, ...], buffers: _Buffers) -> str:
    fields = operand.fields(("buf",), ("full", "idx", "ext", "slot", *MARKS))
    name = fields["buf"].word()
    if "slot" in fields:
        if name not in buffers.scopes or buffers.scopes[name].data == TOP:
            fields["slot"].refuse(f"{name} has one instance, and no slots")
        name += selection(fields.pop("slot"), buffers.scopes[name].data, around)
    if "full" in fields:
        if not fields["full"].flag():
            fields["full"].refuse("full is true or left out")
        if {"idx", "ext"} & set(fields):
            operand.refuse("full stands alone: idx and ext say something else")
        return name
    boxed = operand.fields(("buf", "idx", "ext"), ("slot", *MARKS))
    starts = [_affine(start) for start in boxed["idx"].items()]
    extents = [extent.integer(least=1) for extent in boxed["ext"].items()]
    if not starts or len(starts) != len(extents):
        boxed["ext"].refuse("idx and ext have an entry for each dimension")
    ranges = zip(starts, extents, strict=True)
    return f"{name}[{', '.join(f'{start}:+{extent}' for start, extent in ranges)}]"


def _affine(start: Value) -> str:
    """Return the text of a sum: coefficients by loop, and ``_`` for the constant."""
    terms = []
    for name, member in start.members():
        number = member.integer()
        if name == "_" and number:
            terms.append(str(number))
        elif number:
            loop = Value(name, member.pointer).word()
            terms.append(loop if number == 1 else f"{number}*{loop}")
    return " + ".join(terms) or "0"
