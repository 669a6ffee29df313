from pelican.expr import AffineExpr
from rotation.loop_form.trips import linear_trip
from rotation.rings.plan import Limit, Ring, RingPlan
from tests.rotation.programs import SCOPE, tile


def test_a_plan_knows_the_slots_of_each_buffer():
    """The rings of a plan are a mapping from buffer to slots."""
    first, second = tile("s", (4,)), tile("t", (4,))
    zero = AffineExpr((), 0)
    rings = [
        Ring(t, t.scope, n, zero, Limit.NONE, n) for t, n in ((first, 1), (second, 3))
    ]

    assert RingPlan(tuple(rings)).slots() == {first: 1, second: 3}


def test_a_plan_without_rotation_has_single_slots():
    """Every ring keeps its buffer and its limit; its slot is always 0."""
    buffer = tile("s", (4,))
    slot = linear_trip((SCOPE,)) % 3
    plan = RingPlan((Ring(buffer, buffer.scope, 3, slot, Limit.TRIP, 3),)).single()

    assert [(r.slots, r.slot, r.limited_by) for r in plan.rings] == [(1, 0, Limit.TRIP)]
