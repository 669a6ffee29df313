"""Equal expressions get one form, whatever identities lie between them."""

from random import Random

import pytest

from pelican import Expr, simplify
from pelican.laws.term import Term, evaluate, metavariables
from pelican.tree.traverse import indices
from tests.pelican.canonical_pairs import IDENTITIES, POSITIVE, Identity, pairs

PAIRS = 300
MOST_APART = PAIRS // 100
"""One pair in a hundred may keep two forms; docs/canonical-form.md lists some."""


@pytest.mark.parametrize("identity", IDENTITIES, ids=lambda i: f"{i.left} = {i.right}")
def test_an_identity_holds(identity: Identity):
    """Both sides have one value, at random points with negative values too."""
    random = Random(str(identity.left))
    for _ in range(300):
        at = {v.args[0]: drawn(random, v) for v in metavariables(identity)}

        assert evaluate(identity.left, at) == evaluate(identity.right, at)


def drawn(random: Random, variable: Term) -> int:
    """Return a value of a placeholder; a divisor is at least 1."""
    if variable.args[0] in POSITIVE:
        return random.randint(1, 12)
    return random.randint(-60, 60)


def test_nearly_all_equal_pairs_print_the_same():
    """Of random pairs at most one in a hundred keeps two forms."""
    apart = [
        (str(before), str(after))
        for before, after in pairs(2026, PAIRS)
        if str(simplify(before)) != str(simplify(after))
    ]

    assert len(apart) <= MOST_APART, apart


def test_both_sides_of_a_pair_have_one_value():
    """The identities keep the value, and so do both simplified sides."""
    random = Random(1)
    for before, after in pairs(7, 60):
        names = {*indices(before), *indices(after)}
        at = {idx: value_of(random, idx) for idx in sorted(names, key=str)}
        sides = (before, after, simplify(before), simplify(after))

        assert len({int(side.eval(at)) for side in sides}) == 1


def value_of(random: Random, idx: Expr) -> int:
    """Return a value of an index inside its range."""
    low = -1000 if idx.range.lo is None else idx.range.lo
    return random.randint(low, 1000 if idx.range.hi is None else idx.range.hi)


def test_a_pair_is_a_fixed_point():
    """Simplifying a second time changes neither side."""
    for before, after in pairs(8, 60):
        for side in (simplify(before), simplify(after)):
            assert simplify(side) == side
