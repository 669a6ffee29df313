"""Claims that results tell points apart, against every point of small domains."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican import (
    AccessPattern,
    AffineIV,
    OperandError,
    RingMap,
    icmp,
    index,
    symbol,
)
from proofs import (
    Proved,
    Refuted,
    Unknown,
    injective,
    prove_bijective,
    prove_injective,
    question,
)
from proofs.verdict import Verdict
from tests.proofs.replay import element
from tests.strategies import (
    addresses,
    free_dims,
    points_of,
    radix_maps,
    small_indices,
)

i, j, k = index("i", 0, 64), index("j", 0, 32), index("k", 0, 64)
n = index("n")
ASSUMED = symbol("claim_size", 1, 4)


@pytest.fixture(params=[True, False], ids=["by points", "by the solver"])
def by_points(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer small domains point by point, or leave everything to the solver."""
    if not request.param:
        monkeypatch.setattr(injective, "is_small", lambda _: False)
        monkeypatch.setattr(question, "is_small", lambda _: False)


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


def test_the_lesser_point_of_a_collision_comes_first():
    """Asked again, the two points do not change places."""
    i = index("i", 0, 64)
    overlapping = AccessPattern(500 * i, [(1, 512)])

    said = {str(prove_injective(overlapping)) for _ in range(4)}

    assert said == {
        "refuted at i = 0, free0 = 500 and at i = 1, free0 = 0, both give 500"
    }


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


@pytest.mark.usefixtures("by_points")
def test_an_index_of_assumptions_only_has_a_value_at_each_point():
    """All values of i are allowed, each beside some j, so 0 and 4 collide."""
    i, j = index("i", 0, 8), index("j", 0, 2)
    block = [icmp(4 * j, "<=", i), icmp(i, "<", 4 * j + 4)]

    verdict = prove_injective(i % 4, given=block)

    assert isinstance(verdict, Refuted)
    first, second = verdict.model, verdict.other
    assert second is not None
    assert first[i] % 4 == second[i] % 4
    assert first[i] != second[i]
    assert all(4 * at[j] <= at[i] < 4 * at[j] + 4 for at in (first, second))
    assert isinstance(prove_injective(i % 4, [i], given=block), Proved)
    assert str(prove_injective(i, given=[icmp(i, "==", j)])) == "proved"


@pytest.mark.usefixtures("by_points")
def test_assumptions_about_other_indices_agree_with_every_point():
    """Proved exactly if no two allowed values of the address's indices collide."""

    @settings(max_examples=40)
    @given(st.data())
    def agrees(data: st.DataObject):
        inside, outside = data.draw(small_indices(2, 6)), data.draw(small_indices(1, 4))
        address = data.draw(addresses(inside)) % data.draw(st.integers(2, 9))
        c = data.draw(st.integers(-3, 3))
        fact = icmp(inside[0] + c, data.draw(st.sampled_from(["<=", "=="])), outside[0])
        every = points_of([*address.indices, inside[0], outside[0]])
        allowed = [at for at in every if int(fact.eval(at))]
        if not allowed:
            return
        # An index of the fact alone tells no points apart, whichever side it is on.
        told = {tuple(at[idx] for idx in address.indices): at for at in allowed}
        results = [int(address.eval(at)) for at in told.values()]

        verdict = prove_injective(address, given=[fact])

        unique = len(set(results)) == len(results)
        assert isinstance(verdict, Proved if unique else Refuted)

    agrees()


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


@pytest.mark.parametrize("idx", [i, n])
def test_an_index_that_varies_twice_varies_once(idx: AffineIV):
    """Its point is one value, not two."""
    assert isinstance(prove_injective(idx, [idx, idx]), Proved)


@pytest.mark.parametrize("varying", [5, i, "i"])
def test_what_varies_is_a_list_of_indices(varying):
    """One index is none."""
    with pytest.raises(OperandError, match="varying must"):
        prove_injective(i, varying)


def test_a_time_limit_beyond_every_clock_is_refused():
    """A limit without end is not."""
    with pytest.raises(OperandError, match="longer than any clock runs"):
        prove_injective(i, timeout_s=10**400)
    assert isinstance(prove_injective(i, timeout_s=float("inf")), Proved)
