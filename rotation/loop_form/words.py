"""The words of a kernel: spaces, roles, engines, types, signs, and windows.

`rotation.loop_form.kernel` passes them on; that is where the rest of the code takes
them from.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

from pelican.errors import Span


class MemorySpace(Enum):
    """Where a buffer lives; the value is its spelling in text and JSON."""

    DRAM = "dram"
    SB = "sb"
    PSUM = "psum"


class Role(Enum):
    """What the world outside the kernel does with a buffer."""

    INPUT = "input"
    OUTPUT = "output"
    CONST = "const"
    INTERNAL = "internal"


class Engine(IntEnum):
    """The engines, by their ordinal in the modelled system.

    `DMA_LOAD` and `DMA_STORE` are ours: the two servers of dma on a machine that has
    two (`Machine.server_of`). No operation names them.
    """

    GPSIMD = 1
    SCALAR = 2
    PE = 3
    DMA = 4
    DMA_LOAD = 12
    DMA_STORE = 13
    VECTOR = 5
    SYNC = 6
    CC = 8

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    @property
    def text(self) -> str:
        """The spelling in text and JSON."""
        return self.name.lower()

    @property
    def issuer(self) -> Engine:
        """The engine that an operation of this queue names: dma for its two servers.

        >>> Engine.DMA_STORE.issuer, Engine.PE.issuer
        (Engine.DMA, Engine.PE)
        """
        return Engine.DMA if self in {Engine.DMA_LOAD, Engine.DMA_STORE} else self

    @property
    def completes_in_order(self) -> bool:
        """True if an operation is done before the next of this engine starts.

        DMA and collective transfers issue in order and complete in any order.
        """
        return self.issuer not in {Engine.DMA, Engine.CC}


class RotationScope(Enum):
    """What of a function may be rotated; the value is its spelling.

    A function that stands alone has the whole machine as its window, so that
    ``kernel`` and ``global`` say the same of it.
    """

    NONE = "none"
    KERNEL = "kernel"
    GLOBAL = "global"


MAX_INTEGER: Final = 2**63 - 1
"""Largest number of a kernel: tables hold 64-bit integers with a sign."""

DTYPE_BYTES: Final[dict[str, int]] = {
    "fp32": 4,
    "int32": 4,
    "uint32": 4,
    "bf16": 2,
    "fp16": 2,
    "int16": 2,
    "uint16": 2,
    "fp8": 1,
    "int8": 1,
    "uint8": 1,
}
"""Bytes of one element, by the name of its type."""


class EdgeKind(IntEnum):
    """Why one instruction waits for another; the numbers are the modelled ones."""

    ORDERED = 1
    ANTI = 2
    OUTPUT = 3
    FLOW = 4


class Compare(Enum):
    """How two index expressions are compared; the value is its spelling."""

    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    EQUAL = "=="
    UNEQUAL = "!="


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The part of the chip that one call has for itself; an identity.

    Attributes:
        callee: Name of the kernel that is called.
        partitions: Partitions that its buffers may use.
        sb_bytes_per_partition: Bytes of SB.
        psum_banks: Banks of PSUM.
        span: The call.
    """

    callee: str
    partitions: int
    sb_bytes_per_partition: int
    psum_banks: int
    span: Span | None = None


GATHER: Final = "gather"
SCATTER: Final = "scatter"
REMOTE_COPY: Final = "remote_copy"
