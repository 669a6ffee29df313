"""Access patterns: what they touch, how often, and whether they split."""

from itertools import product
from math import gcd

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pelican import (
    AccessPattern,
    AffineExpr,
    AffineIV,
    Expr,
    FloorDivExpr,
    IndexRangeError,
    Interval,
    ModuloExpr,
    OperandError,
    SumExpr,
    TooLargeError,
    UnboundIndexError,
    ap,
    arg,
    icmp,
    index,
    runtime,
    symbol,
    tile,
)
from pelican.access.counting import MAX_POINTS
from pelican.tree.traverse import fold
from tests.strategies import addresses, free_dims, points_of, small_indices

i, j = index("i", 0, 64), index("j", 0, 8)


def reached(pattern: AccessPattern) -> set[int]:
    """Return every address of every iteration, one by one."""
    points = points_of(pattern.indices)
    return {address for at in points for address in pattern.addresses(at)}


def test_a_pattern_says_what_it_is():
    """Text, size and the interval of its offsets."""
    pattern = AccessPattern(2048 * i % 4096, [(-4, 8), (1, 4)], tensor="acc")

    assert str(pattern) == (
        "acc partition [0, 128) at 2048*(i mod 2) free [-4, 8], [1, 4]"
    )
    assert pattern.elements == 32
    assert pattern.offsets == Interval(-28, 3)
    assert pattern.indices == (i,)


@pytest.mark.parametrize("address", [6, symbol("counted", 0, 9)])
def test_a_tile_that_stays_is_counted_by_its_free_dims(address):
    """Strides that mesh are counted one by one, where no index moves the tile."""
    pattern = AccessPattern(address, [(-3, 3), (-2, 3)])

    assert pattern.distinct_addresses() == 9
    assert pattern.distinct_slots() == 1


def test_a_ring_of_an_index_that_cancels_has_one_slot():
    """A raw tree may name an index that its value does not depend on."""
    still = ModuloExpr(SumExpr((i, -1 * i)), 4)

    assert AccessPattern(still, [(1, 4)]).distinct_addresses() == 4
    assert AccessPattern(still).ring_period(i) is None


@pytest.mark.parametrize(
    "make",
    [
        lambda x: AccessPattern(i, x),
        lambda x: AccessPattern(i, inside=x),
        lambda x: AccessPattern(i, inside=[x]),
        lambda x: AccessPattern(i, inside=[(i, x)]),
        lambda x: AccessPattern(i, tensor=x),
        lambda x: AccessPattern(i, name=x),
        lambda x: AccessPattern(i).shifted(x),
        lambda x: AccessPattern(i).shifted([x]),
    ],
)
def test_what_makes_no_pattern_is_refused(make):
    """A list, a pair, an index, a name and a mapping are asked for by name."""
    with pytest.raises(OperandError):
        make(5)


def test_the_repr_builds_an_equal_pattern():
    """But for its indices, which are new."""
    pattern = AccessPattern(7, [(1, 4)], partitions=(32, 64), tensor="t", name="p")

    again = eval(
        repr(pattern), {"AccessPattern": AccessPattern, "AffineExpr": AffineExpr}
    )

    assert again == pattern
    assert again.name == "p"


@pytest.mark.parametrize(
    ("free", "message"),
    [
        ([(1, 0)], "size of a free dim must be >= 1, got 0"),
        ([(4, -2)], "size of a free dim must be >= 1, got -2"),
    ],
)
def test_a_free_dim_has_a_size(free: list[tuple[int, int]], message: str):
    """The hint says which of the two is the size."""
    with pytest.raises(IndexRangeError, match=message):
        AccessPattern(i, free)


@pytest.mark.parametrize("free", [[4], [(1, 2, 3)], ["ab"], [(1.5, 2)], [(1, True)]])
def test_a_free_dim_is_a_pair_of_integers(free: list[object]):
    """Anything else is refused with its value."""
    with pytest.raises(OperandError):
        AccessPattern(i, free)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("partitions", "message"),
    [
        ((0, 0), "a range of partitions needs lo < hi"),
        ((8, 4), "a range of partitions needs lo < hi"),
        ((-1, 4), "partitions are counted from 0"),
    ],
)
def test_partitions_are_a_range(partitions: tuple[int, int], message: str):
    """Half-open, not empty, and not below 0."""
    with pytest.raises(IndexRangeError, match=message):
        AccessPattern(i, partitions=partitions)


def test_a_ring_is_asked_of_an_index():
    """An expression is none, and the message says so."""
    with pytest.raises(OperandError, match="what moves must be an index, got 2\\*i"):
        AccessPattern(i % 4).ring_period(2 * i)  # type: ignore[arg-type]


def test_a_comparison_is_no_address():
    """It is refused wherever it stands."""
    with pytest.raises(OperandError, match="no address"):
        AccessPattern(4 * icmp(i, ">=", 8) + 1)


@given(st.data())
def test_counts_and_footprint_are_those_of_every_address(data: st.DataObject):
    """Exact counts; a footprint that holds every address."""
    over = data.draw(small_indices(2, 12))
    pattern = AccessPattern(data.draw(addresses(over)), data.draw(free_dims))
    every = reached(pattern)
    bases = reached(AccessPattern(pattern.address))

    assert pattern.distinct_addresses() == len(every)
    assert pattern.distinct_slots() == len(bases)
    assert min(every) in pattern.footprint
    assert max(every) in pattern.footprint


@given(st.integers(1, 40), st.integers(-30, 30), st.integers(1, 48), st.data())
def test_slots_and_period_of_one_ring_have_a_closed_form(
    coefficient: int, offset: int, denom: int, data: st.DataObject
):
    """min(trip count, n / gcd(a*step, n)), and n / gcd(a*step, n)."""
    (idx,) = data.draw(small_indices(1, 20))
    period = denom // gcd(coefficient * idx.step, denom)
    raw = ModuloExpr(AffineExpr(((idx, coefficient),), offset), denom)
    pattern = AccessPattern(raw)

    assert pattern.distinct_slots() == min(idx.trip_count, period)
    assert pattern.distinct_slots() == len(reached(pattern))
    assert pattern.ring_period(idx) == period


@given(st.data())
def test_a_ring_period_is_the_least_one(data: st.DataObject):
    """No shorter distance repeats every address."""
    over = data.draw(small_indices(2, 5))
    pattern = AccessPattern(data.draw(addresses(over)))
    idx = data.draw(st.sampled_from(over))
    period = pattern.ring_period(idx)
    assume(period is not None)
    others = [other for other in pattern.indices if other is not idx]
    columns = [column(pattern.address, idx, at, 3 * period) for at in points_of(others)]
    least = next(
        d
        for d in range(1, 3 * period)
        if all(values[d:] == values[:-d] for values in columns)
    )

    assert period == least


def column(
    address: Expr, idx: AffineIV, at: dict[AffineIV, int], trips: int
) -> list[int]:
    """Return the addresses of as many trips, in its range or beyond."""
    first = idx.lo or 0
    values = [first + idx.step * trip for trip in range(trips)]
    return [fold(address, {**at, idx: value}.__getitem__) for value in values]


@pytest.mark.parametrize("address", [i, 64 * i + 8 * (i % 4), j, i // 4, i // 4 * 4])
def test_no_ring_has_no_period(address: Expr):
    """An address that moves on never comes again."""
    assert AccessPattern(address).ring_period(i) is None


def test_rings_of_two_periods_repeat_after_both():
    """The least common one, or a divisor that does already."""
    both = AccessPattern(i % 4 + 8 * (i % 6))
    split = AccessPattern(i % 2 + 2 * (i // 2 % 3))

    assert both.ring_period(i) == 12
    assert split.ring_period(i) == 6


def test_counts_of_large_patterns_follow_from_structure():
    """Without counting one by one."""
    k = index("k", 0, 10**9)
    tiles = AccessPattern(2048 * k, [(512, 4), (1, 512)])
    gaps = AccessPattern(4096 * k, [(1, 512)])
    ring = AccessPattern(ModuloExpr(AffineExpr(((k, 2048),), 512), 1 << 40), [(1, 64)])

    assert tiles.distinct_addresses() == 2048 * 10**9
    assert gaps.distinct_addresses() == 512 * 10**9
    assert ring.distinct_addresses() == 64 * (1 << 29)
    assert ring.distinct_slots() == 1 << 29


def test_a_ring_with_holes_is_counted_where_a_digit_reaches_into_it():
    """0, 3, 6, 1, 4, 7 and the same above 7 have 7 in common."""
    few = index("few", 0, 6)

    assert AccessPattern(3 * few % 8, [(7, 2)]).distinct_addresses() == 11
    assert AccessPattern(3 * few % 8, [(8, 2)]).distinct_addresses() == 12


def test_what_is_the_same_in_all_iterations_is_not_counted():
    """Symbols and runtime values move all addresses together."""
    start = symbol("pattern_start", 0, 100) + runtime("r") + 64 * arg(1)
    pattern = AccessPattern(start + 64 * j, [(1, 64)])

    assert pattern.distinct_addresses() == 512
    assert pattern.distinct_slots() == 8


@pytest.mark.parametrize(
    "address",
    [
        64 * index("e", 0, None),
        (7 * j + symbol("pattern_shift", 0, 5)) % 32,
        (index("big", 0, 10**9) * 7 // 3),
        ModuloExpr(index("wide", 0, MAX_POINTS + 1) * 3 // 2, 10**7),
    ],
)
def test_a_count_is_never_guessed(address: Expr):
    """Unbounded, mixed with an unknown, or too many to count."""
    assert AccessPattern(address).distinct_addresses() is None


def test_tiles_and_steps_of_access_patterns_are_counted():
    """They follow from their index."""
    assert AccessPattern(ap(j, 16), [(1, 16)]).distinct_addresses() == 128
    assert AccessPattern(64 * tile(i, 8)).distinct_slots() == 8


def test_a_shifted_pattern_exists_where_the_shifted_index_does():
    """One iteration fewer; addresses are those of the other iteration."""
    pattern = AccessPattern((64 * j) % 256, [(1, 64)], tensor="t")
    before = pattern.shifted({j: j - 1})

    assert str(before) == (
        "t partition [0, 128) at 64*((j + 3) mod 4) free [1, 64] inside j - 1 of j"
    )
    assert before.addresses({j: 5}) == pattern.addresses({j: 4})
    assert AccessPattern(j).shifted({j: j + 3}).distinct_slots() == 5


def test_a_pattern_can_be_shifted_twice():
    """The conditions of both shifts hold."""
    twice = AccessPattern(8 * j).shifted({j: j - 1}).shifted({j: j + 2})

    assert twice == AccessPattern(8 * j + 8, inside=[(j + 1, j), (j + 2, j)])
    assert twice.distinct_slots() == 6


def test_only_an_index_can_be_shifted():
    """The hint shows how."""
    with pytest.raises(OperandError, match=r"i: i - 1"):
        AccessPattern(i).shifted({2 * i: i})  # type: ignore[dict-item]


def test_the_addresses_of_an_iteration_come_in_order():
    """The last free dim runs fastest; an unbound index has none."""
    pattern = AccessPattern(64 * j, [(8, 2), (1, 3)])

    assert pattern.addresses({j: 1}) == (64, 65, 66, 72, 73, 74)
    with pytest.raises(UnboundIndexError):
        pattern.addresses({})
    with pytest.raises(IndexRangeError):
        pattern.addresses({j: 8})
    with pytest.raises(TooLargeError, match="footprint"):
        AccessPattern(j, [(1, MAX_POINTS + 1)]).addresses({j: 0})


def test_delinearisation_is_asked_both_ways():
    """The modelled system takes what no split makes affine."""
    pattern = AccessPattern(FloorDivExpr(AffineExpr(((j, 1),), 1), 4))

    assert pattern.is_legal_delinearized_address(
        4, is_partition_dim=False, require_predicate=True
    )
    assert not pattern.is_sound_address()
    assert AccessPattern(j // 4).is_sound_address()
    assert not AccessPattern(i + 4).is_sound_address(is_partition_dim=True)


@given(st.integers(1, 12), st.integers(0, 24), st.integers(1, 24), st.data())
def test_a_sound_address_is_affine_once_its_index_is_split(
    coefficient: int, offset: int, denom: int, data: st.DataObject
):
    """With f = n / gcd(a, n) and i = f*o + t, quotient and remainder are affine."""
    (idx,) = data.draw(small_indices(1, 12))
    numer = AffineExpr(((idx, coefficient),), offset)
    factor = denom // gcd(coefficient * idx.step, denom)
    for node in (FloorDivExpr(numer, denom), ModuloExpr(numer, denom)):
        if AccessPattern(node).is_sound_address():
            assert idx.trip_count % factor == 0
            assert is_affine_split(node, idx, factor)


def is_affine_split(node: Expr, idx: AffineIV, factor: int) -> bool:
    """Tell whether values over (outer, inner) are constant + a*outer + b*inner."""

    def at(outer: int, inner: int) -> int:
        return int(
            node.eval({idx: (idx.lo or 0) + idx.step * (factor * outer + inner)})
        )

    outers, inners = range(idx.trip_count // factor), range(factor)
    first = at(0, 0)
    along = at(1, 0) - first if len(outers) > 1 else 0
    across = at(0, 1) - first if len(inners) > 1 else 0
    return all(
        at(o, t) == first + along * o + across * t for o, t in product(outers, inners)
    )
