"""Write kernels: loop form to text, the exact inverse of `rotation.text.parse`.

Index expressions are written unsimplified, but constant factors and divisors are
folded and needless brackets dropped when they are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pelican.expr import AffineIV
from rotation.kernel import (
    Function,
    Instruction,
    Loop,
    MemoryLocationSet,
    Region,
    Role,
    Statement,
)

INDENT: Final = "  "


def print_function(function: Function) -> str:
    """Return the ``kernel`` block of a function, one statement a line.

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
        f"kernel {function.name} on {function.machine} {{",
        *_block(function.body, None, INDENT),
        "}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _block(
    body: tuple[Statement, ...], around: AffineIV | None, indent: str
) -> Iterator[str]:
    """Yield the lines of the body of the loop `around`, or of the kernel."""
    for statement in body:
        match statement:
            case Loop():
                yield f"{indent}{_header(statement)} {{"
                yield from _block(statement.body, statement.index, indent + INDENT)
                yield f"{indent}}}"
            case MemoryLocationSet():
                yield indent + _declaration(statement, around)
            case Instruction():
                yield indent + _operation(statement)


def _header(loop: Loop) -> str:
    index = loop.index
    end = index.hi if loop.bound is None else f"%{loop.bound}"
    return f"for {index.name} in [{index.lo}, {end}) step {index.step}"


def _declaration(tensor: MemoryLocationSet, around: AffineIV | None) -> str:
    words = [tensor.space.value, tensor.name, str(list(tensor.shape)), tensor.dtype]
    if tensor.role is not Role.INTERNAL:
        words.append(tensor.role.value)
    if tensor.scope is not None and tensor.scope is not around:
        words.append(f"at {tensor.scope.name}")
    if tensor.ring_slots is not None:
        words.append(f"ring {tensor.ring_slots}")
    return " ".join(words)


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
    if region.whole:
        return region.tensor.name
    ranges = zip(region.starts, region.extents, strict=True)
    box = ", ".join(f"{start.raw}:+{extent}" for start, extent in ranges)
    return f"{region.tensor.name}[{box}]"
