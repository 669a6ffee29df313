"""Python text: one function of straight-line assignments."""

from __future__ import annotations

import keyword

from pelican.errors import OperandError
from pelican.evaluation.program import lower
from pelican.integers import literal
from pelican.interchange.names import plain_names
from pelican.interchange.statements import statements
from pelican.tree.arguments import as_expr, as_text
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from pelican.evaluation.program import Step
    from pelican.expr.node import Expr


WORDS: Final = frozenset({*keyword.kwlist, "__debug__"})
"""Words that no name in the text may be."""


def to_python(expr: Expr, name: str = "f") -> str:
    """Return the text of a Python function that computes an expression.

    Its parameters are the indices in term order. Integers are exact; each shared
    part is computed once. The function does not test that its arguments are inside
    the ranges of the indices.

    Args:
        expr: Any expression over indices.
        name: What to call the function.

    Raises:
        OperandError: If the name is no Python name.
        NonAffineError: If a part is no integer arithmetic over indices.

    >>> from pelican import index
    >>> i, j = index("i", 0, 64), index("j", 0, 8)
    >>> print(to_python((3*i + j) % 16, "bank"), end="")
    def bank(i, j):
        t0 = 3*i
        t1 = t0 + j
        return t1 % 16
    """
    if not as_text(name, "a function's name").isidentifier() or name in WORDS:
        raise OperandError(f"a Python function cannot be called {brief_text(name)}")
    program = lower(as_expr(expr))
    names = plain_names(program.indices, WORDS)
    assigned, value = statements(program, names, _literal, _operation)
    lines = [f"def {name}({', '.join(names.values())}):"]
    lines += [f"    {target} = {written}" for target, written in assigned]
    lines += [f"    return {value}"]
    return "\n".join(lines) + "\n"


def _literal(value: int) -> str:
    return literal(value) if value >= 0 else f"({literal(value)})"


_OPERATORS: Final = {"add": " + ", "sub": " - ", "floordiv": " // ", "mod": " % "}


def _operation(step: Step, operands: list[str]) -> str:
    if step.op == "neg":
        return f"-{operands[0]}"
    if step.op == "mul":
        return f"{literal(step.literal)}*{operands[0]}"
    last = operands[1] if len(operands) > 1 else literal(step.literal)
    return f"{operands[0]}{_OPERATORS[step.op]}{last}"
