"""The rows of a program as the interpreter has them."""

from __future__ import annotations

from rotation.unrolled.program import Program
from tests.rotation.interpreter import Access, Execution


def table_of(program: Program) -> list[Execution]:
    """Return the rows of a program in the form of the interpreter."""
    function = program.function
    rows: list[list[Access]] = [[] for _ in range(len(program))]
    for access, row in enumerate(program.access_instruction):
        location = program.access_location[access]
        tensor = function.tensors[program.location_tensor[location]]
        rank = len(tensor.shape)
        assert (program.access_start[access, rank:] == 0).all()
        assert (program.access_extent[access, rank:] == 1).all()
        rows[row].append(
            Access(
                tensor.name,
                int(program.location_instance[location]),
                bool(program.access_is_write[access]),
                tuple(program.access_start[access, :rank].tolist()),
                tuple(program.access_extent[access, :rank].tolist()),
            )
        )
    return [
        Execution(function.instructions[statement].name, tuple(accesses))
        for statement, accesses in zip(program.statement, rows, strict=True)
    ]
