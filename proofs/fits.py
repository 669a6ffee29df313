"""Whether machine integers of a width hold every value on the way to a result.

`pelican.fits` asks the same of the known ranges of the steps, each by itself. Here the
values themselves are asked about, in integers, so what the steps have in common and
what is assumed counts, and a failure comes with values that overflow.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any, Final

from pelican.build import as_expr, as_int
from pelican.errors import NonAffineError, OperandError
from pelican.expr import APIndex, MultExpr, SumExpr, TiledAPIndex
from pelican.integers import brief
from pelican.interval import Interval
from pelican.kinds import (
    CC_MOD,
    MODULO,
    constant,
    is_affine,
    is_ap_index,
    is_collective,
    is_constant,
    is_divlike,
    is_index,
    is_mult,
    is_sum,
)
from pelican.node import Expr
from pelican.printing import brief_text, written_terms
from pelican.program import WORDS
from proofs.decide import inside
from proofs.encode import MAX_BITS
from proofs.question import Question, Side, assumed, decide
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
    """

    value: Expr
    word: str
    source: Expr

    def text(self, value: int) -> str:
        """Return what messages say of it where it has a value."""
        where = self.word
        if self.value is not self.source or is_mult(self.value):
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
    refuted at i = 524288: a product in 4096*i is 2147483648, which 32 bits do not hold
    >>> fits(4095 * i + j, 32)
    False
    >>> isinstance(prove_fits(4095 * i + j, 32, given=[icmp(i + j, "<", 8)]), Proved)
    True
    """
    width = _width(bits)
    room = Interval(-(1 << (width - 1)), (1 << (width - 1)) - 1)
    whole = as_expr(expr)
    every = steps_of(whole)
    steps = [step for step in every if not _is_held(step, room)]
    facts = assumed(given, timeout_s, solver)
    if isinstance(facts, Unknown):
        return facts
    start = time.perf_counter()
    for first in range(0, len(steps), STEPS_AT_ONCE):
        some = steps[first : first + STEPS_AT_ONCE]
        question = Question(
            # The whole names every index of a counterexample; it is a step, too.
            (*(Side(step.value) for step in some), Side(whole)),
            lambda values: _all_inside(values[:-1], room),
            tuple(map(Side, facts)),
        )
        left = timeout_s - (time.perf_counter() - start)
        verdict = decide(question, left) if left > 0 else _open(first, len(steps))
        if isinstance(verdict, Refuted):
            found = zip(some, verdict.values, strict=False)
            step, value = next((s, v) for s, v in found if v not in room)
            reason = f"{step.text(value)}, which {width} bits do not hold"
            return Refuted(verdict.model, values=(value,), reason=reason)
        if isinstance(verdict, Unknown):
            return verdict
    return Proved(time.perf_counter() - start)


def _is_held(step: Step, room: Interval) -> bool:
    """Tell whether a step is a literal that fits."""
    return is_constant(step.value) and step.value.constant in room


def _open(first: int, steps: int) -> Unknown:
    return Unknown(f"the time was up after {first} of {steps} steps")


def _width(bits: int) -> int:
    width = as_int(bits)
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


def steps_of(expr: Expr) -> Iterator[Step]:
    """Yield every value that evaluation in the written order computes, in that order.

    Raises:
        NonAffineError: If a part is no integer arithmetic over indices.
    """
    if is_constant(expr):
        yield Step(expr, LITERAL, expr)
    seen: set[int] = set()
    stack = [(expr, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield from _own_steps(node)
        elif id(node) not in seen and not is_constant(node):
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((part, False) for part in reversed(_operands(node)))


def _operands(node: Expr) -> list[Expr]:
    """Return what a node computes with.

    A negated operand of a sum is subtracted: it is no step of its own.
    """
    if is_affine(node) or is_sum(node):
        return [part for _, _, part in written_terms(node)]
    return list(node.parts)


def _own_steps(node: Expr) -> Iterator[Step]:
    """Yield the steps of a node whose operands are there."""
    if is_affine(node) or is_sum(node):
        yield from _sum_steps(node)
    elif is_mult(node):
        yield from _constants(node, node.operand)
        yield from _scaled(node.operand, node.scale, node)
    elif is_divlike(node) or is_collective(node):
        yield from _constants(node, node.numer, constant(node.denom))
        mod = node.kind in {MODULO, CC_MOD}
        yield Step(node, WORDS["mod" if mod else "floordiv"], node)
    elif is_ap_index(node):
        yield from _ap_index_steps(node)
    elif is_index(node):
        yield Step(node, f"the index {node.name}", node)
    else:
        raise NonAffineError(
            f"{brief_text(node)} is no integer arithmetic over indices"
        )


def _ap_index_steps(node: APIndex | TiledAPIndex) -> Iterator[Step]:
    """Yield what an index of an access pattern makes of its child."""
    if isinstance(node, APIndex):
        yield from _scaled(node.child, node.coefficient, node)
        return
    first = node.child.lo or 0
    if first:
        yield from _constants(node, constant(first))
        yield Step(SumExpr((node.child, -first)), WORDS["sub"], node)
    yield from _constants(node, constant(node.child.step * node.tile_size))
    yield Step(node, WORDS["floordiv"], node)


def _sum_steps(node: Expr) -> Iterator[Step]:
    """Yield products and partial sums, in the order of the text."""
    total: Expr | None = None
    for sign, magnitude, part in written_terms(node):
        factor = magnitude if total is not None else sign * magnitude
        # The sign of a number that comes first belongs to it.
        term = constant(factor * part.constant) if is_constant(part) else None
        if term is None:
            yield from _scaled(part, factor, node)
            term = _product(part, factor)
        yield from _constants(node, term)
        if total is None:
            total = term
            continue
        total = SumExpr((total, term if sign > 0 else MultExpr(term, -1)))
        yield Step(total, WORDS["add"], node)


def _scaled(part: Expr, factor: int, source: Expr) -> Iterator[Step]:
    """Yield the steps of a product by a literal."""
    if factor == 1:
        return
    if factor != -1:
        yield from _constants(source, constant(factor))
    word = WORDS["neg" if factor == -1 else "mul"]
    yield Step(_product(part, factor), word, source)


def _product(part: Expr, factor: int) -> Expr:
    return part if factor == 1 else MultExpr(part, factor)


def _constants(source: Expr, *parts: Expr) -> Iterator[Step]:
    """Yield those parts that are literals."""
    yield from (Step(part, LITERAL, source) for part in parts if is_constant(part))
