"""What strategies share: which folds are proposed, and at what cost."""

from hypothesis import given
from hypothesis import strategies as st

from pelican import AffineExpr, Expr, Interval, ModuloExpr, index, simplify
from pelican.core import makers
from pelican.strategies.terms import narrow_choices, with_ends
from tests.strategies import I, J, K, N

Weighted = list[tuple[Expr, int]]


def folds(terms: Weighted, offset: int, denom: int) -> list[int]:
    """Return the periods into which a change of at most one coefficient folds."""
    residues = [c % denom for _, c in terms]
    nearest = [a if 2 * a <= denom else a - denom for a in residues]
    choices = [nearest]
    for k, a in enumerate(residues):
        farther = a - denom if nearest[k] == a else a
        choices += [[*nearest[:k], farther, *nearest[k + 1 :]]] if a else []
    found = []
    for coefficients in choices:
        span = Interval(offset, offset)
        for (term, _), new in zip(terms, coefficients, strict=True):
            span = span + (new * term.range if new else 0)
        whole = span.lo is not None and span.hi is not None
        if whole and span.lo // denom == span.hi // denom:
            found.append(span.lo // denom)
    return found


@given(
    st.dictionaries(
        st.sampled_from([I, J, K, N, index("b", 0, 2), index("s", -1, 3)]),
        st.integers(-40, 40).filter(bool),
        min_size=2,
    ),
    st.integers(-60, 60),
    st.integers(2, 60),
)
def test_every_fold_with_one_changed_coefficient_is_proposed(parts, offset, denom):
    """The running sum of ranges finds what adding all ranges up finds."""
    terms = list(parts.items())
    choices = narrow_choices(with_ends(terms), offset, denom)
    periods = [period for _, period in choices]

    assert periods == folds(terms, offset, denom)


def test_the_ranges_of_many_terms_are_added_up_once(monkeypatch):
    """The work on a sum is proportional to its terms."""
    terms = 300
    calls = []
    known = makers.new_interval
    monkeypatch.setattr(makers, "new_interval", lambda *a: calls.append(1) or known(*a))
    raw = ModuloExpr(
        AffineExpr([(index(f"v{k:03}", 0, 5), 3) for k in range(terms)]), 7
    )

    assert simplify(raw) == raw
    assert len(calls) < 10 * terms
