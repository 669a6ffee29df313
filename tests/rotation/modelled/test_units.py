import numpy as np

from rotation.loop_form.kernel import Engine, MemorySpace
from rotation.modelled.units import units_of
from rotation.unrolled.liveness import live_intervals
from rotation.unrolled.unroll import unroll
from tests.rotation.modelled.hand import (
    Life,
    buffer,
    in_place_pair,
    placed,
    program_with,
    with_inplace,
)
from tests.rotation.programs import COPY, PLANNING, Access, Op, kernel, program_of


def members(program, placement, space=MemorySpace.SB):
    units = units_of(program, placement, space, live_intervals(program))
    return [unit.members for unit in units]


def test_a_location_is_a_unit_from_its_first_access_to_its_last():
    """With its bytes rounded up to the granule, and its bands."""
    program = program_with([Life(20, 1, 3, partitions=40)])
    (unit,) = units_of(
        program, placed(program, [16]), MemorySpace.SB, live_intervals(program)
    )

    assert (unit.first, unit.last, unit.extent) == (1, 3, (0, 2, 16, 40))
    assert not unit.stays


def test_locations_that_share_bytes_while_they_live_are_one_unit():
    """As clones that were given one slot."""
    lives = [Life(64, 0, 2), Life(64, 1, 3), Life(64, 3, 4)]
    program = program_with(lives)

    assert members(program, placed(program, [0, 0, 128])) == [(0, 1), (2,)]


def test_what_begins_where_another_ends_shares_too():
    """A place is free strictly after the last use, not at it."""
    program = program_with([Life(64, 0, 2), Life(64, 2, 3)])

    assert members(program, placed(program, [0, 0])) == [(0, 1)]


def test_instances_of_an_in_place_operation_are_one_unit():
    """Whatever their bytes are; without the mark they are two."""
    program = in_place_pair()
    placement = placed(program, [0, 64])

    assert members(program, placement) == [(0,), (1,)]
    assert members(with_inplace(program, 1), placement) == [(0, 1)]


def test_what_is_read_before_it_is_written_stays_and_lives_always():
    """Nobody may take its bytes, before or after."""
    box = ((0, 0), (128, 64))
    ops = [
        Op(Engine.DMA, 1, 0, (Access(1, 0, *box, True),)),
        Op(Engine.VECTOR, 1, 0, (Access(0, 0, *box, False),)),
        Op(Engine.DMA, 1, 0, (Access(1, 0, *box, False),)),
    ]
    program = program_of([buffer(n, Life(64, 0, 0)) for n in "ab"], ops)
    unit, _ = units_of(
        program, placed(program, [0, 64]), MemorySpace.SB, live_intervals(program)
    )

    assert (unit.members, unit.first, unit.last, unit.stays) == ((0,), 0, 2, True)


def test_what_the_user_has_placed_stays():
    """A ring by number, or a pin; a pin is alive always."""
    for text, always in ((" ring 2", False), (" byte 4096*(i mod 2)", True)):
        program = unroll(kernel(COPY.replace(" RING", text)), PLANNING)
        count = len(program.location_tensor)
        placement = placed(program, np.arange(count) * 2048)
        units = units_of(program, placement, MemorySpace.SB, live_intervals(program))
        mine = [u for u in units if program.location_tensor[u.members[0]] == 2]
        whole = {(u.first, u.last) == (0, len(program) - 1) for u in mine}

        assert [unit.stays for unit in mine] == [True] * 4
        assert whole == {always}
