"""Check that a kernel makes sense on a machine, before anything is made of it.

What ranges cannot decide is left to the proofs of a run; a violation that is found
here comes with the values of the loops at which it happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

from pelican.errors import LocatedError
from pelican.expr import SimpleExpr
from pelican.expr.node import Expr
from pelican.tree.traverse import indices
from rotation.errors import CapacityError, KernelError, raise_all
from rotation.loop_form.kernel import (
    MAX_INTEGER,
    SCATTER,
    Engine,
    Function,
    Instruction,
    MemoryLocationSet,
    MemorySpace,
    Region,
    Role,
)
from rotation.loop_form.points import fits_64_bits
from rotation.loop_form.trips import linear_trip
from rotation.machine.machine import Machine
from rotation.placement.dram import DRAM_ALIGNMENT_BYTES
from rotation.rounding import round_up
from rotation.verify.calls import call_mistakes
from rotation.verify.choices import choice_mistakes
from rotation.verify.indexed import indexed_mistakes
from rotation.verify.instances import instance_mistakes
from rotation.verify.pins import pin_mistakes
from rotation.verify.regions import region_mistakes

COMPUTE_ENGINES: Final = {Engine.PE, Engine.VECTOR, Engine.SCALAR, Engine.GPSIMD}
"""The engines that reach SB and PSUM only."""


def verify(function: Function, machine: Machine) -> None:
    """Raise unless a kernel makes sense on a machine.

    Raises:
        CapacityError: If a tile is larger than its space, and nothing else is wrong.
        KernelError: If anything else is wrong. Several mistakes come as one, with
            the message of the first, and all in `errors`.
    """
    errors = [*_dram_mistakes(function, machine), *_loop_mistakes(function)]
    errors.extend(_output_mistakes(function))
    errors.extend(choice_mistakes(function))
    errors.extend(call_mistakes(function, machine))
    for tensor in function.tensors:
        if tensor.on_chip:
            wrong = list(_tile_mistakes(tensor, machine))
            # The places of a tile that fits nowhere say nothing new.
            errors.extend(wrong or pin_mistakes(function, tensor, machine))
    for instruction in function.instructions:
        errors.extend(_engine_mistakes(instruction))
        errors.extend(_update_mistakes(instruction, function))
        errors.extend(indexed_mistakes(instruction, function))
        regions = _operands(instruction)
        arms = function.arms_of[instruction]
        in_regions = [
            e for region in regions for e in region_mistakes(region, machine, arms)
        ]
        in_regions += instance_mistakes(instruction, function)
        # Extents that are wrong would be reported again where they do not agree.
        errors.extend(in_regions or _transfer_mistakes(instruction))
    raise_all(sorted(errors, key=_place))


def _operands(instruction: Instruction) -> tuple[Region, ...]:
    return (*instruction.writes, *instruction.reads)


def _place(error: LocatedError) -> int:
    return -1 if error.span is None else error.span.start


def _output_mistakes(function: Function) -> Iterator[LocatedError]:
    """Yield the outputs that would leave the kernel as they came."""
    # A loop without trips leaves its output as it came, and says that it is meant.
    named = (*function.instructions, *function.skipped)
    written = {region.tensor for each in named for region in each.writes}
    for tensor in function.tensors:
        if tensor.role is not Role.OUTPUT or tensor.on_chip:
            continue
        if tensor not in written:
            message = f"{tensor.name} is output, and nothing writes it"
            hint = (
                f"write it, as in dma.store {tensor.name} <- TILE, or declare no output"
            )
            yield KernelError(message, tensor.span, hint)


def _dram_mistakes(function: Function, machine: Machine) -> Iterator[LocatedError]:
    """Yield the first buffer that could get an address of more than 64 bits.

    The plan may try a slot for each instance, behind the rotation window.
    """
    in_dram = [tensor for tensor in function.tensors if not tensor.on_chip]
    rotates = any(tensor.scope is not None for tensor in in_dram)
    total_bytes = (machine.dram_window_bytes or 0) if rotates else 0
    for tensor in in_dram:
        size_bytes = round_up(tensor.bytes_in_space, DRAM_ALIGNMENT_BYTES)
        total_bytes += size_bytes * function.instance_spans[tensor].count
        if total_bytes > MAX_INTEGER:  # addresses are integers of the tables too
            message = f"the dram buffers up to {tensor.name} need {total_bytes} bytes"
            hint = f"the most is {MAX_INTEGER}"
            yield KernelError(message, tensor.span, hint)
            return


def _loop_mistakes(function: Function) -> Iterator[LocatedError]:
    """Yield the first loop whose trips cannot be counted with 64-bit integers.

    Nests with more iterations than that are left to the limit on their instructions.
    """
    for index, nest in function.nests.items():
        countable = function.linear_trips(index) <= MAX_INTEGER
        if countable and not fits_64_bits(linear_trip(nest)):
            yield KernelError(
                f"to count the trips of loop {index.name} needs more than 64 bits",
                nest[-1].span,
                "start its loops nearer to 0",
            )
            return


def _tile_mistakes(
    tensor: MemoryLocationSet, machine: Machine
) -> Iterator[LocatedError]:
    """Yield what is wrong with a declaration on chip."""
    if tensor.role is not Role.INTERNAL:
        yield KernelError(
            f"{tensor.name} is in {tensor.space.value} and cannot be "
            f"{tensor.role.value}: from outside only dram is seen",
            tensor.span,
            f"move {tensor.name} from or to a dram buffer with dma.load or dma.store",
        )
    partitions = machine.partitions_of(tensor.space)
    if tensor.num_partitions > partitions:
        yield KernelError(
            f"{tensor.name} has {tensor.num_partitions} partitions; "
            f"{tensor.space.value} of {machine.name} has {partitions}",
            tensor.span,
            f"cut its first dimension into tiles of at most {partitions}",
        )
    need, capacity = tensor.bytes_per_partition, machine.sb_bytes_per_partition
    most_elems, unit = capacity // tensor.elem_bytes, "bytes/partition"
    if tensor.space is MemorySpace.PSUM:
        need, capacity = -(-need // machine.psum_bank_bytes), machine.psum_banks
        most_elems = machine.psum_bytes_per_partition // tensor.elem_bytes
        unit = "banks"
    if need > capacity:
        yield CapacityError(
            f"one tile of {tensor.name} needs {need} {unit}; {tensor.space.value} of "
            f"machine {machine.name} has {capacity}",
            need=need,
            capacity=capacity,
            unit=unit,
            span=tensor.span,
            hint=f"give it at most {most_elems} elements of {tensor.dtype} in each "
            "partition",
        )


def _engine_mistakes(instruction: Instruction) -> Iterator[KernelError]:
    """Yield the operands that an engine cannot reach or may not write."""
    engine = instruction.engine
    if engine is Engine.SYNC:
        hint = "leave it out: waiting is worked out from what operations read and write"
        yield KernelError("sync runs no operations", instruction.span, hint)
    for region in _operands(instruction):
        name, space = region.tensor.name, region.tensor.space
        if engine in COMPUTE_ENGINES and space is MemorySpace.DRAM:
            message = f"{engine.text} cannot reach {name} in dram"
            hint = "move it with dma.load or dma.store, and compute on a tile in sb"
            yield KernelError(message, region.span, hint)
        if engine is Engine.GPSIMD and space is MemorySpace.PSUM:
            message = f"gpsimd cannot reach {name} in psum"
            hint = "use vector or scalar here, or copy it to sb with one of them"
            yield KernelError(message, region.span, hint)
    for region in instruction.writes:
        if region.tensor.role in {Role.INPUT, Role.CONST}:
            message = (
                f"{region.tensor.name} is {region.tensor.role.value} and is written"
            )
            hint = "declare it output, or write to another buffer"
            yield KernelError(message, region.span, hint)


def _transfer_mistakes(instruction: Instruction) -> Iterator[KernelError]:
    """Yield what is wrong with a transfer as a whole."""
    if instruction.engine is not Engine.DMA:
        return
    ends = {
        "load": ("reads", instruction.reads),
        "store": ("writes", instruction.writes),
    }
    verb, regions = ends.get(instruction.opcode, ("", ()))
    if verb and all(region.tensor.on_chip for region in regions):
        message = f"dma.{instruction.opcode} {verb} nothing in dram"
        hint = "name the operation otherwise, such as dma.copy, if that is meant"
        yield KernelError(message, instruction.span, hint)
    mapped = instruction.indexed is not None or instruction.view is not None
    if mapped or instruction.opcode == SCATTER:
        return
    if len(instruction.writes) == len(instruction.reads) == 1:
        operands = _operands(instruction)
        into, out_of = instruction.writes[0].extents, instruction.reads[0].extents
        partial = any(region.partial for region in operands)
        if not partial and prod(into) != prod(out_of):
            yield KernelError(
                f"{instruction.name} moves {prod(out_of)} elements into a place of "
                f"{prod(into)}",
                instruction.span,
                f"make the extents agree: {list(out_of)} against {list(into)}; "
                'or add view "broadcast", if it reads elements more than once',
            )


def _update_mistakes(
    instruction: Instruction, function: Function
) -> Iterator[KernelError]:
    """Yield what is wrong with ``over`` and ``inplace``."""
    around = [loop.index for loop in function.loops_of[instruction]]
    for index in instruction.accumulates:
        if index not in around:
            message = f"{instruction.name} is not inside loop {index.name}"
            yield KernelError(
                message, instruction.span, "accumulate over a loop around"
            )
        for region in instruction.writes:
            if index in _indices_of_instance(region, function):
                name = region.tensor.name
                yield KernelError(
                    f"{name} is new in every iteration of {index.name}, and is "
                    f"accumulated over {index.name}",
                    instruction.span,
                    f"declare {name} outside loop {index.name}",
                )
    if instruction.inplace and not any(
        _same_box(write, read)
        for write in instruction.writes
        for read in instruction.reads
    ):
        message = f"{instruction.name} is inplace, and reads no region that it writes"
        hint = "name one region on both sides, or leave `inplace` out"
        yield KernelError(message, instruction.span, hint)


def _indices_of_instance(region: Region, function: Function) -> list[SimpleExpr]:
    """Return the loops with which another instance of a buffer is meant."""
    scope = region.tensor.scope
    if scope is None:
        return []
    *outside, own = (loop.index for loop in function.nests[scope])
    selected = [own] if region.instance is None else indices(region.instance.expr)
    return [*outside, *selected]


def _same_box(one: Region, other: Region) -> bool:
    return (
        one.tensor is other.tensor
        and one.extents == other.extents
        and _same_instance(one, other)
        and _exprs(one) == _exprs(other)
    )


def _same_instance(one: Region, other: Region) -> bool:
    if one.tensor.scope is None:
        return True
    mine, theirs = (
        r.tensor.scope if r.instance is None else r.instance.expr for r in (one, other)
    )
    return bool(mine == theirs)


def _exprs(region: Region) -> list[Expr]:
    """Return what tells where a box is and, with the numbers, how large."""
    terms = (term for least in region.least for term in least)
    return [index.expr for index in (*region.starts, *terms)]
