"""The words and tables of a page: what a run found, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pelican_rotation.wording import (
    CHECKS,
    NOT_CHECKED,
    PROVED,
    bound_note,
    speedup_of,
    unlimited_word,
)
from rotation.passes.base import State
from rotation.rings.plan import Limit
from rotation.running.edge_changes import edge_changes
from rotation.running.result import (
    EdgeReport,
    EngineReport,
    MemoryReport,
    PassReport,
    Result,
    ScheduleReport,
)

LIMITS: Final = {
    Limit.CAPACITY.value: "memory is full",
    Limit.TRIP.value: "the loop has no more iterations",
    Limit.USER.value: "the kernel says so",
    Limit.CARRIED.value: "a value goes from one iteration to the next",
}
"""Why a ring has no more slots, in words."""

MOST_HAZARDS: Final = 50
"""A page lists at most so many hazards."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that stands large at the top; `tone` is ``good``, ``bad`` or empty."""

    name: str
    value: str
    note: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence; `tone` as of a `Fact`."""

    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `numbers` are the columns that stand at the right."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the page: a title, sentences and tables."""

    title: str
    lines: tuple[Line, ...] = ()
    tables: tuple[Table, ...] = ()


def facts(result: Result) -> list[Fact]:
    """Return what stands at the top: times, memory, proofs and checks."""
    found: list[Fact] = []
    schedule = result.schedule
    if schedule is not None:
        found += [
            Fact("before", f"{schedule.before_ns:,.0f} ns", "without rotation"),
            Fact(
                "after",
                f"{schedule.after_ns:,.0f} ns",
                f"{speedup_of(schedule):.2f} x faster",
            ),
            Fact(
                "bound",
                f"{schedule.bound_ns:,.0f} ns",
                f"after is at {schedule.ratio:.3f} of it",
            ),
        ]
    proofs = result.proofs
    if proofs is not None:
        holds = proofs.proved == proofs.total
        word = "✓ all proved" if holds else "✗ not all proved"
        value = f"{proofs.proved} of {proofs.total}"
        found.append(Fact("proofs", value, word, "good" if holds else "bad"))
    elif result.schedule is not None:
        found.append(Fact("checks", "✗ none", NOT_CHECKED, "bad"))
    if result.equivalent is not None:
        value = "✓ yes" if result.equivalent else "✗ no"
        tone = "good" if result.equivalent else "bad"
        found.append(Fact("same program", value, "same outputs, in every order", tone))
    if result.hazards is not None:
        count = len(result.hazards)
        tone = "bad" if count else "good"
        found.append(Fact("hazards", f"✗ {count}" if count else "✓ none", "", tone))
    return found


def parts(result: Result) -> list[Part]:
    """Return the parts below the charts; what was not computed has none."""
    found: list[Part] = []
    if result.schedule is not None and result.engines is not None:
        found.append(_time(result.schedule, result.engines))
    if result.memory is not None:
        found.append(_memory(result.memory))
    if result.rings is not None:
        found.append(_rings(result))
    if result.edges is not None and result.before and result.after:
        found.append(_dependences(result.edges, result.before, result.after))
    found += _trust(result)
    if result.passes is not None:
        found.append(_passes(result.passes))
    return found


def _memory(memory: dict[str, MemoryReport]) -> Part:
    rows = [
        (space, f"{m.before:,}", f"{m.after:,}", _or_dash(m.capacity), m.unit)
        for space, m in memory.items()
    ]
    header = ("memory", "before", "after", "capacity", "unit")
    return Part("Memory", tables=(_table("Most in use", header, rows),))


def _passes(passes: Sequence[PassReport]) -> Part:
    rows = [
        (
            each.name,
            f"{each.seconds:.3f}",
            ", ".join(f"{k} {n:,}" for k, n in each.statistics.items()) or "-",
        )
        for each in passes
    ]
    header = ("pass", "seconds", "what it counted")
    return Part("Passes", tables=(_table("Passes in order", header, rows),))


def _time(schedule: ScheduleReport, engines: dict[str, EngineReport]) -> Part:
    causes = list(
        dict.fromkeys(
            cause
            for report in engines.values()
            for cause, idle_ns in report.idle_ns.items()
            if idle_ns
        )
    )
    rows = [
        (
            name,
            f"{report.busy_ns:,.0f}",
            *(
                _share(report.busy_ns, t)
                for t in (schedule.before_ns, schedule.after_ns)
            ),
            *(f"{report.idle_ns.get(cause, 0):,.0f}" for cause in causes),
        )
        for name, report in engines.items()
    ]
    idle = (f"idle: {cause} [ns]" for cause in causes)
    header = ("engine", "busy [ns]", "busy % before", "busy % after", *idle)
    interval = schedule.steady_interval_ns
    lines = [
        Line(f"The bound is {bound_note(schedule.bound)}: no schedule is shorter."),
        Line(f"One operation after the other would take {schedule.serial_ns:,.0f} ns."),
    ]
    if interval is not None:
        lines.append(Line(f"An iteration ends every {interval:,.0f} ns, as a median."))
    caption = "Engines: what they do, and why they are idle in the result"
    return Part("Engines", tuple(lines), (_table(caption, header, rows),))


def _rings(result: Result) -> Part:
    unlimited = unlimited_word(result)
    rows = [
        (
            ring.tensor,
            ring.space,
            ring.loop or "-",
            str(ring.slots),
            _or_dash(ring.wanted),
            f"{ring.slot_bytes:,}",
            f"{ring.slots * ring.slot_bytes:,}",
            LIMITS.get(ring.limited_by, unlimited),
        )
        for ring in result.rings or ()
    ]
    header = ("buffer", "space", "loop", "slots", "wanted", "bytes a slot", "bytes")
    table = _table("Rings", (*header, "why no more"), rows)
    word = (
        "Wanted is the least number of slots that brings the makespan near its bound."
    )
    return Part("Rings", (Line(word),), (table,))


def _dependences(edges: EdgeReport, before: State, after: State) -> Part:
    changes = edge_changes(before, after)
    kinds = ("flow", "anti", "output", "ordered")
    totals = [
        (
            kind,
            f"{getattr(edges.before, kind):,}",
            *(
                f"{sum(getattr(c, name) for c in changes if c.kind == kind):,}"
                for name in ("kept", "removed", "added")
            ),
            f"{getattr(edges.after, kind):,}",
        )
        for kind in kinds
    ]
    each = [
        (f"{c.sink} after {c.source}", c.kind, *map("{:,}".format, numbers))
        for c in changes
        for numbers in ((c.kept, c.removed, c.added),)
    ]
    header = ("kind", "before", "kept", "removed", "new", "after")
    tables = (
        _table("Dependences by kind, after reduction", header, totals),
        _table(
            "Dependences by operation",
            ("which waits for which", "kind", "kept", "removed", "new"),
            each,
        ),
    )
    words = (
        "A dependence is an order between two instructions.",
        "A longer ring removes the wait for the last user of a slot, and brings a new "
        "one for a user further back.",
    )
    return Part("Dependences", tuple(map(Line, words)), tables)


def _trust(result: Result) -> Iterable[Part]:
    lines: list[Line] = []
    proofs = result.proofs
    if proofs is not None:
        counts = (
            f"{proofs.proved} proved, {proofs.refuted} refuted, {proofs.unknown} not "
            f"decided, in {proofs.seconds:.2f} s: {PROVED}."
        )
        lines.append(Line(counts))
        lines += [Line(f"✗ not proved: {each}", "bad") for each in result.failures]
    elif result.schedule is not None:
        lines.append(Line(f"✗ {NOT_CHECKED}", "bad"))
    if result.hazards is not None:
        wrong = {hazard.check for hazard in result.hazards}
        lines += [
            Line(f"✓ {check}: {meaning}", "good")
            for check, meaning in CHECKS
            if proofs is not None and check not in wrong
        ]
        shown = result.hazards[:MOST_HAZARDS]
        lines += [Line(f"✗ {each.check}: {each.message}", "bad") for each in shown]
        if more := len(result.hazards) - len(shown):
            lines.append(Line(f"✗ and {more:,} more", "bad"))
    if lines:
        yield Part("Proofs and checks", tuple(lines))


def _table(caption: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Return a table; a column of numbers alone stands at the right."""
    digits = set("0123456789,.-")
    numbers = frozenset(
        place
        for place in range(1, len(header))
        if rows and all(set(row[place]) <= digits for row in rows)
    )
    return Table(caption, tuple(header), tuple(map(tuple, rows)), numbers)


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def _or_dash(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
