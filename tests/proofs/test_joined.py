"""Intervals of steps, equal terms of sums being joined."""

from hypothesis import given
from hypothesis import strategies as st

from pelican import index
from pelican.evaluation.program import apply, lower
from pelican.expr import MultExpr, SumExpr
from pelican.known.interval import Interval
from proofs.joined import joined_intervals
from tests.strategies import points_of, raw_trees, small_indices


@given(st.data())
def test_a_joined_interval_holds_every_value_of_its_step(data: st.DataObject):
    """And it is never wider than the program's own."""
    over = data.draw(small_indices(2, 5))
    program = lower(data.draw(raw_trees(over)))
    found = joined_intervals(program)

    for at in points_of(over):
        values: list[int] = []
        for step in program.steps:
            args = [values[k] for k in step.args]
            known = None if step.index is None else at[step.index]
            values.append(
                apply(step.op, args, step.literal) if known is None else known
            )
        assert all(v in each for v, each in zip(values, found, strict=True))
    pairs = zip(found, program.steps, strict=True)
    assert all(each.within(step.interval) for each, step in pairs)


def test_what_is_taken_away_again_does_not_count():
    """All prefixes of a - a + b - b are small."""
    terms = [index(f"i{k}", 0, 64) for k in range(50)]
    total = SumExpr([t for x in terms for t in (x, MultExpr(x, -1))])

    assert all(each.within(Interval(0, 63)) for each in joined_intervals(lower(total)))
