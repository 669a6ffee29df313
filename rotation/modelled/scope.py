"""Kernels inside a function: the rules of the verifier about their calls.

A call has a scope of rotation, and may have a window of its own in SB and PSUM. The
modelled system has an instruction for it, whose rules have codes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from rotation.loop_form.kernel import Call, Function, MemorySpace, Role, RotationScope
from rotation.machine.machine import Machine


class AddressRotationScope(IntEnum):
    """What of a kernel may be rotated.

    Source: the enumeration of the modelled system (docs/modelled.md).
    """

    NONE = 0
    KERNEL = 1
    GLOBAL = 2


SCOPE_NUMBERS: Final = {
    RotationScope.NONE: AddressRotationScope.NONE,
    RotationScope.KERNEL: AddressRotationScope.KERNEL,
    RotationScope.GLOBAL: AddressRotationScope.GLOBAL,
}
"""The number of each scope that a kernel can be written with."""


class VerifierCode(IntEnum):
    """The rules about kernel instructions.

    Source: the verifier of the modelled system (docs/modelled.md).
    """

    SB_SHAPE = 1680
    PSUM_BANKS = 1681
    PSUM_PARTITIONS = 1682
    OUTPUTS = 1683
    ROTATION_SCOPE = 1684


@dataclass(frozen=True, slots=True)
class KernelInstruction:
    """What a kernel instruction says of itself.

    Attributes:
        name: Name of the kernel.
        rotation_scope: Number of an `AddressRotationScope`.
        sb_partitions: Partitions of its SB window; 0 for none.
        sb_bytes_per_partition: Bytes of the window in each; 0 for none.
        psum_banks: Banks of its own.
        psum_partitions: Partitions of these.
        sb_buffers: Buffers that it has in SB.
        psum_buffers: Buffers that it has in PSUM.
        outputs: What it gives back, scratch buffers included.
    """

    name: str
    rotation_scope: int = AddressRotationScope.GLOBAL
    sb_partitions: int = 0
    sb_bytes_per_partition: int = 0
    psum_banks: int = 0
    psum_partitions: int = 0
    sb_buffers: int = 0
    psum_buffers: int = 0
    outputs: int = 0


def kernel_instruction(call: Call) -> KernelInstruction:
    """Return what the call of a kernel says of it.

    A call has each of the kernel's buffers on chip anew, and gives them back with
    what it writes outside.
    """
    tensors = Function(call.callee.name, "", call.body).tensors
    in_sb, in_psum = (
        sum(tensor.space is space for tensor in tensors)
        for space in (MemorySpace.SB, MemorySpace.PSUM)
    )
    written = sum(tensor.role is not Role.INPUT for tensor in call.arguments)
    partitions, num_bytes, banks = call.window or (0, 0, 0)
    return KernelInstruction(
        call.callee.name,
        SCOPE_NUMBERS[call.scope],
        partitions,
        num_bytes,
        banks,
        partitions,
        in_sb,
        in_psum,
        in_sb + in_psum + written,
    )


class Broken(NamedTuple):
    """A rule that a kernel instruction does not keep, how, and what to do."""

    code: VerifierCode
    message: str
    hint: str


def broken_rules(kernel: KernelInstruction, machine: Machine) -> Iterator[Broken]:
    """Yield the rules that a kernel instruction breaks, by their code.

    >>> from rotation.machine.machine import get_machine
    >>> kernel = KernelInstruction("norm", rotation_scope=3)
    >>> [rule.code.value for rule in broken_rules(kernel, get_machine("planning"))]
    [1684]
    """
    shape = (kernel.sb_partitions, kernel.sb_bytes_per_partition)
    if min(shape) < 0 or (0 in shape and shape != (0, 0)):
        yield Broken(
            VerifierCode.SB_SHAPE,
            f"its window has {shape[0]} partitions of {shape[1]} bytes in sb",
            "make both positive, or both 0 for a kernel that is not rotated",
        )
    if kernel.psum_banks > machine.psum_banks:
        yield Broken(
            VerifierCode.PSUM_BANKS,
            f"its window has {kernel.psum_banks} banks, {machine.name} has "
            f"{machine.psum_banks}",
            f"write banks {machine.psum_banks} or less",
        )
    if kernel.psum_partitions > machine.psum_partitions:
        yield Broken(
            VerifierCode.PSUM_PARTITIONS,
            f"its window has {kernel.psum_partitions} partitions, {machine.name} has "
            f"{machine.psum_partitions}",
            f"write {machine.psum_partitions} or less",
        )
    buffers = kernel.sb_buffers + kernel.psum_buffers
    if kernel.outputs < buffers:
        yield Broken(
            VerifierCode.OUTPUTS,
            f"it has {kernel.outputs} outputs for {buffers} buffers in sb and psum",
            "make every buffer an output",
        )
    known = [scope.value for scope in AddressRotationScope]
    if kernel.rotation_scope not in known:
        yield Broken(
            VerifierCode.ROTATION_SCOPE,
            f"its rotation scope is {kernel.rotation_scope}",
            f"the scopes are {', '.join(map(str, known))}",
        )
