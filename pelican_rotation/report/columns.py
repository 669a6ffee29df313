"""What the charts of a page draw, as columns of numbers and lists of texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from pelican_rotation.report.marks import marks_of
from rotation.loop_form.kernel import Engine, MemorySpace
from rotation.passes.base import State
from rotation.placement.binding import unit_bytes
from rotation.running.nanoseconds import ns
from rotation.running.residence import Residence, residences_of
from rotation.running.result import Result
from rotation.running.timeline import InstructionReport, WriteReport, timeline_of

STATES: Final = ("before", "after")
"""The programs that are shown: without rotation, and the result."""

MAPPED: Final = ("psum", "sb")
"""The spaces that have a map over time, where something lives in them."""

Columns = dict[str, Any]


def chart_data(result: Result) -> Columns | None:
    """Return what the charts of one kernel draw; None where nothing was scheduled."""
    if result.after is None or result.before is None:
        return None
    states = {"before": result.before, "after": result.after}
    rows = {name: timeline_of(state) for name, state in states.items()}
    lives = {name: residences_of(state) for name, state in states.items()}
    spaces = [s for s in MAPPED if any(each.space == s for each in lives["after"])]
    function = result.after.function
    engines = engines_of(rows["after"])
    texts = _Numbered()
    operations = _Numbered(each.name for each in function.instructions)
    tensors = _Numbered(
        tensor.name for tensor in function.tensors if tensor.space.value in spaces
    )
    machine = result.after.machine
    units = {space: unit_bytes(MemorySpace(space), machine) for space in spaces}
    return {
        "engines": engines,
        "operations": marks_of(operations.names),
        "tensors": marks_of(tensors.names),
        "timeline": {
            name: _timeline(rows[name], engines, operations, texts) for name in STATES
        },
        "memory": {
            name: {
                space: _lives(lives[name], space, tensors, units[space])
                for space in spaces
            }
            for name in STATES
        },
        "makespan_ns": {name: _makespan_ns(state) for name, state in states.items()},
        "texts": texts.names,
    }


def _makespan_ns(state: State) -> float:
    return 0 if state.schedule is None else ns(state.schedule.makespan_ps)


class _Numbered:
    """Texts by number, each once: a page says a repeated text by its number."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._numbers: dict[str, int] = {}
        for name in names:
            self.number(name)

    @property
    def names(self) -> list[str]:
        return list(self._numbers)

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))


def _timeline(
    rows: Sequence[InstructionReport],
    engines: Sequence[str],
    operations: _Numbered,
    texts: _Numbered,
) -> Columns:
    """Return the instructions of one program, in the order of their starts."""
    return {
        "row": [each.row for each in rows],
        "engine": [engines.index(each.engine) for each in rows],
        "operation": [operations.number(each.operation) for each in rows],
        "iteration": [texts.number(iteration_text(each.iteration)) for each in rows],
        "start": [each.start_ns for each in rows],
        "busy_end": [each.busy_end_ns for each in rows],
        "complete": [each.complete_ns for each in rows],
        "line": [each.line for each in rows],
        "writes": [texts.number(writes_text(each.writes)) for each in rows],
    }


def engines_of(rows: Iterable[InstructionReport]) -> list[str]:
    """Return the engines that have instructions, in the order of engines."""
    used = {each.engine for each in rows}
    return [engine.text for engine in Engine if engine.text in used]


def iteration_text(iteration: dict[str, int]) -> str:
    """Return where in its loops an instruction is.

    >>> iteration_text({"m": 0, "k": 3})
    'm = 0, k = 3'
    """
    return ", ".join(f"{name} = {value}" for name, value in iteration.items())


def writes_text(writes: Sequence[WriteReport]) -> str:
    """Return what an instruction writes: buffer, slot and first byte.

    >>> writes_text([WriteReport("xt", 1, 8192)])
    'xt slot 1 at byte 8,192'
    """
    return "; ".join(f"{w.tensor} slot {w.slot} at byte {w.byte:,}" for w in writes)


def _lives(
    lives: Sequence[Residence], space: str, tensors: _Numbered, unit_bytes: int
) -> Columns:
    """Return the instances that live in a space, in the order of their starts.

    `low` and `high` are in banks of PSUM, and in bytes of SB.
    """
    mine = [each for each in lives if each.space == space]
    return {
        "tensor": [tensors.number(each.tensor) for each in mine],
        "instance": [each.instance for each in mine],
        "slot": [each.slot for each in mine],
        "low": [each.byte // unit_bytes for each in mine],
        "high": [(each.byte + each.size_bytes) // unit_bytes for each in mine],
        "start": [each.start_ns for each in mine],
        "end": [each.end_ns for each in mine],
    }
