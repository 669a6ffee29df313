"""Whether machine integers of a width hold every value on the way to a result.

`pelican.fits` asks the same of the known ranges of the steps, each by itself. Here the
values of the same steps are asked about, in integers, so what the steps have in common
and what is assumed counts, and a failure comes with values that overflow.

Three things are tried, cheapest first: intervals in which equal terms of sums are
joined; the points at which steps are likely to be extreme; points and the solver.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any, Final

import numpy as np

from pelican.errors import OperandError
from pelican.evaluation.program import WORDS, Program, lower
from pelican.evaluation.program import Step as Operation
from pelican.expr import FloorDivExpr, ModuloExpr, MultExpr, SumExpr
from pelican.expr.node import Expr
from pelican.integers import brief
from pelican.known.interval import Interval
from pelican.known.ranges import range_of
from pelican.tree.arguments import as_expr, as_int
from pelican.tree.kinds import constant, is_constant, is_index
from pelican.tree.printing import brief_text
from pelican.tree.traverse import postorder
from proofs.corners import corner_points, values_at
from proofs.deadline import Deadline, TimeIsUpError
from proofs.decide import inside
from proofs.encode import MAX_BITS
from proofs.exhaust import has_few_points, is_small
from proofs.joined import joined_intervals
from proofs.question import Question, assumed, decide, replayed
from proofs.side import Side
from proofs.verdict import Proved, Refuted, Unknown, Verdict

LITERAL: Final = "the literal"

STEPS_AT_ONCE: Final = 64
"""Steps that one question is about: of a long sum, the solver sees a part at a time."""


@dataclass(frozen=True, slots=True)
class Step:
    """One value on the way to that of an expression.

    Attributes:
        value: An expression for it.
        word: What messages call it.
        source: The part that it helps to evaluate.
        interval: Holds its value.
        number: Its place in the program, or that of what takes the literal.
    """

    value: Expr
    word: str
    source: Expr
    interval: Interval
    number: int

    def text(self, value: int) -> str:
        """Return what messages say of it where it has a value."""
        where = self.word
        if not is_index(self.value) and not is_constant(self.source):
            where = f"{self.word} in {brief_text(self.source)}"
        return f"{where} is {brief(value)}"


def prove_fits(
    expr: Expr | int,
    bits: int = 64,
    *,
    given: Iterable[Expr] = (),
    timeout_s: float = 10,
    solver: str = "z3",
) -> Verdict:
    """Return whether signed integers of a width hold every intermediate value.

    Every node counts, every literal, and every product and partial sum in the order in
    which the text is written, as in `pelican.fits`.

    Args:
        expr: An expression over indices, or an integer.
        bits: Width with the sign, in [1, 10000].
        given: Comparisons made by `pelican.icmp` that are assumed to hold.
        timeout_s: Time limit of each thing that is tried, > 0 [s].
        solver: The solver that is asked; "z3" is the only one.

    Returns:
        A refutation has the value that does not fit; its reason says which it is: at
        its point, the first one in the order of evaluation.

    Raises:
        OperandError: If the width is out of its range, `expr` is no expression and no
            integer, or the assumptions hold for no values.
        NonAffineError: If a part is no integer arithmetic over indices.

    >>> from pelican import fits, icmp, index
    >>> from proofs import Proved
    >>> i, j = index("i", 0, 1 << 20), index("j", 0, 1 << 20)
    >>> isinstance(prove_fits(2048 * i % 4096, 32), Proved)
    True
    >>> print(prove_fits(4096 * i, 32))
    refuted at i = 1048575: a product in 4096*i is 4294963200, which 32 bits do not hold
    >>> fits(4095 * i + j, 32)
    False
    >>> isinstance(prove_fits(4095 * i + j, 32, given=[icmp(i + j, "<", 8)]), Proved)
    True
    """
    width = _width(bits)
    room = Interval(-(1 << (width - 1)), (1 << (width - 1)) - 1)
    whole = as_expr(expr)
    facts = assumed(given, timeout_s, solver)
    if isinstance(facts, Unknown):
        return facts
    start = time.perf_counter()
    program = _read(whole, timeout_s)
    if program is None:
        return Unknown(f"the ranges of the parts were not known in {timeout_s} s")
    steps = [] if program.misfit(width) is None else _doubtful(program, room)
    asked = _Asked(program, whole, tuple(map(Side, facts)), room)
    found = asked.at_corners(steps) if steps else None
    for first in range(0, len(steps), STEPS_AT_ONCE):
        if found is not None:
            break
        left = timeout_s - (time.perf_counter() - start)
        if left <= 0:
            return Unknown(f"the time was up after {first} of {len(steps)} steps")
        found = asked.decided(steps[first : first + STEPS_AT_ONCE], left)
    return Proved(time.perf_counter() - start) if found is None else found


def _read(whole: Expr, timeout_s: float) -> Program | None:
    """Return the program of an expression; None if it is not known in time."""
    deadline = Deadline(timeout_s)
    try:
        for part in postorder(whole):
            range_of(part)
            deadline.look()
        return lower(whole, look=deadline.check)
    except TimeIsUpError:
        return None


def _doubtful(program: Program, room: Interval) -> list[Step]:
    """Return the steps of a program whose intervals do not say that they are inside."""
    steps = steps_of(program, joined_intervals(program))
    return [step for step in steps if not step.interval.within(room)]


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question whether steps stay inside an interval.

    Attributes:
        program: What computes the steps.
        whole: The expression; it names every index of a counterexample.
        facts: What is assumed.
        room: The interval.
    """

    program: Program
    whole: Expr
    facts: tuple[Side, ...]
    room: Interval

    def question(self, steps: Sequence[Step]) -> Question:
        """Return the question about some steps."""
        return Question(
            (*(Side(step.value) for step in steps), Side(self.whole)),
            lambda values: _all_inside(values[:-1], self.room),
            self.facts,
        )

    def decided(self, steps: Sequence[Step], timeout_s: float) -> Verdict | None:
        """Return why it is not proved that some steps stay inside, None if it is."""
        verdict = decide(self.question(steps), timeout_s)
        return None if isinstance(verdict, Proved) else self.shown(steps, verdict)

    def shown(self, steps: Sequence[Step], verdict: Verdict) -> Verdict:
        """Return the verdict with the first step that leaves the interval."""
        if not isinstance(verdict, Refuted):
            return verdict
        found = zip(steps, verdict.values, strict=False)
        step, value = next((s, v) for s, v in found if v not in self.room)
        bits = (self.room.hi or 0).bit_length() + 1
        reason = f"{step.text(value)}, which {bits} bits do not hold"
        return Refuted(verdict.model, values=(value,), reason=reason)

    def at_corners(self, steps: Sequence[Step]) -> Verdict | None:
        """Return a counterexample among the likely extremes of steps, or None."""
        domain = self.question(()).domain
        if is_small(domain) and has_few_points(domain):
            return None  # where the first of all is found as fast
        aims = list(dict.fromkeys(step.number for step in steps))
        points = corner_points(self.program, domain, aims, 1 + (self.room.hi or 0))
        if points is None:
            return None
        values = values_at(self.program, points)
        held: Any = np.True_
        for fact in self.facts:
            held = held & np.asarray(fact.value(points.__getitem__) == 1, np.bool_)
        for step in steps:
            at = step.value.constant if is_constant(step.value) else values[step.number]
            (wrong,) = np.nonzero(np.atleast_1d(_outside(at, self.room) & held))
            if len(wrong):
                point = {idx: int(points[idx][wrong[0]]) for idx in domain}
                return self.shown([step], replayed(self.question([step]), point))
        return None


def _outside(values: Any, room: Interval) -> Any:  # noqa: ANN401 - as `Question.holds`
    return np.asarray((values < room.lo) | (values > room.hi), np.bool_)


def _width(bits: int) -> int:
    width = as_int(bits, "a width in bits")
    if width < 1:
        raise OperandError(f"an integer has at least 1 bit, got {brief(width)}")
    if width > MAX_BITS:
        raise OperandError(
            f"a width of {brief(width)} bits is beyond {MAX_BITS}",
            hint="integers of any length are Python's own: nothing overflows there",
        )
    return width


def _all_inside(values: Sequence[Any], room: Interval) -> Any:  # noqa: ANN401 - as `Question.holds`
    return reduce(and_, (inside(value, room) for value in values))


def steps_of(program: Program, intervals: Sequence[Interval]) -> Iterator[Step]:
    """Yield every value that a program computes, in that order, and its literals.

    Args:
        program: The program.
        intervals: Hold the values of its steps.
    """
    values: list[Expr] = []
    for number, step in enumerate(program.steps):
        value = _value(step, [values[k] for k in step.args])
        values.append(value)
        if step.op != "constant" and step.literal is not None:
            literal = Interval(step.literal, step.literal)
            exact = constant(step.literal)
            yield Step(exact, LITERAL, step.source, literal, number)
        yield Step(value, _word(step), step.source, intervals[number], number)


def _value(step: Operation, args: Sequence[Expr]) -> Expr:
    """Return an expression for the value of a step, given those of its operands."""
    number = step.literal or 0
    match step.op:
        case "index":
            return step.source
        case "constant":
            return constant(number)
        case "neg":
            return MultExpr(args[0], -1)
        case "mul":
            return MultExpr(args[0], number)
        case "add":
            return SumExpr(args)
        case "sub":
            return SumExpr((args[0], MultExpr(args[1], -1)))
        case "floordiv":
            return FloorDivExpr(args[0], number)
        case "mod":
            return ModuloExpr(args[0], number)
        case _:
            raise TypeError(step.op)


def _word(step: Operation) -> str:
    if step.op == "constant":
        return LITERAL
    if step.index is not None:
        return f"the index {step.index.name}"
    return WORDS[step.op]
