"""Check (a): which locations are alive in the same bytes."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from rotation.check import Hazard
from rotation.check.hazard import MOST_SHOWN
from rotation.loop_form.kernel import Engine
from rotation.unrolled.program import Placement, Program
from tests.rotation.check.builder import (
    Op,
    Touch,
    build,
    found,
    in_rings,
    kinds,
    moved,
    private,
    sb,
    stream,
)
from tests.rotation.check.oracle import touched
from tests.rotation.check.random_programs import placements, programs


def test_a_private_placement_is_fine():
    """Nothing shares a byte with anything."""
    assert found(stream(3)) == []


def test_rings_are_fine_when_instructions_run_in_turn():
    """A slot is free when the instance in it is read."""
    program = stream(4)

    assert found(program, in_rings(program, {"xt": 2, "zt": 1})) == []


def test_two_live_locations_on_one_byte_are_found():
    """What the operation reads and what it writes are alive together."""
    program = stream(1)
    placement = moved(
        program, private(program), {("xt", 0): (0, 0), ("zt", 0): (0, 63)}
    )
    (hazard,) = found(program, placement)

    assert hazard == Hazard(
        "overlap",
        "double[i = 0] touches zt[i = 0] at sb partitions [0, 128) bytes [63, 127), "
        "but "
        "xt[i = 0] at sb partitions [0, 128) bytes [0, 64) is alive there until after "
        "double[i = 0]",
        (1, 1),
    )


def test_locations_side_by_side_are_fine():
    """The byte after the last of one is the first of the other."""
    program = stream(1)
    placement = moved(
        program, private(program), {("xt", 0): (0, 0), ("zt", 0): (0, 64)}
    )

    assert found(program, placement) == []


def test_locations_in_different_partitions_are_fine():
    """The same bytes of other partitions are other bytes."""
    a, b = sb("a", (64, 16)), sb("b", (64, 16))
    program = build([Op("f", Engine.VECTOR, (Touch(a), Touch(b)))])
    to = {("a", 0): (0, 0), ("b", 0): (64, 0)}

    assert found(program, moved(program, private(program), to)) == []


def test_a_location_that_is_read_early_and_late_is_alive_between():
    """Another location in its bytes breaks the late read."""
    a, b = sb("a", (128, 16)), sb("b", (128, 16))
    ops = [
        Op("f", Engine.VECTOR, (Touch(a),)),
        Op("g", Engine.VECTOR, (Touch(b),)),
        Op("h", Engine.VECTOR, (Touch(b, 1),), (Touch(a),)),
    ]
    program = build(ops)
    to = {("a", 0): (0, 0), ("b", 0): (0, 0)}
    hazards = found(program, moved(program, private(program), to))

    assert [h.instructions for h in hazards] == [(2, 1)]


def test_the_longest_lived_of_several_is_compared():
    """A short life in between does not hide that the first goes on."""
    tiles = [sb(name, (128, 16)) for name in "abc"]
    a, b, c = (Touch(tile) for tile in tiles)
    ops = [
        Op("a", Engine.VECTOR, (a,)),
        Op("b", Engine.VECTOR, (b,)),
        Op("c", Engine.VECTOR, (c,)),
        Op("d", Engine.VECTOR, (c,), (a,)),
    ]
    program = build(ops)
    to = {("a", 0): (0, 0), ("b", 0): (0, 0), ("c", 0): (0, 0)}
    hazards = found(program, moved(program, private(program), to))

    assert [h.instructions for h in hazards if h.check == "overlap"] == [(3, 1), (3, 2)]


def test_a_piece_that_is_no_longer_read_may_be_overwritten():
    """A location is handed over piece by piece; whoever reads a piece keeps it."""
    a = sb("a", (128, 32))
    left, right = ((0, 0), (128, 16)), ((0, 16), (128, 16))
    ops = [
        Op("f", Engine.VECTOR, (Touch(a, 0),)),
        Op("g", Engine.VECTOR, (Touch(sb("b", (128, 16))),), (Touch(a, 0, *left),)),
        Op("h", Engine.VECTOR, (Touch(a, 1, *left),)),
        Op("k", Engine.VECTOR, (Touch(a, 1, *right),), (Touch(a, 0, *right),)),
    ]
    program = build(ops)
    to = {("a", 0): (0, 0), ("a", 1): (0, 0)}
    hazards = found(program, moved(program, private(program), to))

    assert [(h.check, h.instructions) for h in hazards] == [("overlap", (3, 3))]


def test_dram_tensors_that_share_bytes_are_found():
    """The world outside looks at all of DRAM, so all of it is always alive."""
    program = stream(1)
    placement = moved(program, private(program), {("z", 0): (0, 64)})

    assert found(program, placement) == [
        Hazard("overlap", "z at dram byte 64 shares bytes with x at dram byte 0", ())
    ]


def test_no_more_overlaps_are_spelled_out_than_fit_a_screen():
    """The others are counted."""
    trips = MOST_SHOWN + 5
    program = stream(trips)
    to = {("xt", i): (0, 4096 * i) for i in range(trips)}
    to |= {("zt", i): (0, 4096 * i) for i in range(trips)}
    hazards = found(program, moved(program, private(program), to))

    assert len(hazards) == MOST_SHOWN + 1
    assert hazards[-1].message == "and 5 more of this kind"


@given(st.data(), programs())
def test_live_overlaps_are_found_if_and_only_if_some_byte_has_two_owners(
    data: st.DataObject, program: Program
):
    """The sweep over cells agrees with a walk over bytes and positions."""
    placement = data.draw(placements(program))
    hazards = found(program, placement)

    assert ("overlap" in kinds(hazards)) == _has_two_owners(program, placement)


def _has_two_owners(program: Program, placement: Placement) -> bool:
    lives: dict[object, dict[int, list[int]]] = {}
    for access, location in enumerate(program.access_location.tolist()):
        row = int(program.access_instruction[access])
        for byte in touched(program, access, placement):
            lives.setdefault(byte, {}).setdefault(location, []).append(row)
    return any(
        min(one) <= max(other) and min(other) <= max(one)
        for owners in lives.values()
        for one, other in combinations(owners.values(), 2)
    )
