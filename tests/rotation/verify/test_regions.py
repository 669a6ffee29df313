from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation.errors import KernelError
from rotation.loop_form.kernel import Region
from rotation.machine.machine import get_machine
from rotation.text.parse import parse
from rotation.verify.regions import MAX_POINTS, region_mistakes


def region_of(
    operand: str, loops: str = "", declaration: str = "sb t [128, 512] bf16"
) -> Region:
    """Return an operand inside some loops."""
    depth = loops.count("{")
    (function,) = parse(
        f"kernel k on planning {{ {declaration} {loops} vector.f t <- {operand} "
        + "}" * (depth + 1)
    )
    return function.instructions[0].reads[0]


def mistakes(region: Region) -> Iterator[KernelError]:
    """Yield what is wrong with a region on the machine `planning`."""
    return region_mistakes(region, get_machine("planning"))


def mistake(
    operand: str, loops: str = "", declaration: str = "sb t [128, 512] bf16"
) -> str:
    """Return the message of the one thing that is wrong with an operand."""
    (error,) = mistakes(region_of(operand, loops, declaration))
    return error.message


@pytest.mark.parametrize(
    ("operand", "loops"),
    [
        ("t", ""),
        ("t[0:+128, 0:+512]", ""),
        ("t[127:+1, 511:+1]", ""),
        ("t[i:+1, 4*i:+4]", "for i in [0, 128) {"),
        ("t[(i + 5) mod 128:+1, 0:+1]", "for i in [0, 1000) {"),
        ("t[i + j - j:+1, 0:+1]", "for i in [0, 128) { for j in [0, 4) {"),
    ],
)
def test_a_region_inside_its_buffer_is_accepted(operand: str, loops: str):
    """Nothing is wrong with these."""
    assert list(mistakes(region_of(operand, loops))) == []


def test_a_region_has_the_rank_of_its_buffer():
    """The shape is shown."""
    (error,) = mistakes(region_of("t[0:+1]"))

    assert error.message == "t has 2 dimensions, and 1 are given"
    assert (
        error.hint == "its shape is [128, 512]: write START:+EXTENT for each dimension"
    )


def test_an_extent_is_not_longer_than_the_dimension():
    """There is no start at which it could fit."""
    assert (
        mistake("t[0:+1, 0:+513]")
        == "dimension 1 of t has 512 elements, and 513 are used"
    )


def test_a_region_past_the_end_shows_where():
    """The first iteration that leaves the buffer is named."""
    message = mistake("t[0:+1, 4*i + j:+4]", "for i in [0, 128) { for j in [0, 4) {")

    assert message == (
        "dimension 1 of t has 512 elements, and 509 to 512 are used at i = 127, j = 1"
    )


def test_a_region_before_the_start_shows_where():
    """A negative element is as wrong as one past the end."""
    message = mistake("t[i - 2:+1, 0:+1]", "for i in [0, 8) step 3 {")

    assert (
        message == "dimension 0 of t has 128 elements, and -2 to -2 are used at i = 0"
    )


def test_a_constant_start_has_no_iteration():
    """Outside all loops there is no place to name."""
    assert mistake("t[128:+1, 0:+1]").endswith("and 128 to 128 are used")


def test_the_remedy_says_where_the_start_may_be():
    """The hint shows the start as it is written."""
    (error,) = mistakes(region_of("t[i + 0:+3, 0:+1]", "for i in [0, 128) {"))

    assert error.hint == "keep i + 0 in [0, 125]: change it, the extent or a loop"


def test_a_violation_inside_a_range_is_found():
    """Loops with few points are tried point by point."""
    start = "130*((i + 3) mod 5 floordiv 4)"

    assert "at i = 1" in mistake(f"t[{start}:+1, 0:+1]", "for i in [0, 5) {")


def test_the_corners_of_a_large_nest_are_tried():
    """A sum leaves its buffer at a corner, if it does."""
    loops = f"for i in [0, {MAX_POINTS}) {{ for j in [3, 90) step 5 {{"

    assert f"at i = {MAX_POINTS - 1}, j = 3" in mistake("t[i + j:+1, 0:+1]", loops)


def test_what_is_not_decided_is_left_to_the_proofs():
    """A violation inside a nest too large to try is no error here."""
    loops = f"for i in [0, {8 * MAX_POINTS}) {{"
    start = "128*((i mod 9 + 7) floordiv 15)"

    assert list(mistakes(region_of(f"t[{start}:+1, 0:+1]", loops))) == []


def test_a_nest_of_many_loops_can_be_tried():
    """There may be more loops than numpy has dimensions."""
    loops = "".join(f"for i{k} in [0, {1 + (k < 2)}) {{ " for k in range(70))
    start = " + ".join(f"i{k}" for k in range(70))

    assert "i0 = 1, i1 = 1" in mistake(f"t[127 + {start} - 1:+1, 0:+1]", loops)


WIDE = f"{2**62 + 1}*i mod {2**63 + 5} floordiv {2**60}"


@pytest.mark.parametrize("start", [f"i*{2**64}", WIDE, f"(i - 3) floordiv {2**64}"])
def test_an_expression_that_needs_more_than_64_bits_is_refused(start: str):
    """Tables hold 64-bit integers, and nothing may wrap around."""
    message = mistake(f"t[{start}:+1, 0:+1]", "for i in [0, 4) {")

    assert message == "an index expression needs more than 64 bits"


def test_an_access_to_psum_stays_in_one_bank():
    """A tile of two banks is not accessed as a whole."""
    message = mistake("t", declaration="psum t [128, 1024] fp32")

    assert message == "an access to 4096 bytes of t crosses into another psum bank"


def test_a_tile_of_several_banks_is_accessed_bank_by_bank():
    """Each access to a quarter lies in one bank."""
    region = region_of(
        "t[0:+128, 512*i:+512]", "for i in [0, 4) {", "psum t [128, 2048] fp32"
    )

    assert list(mistakes(region)) == []


def test_an_access_across_a_border_of_banks_shows_where():
    """Only the iteration that crosses is wrong."""
    message = mistake(
        "t[0:+128, 384*i:+256]", "for i in [0, 4) {", "psum t [128, 2048] fp32"
    )

    assert message == (
        "an access to 1024 bytes of t crosses into another psum bank at i = 1"
    )


def test_an_access_covers_its_bytes_from_first_to_last():
    """Two rows of a tile with inner dimensions reach from one to the other."""
    declaration = "psum t [128, 4, 512] fp32"

    assert "crosses" in mistake("t[0:+1, 1:+2, 0:+1]", declaration=declaration)


def test_a_small_tile_lies_in_a_bank():
    """A tile of one bank can be accessed as a whole."""
    assert list(mistakes(region_of("t", declaration="psum t [128, 512] fp32"))) == []


@given(
    st.integers(-4, 4),
    st.integers(-3, 3),
    st.integers(-40, 40),
    st.integers(1, 6),
    st.integers(1, 16),
)
def test_an_error_is_a_region_that_leaves_its_buffer(
    first: int, second: int, offset: int, divisor: int, extent: int
):
    """For small nests the answer is exact: plain loops agree."""
    region = region_of(
        f"t[({first}*i + {second}*j + {offset}) floordiv {divisor}:+{extent}, 0:+1]",
        "for i in [-1, 6) step 2 { for j in [0, 4) {",
        "sb t [16, 1] bf16",
    )
    starts = [
        (first * i + second * j + offset) // divisor
        for i in range(-1, 6, 2)
        for j in range(4)
    ]
    leaves = any(not 0 <= start <= 16 - extent for start in starts)

    assert leaves == bool(list(mistakes(region)))


def test_a_loop_of_more_trips_than_64_bits_count_is_looked_at():
    """Its ends are enough to find a violation."""
    edge = 2**63 - 1
    found = mistake("t[i:+1, 0:+1]", f"for i in [-{edge}, {edge}) {{")

    assert found.endswith(f"are used at i = -{edge}")


def test_an_extent_that_ends_where_the_buffer_does_is_accepted():
    """The last tile is a part of one."""
    region = region_of("t[48*i:+min(48, 128 - 48*i), 0:+1]", "for i in [0, 3) {")

    assert list(mistakes(region)) == []


@pytest.mark.parametrize(
    ("operand", "message"),
    [
        (
            "t[48*i:+min(48, 130 - 48*i), 0:+1]",
            "dimension 0 of t has 128 elements, and 96 to 129 are used at i = 2",
        ),
        ("t[0:+min(48, 96 - 48*i), 0:+1]", "an extent must be >= 1, got 0 at i = 2"),
        (
            "t[i - 1:+min(2, i + 1), 0:+1]",
            "dimension 0 of t has 128 elements, and -1 to -1 are used at i = 0",
        ),
    ],
)
def test_an_extent_that_is_the_least_of_two_shows_where_it_is_wrong(
    operand: str, message: str
):
    """Past the end, before the start, or nothing at all."""
    assert mistake(operand, "for i in [0, 3) {") == message


@pytest.mark.parametrize(
    ("condition", "wrong"),
    [("i < 7", 0), ("i < 8", 1), ("i != 7", 0), ("i > 2 and i <= 6", 0)],
)
def test_iterations_that_an_if_leaves_out_do_not_count(condition: str, wrong: int):
    """Only where the arm is done must the region lie in its buffer."""
    (function,) = parse(
        "kernel k on planning { sb t [8] fp32 for i in [0, 8) { "
        f"if {condition} {{ vector.f t[0:+1] <- t[i + 1:+1] }} }} }}"
    )
    (instruction,) = function.instructions
    arms = function.arms_of[instruction]
    region = instruction.reads[0]

    found = list(region_mistakes(region, get_machine("planning"), arms))
    assert len(found) == wrong


def test_the_else_arm_is_where_a_comparison_fails():
    """Of two comparisons one is enough."""
    (function,) = parse(
        "kernel k on planning { sb t [8] fp32 for i in [0, 9) { "
        "if i > 0 and i < 8 { } else { vector.f t[0:+1] <- t[i:+1] } } }"
    )
    (instruction,) = function.instructions
    arms = function.arms_of[instruction]

    (error,) = region_mistakes(instruction.reads[0], get_machine("planning"), arms)
    assert (
        error.message == "dimension 0 of t has 8 elements, and 8 to 8 are used at i = 8"
    )
