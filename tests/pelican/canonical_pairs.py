"""Pairs of equal expressions: a random tree, and the same after random identities.

The identities are plain arithmetic, written here without a look at the laws of
pelican, so that the pairs measure how canonical the simplified form is. Trees are
terms of `pelican.laws.term`, whose leaves are the names of the indices.
"""

from collections.abc import Iterator
from math import gcd
from random import Random
from typing import NamedTuple

from pelican import (
    AffineExpr,
    Expr,
    FloorDivExpr,
    ModuloExpr,
    MultExpr,
    SumExpr,
    index,
)
from pelican.laws.term import Term, as_term, evaluate, expr, literal, metavariables

NAMES = ("i", "j", "k", "l")
COEFFICIENTS = (-1, 2, -2, 3, 4, -4, 5, 6, 7, 8, 12, 16, 32)
DIVISORS = (2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 64)
OFFSETS = (*range(-9, 17), 31, 63, 64)
HIGHEST = (2, 3, 4, 7, 8, 16, 32, 64)

x, y, z = expr("x"), expr("y"), expr("z")
a, b, c, n, q = (literal(name) for name in "abcnq")
POSITIVE = "nq"
"""The literals that stand for divisors and factors, at least 1; others are any."""


class Identity(NamedTuple):
    """An equation of arithmetic, for all expressions x, y, z and literals."""

    left: Term
    right: Term


IDENTITIES = tuple(
    Identity(as_term(left), as_term(right))
    for left, right in [
        # The integers are a commutative ring.
        (x + y, y + x),
        (x + y + z, x + (y + z)),
        (c * (x + y), c * x + c * y),
        ((a + b) * x, a * x + b * x),
        (a * b * x, a * (b * x)),
        (x - y, x + -1 * y),
        (x, x + 0),
        (x, 1 * x),
        (x, x + y - y),
        (x, x + c - c),
        # Multiples of the divisor.
        ((x + n * c) % n, x % n),
        ((x + n * y) % n, x % n),
        ((x + n * c) // n, x // n + c),
        ((x + n * y) // n, x // n + y),
        (((a + n * c) * x) % n, (a * x) % n),
        # Nested divisions.
        (x % (n * q) % n, x % n),
        (x % n % n, x % n),
        (x % n % (n * q), x % n),
        (x // n // q, x // (n * q)),
        ((x // n + y) // q, (x + n * y) // (n * q)),
        (x % (n * q) // n, x // n % q),
        (as_term(0), x % n // n),
        # Mods inside a mod.
        ((x + y) % n, (x % n + y) % n),
        ((x + y) % n, (x % n + y % n) % n),
        ((c * x) % n, (c * (x % n)) % n),
        # Common factors.
        ((n * x) % (n * q), n * (x % q)),
        ((n * x) // (n * q), x // q),
        # Quotient and remainder.
        (x, n * (x // n) + x % n),
        (x % n, x - n * (x // n)),
        (n * (x // n), x - x % n),
        (x % (n * q), n * (x // n % q) + x % n),
        (x // n % q, x // n - q * (x // (n * q))),
        (x // n, (x - x % n) // n),
        # Negations.
        ((n - 1) - x % n, (-1 - x) % n),
        (-1 * (x // n), ((n - 1) - x) // n),
        (x % n, (n - 1) - (-1 * x - 1) % n),
        (-1 * x % n, (n - x % n) % n),
    ]
)


class Pair(NamedTuple):
    """Two trees that are equal by construction, as raw expressions."""

    before: Expr
    after: Expr


def pairs(seed: int, count: int) -> Iterator[Pair]:
    """Yield pairs of raw expressions that a seed decides."""
    random = Random(seed)
    for _ in range(count):
        names = indices(random)
        tree = random_tree(random, 3)
        other = tree
        for _ in range(random.randint(1, 8)):
            other = changed(random, other)
        yield Pair(raw(tree, names), raw(other, names))


def indices(random: Random) -> dict[str, Expr]:
    """Return four indices, about half of them without a range."""
    found: dict[str, Expr] = {}
    for name in NAMES:
        if random.random() < 0.5:
            found[name] = index(name)
        else:
            lo = random.choice([0, 0, 0, -5, 3])
            found[name] = index(name, lo, lo + random.choice(HIGHEST))
    return found


def random_tree(random: Random, depth: int) -> Term:
    """Return a random tree of at most the given depth."""
    kind = random.choice("++-*%%//") if depth else ""
    if kind == "":
        if random.random() < 0.15:
            return as_term(random.choice(OFFSETS))
        return expr(random.choice(NAMES))
    left = random_tree(random, depth - 1)
    if kind in {"+", "-"}:
        return Term(kind, left, random_tree(random, depth - 1))
    if kind == "*":
        return random.choice(COEFFICIENTS) * left
    return Term("%" if kind == "%" else "//", left, as_term(random.choice(DIVISORS)))


def changed(random: Random, tree: Term) -> Term:
    """Return a tree with one identity applied at a random place that it fits."""
    places = list(subtrees(tree))
    for _ in range(200):
        identity = random.choice(IDENTITIES)
        old, new = identity if random.random() < 0.5 else identity[::-1]
        path, part = random.choice(places)
        binding = matched(random, old, part)
        if binding is not None:
            draw_missing(random, new, binding)
            return replaced(tree, path, filled(new, binding))
    return tree


def subtrees(tree: Term) -> Iterator[tuple[tuple[int, ...], Term]]:
    """Yield the parts of a tree that are expressions, with their paths."""
    yield (), tree
    if tree.op in {"+", "-", "*", "%", "//"}:
        for k, part in enumerate(tree.args):
            if k == 0 or tree.op in {"+", "-", "*"}:
                for path, inner in subtrees(part):
                    if tree.op != "*" or not (path == () and inner.op == "int"):
                        yield (k, *path), inner


def replaced(tree: Term, path: tuple[int, ...], new: Term) -> Term:
    """Return a tree with another part at a path."""
    if not path:
        return new
    args = list(tree.args)
    args[path[0]] = replaced(args[path[0]], path[1:], new)
    return Term(tree.op, *args)


def matched(random: Random, pattern: Term, tree: Term) -> dict[str, Term | int] | None:
    """Return what a pattern's placeholders stand for in a tree, or None."""
    binding: dict[str, Term | int] = {}
    return binding if _fits(random, pattern, tree, binding) else None


def _fits(
    random: Random, pattern: Term, tree: Term, binding: dict[str, Term | int]
) -> bool:
    if pattern.op == "expr":
        return binding.setdefault(pattern.args[0], tree) == tree
    if not any(v.op == "expr" for v in metavariables([pattern])):
        return tree.op == "int" and _solves(random, pattern, tree.args[0], binding)
    return pattern.op == tree.op and all(
        _fits(random, part, inner, binding)
        for part, inner in zip(pattern.args, tree.args, strict=True)
    )


def _solves(
    random: Random, pattern: Term, value: int, binding: dict[str, Term | int]
) -> bool:
    """Tell whether a term over literals has a value, for literals that it binds."""
    free = [v for v in metavariables([pattern]) if v.args[0] not in binding]
    for variable in free[1:]:
        binding[variable.args[0]] = _drawn(random, variable, value)
    if free:
        candidates = {
            value,
            value + 1,
            *divisors_of(value),
            *(-d for d in divisors_of(value)),
        }
        name = free[0].args[0]
        for other in range(-70, 70) if pattern.op == "+" else ():
            candidates.add(other)
        good = [
            v
            for v in sorted(candidates)
            if (v >= 1 or name not in POSITIVE)
            and evaluate(pattern, {**binding, name: v}) == value
        ]
        if not good:
            return False
        binding[name] = random.choice(good)
    return bool(evaluate(pattern, binding) == value)


def _drawn(random: Random, variable: Term, value: int) -> int:
    """Return a literal that often divides a value."""
    if variable.args[0] in POSITIVE:
        return random.choice(divisors_of(value) or list(DIVISORS))
    return random.choice([*divisors_of(value), *COEFFICIENTS])


def divisors_of(value: int) -> list[int]:
    """Return the divisors of a number that are at least 1, up to 64."""
    return [d for d in range(1, 65) if value and gcd(d, value) == d]


def draw_missing(random: Random, pattern: Term, binding: dict[str, Term | int]) -> None:
    """Bind the placeholders that only the new side has."""
    for variable in metavariables([pattern]):
        name = variable.args[0]
        if name in binding:
            continue
        if variable.op == "expr":
            binding[name] = expr(random.choice(NAMES))
        else:
            choices = DIVISORS if name in POSITIVE else COEFFICIENTS
            binding[name] = random.choice(choices)


def filled(pattern: Term, binding: dict[str, Term | int]) -> Term:
    """Return a pattern with terms for its placeholders, its literals folded."""
    if pattern.op == "int":
        return pattern
    if pattern.op in {"expr", "literal"}:
        return as_term(binding[pattern.args[0]])
    if all(v.op == "literal" for v in metavariables([pattern])):
        return as_term(evaluate(pattern, binding))
    return Term(pattern.op, *(filled(part, binding) for part in pattern.args))


def raw(tree: Term, names: dict[str, Expr]) -> Expr:
    """Return a tree as a raw expression: nothing is simplified."""
    if tree.op == "expr":
        return names[tree.args[0]]
    if tree.op == "int":
        return AffineExpr((), tree.args[0])
    left = raw(tree.args[0], names)
    if tree.op in {"%", "//"}:
        kind = ModuloExpr if tree.op == "%" else FloorDivExpr
        return kind(left, tree.args[1].args[0])
    right = raw(tree.args[1], names)
    if tree.op == "*":
        return _scaled(left, right)
    return SumExpr((left, right if tree.op == "+" else MultExpr(right, -1)))


def _scaled(left: Expr, right: Expr) -> Expr:
    if left.is_const:
        return MultExpr(right, left.const)
    return MultExpr(left, right.const)
