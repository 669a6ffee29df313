"""Straight-line programs, run step by step."""

from pelican import Expr
from pelican.evaluation.program import Program, apply


def run_program(program: Program, at: dict[Expr, int]) -> list[int]:
    """Return the value of every step at a point."""
    values: list[int] = []
    for step in program.steps:
        if step.index is not None:
            values.append(at[step.index])
        else:
            args = [values[k] for k in step.args]
            values.append(apply(step.op, args, step.literal))
    return values
