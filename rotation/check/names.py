"""How a check names instructions, memory locations and places to people."""

from __future__ import annotations

from rotation.loop_form.kernel import Loop, MemoryLocationSet, MemorySpace
from rotation.unrolled.program import Placement, Program


def instruction_name(program: Program, row: int) -> str:
    """Return ``mm[m = 0, k = 3] (line 14)`` for an instruction."""
    function = program.function
    statement = function.instructions[int(program.statement[row])]
    loops = function.loops_of[statement]
    name = statement.name + _iteration(loops, int(program.iteration[row]))
    return name if statement.span is None else f"{name} (line {statement.span.line})"


def location_name(program: Program, location: int) -> str:
    """Return ``acc[m = 0, n = 2]`` for a memory location."""
    tensor = tensor_of(program, location)
    if tensor.scope is None:
        return tensor.name
    loops = program.function.nests[tensor.scope]
    return tensor.name + _at(loops, location_trips(program, location))


def location_trips(program: Program, location: int) -> list[int]:
    """Return the trip number of each loop around a location, outermost first.

    That of its scope loop may be one that the loop never does.
    """
    tensor = tensor_of(program, location)
    if tensor.scope is None:
        return []
    loops = program.function.nests[tensor.scope]
    span = program.function.instance_spans[tensor]
    number = int(program.location_instance[location]) - span.first
    outer, own = divmod(number, span.width)
    trips = trips_of(outer, tuple(loop.trip_count for loop in loops[:-1]))
    return [*trips, own + span.first]


def place_name(program: Program, placement: Placement, location: int) -> str:
    """Return the bytes that a location takes, such as ``psum bank 3 byte 0``."""
    tensor = tensor_of(program, location)
    byte = int(placement.byte[location])
    first = int(placement.partition[location])
    if tensor.space is MemorySpace.DRAM:
        return f"dram byte {byte}"
    part = f"partitions [{first}, {first + tensor.num_partitions})"
    if tensor.space is MemorySpace.SB:
        return f"sb {part} bytes [{byte}, {byte + tensor.bytes_per_partition})"
    bank, offset = divmod(byte, program.machine.psum_bank_bytes)
    return f"psum {part} bank {bank} byte {offset}"


def access_name(program: Program, access: int) -> str:
    """Return ``ld_l[k = 3] (line 12) writes lt[k = 3]`` for an access."""
    row = int(program.access_instruction[access])
    return f"{instruction_name(program, row)} {_deed(program, access)}"


def access_clause(program: Program, access: int) -> str:
    """Return ``ld_l[k = 3] (line 12), which writes lt[k = 3],`` for an access."""
    row = int(program.access_instruction[access])
    return f"{instruction_name(program, row)}, which {_deed(program, access)},"


def time_name(time_ps: int) -> str:
    """Return a time in ns, exactly.

    >>> time_name(2_849_392)
    '2849.392 ns'
    """
    return f"{time_ps // 1000}.{time_ps % 1000:03} ns"


def tensor_of(program: Program, location: int) -> MemoryLocationSet:
    """Return the buffer that a location is an instance of."""
    return program.function.tensors[int(program.location_tensor[location])]


def trips_of(linear: int, trip_counts: tuple[int, ...]) -> list[int]:
    """Return the trip number of each loop, outermost first, of a linear one.

    >>> trips_of(17, (4, 5))
    [3, 2]
    """
    trips = []
    for count in reversed(trip_counts):
        linear, trip = divmod(linear, count)
        trips.append(trip)
    return trips[::-1]


def _deed(program: Program, access: int) -> str:
    verb = "writes" if program.access_is_write[access] else "reads"
    location = int(program.access_location[access])
    return f"{verb} {location_name(program, location)}"


def _iteration(loops: tuple[Loop, ...], linear: int) -> str:
    if not loops:
        return ""
    return _at(loops, trips_of(linear, tuple(loop.trip_count for loop in loops)))


def _at(loops: tuple[Loop, ...], trips: list[int]) -> str:
    values = (
        f"{loop.index.name} = {(loop.index.lo or 0) + trip * loop.index.step}"
        for loop, trip in zip(loops, trips, strict=True)
    )
    return f"[{', '.join(values)}]"
