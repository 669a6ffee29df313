from pelican.expr import AffineExpr
from rotation.plan import Limit, Ring, RingPlan
from tests.rotation.programs import tile


def test_a_plan_knows_the_slots_of_each_buffer():
    """The rings of a plan are a mapping from buffer to slots."""
    first, second = tile("s", (4,)), tile("t", (4,))
    zero = AffineExpr((), 0)
    rings = [
        Ring(t, t.scope, n, zero, Limit.NONE, n) for t, n in ((first, 1), (second, 3))
    ]

    assert RingPlan(tuple(rings)).slots() == {first: 1, second: 3}
