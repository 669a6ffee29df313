"""One screen for one explanation: what binds, what would help, what is waited for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console, RenderableType
from rich.text import Text

from pelican_rotation.tables import print_blocks, table_of
from pelican_rotation.wording import bound_note
from rotation.explaining.explanation import (
    Explanation,
    LoopReport,
    OperationPlace,
    RemedyReport,
    SharedReport,
    SlotReport,
    WaitReport,
)

MAX_WAITS_SHOWN: Final = 12

_NOTHING_GAINED: Final = 1.005
"""A run that is faster by less than half a percent is shown as no gain."""


def show_explanation(explanation: Explanation, console: Console) -> None:
    """Print an explanation; a line that is too long is wrapped, never cut."""
    print_blocks(_blocks(explanation), console)


def _blocks(explanation: Explanation) -> list[RenderableType]:
    blocks: list[RenderableType] = [_title(explanation)]
    blocks += [Text(f"left as it was: {r.reason}") for r in explanation.refusals]
    blocks += [Text(f"note: {each.text}") for each in explanation.notes]
    if explanation.engine is None:
        return blocks
    blocks.append(_idle(explanation))
    if explanation.loops:
        blocks.append(_loops(explanation.loops))
        blocks += _uneven(explanation.loops)
    if explanation.shared:
        blocks.append(_shared(explanation.shared))
    if explanation.slots:
        blocks.append(_slots(explanation.slots, explanation.makespan_ns))
    if explanation.remedies:
        blocks.append(_remedies(explanation.remedies, explanation.makespan_ns))
    if explanation.slots or explanation.remedies:
        blocks.append(_best(explanation))
    for engine in dict.fromkeys((explanation.engine, _bound_engine(explanation))):
        blocks += _waits(explanation, engine)
    return blocks


def _title(explanation: Explanation) -> Text:
    bound = explanation.bound_ns
    ratio = explanation.makespan_ns / bound if bound else 1.0
    return Text.assemble(
        (explanation.kernel, "bold"),
        f" on {explanation.machine}: {explanation.makespan_ns:,.0f} ns, {ratio:.3f} of "
        f"the bound ({bound_note(explanation.bound)})",
    )


def _idle(explanation: Explanation) -> RenderableType:
    reports = explanation.engines.values()
    every = explanation.engines[explanation.engine or ""].idle_ns
    causes = [c for c in every if any(report.idle_ns[c] for report in reports)]
    rows = []
    for name, report in explanation.engines.items():
        cells = (f"{report.idle_ns[cause]:,.0f}" for cause in causes)
        label = f"{name}, busiest" if name == explanation.engine else name
        rows.append((label, f"{report.busy_ns:,.0f}", *cells))
    return table_of(("engine", "busy ns", *causes), rows)


def _loops(loops: Sequence[LoopReport]) -> RenderableType:
    rows = [
        (
            loop.loop,
            _line(loop.where),
            f"{loop.iterations:,}",
            _ns(loop.interval_ns) + (" uneven" if loop.is_uneven else ""),
            _ns(loop.mean_ns),
            _binding(loop),
        )
        for loop in loops
    ]
    header = ("loop", "line", "iterations", "interval ns", "mean ns", "binds")
    return table_of(header, rows)


def _ns(time_ns: float | None) -> str:
    return "-" if time_ns is None else f"{time_ns:,.0f}"


def _uneven(loops: Sequence[LoopReport]) -> list[RenderableType]:
    """Say of which loops the interval is no pace, as it is less than their work."""
    return [
        Text(
            f"loop {loop.loop}: the times between its iterations are uneven, and half "
            f"of them are {_ns(loop.interval_ns)} ns or less, below the "
            f"{_ns(loop.engine_ns)} ns that {loop.engine} works in each; their mean "
            f"is {_ns(loop.mean_ns)} ns"
        )
        for loop in loops
        if loop.is_uneven
    ]


def _shared(shared: Sequence[SharedReport]) -> RenderableType:
    """Say which buffers are declared further out than they need to be."""
    lines = [
        Text(
            f"{each.tensor} (line {_line(each.where)}) is one instance for all "
            f"iterations of loop {each.loop} (line {_line(each.loop_where)}), so each "
            "waits until the one before has done with its bytes; each writes all that "
            "it reads of it, so it can be declared inside the loop"
        )
        for each in shared
    ]
    return Text("\n").join(lines)


def _binding(loop: LoopReport) -> str:
    words = f"{loop.engine} works {loop.engine_ns:,.0f} ns of it"
    recurrence = loop.recurrence
    if recurrence is not None:
        names = ", ".join(recurrence.tensors)
        turn = ", ".join(f"{o.name} {_line(o.where)}" for o in recurrence.operations)
        words += f"; recurrence of {names} {recurrence.interval_ns:,.0f} ns ({turn})"
    if loop.binds == "engine":
        return words
    if loop.binds == "recurrence":
        return f"the recurrence; {words}"
    cause, *tensors = loop.by
    about = f" of {' and '.join(tensors)}" if tensors else ""
    return f"{cause}{about}; {words}"


def _slots(slots: Sequence[SlotReport], makespan_ns: float) -> RenderableType:
    rows = [
        (
            _grown(slot),
            "-" if slot.makespan_ns is None else f"{slot.makespan_ns:,.0f}",
            _gain(slot, makespan_ns),
            _cost(slot),
        )
        for slot in slots
    ]
    return table_of(("one more slot of", "makespan ns", "gain", "cost"), rows)


def _remedies(remedies: Sequence[RemedyReport], makespan_ns: float) -> RenderableType:
    rows = [
        (
            _ns(remedy.makespan_ns),
            "-" if remedy.ratio is None else f"{remedy.ratio:.3f}",
            _gain(remedy, makespan_ns),
            _advice(remedy),
        )
        for remedy in remedies
    ]
    return table_of(("makespan ns", "of its bound", "gain", "other remedy"), rows)


def _advice(remedy: RemedyReport) -> str:
    words = remedy.advice
    if remedy.condition is not None:
        words += f", {remedy.condition}"
    return words if remedy.refusal is None else f"{words}: {remedy.refusal}"


def _best(explanation: Explanation) -> RenderableType:
    """Return a sentence on the change whose run was the shortest."""
    # What costs nothing comes first of equals.
    tried: list[RemedyReport | SlotReport] = [
        *explanation.remedies,
        *explanation.slots,
    ]
    best = max(tried, key=lambda each: each.speedup or 0)
    if (best.speedup or 0) < _NOTHING_GAINED:
        return Text("shortest of those tried: the schedule as it is")
    if isinstance(best, RemedyReport):
        words = f"{_advice(best)}, which gives {best.speedup:.3f} x"
    elif len(best.tensors) > 1:
        who = f"one more slot for {_grown(best)}"
        words = f"{who} costs {_cost(best)} and gives {best.speedup:.3f} x"
    else:
        slots_now = best.slots[0] - 1
        plural = "" if slots_now == 1 else "s"
        words = (
            f"{best.tensors[0]} has {slots_now} slot{plural}; {best.slots[0]} slots "
            f"cost {_cost(best)} and give {best.speedup:.3f} x"
        )
    return Text(f"shortest of those tried: {words}")


def _cost(slot: SlotReport) -> str:
    return " and ".join(
        f"{cost:,} bytes a partition of {space}"
        for space, cost in slot.cost_bytes.items()
    )


def _grown(slot: SlotReport) -> str:
    if len(slot.tensors) == 1:
        return f"{slot.tensors[0]} ({slot.slots[0] - 1})"
    return f"all {len(slot.tensors)} of {slot.loop or 'the kernel'}"


def _gain(tried: SlotReport | RemedyReport, makespan_ns: float) -> str:
    if tried.makespan_ns is None or tried.speedup is None:
        return "no room" if isinstance(tried, SlotReport) else "refused"
    if makespan_ns < tried.makespan_ns * _NOTHING_GAINED:
        return "none"
    return f"{tried.speedup:.3f} x"


def _bound_engine(explanation: Explanation) -> str | None:
    bound = explanation.bound
    return bound.name if bound.kind == "engine" else explanation.engine


def _waits(explanation: Explanation, engine: str | None) -> list[RenderableType]:
    """Return the waits of an engine, the longest first."""
    mine = [wait for wait in explanation.waits if wait.engine == engine]
    if not mine:
        return []
    heading = f"{engine} waits:"
    if engine == explanation.engine:
        share = 100 * explanation.attributed
        heading = f"{engine} waits; {share:.1f} % of its idle time has a cause:"
    lines = [Text(heading)]
    lines += [Text(f"  {_wait(wait)}") for wait in mine[:MAX_WAITS_SHOWN]]
    if len(mine) > MAX_WAITS_SHOWN:
        lines.append(Text(f"  and {len(mine) - MAX_WAITS_SHOWN} shorter ones: --json"))
    return [Text("\n").join(lines)]


def _wait(wait: WaitReport) -> str:
    words = f"{wait.idle_ns:,.0f} ns {wait.cause}"
    if wait.blocked is None:
        return words
    words = f"{words}, {wait.count:,} x: {_operation(wait.blocked)} does not start"
    if wait.front is not None:
        words += f", as it stands behind {_operation(wait.front)} in the queue"
    if wait.source is None or wait.sink is None:
        return words
    if wait.sink != wait.blocked:
        words += f", as {_operation(wait.sink)} waits"
    else:
        words += ", it waits"
    words += f" for {_operation(wait.source)}"
    if wait.distance:
        plural = "" if wait.distance == 1 else "s"
        words += f" of {wait.distance} iteration{plural} before"
    if wait.barrier is not None:
        words += f", at {wait.barrier}"
    if wait.tensors:
        what = "bytes" if wait.kind == "storage" else "value"
        words += f", for the {what} of {' and '.join(wait.tensors)}"
    return words if wait.server is None else f"{words}; {wait.server} is at work"


def _operation(operation: OperationPlace) -> str:
    return f"{operation.name} (line {_line(operation.where)})"


def _line(where: str | None) -> str:
    """Return the line of a place ``file:line:column``; ``-`` without one."""
    return "-" if where is None else where.split(":")[-2]
