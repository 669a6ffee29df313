"""Legality of addresses: as modelled, and sound."""

from itertools import pairwise
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    AffineExpr,
    AffineIV,
    CCDivExpr,
    CCModExpr,
    DivisorError,
    Expr,
    FloorDivExpr,
    ICmpExpr,
    ModuloExpr,
    MultExpr,
    OperandError,
    SumExpr,
    ap,
    arg,
    index,
    rank,
    runtime,
    shard,
    symbol,
    tile,
)
from pelican.access.delinearise import is_sound_address

X = index("x", 0, 64)
ODD = index("odd", 0, 63)
TWO = AffineExpr(((X, 1), (ODD, 1)))


def legal(expr: Expr, *, partition: bool = False, predicate: bool = True) -> bool:
    """Ask with a factor of 8."""
    return expr.is_legal_delinearized_address(
        8, is_partition_dim=partition, require_predicate=predicate
    )


INDICES = [X, runtime("r"), ap(X, 3), tile(X, 4), symbol("legal", 0, 5), shard(3)]


@pytest.mark.parametrize("idx", INDICES)
def test_an_index_is_always_legal(idx: Expr):
    """Any of the family."""
    assert legal(idx, partition=True)


def test_an_affine_address_needs_no_offset_over_partitions():
    """Terms are not looked at; a constant alone is legal."""
    assert legal(3 * ODD, partition=True)
    assert legal(3 * ODD + 1)
    assert not legal(3 * ODD + 1, partition=True)
    assert legal(AffineExpr((), 5), partition=True)


def test_a_sum_needs_every_operand():
    """One illegal operand decides."""
    assert legal(SumExpr((X, FloorDivExpr(X, 8))))
    assert not legal(SumExpr((X, FloorDivExpr(ODD, 8), X)))


def test_a_multiple_is_legal_as_its_operand():
    """The scale is ignored."""
    assert legal(MultExpr(FloorDivExpr(X, 8), -3))
    assert not legal(MultExpr(rank(0, 1), 1))


KINDS = [FloorDivExpr, ModuloExpr]
GROUPED = [CCDivExpr, CCModExpr]
DIVISIONS = [lambda e, n, k=k: k(e, n) for k in KINDS]
DIVISIONS += [lambda e, n, k=k: k(e, n, 0) for k in GROUPED]


@pytest.mark.parametrize("divide", DIVISIONS)
def test_a_division_of_a_bare_index_needs_whole_factors(divide):
    """The question is skipped where no predicate matters."""
    assert legal(divide(X, 5))
    assert not legal(divide(ODD, 5))
    assert legal(divide(ODD, 5), predicate=False)


@pytest.mark.parametrize("divide", DIVISIONS)
def test_a_division_of_one_term_needs_whole_tiles(divide):
    """The factor is the divisor less what the coefficient shares with it."""
    assert legal(divide(AffineExpr(((X, 2),)), 128))
    assert legal(divide(AffineExpr(((ODD, 3),), 1), 21 * 3))
    assert not legal(divide(AffineExpr(((ODD, 3),)), 8))
    assert legal(divide(AffineExpr(((ODD, 3),)), 8), predicate=False)


@pytest.mark.parametrize("divide", DIVISIONS)
def test_a_division_of_anything_else_is_illegal(divide):
    """Two terms, a sum, a multiple, a nested division; a constant is legal."""
    for numer in (TWO, SumExpr((X, 1)), MultExpr(X, 2), ModuloExpr(X, 8), arg(0)):
        assert not legal(divide(numer, 8), predicate=False)
    assert legal(divide(AffineExpr((), 7), 8))


def test_an_opaque_value_is_never_legal():
    """Its value is not known."""
    assert not legal(rank(0, 1), predicate=False)
    assert not legal(arg(0), predicate=False)


def test_a_comparison_is_no_address():
    """The modelled system stops there."""
    for asked in (legal, is_sound_address):
        with pytest.raises(OperandError, match="no address"):
            asked(SumExpr((X, ICmpExpr(">=", X, 3))))


def test_a_factor_is_a_divisor():
    """It is at least 1."""
    with pytest.raises(DivisorError):
        X.is_legal_delinearized_address(
            0, is_partition_dim=False, require_predicate=True
        )


def test_the_modelled_rule_overlooks_the_offset():
    """(i + 1) floordiv 4 over 8 trips passes there and is not affine after a split."""
    i = index("i", 0, 8)

    assert legal((i + 1) // 4)
    assert not is_sound_address((i + 1) // 4)


def test_the_sound_rule_refuses_collectives_and_offsets_over_partitions():
    """A group is known only at run time; a partition starts at 0."""
    assert not is_sound_address(CCDivExpr(X, 8, 0))
    assert is_sound_address(X + 1)
    assert not is_sound_address(X + 1, is_partition_dim=True)
    assert not is_sound_address(X // 8 + arg(0))
    assert is_sound_address(FloorDivExpr(X, 8))
    assert is_sound_address(FloorDivExpr(AffineExpr((), 7), 8))
    assert not is_sound_address(TWO // 8)


SOUND = [
    (index("i", 0, 12, 2), 4, True),
    (index("i", 0, 12, 3), 4, False),
    (index("i", 1, 9), 4, False),
    (index("i", 4, 12), 4, True),
    (index("i", 0, 12), 8, False),
    (index("i", 0), 4, False),
]


@pytest.mark.parametrize(("idx", "denom", "sound"), SOUND)
def test_the_sound_rule_looks_at_start_and_step(idx, denom: int, sound: bool):
    """The trips are split, not the values; the start must be aligned."""
    assert is_sound_address(FloorDivExpr(idx, denom)) is sound


@st.composite
def _divided(draw):
    """Draw divisions of which many pass."""
    denom = draw(st.sampled_from([1, 2, 3, 4, 6, 8, 12]))
    step, trips = draw(st.sampled_from([1, 1, 2, 3])), draw(st.integers(1, 24))
    aligned = st.integers(-2, 2).map(lambda k: k * denom)
    lo, offset = (draw(aligned | st.integers(-8, 8)) for _ in range(2))
    idx = AffineIV("i", lo, lo + step * trips, step)
    return idx, draw(st.sampled_from([-1, 1, 2, 3, 4, 8])), offset, denom


@given(_divided())
def test_what_the_sound_rule_passes_is_affine_after_the_split(case):
    """Both parts are affine in the outer and inner trip, and every tile is whole."""
    idx, coefficient, offset, denom = case
    numer = AffineExpr(((idx, coefficient),), offset)
    if not is_sound_address(FloorDivExpr(numer, denom)) or not coefficient:
        return
    inner = denom // gcd(coefficient * idx.step, denom)

    assert idx.trip_count % inner == 0
    for divide in (FloorDivExpr(numer, denom), ModuloExpr(numer, denom)):
        value = [
            int(divide.eval({idx: idx.lo + idx.step * k}))
            for k in range(idx.trip_count)
        ]
        rows = [value[k : k + inner] for k in range(0, len(value), inner)]
        by_inner = {b - a for row in rows for a, b in pairwise(row)}
        starts = [row[0] for row in rows]
        by_outer = {b - a for a, b in pairwise(starts)}

        assert len(by_inner) <= 1
        assert len(by_outer) <= 1


@pytest.mark.parametrize("constant", [1, -4])
def test_the_constant_of_a_partition_dimension_is_that_of_the_whole_sum(constant: int):
    """Wherever in the sum it stands; terms that cancel have none."""
    address = SumExpr((X // 4, constant))

    assert is_sound_address(address)
    assert not is_sound_address(address, is_partition_dim=True)
    assert is_sound_address(SumExpr((address, -constant)), is_partition_dim=True)
