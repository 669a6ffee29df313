from rotation.loop_form.kernel import MemorySpace
from rotation.modelled.sb import rotated_sb
from rotation.modelled.sb_schedule import SB_POST_SCHEDULE, SB_SCHEDULE, byte_windows
from rotation.unrolled.liveness import live_intervals
from tests.rotation.modelled.hand import (
    Life,
    in_place_pair,
    placed,
    program_with,
    with_inplace,
)

LOW, MIDDLE, HIGH = byte_windows(180_224).values()


def after(program, byte, schedule=SB_POST_SCHEDULE):
    """Return what becomes of locations that vector writes and reads: target 4."""
    placement = placed(program, byte)
    return rotated_sb(program, placement, live_intervals(program), {}, schedule)


def bytes_after(lives, byte, schedule=SB_POST_SCHEDULE):
    return after(program_with(lives), byte, schedule).placement.byte.tolist()


def in_turn(count: int, size: int):
    """Return locations that live one after the other; dma does nothing."""
    return [Life(size, 2 * k + 1, 2 * k + 2) for k in range(count)]


def test_a_location_is_not_put_on_the_one_before():
    """Period 1: two places in turn, the lowest ones."""
    assert bytes_after(in_turn(4, 100), [0] * 4) == [0, 104, 0, 104]


def test_target_4_is_not_moved_before_scheduling():
    """No batch is for it."""
    assert bytes_after(in_turn(2, 100), [0, 0], SB_SCHEDULE) == [0, 0]


def test_a_location_that_has_no_room_keeps_its_place():
    """Wider than its window."""
    size = LOW.end_byte + 8

    assert bytes_after(in_turn(2, size), [512, 512]) == [512, 512]


def test_what_lives_at_a_time_is_avoided_wherever_it_came_from():
    """The first is not moved yet when the second looks for room."""
    lives = [Life(64, 1, 4), Life(64, 2, 4)]
    one, other = bytes_after(lives, [64, 0])

    assert one != other
    assert abs(one - other) >= 64


def test_in_place_partners_stay():
    """The guard blocks both, and counts them."""
    program = with_inplace(in_place_pair(), 1)
    found = after(program, [4096, 8192], SB_SCHEDULE)

    assert found.placement.byte.tolist() == [4096, 8192]
    assert found.guarded == 2


def test_without_a_partner_they_move():
    """The same program without the mark."""
    found = after(in_place_pair(), [4096, 8192], SB_SCHEDULE)

    assert found.guarded == 0
    assert found.placement.byte.tolist() != [4096, 8192]


def test_a_move_has_a_log_line():
    """With byte and base partition."""
    log = after(program_with(in_turn(2, 8)), [0, 0]).log

    assert log == ("b1[0] picked new range for b1[0] 8 0",)


def test_other_spaces_are_not_touched():
    """A program without SB."""
    program = program_with([Life(8, 1, 2)], MemorySpace.PSUM)

    assert after(program, [0]).placement.byte.tolist() == [0]
