"""Random expressions, and instances of each law drawn from its own left side."""

from collections.abc import Sequence
from itertools import product
from math import gcd
from typing import Any

from hypothesis import strategies as st

from pelican import (
    Expr,
    RingMap,
    ap,
    arg,
    index,
    rank,
    runtime,
    shard,
    symbol,
    tile,
)
from pelican.expr import (
    AffineExpr,
    AffineIV,
    CCDivExpr,
    CCModExpr,
    FloorDivExpr,
    ICmpExpr,
    ModuloExpr,
    MultExpr,
    SimpleExpr,
    SumExpr,
)
from pelican.laws.lemma import Fact, Lemma
from pelican.laws.term import evaluate, metavariables
from pelican.tree.arguments import as_expr

I = index("i", 0, 64)  # noqa: E741 - the name in the texts
J = index("j", -5, 100, 3)
K = index("k", 7, 8)
N = index("n")
INDICES = {"i": I, "j": J, "k": K, "n": N}

RUNTIME = runtime("r", 0, 9)
REGISTER = runtime("u")
SYMBOL = symbol("any_kind", 4, 64, 4)
SHARD = shard(4, "s")
RANK = rank(0, 1)
ARGUMENT = arg(2)
STEP = ap(J, -3)
TILE = tile(I, 4)
ALL_NAMES: dict[str, Expr] = {
    **INDICES,
    "r": RUNTIME,
    "u": REGISTER,
    "any_kind": SYMBOL,
    "s": SHARD,
}

literals = st.integers(-40, 40)
divisors = st.integers(1, 24)
indices = st.sampled_from([I, J, K, N])


def raw_expressions(max_leaves: int = 12) -> st.SearchStrategy[Expr]:
    """Return plain trees over four indices, one of them unbounded."""
    return raw_trees([I, J, K, N], max_leaves)


def raw_trees(over: Sequence[Expr], max_leaves: int = 12) -> st.SearchStrategy[Expr]:
    """Return plain trees over some indices."""

    def larger(part: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        return st.one_of(
            st.builds(lambda a, b: SumExpr((a, b)), part, part),
            st.builds(MultExpr, part, literals),
            st.builds(ModuloExpr, part, divisors),
            st.builds(FloorDivExpr, part, divisors),
        )

    numbers = literals.map(lambda c: SumExpr((c,)).operands[0])
    leaf = st.one_of(st.sampled_from(over), numbers)
    return st.recursive(leaf, larger, max_leaves=max_leaves)


def written_expressions(max_leaves: int = 10) -> st.SearchStrategy[Expr]:
    """Return plain trees of the kinds that the JSON form writes."""
    return _trees(_WRITTEN_LEAVES, max_leaves, comparisons=False)


def all_expressions(max_leaves: int = 10) -> st.SearchStrategy[Expr]:
    """Return plain trees of all kinds."""
    leaves = [*_WRITTEN_LEAVES, SYMBOL, STEP, TILE]
    return _trees(leaves, max_leaves, comparisons=True)


_WRITTEN_LEAVES: list[Expr] = [I, J, N, RUNTIME, REGISTER, SHARD, RANK, ARGUMENT]


def _trees(
    leaves: list[Any], max_leaves: int, *, comparisons: bool
) -> st.SearchStrategy[Expr]:
    groups = st.integers(0, 3)
    scaled = [leaf for leaf in leaves if leaf.kind in range(6, 14)]
    affine = st.builds(
        lambda found, c: AffineExpr(found.items(), c),
        st.dictionaries(st.sampled_from(scaled), literals, max_size=3),
        literals,
    )

    def larger(part: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        kinds = [
            st.builds(lambda a, b: SumExpr((a, b)), part, part),
            st.builds(MultExpr, part, literals),
            st.builds(ModuloExpr, part, divisors),
            st.builds(FloorDivExpr, part, divisors),
            st.builds(CCDivExpr, part, divisors, groups),
        ]
        if comparisons:
            kinds.append(st.builds(CCModExpr, part, divisors, groups))
            kinds.append(st.builds(ICmpExpr, st.sampled_from([">=", "=="]), part, part))
        return st.one_of(kinds)

    leaf = st.one_of(st.sampled_from(leaves), affine)
    return st.recursive(leaf, larger, max_leaves=max_leaves)


def all_points() -> st.SearchStrategy[dict[SimpleExpr, int]]:
    """Return values of every leaf of `all_expressions`."""
    others = st.fixed_dictionaries(
        {
            RUNTIME: st.integers(0, 8),
            REGISTER: st.integers(-1000, 1000),
            SYMBOL: st.integers(1, 15).map(lambda trip: 4 * trip),
            SHARD: st.integers(0, 3),
            RANK: st.integers(-100, 100),
            ARGUMENT: st.integers(-100, 100),
        }
    )
    return st.builds(lambda a, b: {**a, **b}, points(), others)


def points() -> st.SearchStrategy[dict[AffineIV, int]]:
    """Return values of the four indices, each in its range and on its step."""
    return st.fixed_dictionaries(
        {
            I: st.integers(0, 63),
            J: st.integers(0, 34).map(lambda trip: 3 * trip - 5),
            K: st.just(7),
            N: st.integers(-1000, 1000),
        }
    )


@st.composite
def instances(draw: st.DrawFn, lemma: Lemma) -> dict[str, Any]:
    """Return a binding of a law's metavariables; its facts may or may not hold.

    Divisors and factors come from few values that divide each other often, so that
    guards hold often.
    """
    binding: dict[str, Any] = {}
    positive = metavariables(lemma.divisors)
    for variable in lemma.metavariables:
        name = variable.args[0]
        if variable.op == "expr":
            binding[name] = draw(small_expressions())
        elif variable in positive:
            binding[name] = draw(st.sampled_from([1, 2, 3, 4, 6, 8, 12, 24]))
        else:
            binding[name] = draw(st.integers(-8, 8))
    for fact in lemma.given:
        if fact.relation == "==" and fact.left.op == "expr":
            binding[fact.left.args[0]] = as_expr(evaluate(fact.right, binding))
        elif is_period(fact):
            period, width = fact.left.args
            low = evaluate(fact.right, binding).range.lo
            if low is not None:
                binding[period.args[0]] = low // evaluate(width, binding)
        elif fact.left.op == "literal" and fact.right.op == "expr":
            low = binding[fact.right.args[0]].range.lo
            binding[fact.left.args[0]] = low or 0
        elif is_carry(fact):
            (small, width), rest = fact.left.args[0].args, fact.left.args[1]
            g = binding[width.args[0]]
            binding[small.args[0]] = g * binding[small.args[0]]
            binding[rest.args[0]] = binding[rest.args[0]] % (
                g + draw(st.integers(0, 1))
            )
    return binding


def is_period(fact: Fact) -> bool:
    """Tell whether a fact says that a range starts in the period of a literal."""
    return fact.relation == "<=" and (
        fact.left.op == "*" and fact.left.args[0].op == "literal"
    )


def is_carry(fact: Fact) -> bool:
    """Tell whether a fact says that ``x mod g + r`` stays below g."""
    return fact.relation == "<" and fact.left.op == "+" and fact.left.args[0].op == "%"


def small_expressions() -> st.SearchStrategy[Expr]:
    """Return canonical expressions of one or two indices, with small ranges too."""
    return st.one_of(
        indices,
        st.builds(lambda i, m: i % m, indices, divisors),
        st.builds(lambda i, a, c: a * i + c, indices, literals, literals),
        st.builds(lambda i, j, m: i + j % m, indices, indices, divisors),
    )


@st.composite
def small_indices(draw: st.DrawFn, most: int = 3, trips: int = 7) -> list[AffineIV]:
    """Draw a few new indices of a few trips each."""
    made = []
    for name in "ijklm"[: draw(st.integers(1, most))]:
        low, step = draw(st.integers(-3, 3)), draw(st.sampled_from([1, 1, 2, 3]))
        count = draw(st.integers(1, trips))
        made.append(index(name, low, low + step * (count - 1) + 1, step))
    return made


@st.composite
def addresses(draw: st.DrawFn, over: list[AffineIV]) -> Expr:
    """Draw an address: a sum of strides, rings and tiles, perhaps in a ring."""
    total = as_expr(draw(st.integers(-9, 9)))
    for idx in over:
        scale, shift = draw(st.integers(1, 9)), draw(st.integers(-20, 20))
        part = scale * idx + shift
        form = draw(st.sampled_from(["stride", "ring", "tile", "none"]))
        if form == "ring":
            part = part % draw(st.sampled_from([4, 6, 8, 16, 24]))
        elif form == "tile":
            part = part // draw(st.integers(2, 4))
        weight = 0 if form == "none" else draw(st.sampled_from([1, 1, 2, -3, 4, 8, 16]))
        total = total + weight * part
    ring = draw(st.sampled_from([0, 0, 8, 32, 100]))
    return total % ring if ring else total


free_dims = st.lists(
    st.tuples(st.sampled_from([0, 1, 1, 2, -3, -4, 8]), st.integers(1, 4)), max_size=2
)
"""Strides and sizes of the free dims of an access pattern."""


@st.composite
def radix_maps(draw: st.DrawFn) -> RingMap:
    """Draw an injective map: digits of a mixed radix, shuffled, offset, in a ring.

    The ring may multiply by a unit, and what comes out may be split into two digits.
    """
    inputs = draw(small_indices(4, 5))
    number, size = as_expr(0), 1
    for digit in draw(st.permutations(inputs)):
        trip = (digit - (digit.lo or 0)) // digit.step
        turned = draw(st.booleans())
        number = number + size * (digit.trip_count - 1 - trip if turned else trip)
        size *= digit.trip_count
    size *= draw(st.sampled_from([1, 1, 2]))
    start = draw(st.integers(-50, 50))
    if draw(st.booleans()):
        unit = draw(st.sampled_from([a for a in range(1, 12) if gcd(a, size) == 1]))
        number, start = (unit * (number + start)) % size, 0
    else:
        number = number + start
    splits = [d for d in range(2, size) if size % d == 0]
    if not splits or draw(st.booleans()):
        return RingMap(inputs, [number], [(start, start + size)])
    low = draw(st.sampled_from(splits))
    digits = [(number - start) // low, (number - start) % low]
    return RingMap(inputs, digits, [(0, size // low), (0, low)])


def points_of(over: Sequence[Expr]) -> list[dict[Any, int]]:
    """Return all points of some bounded indices."""
    ranges = [range(idx.lo, idx.hi, idx.step) for idx in over]  # type: ignore[attr-defined]
    return [dict(zip(over, point, strict=True)) for point in product(*ranges)]
