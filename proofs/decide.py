"""Claims about expressions, decided on demand.

Divisors of expressions are constants, so z3's own division is linear here and answers
in milliseconds. The domain of each index (its bounds and its step) is assumed. A
counterexample is evaluated by pelican before it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import z3

from pelican.build import as_expr
from pelican.errors import OperandError, PelicanError, TooLargeError
from pelican.expr import SimpleExpr
from pelican.integers import brief
from pelican.interval import Interval
from pelican.node import Expr
from pelican.printing import brief_text, point_text
from pelican.traverse import fold, indices
from proofs.encode import Encoder, Integer
from proofs.exhaust import exhaust, is_small
from proofs.solver import ask
from proofs.verdict import Proved, Refuted, Unknown, Verdict

EVERYTHING: Final = Interval(None, None)
"""The interval of all integers: nothing is asked about it."""


def prove_equal(a: Expr | int, b: Expr | int, *, timeout_s: float = 10) -> Verdict:
    """Return whether two expressions are equal for all values of their indices.

    Args:
        a: An expression or an integer.
        b: An expression or an integer.
        timeout_s: Time limit of the solver, > 0 [s].

    Raises:
        OperandError: If a side is no expression and no integer.

    >>> from pelican import ModuloExpr, index
    >>> x = index("x", 0, 1_000_000)
    >>> raw = ModuloExpr(ModuloExpr(x, 4096), 1024)
    >>> isinstance(prove_equal(raw, x % 1024), Proved)
    True
    >>> prove_equal(x // 2, x // 3).model[x]
    2
    """
    left, right = as_expr(a), as_expr(b)
    _check_timeout(timeout_s)
    if left == right:
        return Proved(0.0)
    claim = _Claim((left, right), lambda values: values[0] == values[1])
    return _decide(claim, timeout_s)


def prove_in(e: Expr | int, within: Interval, *, timeout_s: float = 10) -> Verdict:
    """Return whether an expression lies in an interval for all values of its indices.

    Args:
        e: An expression or an integer.
        within: The interval, both ends inclusive; None is an unbounded end.
        timeout_s: Time limit of the solver, > 0 [s].

    Raises:
        OperandError: If `e` is no expression and no integer, or `within` no interval.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> isinstance(prove_in(3 * i % 8, Interval(0, 7)), Proved)
    True
    """
    value = as_expr(e)
    if not isinstance(within, Interval):
        raise OperandError(
            f"prove_in needs an Interval, got {brief_text(within)}",
            hint="write Interval(0, 7)",
        )
    _check_timeout(timeout_s)
    claim = _Claim((value,), lambda values: _inside(values[0], within))
    return Proved(0.0) if within == EVERYTHING else _decide(claim, timeout_s)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A relation between the values of some expressions.

    Attributes:
        sides: The expressions.
        holds: The relation, over integers, arrays of integers or solver terms.
    """

    sides: tuple[Expr, ...]
    holds: Callable[[Sequence[Any]], Any]

    @property
    def domain(self) -> tuple[SimpleExpr, ...]:
        """The indices of all sides, each once."""
        return tuple(dict.fromkeys(i for side in self.sides for i in indices(side)))


def _inside(value: Any, within: Interval) -> Any:  # noqa: ANN401 - as `_Claim.holds`
    if within.lo is None:
        return value <= within.hi
    if within.hi is None:
        return value >= within.lo
    return (value >= within.lo) & (value <= within.hi)


def _check_timeout(timeout_s: Any) -> None:  # noqa: ANN401 - what it checks
    real = isinstance(timeout_s, (int, float)) and not isinstance(timeout_s, bool)
    if not real or not timeout_s > 0:
        raise OperandError(
            f"timeout_s must be > 0, got {brief_text(timeout_s)}",
            hint="give the seconds that the solver may take",
        )


def _decide(claim: _Claim, timeout_s: float) -> Verdict:
    verdict = _ask(claim, timeout_s)
    if isinstance(verdict, Unknown) and is_small(claim.domain):
        verdict = exhaust(claim.sides, claim.holds, claim.domain, timeout_s=timeout_s)
    return verdict


def _ask(claim: _Claim, timeout_s: float) -> Verdict:
    encoder = Encoder()
    variables: dict[SimpleExpr, Integer] = {}
    facts: list[z3.BoolRef] = []
    try:
        for number, idx in enumerate(claim.domain):
            # Numbered, since two indices of one name are two variables.
            variables[idx] = encoder.variable(f"{idx.name}#{number}")
            facts += _domain_of(idx, variables[idx], encoder.variable(f"trip#{number}"))
        sides = [fold(side, variables.__getitem__) for side in claim.sides]
        wanted = claim.holds([encoder.lift(side) for side in sides])
    except TooLargeError as error:
        return Unknown(error.message)
    terms = [variable.term for variable in variables.values()]
    verdict = ask(facts, wanted, terms, timeout_s=timeout_s).verdict
    if not isinstance(verdict, Refuted):
        return verdict
    point = {idx: verdict.model[str(v.term)] for idx, v in variables.items()}
    return _replayed(claim, point)


def _domain_of(idx: SimpleExpr, value: Integer, trip: Integer) -> Iterator[z3.BoolRef]:
    """Yield what the declaration of an index says of its value."""
    if idx.lo is not None:
        yield value >= idx.lo
    if idx.hi is not None:
        yield value <= idx.hi - 1
    if idx.step > 1:
        yield value == idx.step * trip + (idx.lo or 0)


def _replayed(claim: _Claim, point: Mapping[SimpleExpr, int]) -> Verdict:
    """Return the refutation if pelican's own evaluation agrees with it."""
    try:
        values = [int(side.eval(point)) for side in claim.sides]
    except PelicanError as error:
        at = point_text(point)
        return Unknown(f"the counterexample {at} cannot be evaluated: {error.message}")
    if claim.holds(values):
        at = point_text(point)
        found = ", ".join(map(brief, values))
        return Unknown(f"the counterexample {at} gives {found}: it does not replay")
    return Refuted(point)
