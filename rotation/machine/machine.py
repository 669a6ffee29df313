"""Machines: geometry and the planning cost model, read from ``machines.toml``.

Costs are integer picoseconds, rounded up once per operation.

>>> machine = get_machine("planning")
>>> machine.psum_banks, machine.sb_bytes_per_partition
(8, 180224)
>>> machine.transfer_ps(Engine.DMA, num_bytes=1_048_576)
Cost(busy_ps=2849392, latency_ps=1300000)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple

from pelican.errors import nearest
from rotation.errors import MachineError
from rotation.loop_form.kernel import Engine, Instruction, MemorySpace
from rotation.machine.tables import Table, read_tables, resolved

MACHINES_FILE: Final = "machines.toml"
PS_PER_NS: Final = 1000

DRAM_WINDOW_BYTES: Final = 8 * 2**30
"""Source: the DRAM rotation of the modelled system (docs/trust.md), its default."""


class Cost(NamedTuple):
    """How long an operation takes its engine, and how much later it is complete."""

    busy_ps: int
    latency_ps: int


@dataclass(frozen=True, slots=True)
class TransferTiming:
    """A server of a fixed rate; the next transfer may start when it is free."""

    bytes_per_ns: int
    latency_ns: int


@dataclass(frozen=True, slots=True)
class MatmulTiming:
    """The PE array: a fixed part and one column after the other."""

    fixed_ns: int
    ps_per_column: int


@dataclass(frozen=True, slots=True)
class LaneTiming:
    """A vector-like engine; `elems_per_cycle` maps bytes of an element to a rate."""

    mhz: int
    fixed_cycles: int
    elems_per_cycle: dict[int, Fraction]


@dataclass(frozen=True, slots=True)
class Machine:
    """Geometry and timing of one core.

    Attributes:
        name: Key in ``machines.toml``.
        timing: Name of the timing model; ``planning`` is not a measurement.
        partitions: Partitions of SB.
        sb_bytes_per_partition: Usable SB, reserved bytes taken off [bytes].
        psum_partitions: Partitions of PSUM.
        psum_banks: Banks of PSUM; each spans all of its partitions.
        psum_bank_bytes: Bytes of one bank in each partition.
        transfers: Timing of dma and cc.
        pe: Timing of the PE array.
        lanes: Timing of vector, scalar and gpsimd.
        dram_window_bytes: Where DRAM buffers rotate; None for as much as is in use
            before rotation [bytes].
        dma_servers: 1 if one server does all dma transfers; 2 if stores have one of
            their own, of the same rate.

    Source: said beside each figure in ``machines.toml``.

    >>> from rotation import load, run
    >>> result = run(load("examples/stream_add.kernel"))
    >>> result.after.machine.psum_banks
    8
    """

    name: str
    timing: str
    partitions: int
    sb_bytes_per_partition: int
    psum_partitions: int
    psum_banks: int
    psum_bank_bytes: int
    transfers: dict[Engine, TransferTiming]
    pe: MatmulTiming
    lanes: dict[Engine, LaneTiming]
    dram_window_bytes: int | None = DRAM_WINDOW_BYTES
    dma_servers: int = 1

    @property
    def psum_bytes_per_partition(self) -> int:
        """Bytes of all banks in each partition."""
        return self.psum_banks * self.psum_bank_bytes

    def partitions_of(self, space: MemorySpace) -> int:
        """Return the partitions of an on-chip space."""
        return self.psum_partitions if space is MemorySpace.PSUM else self.partitions

    @property
    def servers(self) -> tuple[Engine, ...]:
        """The engines that have a queue here.

        >>> [server.text for server in get_machine("split-dma").servers][3:5]
        ['dma_load', 'dma_store']
        """
        split = {Engine.DMA_LOAD, Engine.DMA_STORE}
        absent = split if self.dma_servers == 1 else {Engine.DMA}
        return tuple(engine for engine in Engine if engine not in absent)

    def server_of(self, instruction: Instruction) -> Engine:
        """Return the engine in whose queue an operation stands here.

        Each engine has one queue, but for dma on a machine with two servers of it.
        There a store is a dma operation that writes DRAM, whatever it reads: a
        transfer from DRAM to DRAM is one, and a scatter to DRAM. Every other dma
        operation counts as a load, and goes past the stores unless an edge holds it
        back.
        """
        if instruction.engine is not Engine.DMA or self.dma_servers == 1:
            return instruction.engine
        spaces = {region.tensor.space for region in instruction.writes}
        return Engine.DMA_STORE if MemorySpace.DRAM in spaces else Engine.DMA_LOAD

    def transfer_ps(self, engine: Engine, *, num_bytes: int) -> Cost:
        """Return the cost of moving `num_bytes` by dma or cc."""
        timing = self.transfers[engine]
        busy = -(-num_bytes * PS_PER_NS // timing.bytes_per_ns)
        return Cost(busy, timing.latency_ns * PS_PER_NS)

    def matmul_ps(self, *, free_elems: int) -> Cost:
        """Return the cost of a PE operation that writes `free_elems` columns."""
        return Cost(
            self.pe.fixed_ns * PS_PER_NS + free_elems * self.pe.ps_per_column, 0
        )

    def lane_ps(self, engine: Engine, *, free_elems: int, elem_bytes: int) -> Cost:
        """Return the cost of a vector, scalar or gpsimd operation.

        Args:
            engine: One of the three.
            free_elems: Largest free size over all operands.
            elem_bytes: Bytes of an element of the first written operand; narrower
                than any rate of the engine counts as the narrowest that has one.
        """
        timing = self.lanes[engine]
        widths = timing.elems_per_cycle
        rate = widths.get(elem_bytes, widths[min(widths)])
        cycles = Fraction(free_elems) / rate + timing.fixed_cycles
        return Cost(ceil(cycles * 1_000_000 / timing.mhz), 0)


@cache
def get_machine(name: str) -> Machine:
    """Return the machine of that name.

    Raises:
        MachineError: If there is none, with the nearest name; or if its description
            makes no sense, with the table and the key.
    """
    return machine_of(_tables(), name)


def machine_among(name: str, own: Machine | None) -> Machine:
    """Return the machine of that name, of the user's and those of the project.

    Args:
        name: A name.
        own: The machine of the user, if any.

    Raises:
        MachineError: If there is none of that name.
    """
    return own if own is not None and own.name == name else get_machine(name)


def machine_from(file: str) -> Machine:
    """Return the machine that a TOML file of the user describes.

    The file has one table, named for the machine; its `base` may be a machine of the
    project. CONTRIBUTING.md lists the keys.

    Args:
        file: Path of the file.

    Raises:
        MachineError: If the file cannot be read, has not one table, names it as a
            machine of the project, or its description makes no sense.
    """
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        hint = "give a TOML file with a table [NAME] of one machine"
        raise MachineError(f"cannot read {file!r}: {why}", hint=hint) from None
    own = read_tables(text, file)
    if len(own) != 1:
        message = f"{file} describes {len(own)} machines"
        raise MachineError(message, hint="leave one table [NAME] in it")
    (name,) = own
    if name in _tables():
        message = f"{file} describes {name}, which is a machine of the project"
        hint = f'call it otherwise, and begin with base = "{name}"'
        raise MachineError(message, hint=hint)
    try:
        return machine_of({**_tables(), **own}, name)
    except MachineError as error:
        raise MachineError(f"{file}: {error.message}", hint=error.hint) from None


def is_file(machine: str) -> bool:
    """Tell whether what names a machine is the path of a file that describes one.

    >>> is_file("mine.TOML"), is_file("trn2")
    (True, False)
    """
    return machine.lower().endswith(".toml")


def machine_names() -> tuple[str, ...]:
    """Return the names of all machines, as they follow each other in their file.

    >>> machine_names()[0]
    'planning'
    """
    return tuple(_tables())


def machine_of(tables: Mapping[str, Table], name: str) -> Machine:
    """Return a machine of some tables; see `get_machine`."""
    if name not in tables:
        known = ", ".join(sorted(tables))
        near = nearest(name, tables) or f"known machines: {known};"
        hint = f"{near} --machine FILE.toml reads one of your own"
        raise MachineError(f"no machine {name!r}", hint=hint)
    return _machine(name, resolved(tables, name))


@cache
def _tables() -> dict[str, Table]:
    text = files("rotation.machine").joinpath(MACHINES_FILE).read_text(encoding="utf-8")
    return read_tables(text, MACHINES_FILE)


def _machine(name: str, table: Table) -> Machine:
    def lane(key: str) -> LaneTiming:
        rates = table[key]["elems_per_cycle"]
        return LaneTiming(
            mhz=table[key]["mhz"],
            fixed_cycles=table[key]["fixed_cycles"],
            elems_per_cycle={int(k): Fraction(v) for k, v in rates.items()},
        )

    return Machine(
        name=name,
        timing=table["timing"],
        partitions=table["partitions"],
        sb_bytes_per_partition=table["sb_bytes_per_partition"],
        psum_partitions=table["psum_partitions"],
        psum_banks=table["psum_banks"],
        psum_bank_bytes=table["psum_bank_bytes"],
        transfers={
            Engine.DMA: TransferTiming(**table["dma"]),
            Engine.CC: TransferTiming(**table["cc"]),
        },
        pe=MatmulTiming(**table["pe"]),
        lanes={e: lane(e.text) for e in (Engine.VECTOR, Engine.SCALAR, Engine.GPSIMD)},
        dma_servers=table.get("dma_servers", 1),
    )
