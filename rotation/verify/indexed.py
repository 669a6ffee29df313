"""Check gathers, scatters and copies to other ranks, before anything is made of them.

A gather or scatter runs in pieces, in an order that the machine chooses: what it
writes may not be what it still reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

from rotation.errors import KernelError
from rotation.loop_form.instances import region_number
from rotation.loop_form.kernel import (
    GATHER,
    REMOTE_COPY,
    SCATTER,
    Engine,
    Function,
    Indexed,
    Instruction,
    MemoryLocationSet,
    Region,
    Role,
)

INDEX_DTYPES: Final = frozenset({"int32", "uint32", "int16", "uint16", "int8", "uint8"})
"""Element types that can number rows."""

UNIQUE_REMEDY: Final = "leave `unique` out: scatters then wait for one another"


def indexed_mistakes(
    instruction: Instruction, function: Function
) -> Iterator[KernelError]:
    """Yield what is wrong with row numbers, views and copies to other ranks."""
    opcode, indexed = instruction.opcode, instruction.indexed
    if instruction.view is not None and not instruction.data_reads:
        message = f"{instruction.name} has a view, and no source to be read through it"
        yield KernelError(message, instruction.span, "leave the view out")
    if opcode == REMOTE_COPY:
        yield from _remote_mistakes(instruction)
    if indexed is None and opcode == SCATTER:
        # A gather without index reads all that it names; but what a scatter does not
        # write must not be taken for overwritten.
        yield KernelError(
            f"{instruction.name} does not say which rows it writes",
            instruction.span,
            "add index(BUFFER, dim 0), or name the operation otherwise",
        )
    elif indexed is not None and opcode not in {GATHER, SCATTER}:
        yield KernelError(
            f"{instruction.name} has an index, and {opcode} is no gather or scatter",
            indexed.span,
            "a gather reads the rows that an index names, a scatter writes them",
        )
    elif indexed is not None:
        yield from _shape_mistakes(instruction, indexed)
        yield from _update_mistakes(instruction, function)
        if indexed.unique:
            yield from _unique_mistakes(instruction, indexed, function)


def _shape_mistakes(
    instruction: Instruction, indexed: Indexed
) -> Iterator[KernelError]:
    """Yield mistakes in the operands of a gather or scatter, and in its index."""
    name, dtype = indexed.tensor.name, indexed.tensor.dtype
    if dtype not in INDEX_DTYPES:
        known = ", ".join(sorted(INDEX_DTYPES))
        message = f"rows cannot be numbered by {name}, which is {dtype}"
        yield KernelError(message, indexed.span, f"use a buffer of one of {known}")
    reached = instruction.reached_region
    if reached is None or not instruction.data_reads or len(instruction.writes) > 1:
        yield KernelError(
            f"{instruction.name} needs one destination, and a source besides its "
            f"index {name}",
            instruction.span,
            f"write {instruction.opcode} DST <- SRC index({name}, dim 0)",
        )
        return
    rank = len(reached.tensor.shape)
    if indexed.dimension >= rank:
        yield KernelError(
            f"{reached.tensor.name} has {rank} dimensions, and no dim "
            f"{indexed.dimension}",
            indexed.span,
            f"give a dim in [0, {rank - 1}]",
        )
        return
    if instruction.engine is Engine.DMA and instruction.view is None:
        yield from _moved_mistakes(instruction, indexed, reached)


def _moved_mistakes(
    instruction: Instruction, indexed: Indexed, reached: Region
) -> Iterator[KernelError]:
    """Yield an error if the rows that are named do not fill the other operand."""
    index, data = instruction.index_region, instruction.data_reads
    if index is None or len(data) > 1 or len(reached.extents) <= indexed.dimension:
        return
    other = data[0] if instruction.is_scatter else instruction.writes[0]
    rows, row_elems = prod(index.extents), _row_elems(reached, indexed.dimension)
    if prod(other.extents) != rows * row_elems:
        yield KernelError(
            f"{instruction.name} moves {rows} rows of {row_elems} elements of "
            f"{reached.tensor.name}, and {other.tensor.name} has {prod(other.extents)}",
            instruction.span,
            f"make the extents agree: {list(other.extents)} against {rows} rows",
        )


def _row_elems(region: Region, dimension: int) -> int:
    """Return the elements of a region for one element of a dimension."""
    return prod(e for axis, e in enumerate(region.extents) if axis != dimension)


def _update_mistakes(
    instruction: Instruction, function: Function
) -> Iterator[KernelError]:
    """Yield the ways in which a gather or scatter would meet its own results."""
    if instruction.accumulates:
        yield KernelError(
            f"{instruction.name} cannot add over a loop: which rows it has written "
            "before is not known",
            instruction.span,
            'clear the tensor first, and say fn "add" of a scatter that adds to rows',
        )
    for write in instruction.writes:
        for read in instruction.reads:
            if _same_instance(function, write, read):
                name = write.tensor.name
                yield KernelError(
                    f"{instruction.name} reads and writes {name}; it runs in pieces, "
                    "and would read what it has written",
                    read.span,
                    f"{instruction.opcode} into another buffer than {name}",
                )


def _same_instance(function: Function, write: Region, read: Region) -> bool:
    """Return whether two operands mean one instance in any iteration."""
    if write.tensor is not read.tensor:
        return False
    if write.instance is None and read.instance is None:
        return True
    apart = region_number(function, write) - region_number(function, read)
    return 0 in apart.range


def _unique_mistakes(
    instruction: Instruction, indexed: Indexed, function: Function
) -> Iterator[KernelError]:
    """Yield what makes ``unique`` a promise that nobody could keep or check."""
    if instruction.opcode == GATHER:
        message = f"{instruction.name} is unique, and a gather writes no rows"
        hint = "leave `unique` out: gathers never wait for one another"
        yield KernelError(message, indexed.span, hint)
        return
    changed = _changing(indexed.tensor, function)
    if changed is not None:
        name = indexed.tensor.name
        yield KernelError(
            f"{instruction.name} is unique, and the row numbers in {name} are "
            f"made by {changed.name}: only numbers that no operation writes, in an "
            "input, can be promised to be distinct",
            indexed.span,
            f"load {name} from an input with dma.load, or {UNIQUE_REMEDY}",
        )


def _changing(holder: MemoryLocationSet, function: Function) -> Instruction | None:
    """Return an operation that does more than load row numbers from an input."""
    outside = {Role.INPUT, Role.CONST}
    if holder.role in outside:
        return None
    for instruction in function.instructions:
        if all(region.tensor is not holder for region in instruction.writes):
            continue
        plain = instruction.indexed is None and not instruction.accumulates
        loads = instruction.engine is Engine.DMA and len(instruction.reads) == 1
        if not (plain and loads and instruction.reads[0].tensor.role in outside):
            return instruction
    return None


def _remote_mistakes(instruction: Instruction) -> Iterator[KernelError]:
    """Yield what is wrong with a copy to the same buffer of another rank.

    All ranks run the same program by the same plan. So what another rank does to a
    buffer here is what this one does to it there, and one copy stands for both.
    """
    writes, reads = instruction.writes, instruction.reads
    if instruction.engine not in {Engine.CC, Engine.DMA}:
        message = f"{instruction.engine.text} reaches no other rank"
        hint = f"write {instruction.name}: cc.{REMOTE_COPY}"
        yield KernelError(message, instruction.span, hint)
    if len(writes) != 1 or len(reads) != 1:
        message = f"{instruction.name} needs one destination and one source"
        yield KernelError(message, instruction.span, f"cc.{REMOTE_COPY} DST <- SRC")
        return
    moved, place = prod(reads[0].extents), prod(writes[0].extents)
    # A dma operation is asked the same as every other one.
    if instruction.engine is Engine.CC and moved != place and not instruction.view:
        yield KernelError(
            f"{instruction.name} moves {moved} elements into a place of {place}",
            instruction.span,
            f"make the extents agree: {list(writes[0].extents)} against "
            f"{list(reads[0].extents)}",
        )
