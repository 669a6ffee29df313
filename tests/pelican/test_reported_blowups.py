"""Blow-ups that users of other systems reported: work is counted, never timed."""

import pickle
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr, FloorDivExpr, Interval, index, parse, simplify, sum_of
from pelican.engine import simplify as engine
from pelican.expr import SumExpr
from pelican.interchange.python import to_python
from proofs import Proved, prove_equal

MOST_STEPS = 300
"""More rewrites than this for one short text is a blow-up."""


@pytest.fixture
def rewrites(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the mods and floordivs that the engine looks at."""
    counted = [0]
    original = engine._improved

    def improved(*args: object):
        counted[0] += 1
        return original(*args)

    monkeypatch.setattr(engine, "_improved", improved)
    return counted


COMPOSED = {
    "C01": (
        "(72*i + j) // 2304 + ((((72*i + j) % 2304) % 1152) % 9) // 3",
        "i // 32 + j // 3",
    ),
    "C03": ("((((72*i + j) % 2304) % 1152) // 9) // 8", "i % 16"),
}


@pytest.mark.parametrize("name", COMPOSED)
def test_a_composed_index_is_simplified_in_few_steps(name: str, rewrites: list[int]):
    """The short form is found without a search that grows."""
    text, short = COMPOSED[name]
    names = {"i": index("i", 0, 64), "j": index("j", 0, 9)}

    assert parse(text, names) == parse(short, names)
    assert rewrites[0] <= MOST_STEPS


def test_c04_a_giant_quasi_affine_index_is_simplified_in_few_steps(
    rewrites: list[int],
):
    """Its value is that of the short form at every point."""
    i = index("i", 0, 20_000)
    found = parse(
        "7 + i // 256 + (96 + i + 240*(i // 23) + 112*(i // 184) - 256*(i // 256)"
        " + 16*((7 + 17*i - 16*(i // 16) + 6*(i // 23)) // 374)) // 2160",
        {"i": i},
    )

    assert rewrites[0] <= MOST_STEPS
    assert isinstance(prove_equal(found, 7 + i // 184 + i // 256), Proved)


@given(
    st.lists(st.integers(2, 9), min_size=3, max_size=6),
    st.integers(0, 3),
)
def test_nested_remainders_of_a_linear_index_simplify_in_few_steps(sizes, cut):
    """Three levels and more of remainders by products of the sizes."""
    counted = []
    original = engine._improved
    total: Expr = sum_of(
        [product_of(sizes[k + 1 :]) * index(f"x{k}", 0, n) for k, n in enumerate(sizes)]
    )
    for k in range(cut):
        total = total % product_of(sizes[k:])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_improved", lambda *a: counted.append(1) or original(*a))
        total // sizes[-1] % sizes[-2]

    assert len(counted) <= MOST_STEPS


def product_of(sizes: list[int]) -> int:
    """Return the product of some sizes; 1 for none."""
    whole = 1
    for size in sizes:
        whole *= size
    return whole


def test_c06_a_division_of_a_hundred_unrelated_terms_stays_one(rewrites: list[int]):
    """Two hundred and one values each, no coefficient a multiple of 5."""
    names = [index(f"v{k}", 0, 1000) for k in range(100)]
    quotient = sum_of(names) // 5

    assert rewrites[0] <= MOST_STEPS
    assert isinstance(quotient, FloorDivExpr)
    assert quotient.range == Interval(0, 19980)


def test_c07_a_shared_graph_is_walked_once():
    """Forty levels that are 2^40 nodes as a tree: hash, equality, range, value."""

    def graph() -> Expr:
        node: Expr = index_i
        for _ in range(40):
            node = SumExpr((node, FloorDivExpr(node, 2)))
        return node

    index_i = index("i", 0, 64)
    one, other = graph(), graph()

    assert one == other
    assert hash(one) == hash(other)
    assert one.range.lo == 0
    assert one.eval({index_i: 0}).value == 0
    assert pickle.loads(pickle.dumps(one)).nodes == one.nodes


def test_c08_a_deep_text_is_read_and_added_up():
    """Twenty thousand brackets or additions are read without recursion."""
    i = index("i")

    assert parse("(" * 20_000 + "i" + ")" * 20_000, {"i": i}) == i
    assert parse("i" + " + 1" * 20_000, {"i": i}) == i + 20_000


def test_c09_the_recursion_limit_is_left_alone():
    """No walk asks Python for a deeper stack."""
    before = sys.getrecursionlimit()
    deep: Expr = index("i")
    for _ in range(2_000):
        deep = FloorDivExpr(SumExpr((deep, 1)), 2)
    simplify(deep)
    deep.range  # noqa: B018 - the walk is what counts

    assert sys.getrecursionlimit() == before


def test_c10_emitted_text_is_as_flat_as_the_parser_needs():
    """The Python text of a deep expression is a list of short statements."""
    i = index("i")
    deep: Expr = i
    for k in range(3_000):
        deep = FloorDivExpr(SumExpr((deep, k)), 2)
    names: dict[str, object] = {}
    exec(compile(to_python(deep), "text", "exec"), names)
    function = next(v for k, v in names.items() if callable(v) and k[0] != "_")

    assert function(7) == deep.eval({i: 7}).value


def test_c12_two_forms_of_one_difference_are_one_object():
    """Neither form is rewritten into the other for ever."""
    names = {"d": index("d"), "s": index("s")}
    one = parse("((0 - d) + s) - 1", names)

    assert one == parse("s - (d + 1)", names)
    assert simplify(one) == one
