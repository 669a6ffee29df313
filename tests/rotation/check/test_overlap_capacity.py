"""Check (a): every location inside its space, every access inside a bank."""

import pytest

from rotation.check import Hazard
from rotation.loop_form.kernel import Engine
from rotation.unrolled.program import Program
from tests.rotation.check.builder import (
    Op,
    Touch,
    build,
    found,
    kinds,
    moved,
    private,
    psum,
    sb,
    stream,
)


@pytest.mark.parametrize(
    "to",
    [(0, 180_224 - 63), (0, -1), (1, 0), (-1, 0)],
    ids=["bytes", "negative-byte", "partitions", "negative-partition"],
)
def test_a_location_outside_its_space_is_found(to: tuple[int, int]):
    """Each of the four ends of the space is a limit; a tile has 64 bytes here."""
    program = stream(1)

    assert kinds(found(program, moved(program, private(program), {("xt", 0): to}))) == {
        "capacity"
    }


def test_a_location_that_ends_with_its_space_is_fine():
    """The last byte and the last partition may be used."""
    program = stream(1)
    placement = moved(program, private(program), {("xt", 0): (0, 180_224 - 64)})

    assert found(program, placement) == []


@pytest.fixture
def evacuation() -> Program:
    """Return a program that fills a PSUM tile of a whole bank and copies it."""
    acc, s = psum("acc", (128, 512)), sb("s", (128, 512))
    return build(
        [
            Op("mm", Engine.PE, (Touch(acc),)),
            Op("ev", Engine.VECTOR, (Touch(s),), (Touch(acc),)),
        ]
    )


def test_the_bank_after_the_last_is_outside(evacuation: Program):
    """Banks are counted from 0: start bank = number of banks is one too far."""
    placement = moved(evacuation, private(evacuation), {("acc", 0): (0, 8 * 2048)})

    assert found(evacuation, placement)[0] == Hazard(
        "capacity",
        "acc[i = 0] at psum partitions [0, 128) bank 8 byte 0 is not inside psum, "
        "which "
        "has 128 partitions of 16384 bytes; mm[i = 0] touches it first",
        (0,),
    )


def test_the_last_bank_is_inside(evacuation: Program):
    """Bank 7 of 8 may be used."""
    placement = moved(evacuation, private(evacuation), {("acc", 0): (0, 7 * 2048)})

    assert found(evacuation, placement) == []


def test_an_access_across_banks_is_found(evacuation: Program):
    """A tile of a whole bank that starts inside a bank ends in the next."""
    placement = moved(evacuation, private(evacuation), {("acc", 0): (0, 1024)})
    hazards = found(evacuation, placement)

    assert hazards[0].message == (
        "mm[i = 0] writes acc[i = 0] from byte 1024 to 3072 of psum, across a border "
        "of "
        "its banks of 2048 bytes"
    )


def test_a_location_may_span_banks():
    """Only each access must stay within one."""
    acc = psum("acc", (128, 1024))
    halves = [
        Op(f"mm{half}", Engine.PE, (Touch(acc, 0, (0, 512 * half), (128, 512)),))
        for half in range(2)
    ]

    assert found(build(halves)) == []
