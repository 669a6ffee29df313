"""Claims about two points, against every point of small domains."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
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
from pelican.claims import (
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
    Unknown,
    answer,
    claims,
    injective,
    prove_bijective,
    prove_disjoint,
    prove_distinct,
    prove_in_bounds,
    prove_injective,
    question,
)
from proofs.verdict import Verdict
from tests.strategies import (
    addresses,
    free_dims,
    points_of,
    radix_maps,
    small_indices,
)

i, j, k = index("i", 0, 64), index("j", 0, 32), index("k", 0, 64)
n = index("n")
e = index("e", 0, None)
RING = (2048 * e + 64 * j + k) % 16384
TILE = AccessPattern(2048 * e % 16384, [(1, 2048)], name="tile")
ASSUMED = symbol("claim_size", 1, 4)


@pytest.fixture(params=[True, False], ids=["by points", "by the solver"])
def by_points(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer small domains point by point, or leave everything to the solver."""
    if not request.param:
        monkeypatch.setattr(injective, "is_small", lambda _: False)
        monkeypatch.setattr(question, "is_small", lambda _: False)


def value(expr: Expr, at: dict[Expr, int]) -> int:
    """Return the value of an expression at a point that may bind more."""
    return int(expr.eval(at))  # type: ignore[arg-type]


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


def element(pattern: AccessPattern, point: dict[AffineIV, int]) -> int:
    """Return the address of the position that a point names."""
    at = {idx: v for idx, v in point.items() if idx in pattern.indices}
    position = {idx.name: v for idx, v in point.items() if idx not in at}
    moves = enumerate(pattern.free)
    total = sum(stride * position.get(f"free{n}", 0) for n, (stride, _) in moves)
    return value(pattern.address, at) + total


@pytest.mark.usefixtures("by_points")
def test_injective_agrees_with_every_point():
    """Of patterns and of maps; proved exactly if all results differ."""

    @settings(max_examples=30)
    @given(st.data())
    def agrees(data: st.DataObject):
        over = data.draw(small_indices(2, 6))
        pattern = AccessPattern(data.draw(addresses(over)), data.draw(free_dims))
        points = points_of(pattern.indices)
        results = [a for at in points for a in pattern.addresses(at)]

        verdict = prove_injective(pattern)

        unique = len(set(results)) == len(results)
        assert isinstance(verdict, Proved if unique else Refuted)
        if isinstance(verdict, Refuted):
            assert verdict.model != verdict.other
            assert element(pattern, verdict.model) == verdict.values[0]

    agrees()


@pytest.mark.usefixtures("by_points")
def test_bijective_agrees_with_every_point():
    """Proved exactly if every point of the space is reached once."""

    @settings(max_examples=25)
    @given(radix_maps(), st.sampled_from([0, 0, 1, -1]), st.booleans())
    def agrees(of: RingMap, wider: int, halved: bool):
        low, high = of.onto[0]
        outputs = [of.outputs[0] // 2 if halved else of.outputs[0], *of.outputs[1:]]
        space = [(low, max(high + wider, low + 1)), *of.onto[1:]]
        of = RingMap(of.inputs, outputs, space)
        results = [of(at) for at in points_of(of.inputs)]
        every = set(results) == set(points_in(space)) and len(set(results)) == len(
            results
        )

        verdict = prove_bijective(of)

        assert isinstance(verdict, Proved if every else Refuted)
        if isinstance(verdict, Refuted) and verdict.other is not None:
            assert of(verdict.model) == of(verdict.other) == verdict.values
        elif isinstance(verdict, Refuted):
            assert verdict.reason

    agrees()


def points_in(space: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return all points of a space."""
    axes = [index(f"axis{n}", low, high) for n, (low, high) in enumerate(space)]
    return [tuple(at.values()) for at in points_of(axes)]


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


def test_the_lesser_point_of_a_collision_comes_first():
    """Asked again, the two points do not change places."""
    i = index("i", 0, 64)
    overlapping = AccessPattern(500 * i, [(1, 512)])

    said = {str(prove_injective(overlapping)) for _ in range(4)}

    assert said == {
        "refuted at free0 = 0, i = 1 and at free0 = 500, i = 0, both give 500"
    }


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


def test_a_broadcast_is_not_injective():
    """A stride of 0 names one element many times."""
    verdict = prove_injective(AccessPattern(64 * i, [(0, 4), (1, 64)]))

    assert isinstance(verdict, Refuted)
    assert "and at" in str(verdict)


def test_varying_indices_can_be_chosen():
    """The others are the same at both points."""
    address = (64 * i + k) % 256

    assert isinstance(prove_injective(address), Refuted)
    assert isinstance(prove_injective(address, [k]), Proved)
    with pytest.raises(OperandError, match="varying must hold indices"):
        prove_injective(address, [2 * k])  # type: ignore[list-item]


def test_large_maps_are_proved_by_the_solver():
    """Far beyond what can be tried point by point."""
    rows = index("rows", 0, 1 << 20)
    of = RingMap([rows, k], [(64 * rows + k + 5) % (1 << 26)], [(0, 1 << 26)])

    assert isinstance(prove_bijective(of), Proved)
    assert isinstance(prove_injective(of), Proved)


def test_a_left_inverse_proves_what_the_pair_does_not(monkeypatch: pytest.MonkeyPatch):
    """One point is easier than two."""
    asked: list[question.Question] = []

    def decide(asks: question.Question, timeout_s: float) -> Verdict:
        asked.append(asks)
        # Two points, twice the leaves: the solver gives up on those.
        two = len(asks.domain) > 2
        return Unknown("no time") if two else question.decide(asks, timeout_s)

    monkeypatch.setattr(injective, "decide", decide)
    wide = index("wide", 0, 1 << 30)

    assert isinstance(prove_injective(64 * wide + k), Proved)
    assert [len(asks.domain) for asks in asked] == [4, 2]


def test_a_map_that_misses_points_says_which():
    """By trying all points, or the corners of a large space."""
    few = RingMap([j], [2 * j], [(0, 64)])
    wide = index("wide", 0, 1 << 30)

    assert str(prove_bijective(few)).startswith("refuted: (1) is not reached")
    assert str(prove_bijective(RingMap([wide], [wide], [(-1, 1 << 30)]))) == (
        "refuted: (-1) is not reached, 1073741824 points cannot reach all 1073741825"
    )


def test_a_map_out_of_its_space_is_not_bijective():
    """The point and its result are shown."""
    verdict = prove_bijective(RingMap([j], [j + 1], [(0, 32)]))

    assert str(verdict) == "refuted at j = 31: 32 is outside [0, 32)"


def test_assumptions_about_inputs_are_refused():
    """The number of points would not be known; parameters are fine."""
    of = RingMap([j], [(j + ASSUMED) % 32], [(0, 32)])

    assert isinstance(prove_bijective(of, given=[icmp(ASSUMED, ">=", 2)]), Proved)
    with pytest.raises(OperandError, match="j, which is an input"):
        prove_bijective(of, given=[icmp(j, ">=", 2)])


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


@pytest.mark.parametrize("idx", [i, n])
def test_an_index_that_varies_twice_varies_once(idx: AffineIV):
    """Its point is one value, not two."""
    assert isinstance(prove_injective(idx, [idx, idx]), Proved)


@pytest.mark.parametrize("varying", [5, i, "i"])
def test_what_varies_is_a_list_of_indices(varying):
    """One index is none."""
    with pytest.raises(OperandError, match="varying must"):
        prove_injective(i, varying)


@pytest.mark.parametrize("shift", [5, [i], [(i, 1)]])
def test_a_shift_is_a_mapping(shift):
    """Pairs are refused, like all else."""
    with pytest.raises(OperandError, match="a shift needs a mapping"):
        prove_disjoint(AccessPattern(i), AccessPattern(i), shift)


def test_a_time_limit_beyond_every_clock_is_refused():
    """A limit without end is not."""
    with pytest.raises(OperandError, match="timeout_s must be > 0"):
        prove_injective(i, timeout_s=10**400)
    assert isinstance(prove_injective(i, timeout_s=float("inf")), Proved)
