"""Writing: the object of each kind, and what version 2 cannot hold."""

import json

import pytest

from pelican import (
    AffineExpr,
    CCDivExpr,
    CCModExpr,
    Expr,
    FloorDivExpr,
    ICmpExpr,
    ModuloExpr,
    MultExpr,
    SumExpr,
    TooDeepError,
    TooLargeError,
    WireError,
    ap,
    arg,
    index,
    rank,
    runtime,
    shard,
    symbol,
    tile,
)
from pelican.wire import MAX_DEPTH, dumps, to_wire

I = index("i", 0, 64)  # noqa: E741 - the name in the texts
AXIS = {"kind": "AffIVKind", "axis": "i"}

OBJECTS = [
    (rank(0, 1), {"kind": "CCGetRankKind", "iteration_id": 0, "channel_id": 1}),
    (arg(3), {"kind": "IndirectArgId", "arg_id": 3}),
    (I, AXIS),
    (runtime("r"), {"kind": "IntRuntimeValueKind", "regref": "r"}),
    (shard(4), {"kind": "ShardIDKind", "ub": 4}),
    (
        2 * I + 3,
        {"kind": "AffExprKind", "terms": [{"idx": AXIS, "coeff": 2}], "c": 3},
    ),
    (AffineExpr((), 5), {"kind": "AffExprKind", "terms": [], "c": 5}),
    (
        SumExpr((I, arg(0))),
        {
            "kind": "SumKind",
            "n_terms": 2,
            "terms": [AXIS, {"kind": "IndirectArgId", "arg_id": 0}],
        },
    ),
    (MultExpr(I, -2), {"kind": "MultKind", "var": AXIS, "scale": -2}),
    (FloorDivExpr(I, 4), {"kind": "FloorDivKind", "numer": AXIS, "denom": 4}),
    (ModuloExpr(I, 4), {"kind": "ModuloKind", "numer": AXIS, "denom": 4}),
    (
        CCDivExpr(I, 4, 7),
        {"kind": "CCDivKind", "numer": AXIS, "denom": 4, "replica_groups_id": 7},
    ),
]


@pytest.mark.parametrize(("expr", "value"), OBJECTS)
def test_a_kind_is_written_as_known(expr: Expr, value: object):
    """Tag, keys, values, and the order of emission."""
    assert json.dumps(to_wire(expr)) == json.dumps(value)


def test_the_text_has_sorted_keys():
    """The worked example of the format."""
    expected = (
        '{"denom":4,"kind":"ModuloKind","numer":{"c":3,"kind":"AffExprKind",'
        '"terms":[{"coeff":2,"idx":{"axis":"i","kind":"AffIVKind"}}]}}'
    )

    assert dumps((3 + 2 * I) % 4) == expected


REFUSED = [
    (ap(I, 4), "", "APIndex"),
    (tile(I, 4) + 1, "/terms/0/idx", "TiledAPIndex"),
    (symbol("unwritten", 0, 8) % 3, "/numer/terms/0/idx", "SymbolicIdx"),
    (SumExpr((I, ICmpExpr(">=", I, 3))), "/terms/1", "ICmpExpr"),
    (MultExpr(CCModExpr(arg(0), 4, 7), 2), "/var", "CCModExpr"),
    (AffineExpr(((I, 2**63),)), "/terms/0/coeff", "signed 64-bit"),
    (ModuloExpr(AffineExpr(((I, 1),), -(2**63) - 1), 3), "/numer/c", "signed 64-bit"),
    (MultExpr(I, 2**63), "/scale", "signed 64-bit"),
    (FloorDivExpr(I, 2**63), "/denom", "signed 64-bit"),
    (CCDivExpr(I, 4, 2**64), "/replica_groups_id", "unsigned 64-bit"),
    (arg(2**63), "/arg_id", "signed 64-bit"),
    (AffineExpr(((I, 1), (I, 2))), "/terms/1/idx", "stands twice"),
]


@pytest.mark.parametrize(("expr", "pointer", "message"), REFUSED)
def test_what_the_format_cannot_hold_is_refused(expr, pointer: str, message: str):
    """The pointer says where it would stand."""
    with pytest.raises(WireError, match=message) as caught:
        to_wire(expr)

    assert caught.value.pointer == pointer
    assert str(caught.value).startswith(pointer or "the top")


@pytest.mark.parametrize("other", [index("i", 0, 64), runtime("i")])
def test_two_indices_of_one_name_are_refused(other: Expr):
    """The format knows indices by name only."""
    with pytest.raises(WireError, match="two indices are called 'i'"):
        to_wire(I + other)


def test_the_ends_of_64_bits_are_written():
    """The widest integers that are allowed."""
    expr = CCDivExpr(AffineExpr(((I, -(2**63)),), 2**63 - 1), 2**63 - 1, 2**64 - 1)

    assert to_wire(expr)["replica_groups_id"] == 2**64 - 1


def nested(depth: int) -> Expr:
    """Return an expression of the given depth."""
    expr: Expr = I
    for _ in range(depth - 1):
        expr = SumExpr((expr,))
    return expr


def test_a_depth_beyond_the_limit_is_refused():
    """The limit itself is written, and is no trouble for the JSON library."""
    assert dumps(nested(MAX_DEPTH))
    with pytest.raises(TooDeepError, match=f"depth {MAX_DEPTH + 1} is beyond"):
        to_wire(nested(MAX_DEPTH + 1))


def test_a_tree_beyond_the_limit_is_refused():
    """A shared part counts as often as it is written."""
    expr: Expr = I
    for _ in range(18):
        expr = SumExpr((expr, expr))
    assert to_wire(expr)["n_terms"] == 2

    with pytest.raises(TooLargeError, match="more than 1000000 nodes"):
        to_wire(SumExpr((expr, expr)))


def test_a_deep_and_shared_graph_is_refused_at_once():
    """A tree of 2**50,000 nodes is not counted out."""
    expr: Expr = I
    for _ in range(50_000):
        expr = SumExpr((expr, expr))

    with pytest.raises(TooDeepError):
        to_wire(expr)
