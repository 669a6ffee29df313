from rotation.passes.base import built
from rotation.passes.post_sched import PostSched
from rotation.schedule.list_scheduler import best_schedule
from tests.rotation.passes.test_build_dependences import until


def test_the_shortest_schedule_of_the_portfolio_is_installed():
    """The pass obeys the dependences in force."""
    state = until("post_sched")
    schedule = built(PostSched().run(state).state.schedule, "schedule")
    best = best_schedule(built(state.program, "program"), built(state.edges, "edges"))

    assert schedule.order.tolist() == best.order.tolist()
    assert schedule.makespan_ps == best.makespan_ps
    assert schedule.priority == best.priority
