"""Substitution: values, ranges, steps, runtime values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    Expr,
    FloorDivExpr,
    ModuloExpr,
    MultExpr,
    OperandError,
    PelicanError,
    SubstitutionRangeError,
    SumExpr,
    ap,
    arg,
    cc_mod,
    icmp,
    index,
    runtime,
    simplify,
    tile,
)
from tests.strategies import I, J, N, all_expressions, all_points

X, OUT, T = index("x", 0, 64), index("o", 0, 8), index("t", 0, 8)
EVEN = index("e", 2, 20, 2)


def test_a_split_of_a_loop_simplifies():
    """The whole is what the operators make of the split."""
    split = {X: 8 * OUT + T}

    assert (X // 8).substitute(split) == (8 * OUT + T) // 8
    assert (X % 8).substitute(split) == T
    assert (2 * X + 1).substitute(split) == 16 * OUT + 2 * T + 1


def test_all_indices_are_replaced_at_once():
    """A swap is a swap."""
    assert (OUT - 2 * T).substitute({OUT: T, T: OUT}) == T - 2 * OUT


def test_a_value_outside_the_range_is_refused():
    """The expression was simplified for the range of its index."""
    with pytest.raises(SubstitutionRangeError, match=r"\[0, 65\), outside that of x"):
        (X // 8).substitute({X: 8 * OUT + index("u", 0, 9)})
    with pytest.raises(SubstitutionRangeError, match="outside that of x"):
        (X + 0).substitute({X: 64})


def test_a_value_off_the_step_is_refused():
    """An index takes only the values of its step."""
    with pytest.raises(SubstitutionRangeError, match="not known to be on the step"):
        (EVEN % 2).substitute({EVEN: OUT + 2})
    assert (EVEN + 1).substitute({EVEN: 2 * OUT + 4}) == 2 * OUT + 5


def test_a_key_must_be_an_index():
    """A sum is replaced with `replace`."""
    with pytest.raises(OperandError, match="must be an index"):
        (X + OUT).substitute({X + OUT: 3})


def test_opaque_values_may_be_replaced():
    """They are leaves like indices."""
    assert (4 * arg(0) + X).substitute({arg(0): OUT}) == 4 * OUT + X


def test_a_runtime_value_takes_the_range_of_its_index():
    """Everywhere in the expression, so that it stays one value."""
    r = runtime("r")
    found = (X + r % 100).substitute({X: r})

    assert found == runtime("r", 0, 64) + runtime("r", 0, 64)


def test_a_declared_runtime_value_keeps_its_range():
    """It must then be inside."""
    r = runtime("r", 0, 9)

    assert (X + 1).substitute({X: r}) == r + 1
    with pytest.raises(SubstitutionRangeError):
        (OUT + 1).substitute({OUT: r})


def test_one_runtime_value_cannot_take_two_ranges():
    """It would be two values of one register."""
    r = runtime("r")

    with pytest.raises(SubstitutionRangeError, match="two ranges"):
        (X + OUT).substitute({X: r, OUT: r})


def test_a_tile_follows_its_child():
    """It becomes what it computes, or a tile of the new index."""
    y = index("y", 0, 64)

    assert (tile(X, 8) + 1).substitute({X: y}) == tile(y, 8) + 1
    assert (tile(X, 8) + 1).substitute({X: 8 * OUT + T}) == (8 * OUT + T) // 8 + 1
    assert ap(X, 4).substitute({X: OUT}) == 4 * OUT
    assert (tile(X, 8) + X).substitute({tile(X, 8): OUT}) == OUT + X


def test_special_kinds_are_built_again():
    """Their ranges fold after the substitution."""
    assert cc_mod(X, 8, 1).substitute({X: T}) == T
    assert icmp(X, ">=", 8).substitute({X: T}) == 0


@given(raw=all_expressions(), by=all_expressions(4), at=all_points())
def test_substituting_is_evaluating_elsewhere(raw: Expr, by: Expr, at):
    """The value with i := e is the value at i = e."""
    value = by.eval(at)
    result = simplify(raw)
    for idx in (I, J, N):
        try:
            found = result.substitute({idx: by})
        except SubstitutionRangeError:
            continue
        assert found.eval(at) == result.eval({**at, idx: int(value)})


def test_a_subtree_is_replaced_and_the_whole_simplified():
    """Wherever it stands."""
    expr = (N % 8) * 2 + (N % 8 + X) // 4

    assert expr.replace(N % 8, T) == 2 * T + (T + X) // 4
    assert expr.replace(N % 8, 0) == X // 4


def test_a_replacement_must_be_inside_the_range():
    """The whole was simplified for the range of the part."""
    with pytest.raises(SubstitutionRangeError):
        (N % 8 + X).replace(N % 8, X)


def test_canonicalizing_uses_no_law():
    """Sums, constants and divisors of 1, but no range."""
    inner = FloorDivExpr(ModuloExpr(SumExpr((X, MultExpr(X, 2), 1)), 8), 1)
    raw = SumExpr((inner, FloorDivExpr(7, 2), ModuloExpr(X, 1), 2))

    assert raw.canonicalize() == (3 * X + 1) % 8 + 5
    assert str(ModuloExpr(X, 64).canonicalize()) == "x mod 64"


@given(raw=all_expressions(), at=all_points())
def test_canonicalizing_keeps_the_value(raw: Expr, at):
    """And what it gives simplifies to the same."""
    assert raw.canonicalize().eval(at) == raw.eval(at)
    assert simplify(raw.canonicalize()) == simplify(raw)


@given(st.sampled_from([I, J]), st.integers(-200, 200))
def test_a_constant_is_taken_where_eval_takes_it(idx, value: int):
    """Range and step are those of evaluation."""
    expr = 2 * idx + 1
    try:
        expected = int(expr.eval({idx: value}))
    except PelicanError:
        with pytest.raises(SubstitutionRangeError):
            expr.substitute({idx: value})
    else:
        assert expr.substitute({idx: value}) == expected


def test_deep_expressions_are_substituted():
    """No walk recurses."""
    expr: Expr = N
    for k in range(15_000):
        expr = FloorDivExpr(SumExpr((expr, 1)), 2) if k % 2 else ModuloExpr(expr, 1000)

    assert expr.substitute({N: 3}).is_const
    assert expr.canonicalize().eval({N: 3}) == expr.eval({N: 3})


def test_a_sum_joins_after_a_substitution():
    """Every law is used on the new sum; canonicalizing uses none."""
    q, r, n = index("q"), index("r", 0, 8), index("n")
    split = 8 * q + r
    raw = SumExpr((MultExpr(FloorDivExpr(n, 8), 8), ModuloExpr(n, 8)))

    assert split.substitute({q: n // 8, r: n % 8}) == n
    assert raw.canonicalize() != n


def test_a_declared_register_is_declared_in_every_substitute():
    """One register does not become two runtime values."""
    register = runtime("reg")

    got = (I + 2 * N).substitute({I: register, N: register + 1})

    assert got == 3 * runtime("reg", 0, 64) + 2


def test_an_index_of_one_value_is_on_its_step():
    """What is left over is 0 by its range, whatever its form is."""
    one, other = (index(name, -2, 0, 2) for name in ("one", "other"))

    assert (one + 3).substitute({one: other}) == other + 3
