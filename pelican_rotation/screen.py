"""One screen for one run: memory, rings, edges, makespan against bound, proofs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from rotation.result import (
    EngineReport,
    MemoryReport,
    ProofReport,
    Result,
    RingReport,
    ScheduleReport,
)

_CHECKS: Final = (
    ("overlap", "no two live buffers share bytes"),
    ("race", "every conflict is ordered, whatever the speeds"),
    ("equivalence", "same outputs as the source, byte for byte"),
)
MAX_HAZARDS_SHOWN: Final = 10


def show(result: Result, console: Console) -> None:
    """Print what a run found."""
    for block in _blocks(result):
        console.print(block)
        console.print()


def _blocks(result: Result) -> list[RenderableType]:
    blocks: list[RenderableType] = [_title(result)]
    blocks += [
        Text(f"left as it was: {r.reason} ({r.where or r.function})", style="yellow")
        for r in result.refusals
    ]
    if result.memory is not None:
        blocks.append(_memory(result.memory))
    if result.rings is not None:
        blocks.append(_rings(result.rings))
    if result.schedule is not None and result.engines is not None:
        blocks.append(_schedule(result.schedule))
        blocks.append(_engines(result.engines, result.schedule))
    if result.edges is not None:
        after = result.edges.after
        blocks.append(
            Text(
                f"edges      flow {after.flow:,}, anti {after.anti:,}, "
                f"output {after.output:,} after reduction"
            )
        )
    if result.proofs is not None:
        blocks.append(_proofs(result.proofs, result.failures))
    blocks.append(_checks(result))
    return blocks


def _title(result: Result) -> Text:
    colour = "green" if result.verdict == "accepted" else "yellow"
    timing = "" if result.after is None else f", {result.after.machine.timing} timing"
    return Text.assemble(
        (result.kernel, "bold"),
        f" on {result.machine}{timing}: ",
        (result.verdict, colour),
    )


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for k, column in enumerate(columns):
        left = k == 0 or not column.strip()
        table.add_column(column, justify="left" if left else "right", no_wrap=True)
    return table


def _memory(memory: dict[str, MemoryReport]) -> Table:
    table = _table("memory", "before", "after", "capacity", " ")
    for space, report in memory.items():
        capacity = "" if report.capacity is None else f"{report.capacity:,}"
        table.add_row(
            space, f"{report.before:,}", f"{report.after:,}", capacity, report.unit
        )
    return table


def _rings(rings: Sequence[RingReport]) -> Table:
    table = _table(
        "ring", "slots", "wanted", "bytes/slot", "space", "loop", "limited by"
    )
    for ring in rings:
        table.add_row(
            ring.tensor,
            str(ring.slots),
            "" if ring.wanted is None else str(ring.wanted),
            f"{ring.slot_bytes:,}",
            ring.space,
            ring.loop or "",
            ring.limited_by,
        )
    return table


def _schedule(schedule: ScheduleReport) -> Table:
    table = _table("makespan", "ns", " ")
    bound = schedule.bound
    what = bound.kind if bound.name is None else f"{bound.kind} {bound.name}"
    speedup = schedule.before_ns / schedule.after_ns if schedule.after_ns else 1.0
    rows = [
        ("serial", schedule.serial_ns, "one operation after the other"),
        ("before", schedule.before_ns, "instances packed by live interval, no rings"),
        (
            "after",
            schedule.after_ns,
            f"{speedup:.2f} x faster than before, {schedule.ratio:.3f} of the bound",
        ),
        (
            "bound",
            schedule.bound_ns,
            f"{what}: {bound.head_ns:,.0f} to start + {bound.busy_ns:,.0f} busy "
            f"+ {bound.tail_ns:,.0f} to finish",
        ),
    ]
    for name, value, note in rows:
        table.add_row(name, f"{value:,.0f}", note)
    return table


def _engines(engines: dict[str, EngineReport], schedule: ScheduleReport) -> Table:
    table = _table("engine", "busy ns", "of before", "of after")
    for name, report in engines.items():
        shares = (
            f"{report.busy_ns / total:.1%}" if total else ""
            for total in (schedule.before_ns, schedule.after_ns)
        )
        table.add_row(name, f"{report.busy_ns:,.0f}", *shares)
    return table


def _proofs(proofs: ProofReport, failures: Sequence[str]) -> Group:
    holds = proofs.proved == proofs.total
    line = Text.assemble(
        "proofs     ",
        (f"{proofs.proved} of {proofs.total} proved", "green" if holds else "red"),
        f" in {proofs.seconds:.2f} s: index expressions equal their source and stay "
        "in bounds, slots stay in their rings",
    )
    return Group(
        line, *(Text(f"  not proved: {each}", style="red") for each in failures)
    )


def _checks(result: Result) -> Group:
    if result.hazards is None:
        return Group()
    found = {
        check: list(hazards)
        for check, hazards in groupby(
            sorted(result.hazards, key=lambda h: h.check), key=lambda h: h.check
        )
    }
    lines = [
        Text.assemble("checks     ", (f"{check}: ok", "green"), f", {meaning}")
        for check, meaning in _CHECKS
        if check not in found
    ]
    for check, hazards in found.items():
        lines.append(Text(f"checks     {check}: {len(hazards)} hazards", style="red"))
        lines += [Text(f"  {h.message}") for h in hazards[:MAX_HAZARDS_SHOWN]]
    return Group(*lines)
