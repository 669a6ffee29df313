"""Files of kernels in an editor: mistakes, and what buffers, loops and indices mean."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pelican.errors import LocatedError, ParseError, Source, Span
from pelican_rotation.editing.plans import planned
from pelican_rotation.editing.words import Hover, code, facts, simplified, word_at
from rotation.errors import RotationError
from rotation.kept.registers import value_for_trips, with_registers
from rotation.kept.supported import require_supported
from rotation.loop_form.kernel import (
    Function,
    If,
    IndexExpr,
    Instruction,
    Loop,
    MemoryLocationSet,
    Region,
    Statement,
)
from rotation.machine.machine import get_machine
from rotation.placed.reading import applied
from rotation.text.format import format_kernels
from rotation.text.parse import read_kernels
from rotation.text.placed import read_layouts
from rotation.unrolled.unroll import count_instructions
from rotation.verify.verify import verify

LANGUAGE = "kernel"
"""The name of the language in editors."""

MOST_APPLIED: Final = 2_000
"""Placed programs of so many instructions are held against their kernel at once."""


def mistakes(source: Source) -> tuple[LocatedError, ...]:
    """Return the mistakes of a text of kernels and placed programs.

    Words come first, then names, then what makes no sense: each is looked for only
    where the one before it found nothing.

    >>> [e.message for e in mistakes(Source("k", "kernel k on planing { }"))]
    ["no machine 'planing'"]
    """
    try:
        functions, errors = _read(source.name, source.text)
        if errors:
            return errors
        found: list[LocatedError] = []
        for function in functions:
            found += _senseless(function)
        return tuple(found) or _misplaced(source, functions)
    except LocatedError as error:
        return error.errors


def _senseless(function: Function) -> tuple[LocatedError, ...]:
    """Return what makes no sense in a kernel; a run-time loop is taken for one trip."""
    try:
        if function.registers:
            require_supported(function)
            one_trip = {r: value_for_trips(function, r, 1) for r in function.registers}
            function = with_registers(function, one_trip)
        verify(function, get_machine(function.machine))
    except RotationError as error:
        return error.errors
    return ()


def _misplaced(
    source: Source, functions: tuple[Function, ...]
) -> tuple[LocatedError, ...]:
    """Return the mistakes of the placed programs of a text."""
    machines = {f.name: get_machine(f.machine) for f in functions}
    found: list[LocatedError] = []
    for name, layout in read_layouts(source, machines).items():
        function = next(f for f in functions if f.name == name)
        if function.registers or count_instructions(function.body) > MOST_APPLIED:
            continue
        try:
            applied(function, layout)
        except RotationError as error:
            found += error.errors
    return tuple(found)


def formatted(source: Source) -> str:
    """Return a text in its one layout.

    Raises:
        ParseError: If it is not in the language.
    """
    return format_kernels(source.text, source.name)


def hover(source: Source, offset: int) -> Hover | None:
    """Return what is known of a buffer, a loop, and the index expression at a place.

    Of a buffer that is its declaration and its ring in the plan; of a loop its values;
    of an expression its simplest form, range and congruence.
    """
    word = word_at(source, offset)
    function = _function_at(source, offset)
    if word is None or function is None:
        return None
    found = _named(function, word)
    if isinstance(found, MemoryLocationSet) and found.span is not None:
        declared = code(" ".join(found.span.text.split()), LANGUAGE)
        return Hover((declared, *_ring(function, found)), word)
    said = []
    if isinstance(found, Loop):
        said.append(_values(found))
    expression = _expression_at(function, offset)
    if expression is not None:
        known = ", ".join(facts(expression.expr))
        said.append(f"`{simplified(expression.expr)}`: {known}")
    return Hover(tuple(said), word) if said else None


def _values(loop: Loop) -> str:
    """Return which values the index of a loop takes, and how many."""
    if loop.skipped is not None:
        return f"`{loop.index.name}` takes no value: no trips"
    if loop.bound is not None:
        trips = f"as many trips as %{loop.bound} says"
    else:
        trips = f"{loop.trip_count:,} trips"
    return f"`{loop.index.describe()}`: {trips}"


def _ring(function: Function, tensor: MemoryLocationSet) -> Iterator[str]:
    """Yield what is known of the instances of a buffer and their slots."""
    if tensor.scope is None:
        yield "One instance in the whole kernel."
    else:
        yield f"One instance for each `{tensor.scope.name}`."
    plan = planned(function)
    if isinstance(plan, str):
        yield plan
        return
    ring = next((ring for ring in plan.rings if ring.tensor is tensor), None)
    if ring is None:
        return
    size = f"{tensor.bytes_in_space:,} bytes"
    unit = f"{size} in each partition" if tensor.on_chip else size
    slots = f"{ring.slots} slot{'s' if ring.slots > 1 else ''} of {unit}"
    limit = ring.limited_by.value
    limited = "" if limit == "none" else f", limited by {limit}"
    place = f"; the current one is `{simplified(ring.slot)}`" if ring.slots > 1 else ""
    yield f"Ring plan: {slots}{limited}{place}."


def definition(source: Source, offset: int) -> Span | None:
    """Return the name where it is defined that is used at a place, or None.

    Buffers, loops and called kernels have a definition.
    """
    word = word_at(source, offset)
    function = _function_at(source, offset)
    if word is None or function is None:
        return None
    found = _named(function, word)
    if found is None:
        called = [f for f in _functions(source) if f.name == word.text]
        return _name_in(called[0].span, word.text) if called else None
    return _name_in(found.span, word.text)


def _functions(source: Source) -> tuple[Function, ...]:
    """Return the kernels of a text; none if it is not in the language."""
    try:
        return _read(source.name, source.text)[0]
    except ParseError:
        return ()


@lru_cache(maxsize=16)
def _read(
    name: str, text: str
) -> tuple[tuple[Function, ...], tuple[LocatedError, ...]]:
    """Return the kernels of a text and its mistakes; the same ones for the same text.

    Raises:
        ParseError: If the text is not in the language.
    """
    return read_kernels(Source(name, text))


def _function_at(source: Source, offset: int) -> Function | None:
    """Return the kernel whose text holds a place, or the last above it."""
    found = None
    for function in _functions(source):
        if function.span is not None and function.span.start <= offset:
            found = function
    return found


def _named(function: Function, word: Span) -> MemoryLocationSet | Loop | None:
    """Return the buffer or loop that a word of a kernel names, or None."""
    for tensor in function.tensors:
        if tensor.name == word.text and _is_of(tensor.span, function):
            return tensor
    around: tuple[Loop, ...] = ()
    for statement, loops in function.statements:
        if _holds(statement.span, word.start):
            around = loops
            if isinstance(statement, MemoryLocationSet) and statement.scope is not None:
                around = (*around, *function.nests[statement.scope])
    return next((n for n in reversed(around) if n.index.name == word.text), None)


def _is_of(span: Span | None, function: Function) -> bool:
    """Tell whether a statement is of a kernel itself, not of one that it calls."""
    head = function.span
    return span is not None and head is not None and span.start >= head.start


def _holds(span: Span | None, offset: int) -> bool:
    return span is not None and span.start <= offset <= span.end


def _name_in(span: Span | None, name: str) -> Span | None:
    """Return where a name stands in a header or a declaration."""
    if span is None:
        return None
    space = len(span.text) - len(span.text.split(maxsplit=1)[-1])
    start = span.source.text.find(name, span.start + space, span.end)
    return None if start < 0 else Span(span.source, start, start + len(name))


def _expression_at(function: Function, offset: int) -> IndexExpr | None:
    """Return the index expression that stands at a place, or None."""
    for statement, _ in function.statements:
        for expression in _expressions(statement):
            if _holds(expression.span, offset):
                return expression
    return None


def _expressions(statement: Statement) -> Iterator[IndexExpr]:
    if isinstance(statement, Instruction):
        for region in (*statement.writes, *statement.reads):
            yield from _of_region(region)
    elif isinstance(statement, If):
        for comparison in statement.comparisons:
            yield from (comparison.left, comparison.right)
    elif isinstance(statement, MemoryLocationSet) and statement.pin is not None:
        pin = statement.pin
        yield from (e for e in (pin.bank, pin.byte, pin.part) if e is not None)


def _of_region(region: Region) -> Iterator[IndexExpr]:
    if region.instance is not None:
        yield region.instance
    if not region.whole:
        yield from region.starts
    for terms in region.least:
        yield from terms
