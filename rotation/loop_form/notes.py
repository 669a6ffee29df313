"""What a reader of a kernel may not expect though nothing in it is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pelican.errors import Span
from rotation.loop_form.kernel import Engine, Function, Instruction, Loop, Role
from rotation.loop_form.statements import skipped

MAX_NAMED: Final = 4
"""Operations of one loop that a note names before it counts the rest."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader of a kernel may not expect, and ``file:line:column`` or None."""

    text: str
    where: str | None


def notes_of(function: Function) -> tuple[Note, ...]:
    """Return a note for each loop without trips, and for a kernel without an output.

    The note of a static loop that has operations and no trips names an output that
    stays as it came, as nothing outside such loops writes it. Of loops inside each
    other the outermost has the note. A kernel whose operations reach no other core,
    and that declares no output, does nothing that can be seen.

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
    return (
        *(
            Note(_text(loop, left_out, done), _place(loop.span))
            for loop in _empty_loops(function)
            for left_out in (tuple(skipped((loop,))),)
            if left_out
        ),
        *_unseen(function),
    )


def _unseen(function: Function) -> Iterator[Note]:
    """Yield a note if nothing outside can see what the operations of a kernel do."""
    has_output = any(each.role is Role.OUTPUT for each in function.tensors)
    # What another core reads of a collective transfer is not told by this kernel.
    reaches_out = any(each.engine is Engine.CC for each in function.instructions)
    if function.instructions and not (has_output or reaches_out):
        text = f"{function.name} has no output: nothing of it can be seen from outside"
        yield Note(text, _place(function.span))


def _place(span: Span | None) -> str | None:
    return None if span is None else span.place


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
