from rotation.loop_form.kernel import Engine
from rotation.modelled.coverage import covered_locations
from tests.rotation.programs import Access, Op, program_of, tile


def covered(*accesses: tuple[int, int, int, bool]) -> list[bool]:
    """Return what is covered of a program of (row, start, extent, is write)."""
    ops = [
        Op(
            Engine.VECTOR,
            1,
            0,
            tuple(
                Access(0, 0, (0, start), (4, extent), is_write)
                for at, start, extent, is_write in accesses
                if at == row
            ),
        )
        for row in range(max(at for at, *_ in accesses) + 1)
    ]
    return covered_locations(program_of([tile("s", (4, 8))], ops)).tolist()


def test_what_is_written_before_it_is_read_is_covered():
    """In one piece."""
    assert covered((0, 0, 8, True), (1, 0, 8, False)) == [True]


def test_a_location_written_piece_by_piece_is_covered():
    """The read lies in the union of the writes."""
    assert covered((0, 0, 4, True), (1, 4, 4, True), (2, 2, 4, False)) == [True]


def test_a_read_beyond_what_was_written_is_not():
    """The last column is missing."""
    assert covered((0, 0, 7, True), (1, 0, 8, False)) == [False]


def test_a_read_at_the_writing_operation_is_not():
    """It reads before it writes."""
    assert covered((0, 0, 8, False), (0, 0, 8, True)) == [False]


def test_a_location_that_is_only_read_is_not():
    """Nothing of it was ever written."""
    assert covered((0, 0, 8, False)) == [False]
