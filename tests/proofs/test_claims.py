"""Claims about two points, against every point of small domains."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pelican import (
    AccessPattern,
    AffineIV,
    Expr,
    IndexRangeError,
    Interval,
    ModuloExpr,
    OperandError,
    RingMap,
    SumExpr,
    arg,
    icmp,
    index,
    rank,
    runtime,
    shard,
    symbol,
)
from pelican.questions.claims import (
    Bijective,
    Claim,
    Disjoint,
    Distinct,
    Equal,
    InBounds,
    Injective,
    InRange,
)
from proofs import (
    Proved,
    Refuted,
    answer,
    claims,
    prove_bijective,
    prove_disjoint,
    prove_distinct,
    prove_in_bounds,
    prove_injective,
)
from tests.proofs.replay import element, value
from tests.strategies import (
    addresses,
    free_dims,
    points_of,
    small_indices,
)

i, j, k = index("i", 0, 64), index("j", 0, 32), index("k", 0, 64)
n = index("n")
e = index("e", 0, None)
RING = (2048 * e + 64 * j + k) % 16384
TILE = AccessPattern(2048 * e % 16384, [(1, 2048)], name="tile")
ASSUMED = symbol("claim_size", 1, 4)


def assumptions(over: list[AffineIV]) -> st.SearchStrategy[list[Expr]]:
    """Return no assumption, or one about an index or a symbol."""
    fact = st.builds(
        icmp,
        st.sampled_from([*over, ASSUMED]),
        st.sampled_from([">=", "<", "=="]),
        st.integers(-3, 4),
    )
    return st.one_of(st.just([]), st.lists(fact, min_size=1, max_size=1))


def holding(over: list[AffineIV], given_facts: list[Expr]) -> list[dict[Expr, int]]:
    """Return the points at which assumptions hold; some, or the draw is refused."""
    points = [
        at
        for at in points_of([*over, ASSUMED])
        if all(value(fact, at) == 1 for fact in given_facts)
    ]
    assume(points)
    return points


@given(st.data())
def test_distinct_agrees_with_every_point(data: st.DataObject):
    """Proved exactly if no two iterations at the distance agree."""
    over = data.draw(small_indices())
    address = data.draw(addresses(over)) + data.draw(st.sampled_from([0, 4])) * ASSUMED
    idx, trips = data.draw(st.sampled_from(over)), data.draw(st.integers(1, 4))
    facts = data.draw(assumptions(over))
    points = holding(over, facts)
    pairs = [(at, {**at, idx: at[idx] + trips * idx.step}) for at in points]
    collide = [(a, b) for a, b in pairs if b in points]
    collide = [(a, b) for a, b in collide if value(address, a) == value(address, b)]

    verdict = prove_distinct(address, idx, trips, given=facts)

    assert isinstance(verdict, Refuted if collide else Proved)
    if isinstance(verdict, Refuted):
        assert verdict.other is not None
        assert verdict.other[idx] - verdict.model[idx] == trips * idx.step
        first, second = ({**verdict.model}, {**verdict.other})
        assert value(address, first) == value(address, second) == verdict.values[0]


@given(st.data())
def test_disjoint_agrees_with_every_point(data: st.DataObject):
    """Proved exactly if no element is touched by both, wherever both exist."""
    over = data.draw(small_indices(2, 5))
    p, q = (
        AccessPattern(data.draw(addresses(over)), data.draw(free_dims))
        for _ in range(2)
    )
    idx = data.draw(st.sampled_from(over))
    moves = st.sampled_from([0, -idx.step, idx.step, 2 * idx.step, 1])
    if data.draw(st.booleans()):
        q = q.shifted({idx: idx + idx.step})
    shift = {idx: idx + data.draw(moves)}
    facts = data.draw(assumptions(over))
    points = holding(over, facts)
    meet = [
        (at, there)
        for at in points
        for there in [{**at, idx: value(shift[idx], at)}]
        if there in points
        and all(value(e, there) in values_of(x) for e, x in q.inside)
        and set(p.addresses(at)) & set(q.addresses(there))  # type: ignore[arg-type]
    ]

    verdict = prove_disjoint(p, q, shift, given=facts)

    assert isinstance(verdict, Refuted if meet else Proved)
    if isinstance(verdict, Refuted):
        assert verdict.other is not None
        assert element(p, verdict.model) == element(q, verdict.other)
        assert element(p, verdict.model) == verdict.values[0]


def values_of(idx: AffineIV) -> range:
    """Return the values of a bounded index."""
    return range(idx.lo or 0, idx.hi or 0, idx.step)


@given(st.data())
def test_in_bounds_agrees_with_every_point(data: st.DataObject):
    """Proved exactly if every address of every iteration is inside."""
    over = data.draw(small_indices(2))
    pattern = AccessPattern(data.draw(addresses(over)), data.draw(free_dims))
    within = Interval(data.draw(st.integers(-30, 5)), data.draw(st.integers(6, 120)))
    facts = data.draw(assumptions(over))
    points = holding(over, facts)
    inside = all(a in within for at in points for a in pattern.addresses(at))  # type: ignore[arg-type]

    assert isinstance(
        prove_in_bounds(pattern, within, given=facts), Proved if inside else Refuted
    )


@pytest.mark.parametrize("distance", range(1, 8))
def test_a_ring_tells_its_slots_apart(distance: int):
    """Slots at a distance below the number of slots differ, for ever."""
    assert isinstance(prove_distinct(RING, e, distance), Proved)


def test_a_ring_comes_round():
    """Eight tiles of 2048 fill it."""
    verdict = prove_distinct(RING, e, 8)

    assert isinstance(verdict, Refuted)
    assert verdict.other is not None
    assert verdict.other[e] == verdict.model[e] + 8


@pytest.mark.parametrize(
    ("distance", "verdict"), [(1, Proved), (7, Proved), (8, Refuted)]
)
def test_tiles_of_a_ring_do_not_meet(distance: int, verdict: type):
    """Until the ring is full."""
    assert isinstance(prove_disjoint(TILE, TILE, {e: e + distance}), verdict)


@pytest.mark.parametrize("value", [arg(1), rank(0, 2), runtime("r"), shard(4), ASSUMED])
def test_a_value_from_outside_is_the_same_at_both_points(value: Expr):
    """It moves both addresses alike."""
    assert isinstance(prove_distinct(64 * i + 7 * value, i, 3), Proved)
    assert isinstance(prove_injective(AccessPattern(64 * i + 7 * value)), Proved)
    assert isinstance(prove_distinct((i + 5 * value) % 64, i, 63), Proved)


def test_patterns_on_other_partitions_never_meet():
    """Whatever their addresses."""
    low = AccessPattern(64 * i, [(1, 64)], partitions=(0, 64))
    high = AccessPattern(64 * i, [(1, 64)], partitions=(64, 128))

    assert isinstance(prove_disjoint(low, high), Proved)
    assert isinstance(prove_disjoint(low, low), Refuted)


ANSWERS: list[tuple[Claim, type]] = [
    (InRange(RING, 0, 16384), Proved),
    (InRange(RING, 0, 16383), Refuted),
    (Equal(ModuloExpr(SumExpr((e, 16)), 8), e % 8), Proved),
    (Equal(e % 8, e % 16), Refuted),
    (Distinct(RING, e, 7), Proved),
    (Distinct(index("s", 0, 64, 4) % 16, i, 1), Refuted),
    (Disjoint(TILE, TILE, {e: e - 1}), Proved),
    (Disjoint(TILE, TILE), Refuted),
    (Injective(AccessPattern(64 * i, [(1, 64)])), Proved),
    (Injective(TILE), Refuted),
    (Bijective(RingMap([i], [(5 * i + 3) % 64], [(0, 64)])), Proved),
    (Bijective(RingMap([i], [(4 * i + 3) % 64], [(0, 64)])), Refuted),
    (InBounds(TILE, 0, 16384), Proved),
    (InBounds(TILE, 0, 16383), Refuted),
]


@pytest.mark.parametrize(
    ("claim", "verdict"), ANSWERS, ids=lambda p: getattr(p, "name", "")
)
def test_every_kind_of_claim_is_answered(claim: Claim, verdict: type):
    """By its own procedure."""
    assert isinstance(answer(claim), verdict)


def test_the_distance_of_a_claim_is_in_values():
    """That of the procedure is in trips."""
    s = index("s", 0, 64, 4)

    assert isinstance(answer(Distinct(s % 16, s, 12)), Proved)
    assert isinstance(answer(Distinct(s % 16, s, 16)), Refuted)
    assert isinstance(prove_distinct(s % 16, s, 3), Proved)
    assert isinstance(prove_distinct(s % 16, s, 4), Refuted)


def test_a_claim_is_answered_under_assumptions():
    """Which must hold somewhere."""
    claim = InBounds(AccessPattern(64 * i), 0, 512)

    assert isinstance(answer(claim), Refuted)
    assert isinstance(answer(claim, given=[icmp(i, "<", 8)]), Proved)
    for other, _ in ANSWERS:
        with pytest.raises(OperandError, match="hold for no values"):
            answer(other, given=[icmp(ASSUMED, ">=", 8)])


def test_bad_input_is_refused_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch):
    """With the value in the message."""
    monkeypatch.setattr(claims, "decide", None)
    with pytest.raises(OperandError, match="a claim, got 3"):
        answer(3)  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="access pattern, got 3"):
        prove_in_bounds(3, Interval(0, 1))  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="needs an Interval"):
        prove_in_bounds(TILE, (0, 1))  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="access pattern"):
        prove_disjoint(TILE, 3)  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="a map"):
        prove_bijective(TILE)  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="integer"):
        prove_injective("i")  # type: ignore[arg-type]
    with pytest.raises(IndexRangeError, match="distance"):
        prove_distinct(RING, e, 0)
    with pytest.raises(OperandError, match="timeout_s"):
        prove_distinct(RING, e, 1, timeout_s=0)


@pytest.mark.parametrize(
    ("p", "q", "shift", "text"),
    [
        (SumExpr((i, -1 * i)), 0, {}, "i = 0, both give 0"),
        (3, 3, {i: i - 1}, "i = 1, both give 3"),
        (3, n, {n: i + 1}, "i = 2 and at n = 3, both give 3"),
        (3, 3, {n: n - 1}, "n = 0, both give 3"),
    ],
)
def test_a_collision_that_does_not_depend_on_an_index_names_it(p, q, shift, text: str):
    """The addresses may hold it in vain, or be constants that a shift leaves alone."""
    verdict = prove_disjoint(AccessPattern(p), AccessPattern(q), shift)

    assert str(verdict) == f"refuted at {text}"


def test_constants_that_differ_are_disjoint_however_they_are_shifted():
    """Also by an index without bounds."""
    verdict = prove_disjoint(AccessPattern(3), AccessPattern(5), {n: i + 1})

    assert isinstance(verdict, Proved)


@given(st.data())
def test_a_shift_of_an_index_that_is_nowhere_else_is_answered(data: st.DataObject):
    """Neither the patterns nor the assumptions need hold what it moves, or to what."""
    (here,) = data.draw(small_indices(1))
    p, q = (AccessPattern(data.draw(addresses([here]))) for _ in range(2))
    facts = data.draw(assumptions([here]))
    points = holding([here], facts)
    meet = any(p.addresses(at) == q.addresses(at) for at in points)

    for to in (n, i, 3):
        verdict = prove_disjoint(p, q, {index("alone"): to}, given=facts)
        assert isinstance(verdict, Refuted if meet else Proved)


@pytest.mark.parametrize("shift", [5, [i], [(i, 1)]])
def test_a_shift_is_a_mapping(shift):
    """Pairs are refused, like all else."""
    with pytest.raises(OperandError, match="a shift needs a mapping"):
        prove_disjoint(AccessPattern(i), AccessPattern(i), shift)
