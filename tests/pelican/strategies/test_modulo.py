"""Proposals for a mod: the quick way over plain indices, and the general one."""

from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr
from pelican.build import plain, weighted_sum
from pelican.divmod import DivMod
from pelican.kinds import is_affine
from pelican.rewrite import Step, rewrite_chain
from pelican.strategies.modulo import _moved, reduced_coefficients
from tests.strategies import I, J, K

Chain = tuple[Step, ...]

numbers = st.integers(-40, 40)


@given(st.dictionaries(st.sampled_from([I, J, K]), numbers.filter(bool)), numbers)
def test_the_quick_way_proposes_what_the_general_one_does(parts, offset):
    """Coefficients in [0, 16), or what is dropped first; or nothing to do."""
    numer = weighted_sum(list(parts.items()), offset)
    terms = numer.terms if is_affine(numer) else ((numer, 1),)
    offset = numer.constant if is_affine(numer) else 0
    general = next(reduced_coefficients(list(terms), offset, 16), None)
    quick = _moved(terms, offset, 16)

    assert (quick is None) == (general is None)
    if quick is not None and general is not None:
        assert made(quick, numer) == made(general, numer)


def made(chain: Chain, numer: Expr) -> Expr:
    """Return what a chain of laws makes of ``numer mod 16``."""
    outcome = rewrite_chain(chain, DivMod("%", numer, 16), plain)
    assert isinstance(outcome, DivMod)
    return outcome.node
