from dataclasses import replace

from rotation.passes.base import built
from rotation.passes.post_sched import PostSched
from rotation.schedule.list_scheduler import best_schedule
from tests.rotation.passes.states import until


def test_the_shortest_schedule_of_the_portfolio_is_installed():
    """The pass obeys the dependences in force."""
    state = until("post_sched")
    schedule = built(PostSched().run(state).state.schedule, "schedule")
    best = best_schedule(built(state.program, "program"), built(state.edges, "edges"))

    assert schedule.order.tolist() == best.order.tolist()
    assert schedule.makespan_ps == best.makespan_ps
    assert schedule.priority == best.priority


def test_what_the_plan_promised_is_kept():
    """A shorter schedule that the trials found is installed where it is legal."""
    state = until("post_sched")
    program = built(state.program, "program")
    best = best_schedule(program, built(state.edges, "edges"))
    short = replace(best, makespan_ps=best.makespan_ps - 1)
    illegal = replace(short, start_ps=0 * best.start_ps, makespan_ps=1)

    known = replace(state, known=(illegal, short))
    assert PostSched().run(known).state.schedule is short
