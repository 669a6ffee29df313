"""Programs of the operations that arrays do fast, made from straight-line programs."""

from __future__ import annotations

from pelican.evaluation.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.evaluation.program import Step


def machine_program(program: Program) -> Program:
    """Return the program with operations that arrays do fast.

    A power of two becomes ``&`` and ``>>``, exact for negative values too; another
    mod becomes ``x - (x // m)*m``.
    """
    made = Program()
    number: list[int] = []
    for step in program.steps:
        args = tuple(number[k] for k in step.args)
        number.append(_machine_step(made, step, args))
    made.result = number[program.result]
    return made


def _machine_step(made: Program, step: Step, args: tuple[int, ...]) -> int:
    op, divisor, whole = step.op, step.literal or 0, step.interval
    power = divisor & (divisor - 1) == 0
    if op == "floordiv" and power:
        shift = divisor.bit_length() - 1
        return made.emit("shift", args, step.source, shift, within=whole)
    if op != "mod":
        return made.emit(op, args, step.source, step.literal, within=whole)
    if power:
        return made.emit("and", args, step.source, divisor - 1, within=whole)
    quotient = made.emit("floordiv", args, step.source, divisor)
    multiple = made.emit("mul", (quotient,), step.source, divisor)
    return made.emit("sub", (*args, multiple), step.source, within=whole)
