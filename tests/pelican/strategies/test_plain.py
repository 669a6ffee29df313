"""A mod or floordiv of plain indices: one look makes of it what the laws make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr, floordiv, index, modulo, sum_of
from pelican.engine import simplify as engine
from pelican.engine.listening import Recorder
from pelican.strategies.plain import folded, look_at
from tests.strategies import I, J, K, N

A, B, C = index("a", 0, 5), index("b", -7, 90), index("c", 3, 5)

numbers = st.integers(-100, 100)
sums = st.dictionaries(st.sampled_from([I, J, K, N, A, B, C]), numbers, min_size=1)
divisors = st.sampled_from([2, 3, 6, 7, 8, 12, 16, 30, 64, 100])
operations = st.sampled_from([modulo, floordiv])


def total(parts: dict[Expr, int], offset: int) -> Expr:
    """Return a sum of scaled indices."""
    return sum_of([*(c * idx for idx, c in parts.items()), offset])


@given(operations, sums, numbers, divisors)
def test_one_look_makes_what_the_laws_make(operation, parts, offset, denom):
    """Somebody who listens is told of each law; nobody sees another result."""
    numer = total(parts, offset)

    with Recorder(lambda used: None):
        by_laws = operation(numer, denom)

    assert by_laws == operation(numer, denom)


@pytest.mark.nobody_listens
@pytest.mark.parametrize(
    ("operation", "numer", "denom", "text"),
    [
        (
            modulo,
            9000 * A + 64 * N + B + 5000,
            4096,
            "(808*a + b + 64*n + 904) mod 4096",
        ),
        (modulo, 64 * N + C + 3, 64, "c + 3"),
        (floordiv, 64 * I + 3 * C, 64, "i"),
        (floordiv, N + A, 8, "(a + n) floordiv 8"),
    ],
)
def test_no_law_is_tried_where_one_look_is_enough(
    monkeypatch: pytest.MonkeyPatch, operation, numer, denom, text
):
    """Addresses in rings and tiles cost no rewrite."""
    monkeypatch.setattr(engine, "_improved", None)

    assert str(operation(numer, denom)) == text


@pytest.mark.parametrize("idx", [J, K, I % 8, index("s", 0, 8, 2)])
def test_an_index_that_leaves_values_out_is_not_plain(idx: Expr):
    """A step, or a single value, is a matter of classes."""
    assert (terms_of(N + idx), terms_of(N + I)) == ((), ((I, 1), (N, 1)))


def test_a_fold_may_turn_one_coefficient():
    """``(5*a + 2) mod 8`` is no sum; ``(7*c + 3) mod 8`` is ``7*c - 21``."""
    assert folded("%", ((A, 5),), 2, 8) is None
    assert folded("%", ((C, 7),), 3, 8) == (((C, 7),), -21)
    assert folded("//", ((C, 15),), 3, 8) == (((C, 1),), 3)
