"""Write kernels: loop form to text, the exact inverse of `rotation.text.parse`.

Index expressions are written unsimplified, but constant factors and divisors are
folded and needless brackets dropped when they are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from pelican.expr import AffineIV
from rotation.loop_form.kernel import (
    Call,
    Function,
    If,
    Instruction,
    Loop,
    MemoryLocationSet,
    Pin,
    Region,
    Role,
    RotationScope,
    Statement,
)
from rotation.loop_form.statements import written

INDENT: Final = "  "


def print_function(
    function: Function,
    instead: Mapping[MemoryLocationSet, MemoryLocationSet] | None = None,
) -> str:
    """Return the ``kernel`` block of a function, one statement a line.

    Args:
        function: The kernel.
        instead: What to declare instead of some of its buffers, under their names.

    >>> from rotation.text.parse import parse
    >>> copy, = parse('''kernel copy on planning { dram x [2, 64] fp32 input
    ... for i in [0, 2) { sb t [1, 64] fp32 dma.load t <- x[i+0:+1, 0:+64] } }''')
    >>> print(print_function(copy), end="")
    kernel copy on planning {
      dram x [2, 64] fp32 input
      for i in [0, 2) step 1 {
        sb t [1, 64] fp32
        load1: dma.load t <- x[i + 0:+1, 0:+64]
      }
    }
    """
    lines = [
        f"kernel {function.name} on {function.machine}{_scope(function)} {{",
        *_block(function.body, None, INDENT, instead or {}),
        "}",
    ]
    return "".join(f"{line}\n" for line in lines)


def print_kernels(
    function: Function,
    instead: Mapping[MemoryLocationSet, MemoryLocationSet] | None = None,
) -> str:
    """Return the text of a function, below that of the kernels which it calls.

    It can be read alone. Every kernel stands there once, for the machine of the
    function.

    Args:
        function: The kernel.
        instead: What to declare instead of some of its own buffers.
    """
    # A kernel comes after those that it calls: the last call of each is of the inmost.
    calls = [call for call in written(function.body) if isinstance(call, Call)]
    called = {call.callee.name: call.callee for call in reversed(calls)}
    above = (replace(each, machine=function.machine) for each in called.values())
    return "".join((*map(print_function, above), print_function(function, instead)))


def _scope(function: Function) -> str:
    """Return the rotation scope; nothing where it is the one of most functions."""
    if function.scope is RotationScope.GLOBAL:
        return ""
    return f" scope {function.scope.value}"


def _block(
    body: tuple[Statement, ...],
    around: AffineIV | None,
    indent: str,
    instead: Mapping[MemoryLocationSet, MemoryLocationSet],
) -> Iterator[str]:
    """Yield the lines of the body of the loop `around`, or of the kernel."""
    for statement in body:
        match statement:
            case Loop():
                yield f"{indent}{_header(statement)} {{"
                inside = indent + INDENT
                yield from _block(statement.written, statement.index, inside, instead)
                yield f"{indent}}}"
            case If():
                yield f"{indent}{_condition(statement)} {{"
                yield from _block(statement.then, around, indent + INDENT, instead)
                if statement.otherwise:
                    yield f"{indent}}} else {{"
                    inside = indent + INDENT
                    yield from _block(statement.otherwise, around, inside, instead)
                yield f"{indent}}}"
            case Call():
                yield indent + _call(statement)
            case MemoryLocationSet():
                yield indent + _declaration(instead.get(statement, statement), around)
            case Instruction():
                yield indent + _operation(statement)


def _header(loop: Loop) -> str:
    index = loop.index
    end = f"{index.hi if loop.skipped is None else index.lo}"
    if loop.bound is not None:
        end = f"%{loop.bound}"
    return f"for {index.name} in [{index.lo}, {end}) step {index.step}"


def _condition(choice: If) -> str:
    if not choice.loaded:
        found = (
            f"{comparison.left.raw} {comparison.compare.value} {comparison.right.raw}"
            for comparison in choice.comparisons
        )
        return f"if {' and '.join(found)}"
    names = ", ".join(region.tensor.name for region in choice.loaded)
    asked = "" if choice.text is None else f' "{choice.text}"'
    return f"if loaded({names}){asked}"


def _call(call: Call) -> str:
    names = ", ".join(tensor.name for tensor in call.arguments)
    words = [f"call {call.callee.name}({names}) scope {call.scope.value}"]
    if call.window is not None:
        partitions, num_bytes, banks = call.window
        words.append(f"sb({partitions}, {num_bytes}) banks {banks}")
    return " ".join(words)


def _declaration(tensor: MemoryLocationSet, around: AffineIV | None) -> str:
    words = [tensor.space.value, tensor.name, str(list(tensor.shape)), tensor.dtype]
    if tensor.role is not Role.INTERNAL:
        words.append(tensor.role.value)
    if tensor.scope is not None and tensor.scope is not around:
        words.append(f"at {tensor.scope.name}")
    if tensor.ring_slots is not None:
        words.append(f"ring {tensor.ring_slots}")
    if tensor.pin is not None:
        words.append(pin_text(tensor.pin))
    return " ".join(words)


def pin_text(pin: Pin) -> str:
    """Return where a declaration puts its instances.

    >>> from pelican.tree.kinds import constant
    >>> from rotation.loop_form.kernel import IndexExpr
    >>> pin_text(Pin(bank=IndexExpr(constant(3), constant(3))))
    'bank 3'
    """
    words = (("bank", pin.bank), ("byte", pin.byte), ("part", pin.part))
    return " ".join(f"{word} {at.raw}" for word, at in words if at is not None)


def _operation(instruction: Instruction) -> str:
    engine, opcode = instruction.engine.text, instruction.opcode
    targets = ", ".join(map(_operand, instruction.writes))
    words = [f"{instruction.name}: {engine}.{opcode} {targets} <-"]
    sources = _written_sources(instruction)
    if sources:
        words.append(", ".join(map(_operand, sources)))
    if instruction.accumulates:
        loops = ", ".join(index.name for index in instruction.accumulates)
        words.append(f"over({loops})")
    if instruction.inplace:
        words.append("inplace")
    if instruction.fn is not None:
        words.append(f'fn "{instruction.fn}"')
    if instruction.transpose:
        words.append("transpose")
    if instruction.indexed is not None:
        holder, dimension = instruction.indexed.tensor, instruction.indexed.dimension
        words.append(f"index({holder.name}, dim {dimension})")
        if instruction.indexed.unique:
            words.append("unique")
    if instruction.view is not None:
        words.append(f'view "{instruction.view}"')
    return " ".join(words)


def _written_sources(instruction: Instruction) -> tuple[Region, ...]:
    """Return the sources without a buffer of row numbers that ``index`` implies."""
    *first, last = instruction.reads or (None,)
    implied = last is instruction.index_region and last is not None and last.whole
    return tuple(first) if implied else instruction.reads


def _operand(region: Region) -> str:
    name = region.tensor.name
    if region.instance is not None:
        name += f"@({region.instance.raw})"
    if region.whole:
        return name
    box = ", ".join(
        f"{start.raw}:+{_extent(region, dimension)}"
        for dimension, start in enumerate(region.starts)
    )
    return f"{name}[{box}]"


def _extent(region: Region, dimension: int) -> str:
    terms = region.terms(dimension)
    if not terms:
        return str(region.extents[dimension])
    return f"min({', '.join(str(term.raw) for term in terms)})"
