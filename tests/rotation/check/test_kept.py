"""What the checker of kept loops claims, and that it is refuted where it is false."""

from dataclasses import replace
from functools import cache

import pytest

from proofs import Proved
from rotation.check.kept import KeptClaim, check_kept, hazards_of
from rotation.kept.data import KeptProgram, Rounds
from tests.rotation.kept.programs import NEST, ROWS, kept_program
from tests.rotation.programs import kernel


@cache
def kept(name: str) -> KeptProgram:
    """Return a kernel, placed and ordered."""
    if name == "rows":
        return kept_program(kernel(ROWS), {"xt": 3, "zt": 3}, {"n": 64})
    return kept_program(kernel(NEST), {"s": 2, "t": 3}, {"n": 8})


def refuted(program: KeptProgram) -> set[str]:
    """Return the checks of which a claim is refuted."""
    return {hazard.check for hazard in hazards_of(check_kept(program))}


@pytest.mark.parametrize("name", ["rows", "nest"])
def test_every_claim_is_proved(name: str):
    """For every number of trips."""
    claims = check_kept(kept(name))

    assert [str(c) for c in claims if not isinstance(c.verdict, Proved)] == []
    assert {c.check for c in claims} == {"capacity", "overlap", "dependence", "race"}


def test_a_claim_says_what_and_whether():
    """Its text is a line of the proofs that failed."""
    claim = KeptClaim("race", "a and b do not meet", Proved(0.0))

    assert str(claim) == "a and b do not meet: proved"


def test_a_refuted_claim_names_the_distance():
    """Without edges the copy overtakes the store three trips before."""
    rows = kept("rows")
    (node,) = rows.tree.straights
    flow = tuple(e for e in rows.edges[node] if not e.distance)
    hazards = hazards_of(check_kept(replace(rows, edges={node: flow})))
    (message,) = {h.message for h in hazards if "st and cp" in h.message}

    assert message == (
        "not for every number of trips: loop i: st and cp do not meet in zt at "
        "distances from 1: refuted at distance = 3, trip = 0"
    )


def test_a_ring_outside_its_space_is_refuted():
    """Slots end beyond the last byte."""
    rows = kept("rows")
    places = {
        t: replace(p, base_bytes=p.base_bytes + 170_000 * t.on_chip)
        for t, p in rows.locations.items()
    }

    assert "capacity" in refuted(replace(rows, locations=places))


def test_rings_that_share_bytes_are_refuted():
    """They are alive together."""
    rows = kept("rows")
    places = {t: replace(p, base_bytes=0) for t, p in rows.locations.items()}

    assert "overlap" in refuted(replace(rows, locations=places))


@pytest.mark.parametrize(
    ("stage", "order"),
    [((0, 0, 0), (0, 1, 1)), ((0, 0, 0), (0, 1)), ((0, 0), (0, 1, 2))],
)
def test_a_round_that_is_no_permutation_is_refuted(stage, order):
    """An operation twice, or left out."""
    rows = kept("rows")
    (node,) = rows.tree.straights
    rounds = Rounds(stage, order, "test")

    assert refuted(replace(rows, rounds={node: rounds})) == {"dependence"}
