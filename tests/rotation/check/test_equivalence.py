import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation.check import Hazard, check_equivalence
from rotation.loop_form.kernel import Engine, MemoryLocationSet, Role
from rotation.unrolled.program import Placement, Program
from tests.rotation.check.builder import (
    Op,
    Touch,
    build,
    dram,
    in_rings,
    in_turn,
    moved,
    private,
    psum,
    sb,
    stream,
)
from tests.rotation.check.oracle import final_dram
from tests.rotation.check.random_programs import orders, placements, programs

A, B = sb("a", (128, 16)), sb("b", (128, 16))
X = dram("x", (128, 16), Role.INPUT)
Z = dram("z", (128, 16), Role.OUTPUT)


def found(
    program: Program, order: list[int] | None = None, placement: Placement | None = None
) -> list[Hazard]:
    placement = placement or private(program)
    return check_equivalence(program, placement, in_turn(program, order))


def messages(hazards: list[Hazard]) -> list[str]:
    return [hazard.message for hazard in hazards]


def load(tile: MemoryLocationSet, instance: int = 0) -> Op:
    """Return the load of a tile from x; loads of different tiles differ."""
    name = f"ld_{tile.name}"
    return Op(name, Engine.DMA, (Touch(tile, instance),), (Touch(X),))


def on_one_place(program: Program, name: str) -> Placement:
    """Return the private placement, but for two instances of a buffer in one place."""
    to = {(name, k): (0, 1024) for k in range(2)}
    return moved(program, private(program), to)


def test_the_source_order_is_the_source_program():
    """A private placement in source order is the source program itself."""
    assert found(stream(3)) == []


def test_a_legal_overlap_is_the_source_program():
    """Loads ahead of older stores, in rings of two."""
    program = stream(3)
    ahead = [0, 3, 1, 2, 6, 4, 5, 7, 8]

    assert found(program, ahead, in_rings(program, {"xt": 2, "zt": 1})) == []


def test_a_tile_that_is_overwritten_too_early_is_found():
    """The second load comes before the first tile is read, in a ring of one."""
    program = stream(2)
    hazards = found(program, [0, 3, 1, 2, 4, 5], in_rings(program, {"xt": 1}))

    assert hazards == [
        Hazard(
            "equivalence",
            "z ends with other data: double[i = 0] reads xt[i = 0] and takes the "
            "result of "
            "ld[i = 1] where the source takes the result of ld[i = 0]",
            (1, 3, 0),
        )
    ]


def test_other_data_that_reaches_no_output_is_no_difference():
    """What is never stored may be anything."""
    ops = [
        load(A),
        Op("f", Engine.VECTOR, (Touch(B),), (Touch(A),)),
        Op("g", Engine.VECTOR, (Touch(A, 1),)),
    ]

    assert found(build(ops), [0, 2, 1], on_one_place(build(ops), "a")) == []


def test_a_tile_that_overlaps_another_by_a_byte_is_found():
    """The later operation reads the tile whose last byte is overwritten."""
    ops = [
        load(A),
        Op("f", Engine.VECTOR, (Touch(B),), (Touch(A),)),
        Op("g", Engine.VECTOR, (Touch(B, 1),), (Touch(A),)),
        Op("st", Engine.DMA, (Touch(Z),), (Touch(B, 1),)),
    ]
    program = build(ops)
    apart = {("a", 0): (0, 0), ("b", 0): (0, 64)}
    too_near = {("a", 0): (0, 0), ("b", 0): (0, 63)}

    assert found(program, None, moved(program, private(program), apart)) == []
    assert messages(
        found(program, None, moved(program, private(program), too_near))
    ) == [
        "z ends with other data: g[i = 0] reads a[i = 0] and takes the result of "
        "f[i = 0]"
    ]


def two_loads(first: str, second: str) -> Program:
    """Return a program of two operations on x, of which the first is stored."""
    return build(
        [
            Op("f", Engine.VECTOR, (Touch(A, 0),), (Touch(X),), opcode=first),
            Op("g", Engine.PE, (Touch(A, 1),), (Touch(X),), opcode=second),
            Op("st", Engine.DMA, (Touch(Z),), (Touch(A, 0),)),
        ]
    )


def test_equal_operations_on_equal_values_have_equal_results():
    """It does not matter whose result is stored, nor which engine computed it."""
    program = two_loads("copy", "copy")

    assert found(program, None, on_one_place(program, "a")) == []


def test_other_operations_on_equal_values_have_other_results():
    """The opcode is part of a term."""
    program = two_loads("copy", "negate")

    assert len(found(program, None, on_one_place(program, "a"))) == 1


def test_the_initial_contents_of_different_tensors_differ():
    """Both inputs are loaded into one place, and the first is stored."""
    y = dram("y", (128, 16), Role.INPUT)
    ops = [
        Op("ld_x", Engine.DMA, (Touch(A, 0),), (Touch(X),), opcode="load"),
        Op("ld_y", Engine.DMA, (Touch(A, 1),), (Touch(y),), opcode="load"),
        Op("st", Engine.DMA, (Touch(Z),), (Touch(A, 0),)),
    ]
    program = build(ops)

    assert len(found(program, None, on_one_place(program, "a"))) == 1


def test_the_destinations_of_one_operation_hold_different_data():
    """The second destination overwrites the first in one place."""
    ops = [
        Op("split", Engine.VECTOR, (Touch(A, 0), Touch(A, 1)), (Touch(X),)),
        Op("st", Engine.DMA, (Touch(Z),), (Touch(A, 0),)),
    ]
    program = build(ops)

    assert len(found(program, None, on_one_place(program, "a"))) == 1


def test_the_shape_of_a_result_is_part_of_it():
    """A sum into 8 columns is another than a sum into 16."""
    wide, half = Touch(A, 1), Touch(A, 0, (0, 0), (128, 8))
    ops = [
        Op("f", Engine.VECTOR, (half,), (Touch(X),), opcode="sum"),
        Op("g", Engine.VECTOR, (wide,), (Touch(X),), opcode="sum"),
        Op("st", Engine.DMA, (Touch(Z, 0, (0, 0), (128, 8)),), (half,)),
    ]
    program = build(ops)

    assert len(found(program, None, on_one_place(program, "a"))) == 1


def test_the_shape_in_which_data_are_read_is_part_of_an_operation():
    """A sum over rows of 8 is another than a sum over a row of 16, of equal bytes."""
    t, u, r = sb("t", (128, 2, 8)), sb("u", (128, 16)), sb("r", (128, 1))
    ops = [
        Op("ld_u", Engine.DMA, (Touch(u),), (Touch(X),)),
        Op("ld_t", Engine.DMA, (Touch(t),), (Touch(X),)),
        Op("f", Engine.VECTOR, (Touch(r, 0),), (Touch(t),), opcode="sum"),
        Op("g", Engine.VECTOR, (Touch(r, 1),), (Touch(u),), opcode="sum"),
        Op("st", Engine.DMA, (Touch(Z, 0, (0, 0), (128, 1)),), (Touch(r, 0),)),
    ]
    program = build(ops)
    to = {("t", 0): (0, 0), ("u", 0): (0, 0), ("r", 0): (0, 64), ("r", 1): (0, 64)}

    assert len(found(program, None, moved(program, private(program), to))) == 1


def test_the_same_data_at_another_place_are_other_data():
    """A result is known byte by byte."""
    left, right = ((0, 0), (128, 8)), ((0, 8), (128, 8))
    half = sb("h", (128, 8))
    ops = [
        load(A),
        Op("f", Engine.VECTOR, (Touch(half, 0),), (Touch(A, 0, *left),)),
        Op("g", Engine.VECTOR, (Touch(half, 1),), (Touch(A, 0, *right),)),
        Op("st", Engine.DMA, (Touch(Z, 0, *left),), (Touch(half, 0),)),
    ]
    program = build(ops)

    assert len(found(program, None, on_one_place(program, "h"))) == 1


@pytest.fixture
def sum_of_two() -> Program:
    """Return a sum of two products in PSUM, copied and stored."""
    acc = Touch(psum("acc", (128, 16)))
    product = {"name": "mm", "engine": Engine.PE, "opcode": "matmul"}
    return build(
        [
            load(A, 0),
            load(B, 0),
            Op(writes=(acc,), reads=(Touch(A),), **product),
            Op(writes=(acc,), reads=(Touch(B),), accumulates=True, **product),
            Op("ev", Engine.VECTOR, (Touch(A, 1),), (acc,)),
            Op("st", Engine.DMA, (Touch(Z),), (Touch(A, 1),)),
        ]
    )


def test_a_sum_in_its_order_is_the_source_program(sum_of_two: Program):
    """The steps of an accumulation are reads and writes like others."""
    assert found(sum_of_two, [1, 0, 2, 3, 4, 5]) == []


def test_an_accumulation_in_another_order_is_found(sum_of_two: Program):
    """The first step overwrites, so it may not come second."""
    assert messages(found(sum_of_two, [0, 1, 3, 2, 4, 5])) == [
        "z ends with other data: mm[i = 0] reads acc[i = 0] and takes bytes that "
        "nothing "
        "has written where the source takes the result of mm[i = 0]"
    ]


def test_a_copy_that_does_not_wait_for_the_sum_is_found(sum_of_two: Program):
    """It would take the first product only."""
    assert len(found(sum_of_two, [0, 1, 2, 4, 3, 5])) == 1


def test_an_output_written_twice_keeps_its_last_writer():
    """Two stores to one place may not change places."""
    ops = [
        load(A),
        Op("negate", Engine.VECTOR, (Touch(B),), (Touch(A),)),
        Op("st1", Engine.DMA, (Touch(Z),), (Touch(A),)),
        Op("st2", Engine.DMA, (Touch(Z),), (Touch(B),)),
    ]

    assert messages(found(build(ops), [0, 1, 3, 2])) == [
        "z ends with other data: it takes the result of st1[i = 0] where the source "
        "takes the result of st2[i = 0]"
    ]


def test_pieces_of_an_output_may_be_stored_in_any_order():
    """Stores to different rows are independent."""
    ops = [load(A)]
    ops += [
        Op("st", Engine.DMA, (Touch(Z, 0, *box),), (Touch(A, 0, *box),), i)
        for i, box in enumerate([((0, 0), (64, 16)), ((64, 0), (64, 16))])
    ]

    assert found(build(ops), [0, 2, 1]) == []


def test_an_output_written_in_part_keeps_the_rest():
    """What was in DRAM before is the same for both programs."""
    box = ((0, 0), (64, 16))
    ops = [load(A), Op("st", Engine.DMA, (Touch(Z, 0, *box),), (Touch(A, 0, *box),))]

    assert found(build(ops)) == []


def test_reading_what_nothing_wrote_is_found():
    """Its result depends on what happens to be in memory."""
    ops = [Op("st", Engine.DMA, (Touch(Z),), (Touch(A),))]

    message = (
        "in the source, st[i = 0] reads a[i = 0], of which nothing has written all "
        "bytes"
    )

    assert message in messages(found(build(ops)))


def test_reading_half_of_what_was_written_is_fine():
    """Only the bytes that are read count."""
    box = ((0, 0), (64, 16))
    ops = [
        Op("ld", Engine.DMA, (Touch(A, 0, *box),), (Touch(X, 0, *box),)),
        Op("st", Engine.DMA, (Touch(Z, 0, *box),), (Touch(A, 0, *box),)),
    ]

    assert found(build(ops)) == []


def test_reading_inner_dram_that_nothing_wrote_is_found():
    """The world outside fills inputs and constants only."""
    inner = dram("inner", (128, 16), Role.INTERNAL)
    ops = [
        Op("ld", Engine.DMA, (Touch(A),), (Touch(inner),)),
        Op("st", Engine.DMA, (Touch(Z),), (Touch(A),)),
    ]

    assert {hazard.instructions for hazard in found(build(ops))} == {(0,)}


@given(st.data(), programs())
def test_other_data_is_reported_if_and_only_if_some_byte_of_dram_differs(
    data: st.DataObject, program: Program
):
    """Symbolic execution on boxes agrees with symbolic execution byte by byte."""
    placement = data.draw(placements(program))
    order = data.draw(orders(program))
    numbers: dict[object, int] = {}
    source = final_dram(program, None, range(len(program)), numbers)
    placed = final_dram(program, placement, order, numbers)
    hazards = found(program, order, placement)

    assert (source != placed) == any("other data" in m for m in messages(hazards))
