"""Ring maps: composition, inverse, padding."""

from math import gcd, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican import (
    AffineExpr,
    IndexRangeError,
    OperandError,
    RingMap,
    SubstitutionRangeError,
    ap,
    delinearise,
    index,
    linearise,
    symbol,
)
from pelican.access.inverse import solve
from tests.strategies import points_of, radix_maps

x, y = index("x", 0, 128), index("y", 0, 128)
i, j = index("i", 0, 16), index("j", 0, 64)
TURN = RingMap([x], [(x + 1) % 128], [(0, 128)])


def image(of: RingMap) -> list[tuple[int, ...]]:
    """Return the result of every point."""
    return [of(at) for at in points_of(of.inputs)]


def takes_back(back: RingMap, of: RingMap) -> bool:
    """Tell whether a map takes each result of another to its point."""
    return all(
        back(dict(zip(back.inputs, of(at), strict=True))) == tuple(at.values())
        for at in points_of(of.inputs)
    )


def test_a_map_says_what_it_does():
    """Inputs, outputs and the space that it goes to."""
    split = RingMap([x], [x // 8, x % 8], [(0, 16), (0, 8)])

    assert str(split) == "(x) -> (x floordiv 8, x mod 8) onto [0, 16), [0, 8)"
    assert split({x: 19}) == (2, 3)


def test_the_repr_builds_an_equal_map():
    """Over constants, since an index is built anew."""
    constant = RingMap([], [3], [(0, 8)], name="f")

    names = {"RingMap": RingMap, "AffineExpr": AffineExpr}
    assert eval(repr(constant), names) == constant


def test_the_ring_offset_is_inverted():
    """Where a peer drops the offset."""
    back = TURN.inverse()

    assert back is not None
    assert str(back.map) == "(y) -> ((y + 127) mod 128) onto [0, 128)"
    assert back.padding is None
    assert back.map.after(TURN).is_identity
    assert TURN.after(back.map).is_identity


def test_a_unit_of_the_ring_is_inverted():
    """77 * 5 is 1 modulo 128."""
    back = RingMap([x], [(5 * x + 3) % 128], [(0, 128)]).inverse()

    assert back is not None
    assert str(back.map) == "(y) -> ((77*y + 25) mod 128) onto [0, 128)"
    assert back.derivation == (
        "x = (77*y + 25) mod 128: 77 times it, in a ring of 128",
    )


@pytest.mark.parametrize(
    "outputs",
    [[(2 * x) % 128], [x // 2], [(5 * x + 3) % 64], [x - x % 4], [x // 4, x % 2]],
)
def test_a_map_that_forgets_has_no_inverse(outputs: list[AffineExpr]):
    """Two inputs give one result."""
    onto = [(0, 128)] * len(outputs)

    assert RingMap([x], outputs, onto).inverse() is None


@given(st.integers(1, 64), st.integers(-100, 100), st.integers(1, 64))
def test_exactly_the_units_of_a_ring_are_inverted(a: int, c: int, n: int):
    """(a*k + c) mod n over a whole ring, for any a."""
    k = index("k", 0, n)
    ring = RingMap([k], [(a * k + c) % n], [(0, n)])
    back = ring.inverse()

    assert (back is not None) == (gcd(a, n) == 1)
    if back is not None:
        assert back.map.after(ring).is_identity


@settings(max_examples=30)
@given(radix_maps())
def test_an_inverse_takes_every_result_back(of: RingMap):
    """Checked point by point, and the padding with it."""
    back = of.inverse()
    if back is None:
        return
    results = image(of)
    space = prod(high - low for low, high in of.onto)

    assert takes_back(back.map, of)
    assert back.padding_points == space - len(set(results))
    assert (back.padding is None) == (space == len(set(results)))


@settings(max_examples=30)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.data())
def test_every_mixed_radix_with_offsets_inverts(sizes: list[int], data: st.DataObject):
    """In any order of the digits, with any offset; it never fails."""
    lows = data.draw(st.lists(st.integers(-9, 9), min_size=len(sizes), max_size=4))
    ranges = [(low, low + size) for low, size in zip(lows, sizes, strict=False)]
    number = linearise(ranges, offset=data.draw(st.integers(-50, 50)))
    inputs = data.draw(st.permutations(number.inputs))
    shuffled = RingMap(inputs, number.outputs, number.onto)
    back = shuffled.inverse()

    assert back is not None
    assert back.padding is None
    assert takes_back(back.map, shuffled)


@settings(max_examples=30)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.integers(-50, 50))
def test_linearise_undoes_delinearise(sizes: list[int], offset: int):
    """Both compositions are the identity."""
    number, digits = linearise(sizes, offset=offset), delinearise(sizes, offset=offset)

    for at in points_of(digits.inputs):
        there = dict(zip(number.inputs, digits(at), strict=True))
        assert number(there) == tuple(at.values())
    assert number.after(digits).is_identity
    assert digits.after(number).is_identity


def test_padding_is_reported_with_its_place():
    """Behind the last row, between rows, and off the step."""
    r = index("r", 0, 10)
    behind = RingMap([r, j], [64 * r + j], [(0, 1024)]).inverse()
    between = RingMap([r, j], [100 * r + j], [(0, 1000)]).inverse()
    off = RingMap([r], [4 * r + 1], [(0, 40)]).inverse()

    assert behind is not None
    assert behind.padding == "384 of 1024 points are not reached: y in [640, 1024)"
    assert between is not None
    assert between.padding == (
        "360 of 1000 points are not reached: y in [964, 1000), "
        "or y mod 100 is outside j in [0, 64)"
    )
    assert off is not None
    assert off.padding == (
        "30 of 40 points are not reached: y in [0, 1), or y in [38, 40), "
        "or y is not 1 plus a multiple of 4"
    )


@st.composite
def swizzles(draw: st.DrawFn) -> RingMap:
    """Return a map whose columns turn in their banks by what the row adds."""
    banks = draw(st.integers(2, 8))
    rows = index("row", 0, draw(st.integers(2, 8)))
    columns = index("col", 0, banks * draw(st.integers(1, 4)))
    turn = draw(st.integers(-9, 9)) * rows + draw(st.integers(-9, 9))
    bank = (columns + turn) % banks
    return RingMap(
        [rows, columns],
        [rows, banks * (columns // banks) + bank],
        [(0, rows.hi or 0), (0, columns.hi or 0)],
    )


@given(swizzles())
def test_a_swizzle_by_a_known_row_is_inverted(swizzle: RingMap):
    """The row is an output, so that its part of the ring is taken out."""
    back = swizzle.inverse()

    assert back is not None
    assert back.map.after(swizzle).is_identity
    assert takes_back(back.map, swizzle)


def test_the_inverse_of_a_bank_swizzle_reads_as_one():
    """As an engineer would write it, a sign apart."""
    row, col = index("row", 0, 16), index("col", 0, 64)
    outputs = [row, 8 * (col // 8) + (row + col) % 8]
    back = RingMap([row, col], outputs, [(0, 16), (0, 64)]).inverse()

    assert back is not None
    assert [str(value) for value in back.map.outputs] == [
        "y0",
        "(7*y0 + y1) mod 8 + 8*(y1 floordiv 8)",
    ]


def test_a_map_that_leaves_its_space_has_no_inverse():
    """Nor one that may."""
    assert RingMap([x], [x + 1], [(0, 128)]).inverse() is None
    assert RingMap([index("e", 0)], [0], [(0, 1)]).inverse() is None


def test_names_of_inverse_inputs_are_free():
    """The symbol has taken y."""
    shift = symbol("y", 0, 4)
    back = RingMap([x], [x + shift], [(0, 200)]).inverse()

    assert back is not None
    assert [idx.name for idx in back.map.inputs] == ["y0"]


def test_composition_needs_the_ranges_of_the_inputs():
    """A map may not be applied outside them."""
    wide = RingMap([x], [2 * x], [(0, 256)])

    with pytest.raises(SubstitutionRangeError, match=r"cannot follow"):
        TURN.after(wide)
    with pytest.raises(OperandError, match="1 inputs cannot follow one of 2 outputs"):
        TURN.after(delinearise([4, 8]))
    with pytest.raises(OperandError, match="a map follows a map"):
        TURN.after(x)  # type: ignore[arg-type]


@settings(max_examples=30)
@given(radix_maps(), st.integers(0, 127))
def test_composition_is_application_of_both(of: RingMap, shift: int):
    """The first map first."""
    low, high = of.onto[0]
    k = index("k", low, high)
    second = RingMap([k], [(3 * k + shift) % 128], [(0, 128)])
    first = RingMap(of.inputs, of.outputs[:1], of.onto[:1])
    both = second.after(first)

    for at in points_of(of.inputs):
        assert both(at) == second({k: first(at)[0]})


@pytest.mark.parametrize(
    ("inputs", "outputs", "onto", "message"),
    [
        ([x, x], [x], [(0, 128)], "twice"),
        ([x], [x + y], [(0, 256)], "uses y, which is no input"),
        ([x], [x], [(0, 128), (0, 2)], "1 outputs and 2 ranges"),
        ([x], [], [], "0 outputs"),
        ([2 * x], [x], [(0, 128)], "must be an index"),
        ([ap(x, 2)], [ap(x, 2)], [(0, 256)], "must be an index"),
        ([x], [x], [5], "a pair"),
    ],
)
def test_a_malformed_map_is_refused(
    inputs: list[object], outputs: list[object], onto: list[object], message: str
):
    """With the value and a hint."""
    with pytest.raises(OperandError, match=message):
        RingMap(inputs, outputs, onto)  # type: ignore[arg-type]


def test_an_empty_space_is_refused():
    """The end is exclusive."""
    with pytest.raises(IndexRangeError, match="exclusive"):
        RingMap([x], [x], [(4, 4)])


def test_a_digit_needs_a_size():
    """At least one, and at least 1."""
    with pytest.raises(OperandError, match="at least one size"):
        linearise([])
    with pytest.raises(IndexRangeError):
        delinearise([4, 0])
    with pytest.raises(OperandError, match="2 digits need as many names"):
        linearise([4, 8], names=["a"])


def test_unbounded_digits_are_solved():
    """The heaviest digit may be any integer."""
    e, value = index("e"), index("value")
    solution = solve([e, j], [64 * e + j], [value])

    assert solution is not None
    assert [str(v) for v in solution.values.values()] == [
        "value floordiv 64",
        "value mod 64",
    ]
