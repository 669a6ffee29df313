"""What the screen, the page and the explanation of a run say in the same words."""

from __future__ import annotations

from typing import Final

from rotation.rings.search import TARGET_PERCENT
from rotation.running.result import BoundReport, Result, ScheduleReport

CHECKS: Final = (
    ("overlap", "no two live buffers share bytes"),
    ("race", "every conflict is ordered, whatever the speeds"),
    ("equivalence", "same outputs as the source, byte for byte"),
)
"""The checks of a run, and what holds where they find nothing."""

PROVED: Final = (
    "index expressions equal their source and stay in bounds, slots stay in their rings"
)
"""What the proofs of a run say together."""

NOT_CHECKED: Final = "not checked: nothing says that this is the same program"
"""What is said of a run that was asked to leave out its checks and proofs."""


def refusal_word(result: Result) -> str:
    """Return what became of a kernel for which something was not done."""
    return "refused" if result.verdict == "refused" else "left as it was"


def unlimited_word(result: Result) -> str:
    """Return why a ring that nothing limits has no more slots."""
    if result.refusals:
        return "not rotated"
    if all(each.name != "plan_rings" for each in result.passes or ()):
        return "not planned"
    if result.schedule is None or not is_target_reached(result.schedule):
        return "no gain"
    return "enough"


def is_target_reached(schedule: ScheduleReport) -> bool:
    """Tell whether the makespan is within the target of its bound."""
    return schedule.after_ns * 100 <= schedule.bound_ns * TARGET_PERCENT


def speedup_of(schedule: ScheduleReport) -> float:
    """Return how many times faster the result is; 1 when it takes no time."""
    return schedule.before_ns / schedule.after_ns if schedule.after_ns else 1.0


def bound_note(bound: BoundReport) -> str:
    """Return what a bound is made of, in words."""
    if bound.name is None:
        return "no operations"
    if bound.kind == "critical-path":
        return f"longest path, ends at {bound.name}"
    if bound.kind == "recurrence":
        return (
            f"{', '.join(bound.tensors)} over {bound.name}: {bound.head_ns:,.0f} head "
            f"+ {bound.busy_ns:,.0f} turns + {bound.tail_ns:,.0f} tail"
        )
    return (
        f"{bound.name}: {bound.head_ns:,.0f} head + {bound.busy_ns:,.0f} busy "
        f"+ {bound.tail_ns:,.0f} tail"
    )
