"""A program as named assignments: what the C text and the Python text share."""

from __future__ import annotations

from pelican.interchange.names import temporary_prefix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pelican.evaluation.program import Program, Step
    from pelican.expr import AffineIdx


def statements(
    program: Program,
    names: Mapping[AffineIdx, str],
    literal: Callable[[int], str],
    write: Callable[[Step, list[str]], str],
) -> tuple[list[tuple[str, str]], str]:
    """Return the assignments of a program and the text of its value.

    Args:
        program: What to compute.
        names: Name of each index.
        literal: Text of an integer as an operand.
        write: Text of a step, from the texts of its operands.

    Returns:
        Pairs of a new name and what is assigned to it; and the text to return, which
        is the last operation itself.
    """
    prefix = temporary_prefix(names.values())
    texts: list[str] = []
    assigned: list[tuple[str, str]] = []
    for number, step in enumerate(program.steps):
        if step.value is not None:
            texts.append(literal(step.value))
        elif step.index is not None:
            texts.append(names[step.index])
        else:
            written = write(step, [texts[k] for k in step.args])
            if number == program.result:
                return assigned, written
            texts.append(f"{prefix}{len(assigned)}")
            assigned.append((texts[-1], written))
    return assigned, texts[program.result]
