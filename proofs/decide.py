"""Claims about the values of expressions, decided on demand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pelican.errors import OperandError
from pelican.expr.node import Expr
from pelican.known.interval import Interval
from pelican.tree.arguments import as_expr
from pelican.tree.printing import brief_text
from proofs.question import Question, answered
from proofs.side import Side
from proofs.verdict import Proved, Verdict

EVERYTHING: Final = Interval(None, None)
"""The interval of all integers: nothing is asked about it."""


def prove_equal(
    a: Expr | int,
    b: Expr | int,
    *,
    given: Iterable[Expr] = (),
    timeout_s: float = 10,
    solver: str = "z3",
) -> Verdict:
    """Return whether two expressions are equal for all values of their indices.

    Args:
        a: An expression or an integer.
        b: An expression or an integer.
        given: Comparisons made by `pelican.icmp` that are assumed to hold.
        timeout_s: Time limit of the solver, > 0 [s].
        solver: The solver that is asked; "z3" is the only one.

    Raises:
        OperandError: If a side is no expression and no integer, or the assumptions
            hold for no values.

    >>> from pelican import ModuloExpr, icmp, index
    >>> x = index("x", 0, 1_000_000)
    >>> raw = ModuloExpr(ModuloExpr(x, 4096), 1024)
    >>> isinstance(prove_equal(raw, x % 1024), Proved)
    True
    >>> prove_equal(x // 2, x // 3).model[x]
    2
    >>> isinstance(prove_equal(x // 2, x // 3, given=[icmp(x, "<", 2)]), Proved)
    True
    """
    left, right = as_expr(a), as_expr(b)
    question = Question((Side(left), Side(right)), lambda v: v[0] == v[1])
    return answered(
        question, given, timeout_s, solver, known=Proved(0.0) if left == right else None
    )


def prove_in(
    e: Expr | int,
    within: Interval,
    *,
    given: Iterable[Expr] = (),
    timeout_s: float = 10,
    solver: str = "z3",
) -> Verdict:
    """Return whether an expression lies in an interval for all values of its indices.

    Args:
        e: An expression or an integer.
        within: The interval, both ends inclusive; None is an unbounded end.
        given: Comparisons made by `pelican.icmp` that are assumed to hold.
        timeout_s: Time limit of the solver, > 0 [s].
        solver: The solver that is asked; "z3" is the only one.

    Raises:
        OperandError: If `e` is no expression and no integer, `within` no interval, or
            the assumptions hold for no values.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> isinstance(prove_in(3 * i % 8, Interval(0, 7)), Proved)
    True
    """
    value = as_expr(e)
    check_interval(within, "prove_in")
    question = Question((Side(value),), lambda values: inside(values[0], within))
    return answered(
        question,
        given,
        timeout_s,
        solver,
        known=Proved(0.0) if within == EVERYTHING else None,
    )


def inside(value: Any, within: Interval) -> Any:  # noqa: ANN401 - as `Question.holds`
    """Return whether a value is in an interval that is bounded on a side."""
    if within.lo is None:
        return value <= within.hi
    if within.hi is None:
        return value >= within.lo
    return (value >= within.lo) & (value <= within.hi)


def check_interval(within: object, who: str) -> None:
    """Raise OperandError if a value is no interval."""
    if not isinstance(within, Interval):
        raise OperandError(
            f"{who} needs an Interval, got {brief_text(within)}",
            hint="write Interval(0, 7)",
        )
