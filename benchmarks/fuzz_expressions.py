"""Random expressions against plain Python integers.

    python -m benchmarks.fuzz_expressions --count 50000 --seed 7

Each expression is a short program over a few random indices, runtime values, symbols
and shards: sums, differences, scales, negations, mods, floordivs, comparisons,
collective divisions, tiles and steps, in which parts are used again and the literals
are related to each other, so that laws apply often. Those with an even number are built
by operators, the others as raw trees that are simplified, and it is checked that

* the values at corners and random points are those that `random_programs` computes by
  Python's own integers with none of pelican's code,
* the range, the stride and the set of values of every part hold at every value seen,
* simplifying again changes nothing,
* the text is read as the same expression.

Expression number k of a seed is the same on every machine. The exit code is 0 if no
fault was found, else 1; a fault is shown by the smallest program that has it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.random_programs import (
    LEAF_OPS,
    TAKES_PARTS,
    Leaf,
    Program,
    computed,
    drawn,
    points,
    smaller,
)
from pelican import (
    AffineIdx,
    CCDivExpr,
    CCModExpr,
    Expr,
    FloorDivExpr,
    ICmpExpr,
    ModuloExpr,
    MultExpr,
    SumExpr,
    ap,
    cc_div,
    cc_mod,
    icmp,
    index,
    parse,
    runtime,
    shard,
    simplify,
    symbol,
    tile,
)

GROUP: Final = 3
"""Id of the replica groups of every collective division."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong with an expression: the kind of fault, and its details."""

    kind: str
    text: str


def _leaf(leaf: Leaf, number: int) -> AffineIdx:
    name = "ijk"[number]
    if leaf.kind == "runtime":
        return runtime(name, leaf.lo, leaf.hi)
    if leaf.kind == "shard":
        return shard(leaf.hi or 1, name)
    if leaf.kind == "symbol":
        # A symbol is one by its name, so other bounds need another name.
        name = f"{name}_{leaf.lo}_{leaf.hi}_{leaf.step}".replace("-", "m")
        return symbol(name, leaf.lo, leaf.hi, leaf.step)
    return index(name, leaf.lo, leaf.hi, leaf.step)


def smart(program: Program, leaves: list[AffineIdx]) -> list[Expr]:
    """Return each part as operators build it."""
    parts: list[Expr] = []
    for op, left, right in program.parts:
        if op in LEAF_OPS:
            parts.append(_leaf_node(op, leaves[left], right))
        elif op in TAKES_PARTS:
            parts.append(_joined(op, parts[left], parts[right]))
        else:
            parts.append(_operated(op, parts[left], right))
    return parts


def _joined(op: str, left: Expr, right: Expr) -> Expr:
    if op == "+":
        return left + right
    return left - right if op == "-" else icmp(left, op, right)


def _operated(op: str, part: Expr, literal: int) -> Expr:
    match op:
        case "offset":
            return part + literal
        case "*":
            return part * literal
        case "neg":
            return -part
        case "mod":
            return part % literal
        case "floordiv":
            return part // literal
        case _:
            return (cc_div if op == "cc_div" else cc_mod)(part, literal, GROUP)


def _leaf_node(op: str, leaf: AffineIdx, field: int) -> Expr:
    if op == "leaf":
        return leaf
    return ap(leaf, field) if op == "ap" else tile(leaf, field)


def raw(program: Program, leaves: list[AffineIdx]) -> list[Expr]:
    """Return each part as a plain node."""
    parts: list[Expr] = []
    for op, left, right in program.parts:
        if op in LEAF_OPS:
            parts.append(_leaf_node(op, leaves[left], right))
        elif op in TAKES_PARTS:
            parts.append(_joined_node(op, parts[left], parts[right]))
        else:
            parts.append(_operated_node(op, parts[left], right))
    return parts


def _joined_node(op: str, left: Expr, right: Expr) -> Expr:
    if op in {">=", "=="}:
        return ICmpExpr(op, left, right)
    return SumExpr((left, right if op == "+" else MultExpr(right, -1)))


def _operated_node(op: str, part: Expr, literal: int) -> Expr:
    match op:
        case "offset":
            return SumExpr((part, literal))
        case "*":
            return MultExpr(part, literal)
        case "neg":
            return MultExpr(part, -1)
        case "mod":
            return ModuloExpr(part, literal)
        case "floordiv":
            return FloorDivExpr(part, literal)
        case _:
            node = CCDivExpr if op == "cc_div" else CCModExpr
            return node(part, literal, GROUP)


def made(program: Program) -> Expr:
    """Return the simplified expression of a program over new indices."""
    leaves = [_leaf(leaf, k) for k, leaf in enumerate(program.leaves)]
    return simplified(program, _parts(program, leaves))


def _parts(program: Program, leaves: list[AffineIdx]) -> list[Expr]:
    return smart(program, leaves) if program.by_operators else raw(program, leaves)


def simplified(program: Program, parts: list[Expr]) -> Expr:
    """Return the whole of some parts; what operators build is simplified already."""
    return parts[-1] if program.by_operators else simplify(parts[-1])


def fault_of(
    program: Program, at: list[list[int]], *, quick: bool = False
) -> Fault | None:
    """Return what is wrong with an expression, or None.

    Args:
        program: What makes the expression.
        at: A column of values for each leaf.
        quick: True looks at values, ranges, strides and sets of values only.
    """
    try:
        return next(_faults(program, at, quick=quick), None)
    except Exception as error:  # any error on good input is a fault
        return Fault(f"error {type(error).__name__}", str(error))


def _faults(program: Program, at: list[list[int]], *, quick: bool) -> Iterator[Fault]:
    values = computed(program, at)
    leaves = [_leaf(leaf, k) for k, leaf in enumerate(program.leaves)]
    parts = _parts(program, leaves)
    expr = simplified(program, parts)
    for k, right in enumerate(values[-1]):
        point = {leaf: column[k] for leaf, column in zip(leaves, at, strict=True)}
        value = expr.eval(point).value
        if value != right:
            yield Fault("value", f"{expr} is {value}, not {right}, at {point}")
    yield from _narrow(expr, values[-1])
    for part, seen in zip(parts, values, strict=True):
        yield from _narrow(part, seen)
    if quick:
        return
    again = simplify(expr)
    if again != expr:
        yield Fault("not idempotent", f"{expr} becomes {again}")
    read = parse(str(expr), {leaf.name: leaf for leaf in leaves})
    if read != expr:
        yield Fault("text", f"{expr} is read as {read}")


def _narrow(part: Expr, seen: list[int]) -> Iterator[Fault]:
    """Yield a fault where a range, class or set of values misses a value seen."""
    low, high = min(seen), max(seen)
    span, stride, values = part.range, part.stride, part.values
    if low not in span or high not in span:
        yield Fault("range", f"{part} has the range {span}, and is {low} and {high}")
    for value in seen:
        if value not in stride:
            yield Fault("stride", f"{part} is in {stride}, and is {value}")
        if values is not None and value not in values:
            yield Fault("values", f"{part} is one of {values}, and is {value}")


def shrunk(program: Program, kind: str, seed: int, number: int) -> Program:
    """Return a smallest program with a fault of one kind; each step keeps the kind."""
    while True:
        for candidate in smaller(program):
            found = fault_of(candidate, points(candidate, seed, number))
            if found is not None and found.kind == kind:
                program = candidate
                break
        else:
            return program


def fuzz(
    seed: int, numbers: Iterable[int], *, quick: bool = False
) -> Iterator[tuple[int, Fault]]:
    """Yield the number and the fault of each expression that has one."""
    for number in numbers:
        program = drawn(seed, number)
        fault = fault_of(program, points(program, seed, number), quick=quick)
        if fault is not None:
            yield number, fault


def report(seed: int, number: int, fault: Fault) -> str:
    """Return the text of a fault: where it is, what it is, and the smallest case."""
    program = shrunk(drawn(seed, number), fault.kind, seed, number)
    small = fault_of(program, points(program, seed, number))
    return (
        f"seed {seed}, number {number}: {fault.kind}: {fault.text}\n"
        f"    smallest: {'' if small is None else small.text}\n    {program}\n"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the fuzz; return 0 if no fault was found."""
    options = argparse.ArgumentParser(description="Fuzz index expressions.")
    options.add_argument("--count", type=int, default=20_000, help="how many")
    options.add_argument("--seed", type=int, default=0, help="which series")
    options.add_argument("--first", type=int, default=0, help="number of the first")
    options.add_argument(
        "--quick", action="store_true", help="values, ranges and strides only"
    )
    chosen = options.parse_args(arguments)
    kinds: Counter[str] = Counter()
    numbers = range(chosen.first, chosen.first + chosen.count)
    for number, fault in fuzz(chosen.seed, numbers, quick=chosen.quick):
        kinds[fault.kind] += 1
        sys.stdout.write(report(chosen.seed, number, fault))
        sys.stdout.flush()
    found = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    sys.stdout.write(
        f"seed {chosen.seed}: {chosen.count} expressions, faults: {found or 'none'}\n"
    )
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
