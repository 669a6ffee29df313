"""Programs of the operations that arrays do fast, made from straight-line programs.

Signed integers of 32 or 64 bits hold their intermediate values; unsigned ones of 16,
32 or 64 bits may compute them, where what wraps around does not change the result.
"""

from __future__ import annotations

from pelican.evaluation.program import Program
from pelican.known.interval import Interval

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from pelican.evaluation.program import Step

UNSIGNED_BITS: Final = (16, 32, 64)
"""Widths of unsigned integers that programs run in.

Source: measured. Twice as many integers of half the width are computed at a time; of
8 bits there is no product.
"""


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


def wrapping_bits(program: Program, signed_bits: int) -> int | None:
    """Return the narrowest width of unsigned integers that give a program's values.

    Their values may wrap around: what sums, products and masks make of integers that
    are right modulo 2**bits is right modulo 2**bits too. But a quotient needs what it
    divides as it is, the test of an index needs its value, and only a result of
    `signed_bits` can be read as a signed integer.

    Args:
        program: What to do.
        signed_bits: Width of the signed integers that hold every value of the program.

    Returns:
        One of `UNSIGNED_BITS`, at most `signed_bits`, or None if none does.
    """
    exact: list[Interval] = []
    divisor = 0
    for step in program.steps:
        if step.index is not None:
            exact.append(step.interval)
        elif step.op in {"floordiv", "mod", "shift"}:
            exact += [program.steps[k].interval for k in step.args]
            divisor = max(divisor, step.literal or 0)
    result = program.steps[program.result].interval
    for bits in (width for width in UNSIGNED_BITS if width <= signed_bits):
        held = Interval(0, (1 << bits) - 1)
        is_whole = bits == signed_bits or result.within(held)
        if is_whole and divisor in held and all(part.within(held) for part in exact):
            return bits
    return None
