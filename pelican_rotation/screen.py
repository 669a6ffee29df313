"""One screen for one run: memory, rings, times against their bound, proofs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pelican_rotation.tables import print_blocks, table_of
from pelican_rotation.wording import (
    CHECKS,
    NOT_CHECKED,
    PROVED,
    bound_note,
    is_target_reached,
    refusal_word,
    speedup_of,
    unlimited_word,
)
from rotation.loop_form.kernel import Function
from rotation.rings.plan import Limit
from rotation.rings.search import TARGET_PERCENT
from rotation.running.result import (
    EngineReport,
    KeptLoopReport,
    MemoryReport,
    PinsReport,
    ProofReport,
    RegisterReport,
    Result,
    RingReport,
    ScheduleReport,
)

MAX_HAZARDS_SHOWN: Final = 10

_MEASUREMENT: Final = "measurement"
"""What no checker found: the run was asked to break the program. It comes first."""


def show(result: Result, console: Console, explained_by: str | None = None) -> None:
    """Print what a run found; a line that is too long is wrapped, never cut.

    Args:
        result: The run.
        console: Where to print.
        explained_by: The command that says why the kernel is not faster; it is named
            where iterations do not overlap as they might.
    """
    blocks = _blocks(result)
    if explained_by is not None and _asks_why(result):
        line = f"why, and what would help: {explained_by}"
        blocks.append(Text(line, style="yellow"))
    print_blocks(blocks, console)


def _asks_why(result: Result) -> bool:
    """Return whether something is left, far from its bound, or bound by a recurrence.

    A recurrence that no plan can shorten may be one of the text alone.
    """
    schedule = result.schedule
    if schedule is None:
        return False
    by_text = schedule.bound.kind == "recurrence"
    return bool(result.refusals) or by_text or not is_target_reached(schedule)


def _blocks(result: Result) -> list[RenderableType]:
    blocks: list[RenderableType] = [_title(result)]
    what = refusal_word(result)
    blocks += [
        Text(f"{what}: {r.reason} ({r.where or r.function})", style="yellow")
        for r in result.refusals
    ]
    blocks += [Text(f"note: {each.text}", style="yellow") for each in result.notes]
    blocks += [
        Text(f"measurement: {hazard.message}", style="red")
        for hazard in result.hazards or ()
        if hazard.check == _MEASUREMENT
    ]
    if result.registers is not None:
        blocks.append(_registers(result.registers))
    if result.memory is not None:
        blocks.append(_memory(result.memory))
    if result.rings is not None and result.schedule is not None:
        blocks.append(_rings(result.rings, unlimited=unlimited_word(result)))
    if result.pins is not None:
        blocks.append(_pins(result.pins, result.schedule))
    if result.kept_loops is not None:
        blocks.append(_kept_loops(result.kept_loops))
    if result.schedule is not None and result.engines is not None:
        blocks.append(_schedule(result.schedule))
        blocks.append(_engines(result.engines, result.schedule))
    if result.edges is not None:
        after = result.edges.after
        blocks.append(
            Text(
                f"dependences after reduction: flow {after.flow:,}, "
                f"anti {after.anti:,}, output {after.output:,}"
                + (f", ordered {after.ordered:,}" if after.ordered else "")
            )
        )
    return [*blocks, *_trust(result)]


def _trust(result: Result) -> Iterator[RenderableType]:
    """Yield what was proved, assumed and checked."""
    if result.proofs is not None:
        yield _proofs(result.proofs, result.failures)
    if result.after is not None:
        yield from _promises(result.after.function)
    yield _checks(result)


def _title(result: Result) -> Text:
    colour = "green" if result.verdict == "accepted" else "yellow"
    timing = "" if result.after is None else f", {result.after.machine.timing} timing"
    return Text.assemble(
        (result.kernel, "bold"),
        f" on {result.machine}{timing}: ",
        (result.verdict, colour),
    )


def _registers(registers: Sequence[RegisterReport]) -> Group:
    return Group(
        *(
            Text(f"%{r.name} = {r.assumed:,} for times and memory; proofs are for all")
            for r in registers
        ),
        *(Text(f"  {r.limit}") for r in registers),
    )


def _kept_loops(loops: Sequence[KeptLoopReport]) -> Table:
    """Return the loops that are kept, and how many of their trips overlap."""
    rows = [
        (
            each.loop,
            "-" if each.register is None else f"%{each.register}",
            str(each.operations),
            str(each.stages),
            str(each.edges),
            ", ".join(
                f"{name}+{stage}" if stage else name
                for name, stage in zip(each.order, each.stage, strict=True)
            ),
        )
        for each in loops
    ]
    header = ("kept loop", "runs to", "operations", "stages", "edges", "a round")
    return table_of(header, rows)


def _memory(memory: dict[str, MemoryReport]) -> Table:
    rows = []
    for space, report in memory.items():
        capacity = "-" if report.capacity is None else f"{report.capacity:,}"
        still = space == "dram" and report.capacity is None
        unit = report.unit.replace("/", " per ")
        unit = f"{unit}, not rotated" if still else unit
        rows.append((space, f"{report.before:,}", f"{report.after:,}", capacity, unit))
    header = ("memory", "before", "after", "capacity", "unit")
    return table_of(header, rows)


def _rings(rings: Sequence[RingReport], *, unlimited: str) -> Table:
    """Return the rings; `unlimited` says why one that could grow does not."""
    rows = [
        (
            ring.tensor,
            str(ring.slots),
            "-" if ring.wanted is None else str(ring.wanted),
            f"{ring.slot_bytes:,}",
            ring.space,
            ring.loop or "-",
            unlimited if ring.limited_by == Limit.NONE.value else ring.limited_by,
        )
        for ring in rings
    ]
    header = ("ring", "slots", "wanted", "bytes/slot", "space", "loop", "limited by")
    return table_of(header, rows)


def _pins(pins: PinsReport, schedule: ScheduleReport | None) -> Group:
    """Return what the user placed, the waits there, and what it costs."""
    by_hand = ", ".join(f"{each.tensor} {each.place}" for each in pins.tensors)
    rows = [(p.place, f"{p.anti:,}", ", ".join(p.tensors)) for p in pins.places]
    table = table_of(("placed by hand", "anti edges", "tensors"), rows)
    lines = [Text(f"places     by hand: {by_hand}")]
    if pins.automatic_ns is not None and schedule is not None:
        slower = pins.automatic_ns < schedule.after_ns
        line = f"{pins.automatic_ns:,.0f} ns with these places left to the passes"
        lines.append(Text(f"           {line}", style="yellow" if slower else ""))
    return Group(*lines, table)


def _schedule(schedule: ScheduleReport) -> Group:
    times = [
        ("serial", schedule.serial_ns, "one operation after the other"),
        ("before", schedule.before_ns, "instances packed by live interval, no rings"),
        (
            "after",
            schedule.after_ns,
            f"{speedup_of(schedule):.2f} x faster than before, "
            f"{schedule.ratio:.3f} of the bound",
        ),
        ("bound", schedule.bound_ns, bound_note(schedule.bound)),
    ]
    rows = [(name, f"{value:,.0f}", note) for name, value, note in times]
    table = table_of(("makespan", "ns", "note"), rows)
    if is_target_reached(schedule):
        return Group(table)
    target = (
        f"the target of {TARGET_PERCENT / 100:.2f} of the bound is not reached: "
        f"after is at {schedule.ratio:.3f}"
    )
    return Group(table, Text(target, style="yellow"))


def _engines(engines: dict[str, EngineReport], schedule: ScheduleReport) -> Table:
    rows = []
    for name, report in engines.items():
        shares = (
            f"{100 * report.busy_ns / total:.1f}" if total else "-"
            for total in (schedule.before_ns, schedule.after_ns)
        )
        rows.append((name, f"{report.busy_ns:,.0f}", *shares))
    header = ("engine", "busy ns", "busy % before", "busy % after")
    return table_of(header, rows)


def _proofs(proofs: ProofReport, failures: Sequence[str]) -> Group:
    holds = proofs.proved == proofs.total
    line = Text.assemble(
        "proofs     ",
        (f"{proofs.proved} of {proofs.total} proved", "green" if holds else "red"),
        f" in {proofs.seconds:.2f} s: {PROVED}",
    )
    return Group(
        line, *(Text(f"  not proved: {each}", style="red") for each in failures)
    )


def _promises(function: Function) -> list[RenderableType]:
    """Return what the kernel promises about data, and nobody can prove here."""
    return [
        Text(f"assumed    {each.name} writes no row twice: {line} says unique")
        for each in function.instructions
        if each.indexed is not None and each.indexed.unique
        for line in ("it" if each.span is None else f"line {each.span.line}",)
    ]


def _checks(result: Result) -> Group:
    if result.schedule is None:
        return Group()
    if result.proofs is None:
        return Group(Text(f"checks     {NOT_CHECKED}", style="yellow"))
    seen = [hazard for hazard in result.hazards or () if hazard.check != _MEASUREMENT]
    found = {
        check: list(hazards)
        for check, hazards in groupby(
            sorted(seen, key=lambda h: h.check), key=lambda h: h.check
        )
    }
    lines = [
        Text.assemble("checks     ", (f"{check}: ok", "green"), f", {meaning}")
        for check, meaning in CHECKS
        if check not in found
    ]
    for check, hazards in found.items():
        lines.append(Text(f"checks     {check}: {len(hazards)} hazards", style="red"))
        lines += [Text(f"  {h.message}") for h in hazards[:MAX_HAZARDS_SHOWN]]
    return Group(*lines)
