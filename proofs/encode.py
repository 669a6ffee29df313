"""Terms for the solver, with Python's operators.

`Integer` wraps a solver term so that the folds of pelican, over terms of laws and over
expressions, build solver terms as they build numbers. Division is where provers fail,
so an `Encoder` decides what ``//`` and ``%`` become:

* by a literal: the solver's own division, which is linear then;
* by anything else: witnesses ``q, r`` with ``x = n*q + r`` and ``0 <= r < n``, shared
  by all divisions of the same pair. z3's own ``%`` leaves 9 of 24 laws with a symbolic
  divisor unknown, witnesses one.

For two divisions by the same ``n`` the encoder adds what z3 needs to compare their
quotients: ``t >= 1`` gives ``n*t >= n``, and the same below zero. Both are proved in
`proofs.certificate`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final

import z3

from pelican.errors import DivisorError, OperandError, TooLargeError
from pelican.laws.lemma import Fact, Record
from pelican.laws.term import Term, evaluate
from pelican.tree.printing import brief_text
from proofs.deadline import Deadline

MAX_DEPTH: Final = 5_000
"""Deepest solver term that is built: z3 walks terms by recursion in places."""

MAX_BITS: Final = 10_000
"""Longest literal that is handed to the solver [bits]: it goes there as decimal text,
which Python limits to 4,300 digits."""


class Integer:
    """An integer term of the solver.

    Attributes:
        term: The solver's term.
        depth: Nesting depth of the term.
    """

    __slots__ = ("depth", "encoder", "term")

    def __init__(self, encoder: Encoder, term: z3.ArithRef, depth: int = 1) -> None:
        if depth > MAX_DEPTH:
            message = f"expression of depth {depth} or more is beyond {MAX_DEPTH}"
            raise TooLargeError(message, hint="simplify it, or ask about its parts")
        if encoder.deadline is not None:
            encoder.deadline.check()
        self.encoder = encoder
        self.term = term
        self.depth = depth

    def __add__(self, other: Integer | int) -> Integer:
        # Zeros are left out, so that equal numerators are one term: one division.
        right = self.encoder.lift(other)
        if right.is_zero or self.is_zero:
            return self if right.is_zero else right
        return self._build(right, self.term + right.term)

    def __radd__(self, other: int) -> Integer:
        return self.encoder.lift(other) + self

    def __sub__(self, other: Integer | int) -> Integer:
        right = self.encoder.lift(other)
        return self._build(right, self.term - right.term)

    def __rsub__(self, other: int) -> Integer:
        return self.encoder.lift(other) - self

    def __mul__(self, other: Integer | int) -> Integer:
        right = self.encoder.lift(other)
        if right.is_zero or self.is_zero:
            return right if right.is_zero else self
        return self._build(right, self.term * right.term)

    def __rmul__(self, other: int) -> Integer:
        return self.encoder.lift(other) * self

    def __floordiv__(self, other: Integer | int) -> Integer:
        right = self.encoder.lift(other)
        return self._build(right, self.encoder.divide(self.term, right.term)[0])

    def __rfloordiv__(self, other: int) -> Integer:
        return self.encoder.lift(other) // self

    def __mod__(self, other: Integer | int) -> Integer:
        right = self.encoder.lift(other)
        return self._build(right, self.encoder.divide(self.term, right.term)[1])

    def __rmod__(self, other: int) -> Integer:
        return self.encoder.lift(other) % self

    # Comparisons are claims for the solver, not truth values.

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> z3.BoolRef:
        return self.term == self.encoder.lift(other).term

    def __ne__(self, other: object) -> z3.BoolRef:
        return self.term != self.encoder.lift(other).term

    def __le__(self, other: Integer | int) -> z3.BoolRef:
        return self.term <= self.encoder.lift(other).term

    def __ge__(self, other: Integer | int) -> z3.BoolRef:
        return self.term >= self.encoder.lift(other).term

    def indicator(self, comparison: str) -> Integer:
        """Return 1 where the term compares with 0 by ``>=`` or ``==``, else 0."""
        holds = self.term >= 0 if comparison == ">=" else self.term == 0
        return Integer(self.encoder, z3.If(holds, 1, 0), self.depth + 1)

    @property
    def is_zero(self) -> bool:
        """True for the literal 0."""
        return bool(z3.is_int_value(self.term) and self.term.as_long() == 0)

    def _build(self, other: Integer, term: z3.ArithRef) -> Integer:
        return Integer(self.encoder, term, max(self.depth, other.depth) + 1)


class Encoder:
    """Builds solver terms, and collects the facts that define the witnesses.

    Args:
        witnesses: True if divisions by a literal shall have witnesses too. The values
            of one expression at two points are compared faster so: three rings of any
            sizes, one in the other, in 0.3 seconds instead of 4 or without end.
        deadline: When building terms must be over, or None; `TimeIsUpError` is raised
            then.
    """

    def __init__(
        self, *, witnesses: bool = False, deadline: Deadline | None = None
    ) -> None:
        self.witnesses = witnesses
        self.deadline = deadline
        self.facts: list[z3.BoolRef] = []
        self._pairs: dict[tuple[int, int], tuple[z3.ArithRef, z3.ArithRef]] = {}
        # Quotients by their divisor; the divisor is kept alive, so its id is unique.
        self._quotients: dict[int, tuple[z3.ArithRef, list[z3.ArithRef]]] = {}
        self._kept: list[z3.ArithRef] = []

    def variable(self, name: str) -> Integer:
        """Return an integer variable; the name decides which."""
        return Integer(self, z3.Int(name))

    def lift(self, value: object) -> Integer:
        """Return the term of an integer, or the term itself.

        Raises:
            TooLargeError: If the integer is beyond `MAX_BITS`.
        """
        if isinstance(value, Integer):
            return value
        if not isinstance(value, int):
            hint = "give an integer, or a term of this encoder"
            raise OperandError(
                f"the solver takes integers, got {brief_text(value)}", hint=hint
            )
        if value.bit_length() > MAX_BITS:
            bits = value.bit_length()
            message = f"literal of {bits} bits is beyond {MAX_BITS}"
            raise TooLargeError(message, hint="divide both sides by a common factor")
        return Integer(self, z3.IntVal(value))

    def divide(
        self, numer: z3.ArithRef, denom: z3.ArithRef
    ) -> tuple[z3.ArithRef, z3.ArithRef]:
        """Return quotient and remainder of a division by `denom` >= 1, floored."""
        if z3.is_int_value(denom):
            if denom.as_long() < 1:
                raise DivisorError(f"divisor must be >= 1, got {denom}")
            if not self.witnesses:
                return numer / denom, numer % denom
        if self.deadline is not None:
            self.deadline.look()  # a simplification walks the whole term
        # Equal polynomials are one numerator: they share quotient and remainder.
        forms = [z3.simplify(t, som=True, sort_sums=True) for t in (numer, denom)]
        self._kept += forms
        key = (forms[0].get_id(), forms[1].get_id())
        if key not in self._pairs:
            self._pairs[key] = self._witness(numer, denom)
        return self._pairs[key]

    def _witness(
        self, numer: z3.ArithRef, denom: z3.ArithRef
    ) -> tuple[z3.ArithRef, z3.ArithRef]:
        number = len(self._pairs)
        quotient, remainder = z3.Int(f"q#{number}"), z3.Int(f"r#{number}")
        self._kept += (numer, denom)
        self.facts += (
            numer == denom * quotient + remainder,
            remainder >= 0,
            remainder < denom,
        )
        self._quotients.setdefault(denom.get_id(), (denom, []))[1].append(quotient)
        return quotient, remainder

    def comparisons(self) -> list[z3.BoolRef]:
        """Return the case splits on the distance of two quotients of one divisor."""
        found: list[z3.BoolRef] = []
        for denom, quotients in self._quotients.values():
            for one, other in combinations(quotients, 2):
                found += _case_split(denom, one - other, f"{one}-{other}")
        return found


def _case_split(
    denom: z3.ArithRef, distance: z3.ArithRef, name: str
) -> tuple[z3.BoolRef, ...]:
    t, product = z3.Int(f"t#{name}"), z3.Int(f"p#{name}")
    split = z3.Or(
        z3.And(t == 0, product == 0),
        z3.And(t >= 1, product >= denom),
        z3.And(t <= -1, product <= -denom),
    )
    return t == distance, product == denom * t, split


class RecordEncoder(Encoder):
    """Encodes the terms and facts of one record, its divisors being >= 1."""

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.variables: Mapping[str, Integer] = {
            v.args[0]: self.variable(v.args[0]) for v in record.metavariables
        }
        self._divisors = frozenset(map(str, record.divisors))
        self.facts += [self.term(d) >= 1 for d in record.divisors]

    @property
    def constants(self) -> list[z3.ArithRef]:
        """The solver's variables that stand for the metavariables."""
        return [v.term for v in self.variables.values()]

    def term(self, term: Term) -> z3.ArithRef:
        """Return the solver term of a term."""
        return self.lift(evaluate(term, self.variables)).term

    def fact(self, fact: Fact) -> z3.BoolRef:
        """Return the solver formula of a fact."""
        left, right = self.term(fact.left), self.term(fact.right)
        if fact.relation == "<=":
            return left <= right
        if fact.relation == "<":
            return left < right
        if fact.relation == "==":
            return left == right
        if str(fact.left) not in self._divisors and fact.left.op != "int":
            message = f"{fact}: nothing says that the divisor {fact.left} is >= 1"
            hint = "divide by it in a side of the law, or state the fact otherwise"
            raise DivisorError(message, hint=hint)
        return self.divide(right, left)[1] == 0
