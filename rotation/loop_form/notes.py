"""What a kernel leaves undone though nothing in it is wrong: loops without trips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rotation.loop_form.kernel import Function, Instruction, Loop, Role
from rotation.loop_form.statements import skipped

MAX_NAMED: Final = 4
"""Operations of one loop that a note names before it counts the rest."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader of a kernel may not expect, and ``file:line:column`` or None."""

    text: str
    where: str | None


def notes_of(function: Function) -> tuple[Note, ...]:
    """Return a note for each static loop that has operations and no trips.

    It names an output that stays as it came, as nothing outside such loops writes it.
    Of loops inside each other the outermost without trips has the note.

    >>> from rotation.text.parse import parse
    >>> text = '''kernel idle on planning {
    ...   dram y [128, 512] fp32 output
    ...   for i in [0, 0) { sb t [128, 512] fp32 f: vector.zero t <-
    ...     st: dma.store y <- t }
    ... }'''
    >>> (idle,) = parse(text)
    >>> [note.text for note in notes_of(idle)]
    ['loop i (line 3) has no iterations: f, st do nothing, and y stays as it came']
    """
    done = {name for each in function.instructions for name in _outputs(each)}
    return tuple(
        Note(
            _text(loop, left_out, done), None if loop.span is None else loop.span.place
        )
        for loop in _empty_loops(function)
        for left_out in (tuple(skipped((loop,))),)
        if left_out
    )


def _empty_loops(function: Function) -> Iterator[Loop]:
    for statement, _ in function.statements:
        if isinstance(statement, Loop) and statement.skipped is not None:
            yield statement


def _text(loop: Loop, left_out: Sequence[Instruction], done: set[str]) -> str:
    line = "" if loop.span is None else f" (line {loop.span.line})"
    names = [each.name for each in left_out]
    listed = ", ".join(names[:MAX_NAMED])
    if len(names) > MAX_NAMED:
        listed += f" and {len(names) - MAX_NAMED} more"
    verb = "does" if len(names) == 1 else "do"
    text = f"loop {loop.index.name}{line} has no iterations: {listed} {verb} nothing"
    outputs = dict.fromkeys(name for each in left_out for name in _outputs(each))
    untouched = [name for name in outputs if name not in done]
    if not untouched:
        return text
    stay = "stays as it came" if len(untouched) == 1 else "stay as they came"
    return f"{text}, and {', '.join(untouched)} {stay}"


def _outputs(instruction: Instruction) -> Iterator[str]:
    """Yield the name of each output of the kernel that an instruction writes."""
    for region in instruction.writes:
        if region.tensor.role is Role.OUTPUT:
            yield region.tensor.name
