"""Kernels inside a function: what of them may rotate, and in which window.

A kernel instruction has a scope of rotation and may have shapes of its own in SB and
PSUM. `kernel_errors` says what is wrong with one, by the codes of the modelled
verifier; `kernel_windows` gives the bytes in which its buffers rotate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from rotation.errors import KernelError, raise_all
from rotation.machine import Machine
from rotation.modelled.sb_schedule import ByteWindow, SbWindow, byte_windows


class AddressRotationScope(IntEnum):
    """What of a kernel may be rotated.

    Source: the enumeration of the modelled system (docs/modelled.md).
    """

    NONE = 0
    KERNEL = 1
    GLOBAL = 2


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
        name: Its name in messages.
        rotation_scope: Number of an `AddressRotationScope`.
        sb_partitions: Partitions of its SB window; 0 for none.
        sb_bytes_per_partition: Bytes of the window in each; 0 for none.
        sb_base_byte: First byte of the window.
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
    sb_base_byte: int = 0
    psum_banks: int = 0
    psum_partitions: int = 0
    sb_buffers: int = 0
    psum_buffers: int = 0
    outputs: int = 0


class Broken(NamedTuple):
    """A rule that a kernel instruction does not keep, and how."""

    code: VerifierCode
    message: str


def broken_rules(kernel: KernelInstruction, machine: Machine) -> Iterator[Broken]:
    """Yield the rules that a kernel instruction breaks, by their code.

    >>> from rotation.machine import get_machine
    >>> kernel = KernelInstruction("norm", rotation_scope=3)
    >>> [rule.code.value for rule in broken_rules(kernel, get_machine("planning"))]
    [1684]
    """
    shape = (kernel.sb_partitions, kernel.sb_bytes_per_partition)
    if min(shape) < 0 or (0 in shape and shape != (0, 0)):
        yield Broken(
            VerifierCode.SB_SHAPE,
            f"{shape[0]} partitions of {shape[1]} bytes in sb: both are 0, or both "
            "are more",
        )
    if kernel.psum_banks > machine.psum_banks:
        yield Broken(
            VerifierCode.PSUM_BANKS,
            f"{kernel.psum_banks} psum banks, {machine.name} has {machine.psum_banks}",
        )
    if kernel.psum_partitions > machine.partitions:
        yield Broken(
            VerifierCode.PSUM_PARTITIONS,
            f"{kernel.psum_partitions} psum partitions, {machine.name} has "
            f"{machine.partitions}",
        )
    buffers = kernel.sb_buffers + kernel.psum_buffers
    if kernel.outputs < buffers:
        yield Broken(
            VerifierCode.OUTPUTS,
            f"{kernel.outputs} outputs for {buffers} buffers in sb and psum",
        )
    known = [scope.value for scope in AddressRotationScope]
    if kernel.rotation_scope not in known:
        yield Broken(
            VerifierCode.ROTATION_SCOPE,
            f"rotation scope {kernel.rotation_scope}: it is one of {known}",
        )


def verify_kernel(kernel: KernelInstruction, machine: Machine) -> None:
    """Refuse a kernel instruction that breaks a rule.

    Raises:
        KernelError: With every rule that it breaks, each by its code.
    """
    raise_all(
        [
            KernelError(f"{kernel.name}: error {rule.code.value}: {rule.message}")
            for rule in broken_rules(kernel, machine)
        ]
    )


class KernelWindows(NamedTuple):
    """Where a kernel rotates; None if it does not, and the log line that says so."""

    windows: dict[SbWindow, ByteWindow] | None
    log: tuple[str, ...] = ()


def kernel_windows(kernel: KernelInstruction) -> KernelWindows:
    """Return the windows of a kernel of scope `AddressRotationScope.KERNEL`.

    One whose SB shape is not set has none: nothing is divided by zero.
    """
    if 0 in (kernel.sb_partitions, kernel.sb_bytes_per_partition):
        line = (
            f"Skipping kernel-scoped address rotation for {kernel.name} - SB shape "
            "not set"
        )
        return KernelWindows(None, (line,))
    return KernelWindows(
        byte_windows(kernel.sb_bytes_per_partition, kernel.sb_base_byte)
    )
