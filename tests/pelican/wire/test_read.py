"""Reading: exact round trips, version 1, located refusals."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    CCDivExpr,
    Expr,
    FloorDivExpr,
    ModuloExpr,
    PelicanError,
    TooDeepError,
    TooLargeError,
    WireError,
    arg,
    index,
    runtime,
    shard,
)
from pelican.wire import MAX_DEPTH, WireWarning, dumps, from_wire, loads, to_wire
from tests.strategies import ALL_NAMES, written_expressions

I, J = index("i", 0, 64), index("j", 0, 8)  # noqa: E741 - the name in the texts
NAMES: dict[str, Expr] = {"i": I, "j": J, "r": runtime("r")}
AXIS: dict[str, Any] = {"kind": "AffIVKind", "axis": "i"}
RANK = {"kind": "CCGetRankKind", "iteration_id": 0, "channel_id": 1}


@given(written_expressions())
def test_a_tree_comes_back_as_it_was(expr: Expr):
    """Exact for every kind that is written: the tree, not only its value."""
    again = loads(dumps(expr), ALL_NAMES)

    assert again == expr
    assert to_wire(again) == to_wire(expr)


def test_reading_never_simplifies():
    """A bare index stays bare, a fold stays open."""
    inner = {"kind": "ModuloKind", "numer": AXIS, "denom": 64}
    outer = {"kind": "ModuloKind", "numer": inner, "denom": 64}

    assert from_wire(outer, NAMES) == ModuloExpr(ModuloExpr(I, 64), 64)


def test_a_shard_id_takes_its_name_from_the_names():
    """The format holds the count only."""
    value = {"kind": "ShardIDKind", "ub": 4}

    assert str(from_wire(value, {"core": shard(4, "core")})) == "core"
    assert str(from_wire(value, {"core": shard(8, "core")})) == "shard_4"


def test_unknown_keys_are_ignored():
    """As the modelled reader does."""
    assert from_wire({**AXIS, "note": 3}, NAMES) == I


def test_a_collective_mod_is_read_as_a_mod_with_a_warning():
    """Its group is lost."""
    value = {"kind": "CCModKind", "numer": RANK, "denom": 4, "replica_groups_id": 7}

    with pytest.warns(WireWarning, match="the top: CCModKind is read as a ModuloExpr"):
        found = from_wire(value, NAMES)
    assert str(found) == "rank(0, 1) mod 4"
    assert found.kind == 26


def affine(*terms: object, c: object = 0) -> dict[str, Any]:
    """Return an affine object."""
    return {"kind": "AffExprKind", "terms": list(terms), "c": c}


def term(idx: object, coeff: object = 1) -> dict[str, Any]:
    """Return a term of an affine object."""
    return {"idx": idx, "coeff": coeff}


def div(numer: object, denom: object = 4) -> dict[str, Any]:
    """Return a floordiv object."""
    return {"kind": "FloorDivKind", "numer": numer, "denom": denom}


def total(*terms: object, n_terms: object = None) -> dict[str, Any]:
    """Return a sum object."""
    count = len(terms) if n_terms is None else n_terms
    return {"kind": "SumKind", "n_terms": count, "terms": list(terms)}


REFUSED = [
    ([], "", "an object is needed, got list"),
    ({"axis": "i"}, "", "'kind' is missing"),
    ({"kind": "ModKind"}, "/kind", "'ModKind' is unknown"),
    ({"kind": 26}, "/kind", "a text is needed, got 26"),
    ({"kind": "AffIVKind", "axis": "k"}, "/axis", "no loop index is called 'k'"),
    ({"kind": "AffIVKind", "axis": "r"}, "/axis", "no loop index is called 'r'"),
    ({"kind": "IntRuntimeValueKind", "regref": "i"}, "/regref", "no runtime value"),
    ({"kind": "ShardIDKind", "ub": 0}, "/ub", "at least 1 core"),
    ({"kind": "IndirectArgId", "arg_id": -1}, "/arg_id", ">= 0"),
    ({**RANK, "iteration_id": -1}, "/iteration_id", ">= 0"),
    ({**RANK, "channel_id": -1}, "/channel_id", ">= 0"),
    (affine(term(AXIS), term(AXIS)), "/terms/1/idx", "the index i stands twice"),
    (affine(term(RANK)), "/terms/0/idx", "a term needs an index"),
    (affine(term(div(AXIS))), "/terms/0/idx", "a term needs an index"),
    (affine({"idx": AXIS}), "/terms/0", "'coeff' is missing"),
    (affine(term(AXIS, 1.0)), "/terms/0/coeff", "an integer is needed, got float"),
    (affine(term(AXIS, True)), "/terms/0/coeff", "an integer is needed, got True"),
    (affine(c=2**63), "/c", "no signed 64-bit integer"),
    (affine(c=-(2**63) - 1), "/c", "no signed 64-bit integer"),
    ({"kind": "AffExprKind", "terms": {}, "c": 0}, "/terms", "a list is needed"),
    (total(AXIS, RANK, n_terms=3), "/n_terms", "n_terms is 3, but it has 2 terms"),
    (total(AXIS, n_terms=-1), "/n_terms", "no unsigned 64-bit integer"),
    (total(), "/terms", "at least one operand"),
    (total(AXIS, div(None)), "/terms/1/numer", "an object is needed, got NoneType"),
    (div(AXIS, 0), "/denom", ">= 1, got 0"),
    (div(AXIS, "4"), "/denom", "an integer is needed, got '4'"),
    (div({"kind": "Nope"}), "/numer/kind", "unknown"),
    ({"kind": "MultKind", "var": AXIS}, "", "'scale' is missing"),
    (
        {"kind": "CCDivKind", "numer": AXIS, "denom": 4, "replica_groups_id": -1},
        "/replica_groups_id",
        "no unsigned",
    ),
    (
        {"kind": "CCDivKind", "numer": AXIS, "denom": 0, "replica_groups_id": 0},
        "/denom",
        ">= 1, got 0",
    ),
]


@pytest.mark.parametrize(("value", "pointer", "message"), REFUSED)
def test_what_is_no_expression_is_refused(value, pointer: str, message: str):
    """The pointer says where, the message what."""
    with pytest.raises(WireError) as caught:
        from_wire(value, NAMES)

    assert caught.value.pointer == pointer
    assert message in caught.value.message


V1 = [
    ({"terms": [{"AxisLabel": "i", "coef": 2}], "c": 3}, 2 * I + 3),
    (
        {"c": 3, "op": "Mod", "op_param": 4, "terms": [{"AxisLabel": "i", "coef": 2}]},
        ModuloExpr(2 * I + 3, 4),
    ),
    ({"c": 7, "op": "Div", "op_param": 2, "terms": []}, FloorDivExpr(7, 2)),
    ({"c": 1, "op": "CCGetRank", "op_param": 2, "terms": []}, CCDivExpr(1, 2, 0)),
    ({"c": 0, "op": "IndirectArgId", "op_param": 5, "terms": []}, arg(5)),
]


@pytest.mark.parametrize(("value", "expr"), V1)
def test_version_1_is_read(value: object, expr: Expr):
    """One affine body, and at most one operation on it."""
    assert loads(json.dumps(value), NAMES, version=1) == expr


V1_REFUSED = [
    ({"op": "IndirectArgId", "op_param": 5}, "", "'terms' is missing"),
    ({"kind": "ShardIDKind", "ub": 4}, "", "'terms' is missing"),
    ({"terms": []}, "", "'c' is missing"),
    ({"terms": [], "c": 0, "op": "Mod"}, "", "'op_param' is missing"),
    ({"terms": [], "c": 0, "op": "Xor", "op_param": 1}, "/op", "'Xor' is unknown"),
    ({"terms": [], "c": 0, "op": "Mod", "op_param": 0}, "/op_param", ">= 1, got 0"),
    ({"terms": [], "c": 0, "op": "CCGetRank", "op_param": 0}, "/op_param", "got 0"),
    ({"terms": [], "c": 1, "op": "IndirectArgId", "op_param": 0}, "", "the base 1"),
    (
        {"terms": [{"AxisLabel": "i", "coef": 1}] * 2, "c": 0},
        "/terms/1/AxisLabel",
        "stands twice",
    ),
    (
        {"terms": [{"AxisLabel": "i", "coeff": 1}], "c": 0},
        "/terms/0",
        "'coef' is missing",
    ),
]


@pytest.mark.parametrize(("value", "pointer", "message"), V1_REFUSED)
def test_version_1_is_refused_where_it_is_wrong(value, pointer: str, message: str):
    """The pointer says where, the message what."""
    with pytest.raises(WireError) as caught:
        from_wire(value, NAMES, version=1)

    assert caught.value.pointer == pointer
    assert message in caught.value.message


@pytest.mark.parametrize("version", [0, 3, "2"])
def test_another_version_is_refused(version):
    """The message names the two."""
    with pytest.raises(WireError, match=r"1 \(old\) or 2 \(new\)"):
        from_wire(AXIS, NAMES, version=version)


def test_a_depth_beyond_the_limit_is_refused():
    """The limit itself is read; a text that no reader can hold is refused alike."""

    def nested(depth: int) -> str:
        head, tail = '{"kind":"SumKind","n_terms":1,"terms":[', "]}"
        return head * (depth - 1) + json.dumps(AXIS) + tail * (depth - 1)

    assert loads(nested(MAX_DEPTH), NAMES).eval({I: 3}).valid
    for depth in (MAX_DEPTH + 1, 100_000):
        with pytest.raises(TooDeepError):
            loads(nested(depth), NAMES)


def test_a_tree_beyond_the_limit_is_refused():
    """An object that holds another a million times."""
    with pytest.raises(TooLargeError, match="more than 1000000 nodes"):
        from_wire(total(*[AXIS] * 1_000_000), NAMES)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str):
    """Never another error."""
    with suppress(PelicanError):
        loads(text, NAMES)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["i"]),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["kind", "numer", "denom", "terms", "c", "idx", "coeff", "op"]
            ),
            part | st.sampled_from(["FloorDivKind", "AffExprKind", "SumKind", "Mod"]),
            max_size=4,
        )
    ),
)


@pytest.mark.parametrize("version", [1, 2])
@given(value=JSON_VALUES)
def test_any_value_is_read_or_refused(version: int, value: object):
    """Never another error."""
    with suppress(PelicanError):
        assert isinstance(from_wire(value, NAMES, version=version), Expr)


def test_a_key_that_stands_twice_is_refused():
    """A reader would keep one of the two values and lose the other."""
    with pytest.raises(WireError, match="the key 'c' stands twice"):
        loads('{"kind": "AffExprKind", "c": 1, "c": 2, "terms": []}', {})


@pytest.mark.parametrize("version", [True, 2.0, "2", None, [], 0, 3])
def test_a_version_is_1_or_2(version):
    """As integers."""
    with pytest.raises(WireError, match="is unknown"):
        from_wire({"kind": "AffExprKind", "c": 1, "terms": []}, {}, version=version)


@pytest.mark.parametrize("text", [None, 5, b"\xff\xfe\x00", b"\x80", "\ufeff{}"])
def test_what_is_no_json_text_is_refused(text):
    """Whatever it is."""
    with pytest.raises(WireError, match="this is no JSON"):
        loads(text, {})
