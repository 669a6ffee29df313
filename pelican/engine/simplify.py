"""The engine: smart mod and floordiv, and the simplification of raw trees.

The engine holds one mod or floordiv at a time. It asks the strategies for proposals,
lets the kernel apply the first one that holds, and starts again with the result. It
ends because every applied proposal lowers a measure: mods and floordivs first, then
occurrences of indices, numbers outside [0, denom) under a mod, mods under a floordiv,
the size of the text, the terms of numerators, and the sum of the literals.
"""

from __future__ import annotations

from pelican.engine.collective import is_special, rebuilt
from pelican.engine.join import endless, join_in_place, joined
from pelican.engine.listening import listener
from pelican.engine.modelled import check_rules, modelled_divmod, rebuilt_only
from pelican.engine.rewrite import fold, rewrite_chain
from pelican.engine.settled import settled, settled_sum
from pelican.errors import NonAffineError
from pelican.integers import exact_divisor
from pelican.strategies.floordiv import propose_floordiv
from pelican.strategies.modulo import propose_mod, reduced_coefficients
from pelican.tree.arguments import as_expr
from pelican.tree.build import linear_sum, plain, scale
from pelican.tree.divmod import DivMod
from pelican.tree.flat import weights
from pelican.tree.kinds import (
    MODULO,
    MULT,
    SUM,
    is_constant,
    is_divlike,
    is_expr,
    is_index,
    is_mult,
    is_sum,
)
from pelican.tree.printing import brief_text
from pelican.tree.traverse import children, postorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from pelican.core.given import Operand, Text
    from pelican.engine.collective import Add
    from pelican.expr.node import Expr
    from pelican.laws.step import Make
    from pelican.strategies.linear import LinearSum


MAX_NESTING: Final = 40
"""Deepest recursion of the engine into the right sides of laws; below it a mod or
floordiv stays as it is, so that no expression is too deep."""

MAX_REWRITES: Final = 200
"""Most rewrites of one mod or floordiv, and as many more as its text has nodes. None
comes near; it is there so that a fault of the laws is an error and no hang."""

MAX_JOINED: Final = 3
"""Deepest recursion at which a numerator that a law puts together is joined too, so
that simplifying again changes nothing; each level multiplies the work."""


def sum_of(terms: Iterable[Operand]) -> Expr:
    """Return the simplified sum of some expressions and integers.

    Args:
        terms: Any number of them; none is 0.

    Raises:
        OperandError: If one is neither.

    >>> from pelican import index
    >>> i, j = index("i", 0, 64), index("j")
    >>> print(sum_of([j, 3 * i, 5, -1 * j]))
    3*i + 5
    >>> print(sum_of([8 * (i // 8), i % 8]))
    i
    """
    return _joined(linear_sum(terms), 0)


def joined_up(total: Expr) -> Expr:
    """Return a canonical sum, its mods and floordivs joined."""
    return _joined(total, 0)


def join_up(here: LinearSum) -> bool:
    """Join the mods and floordivs of a sum in place; tell whether anything changed."""
    return join_in_place(here, _maker(0))


def scaled(expr: Expr, factor: int) -> Expr:
    """Return the simplified product of an expression and an integer."""
    return _joined(scale(expr, factor), 0)


def modulo(numer: Operand, denom: Operand) -> Expr:
    """Return the simplified ``numer mod denom``, in [0, denom).

    Args:
        numer: Any expression or integer, negative values too.
        denom: An integer >= 1, or an expression that is a constant.

    Raises:
        DivisorError: If the divisor is below 1, whatever the numerator.
        NonAffineError: If the divisor is not a constant.

    >>> from pelican import index
    >>> x = index("x")
    >>> print(modulo(modulo(x, 24), 8))
    x mod 8
    """
    divisor = as_divisor(denom, "mod")
    return _divmod("%", as_expr(numer), divisor)


def divided(op: str, numer: Expr, denom: object) -> Expr:
    """Return the simplified mod (``%``) or floordiv (``//``) by any operand."""
    n = denom
    if type(n) is not int or n < 1:
        n = as_divisor(as_expr(denom), _WORDS[op])
    known = settled(op, numer, n)  # as `_divmod` does, a call less
    return _by_laws(op, numer, n) if known is None else known


_WORDS: Final = {"%": "mod", "//": "floordiv"}


def floordiv(numer: Operand, denom: Operand) -> Expr:
    """Return the simplified ``numer floordiv denom``, rounded down.

    Args:
        numer: Any expression or integer, negative values too.
        denom: An integer >= 1, or an expression that is a constant.

    Raises:
        DivisorError: If the divisor is below 1, whatever the numerator.
        NonAffineError: If the divisor is not a constant.

    >>> from pelican import index
    >>> print(floordiv(index("i", 0, 64), 64))
    0
    """
    divisor = as_divisor(denom, "floordiv")
    return _divmod("//", as_expr(numer), divisor)


def as_divisor(value: object, operation: str) -> int:
    """Return the integer of a divisor.

    Raises:
        OperandError: If it is no integer and no expression.
        DivisorError: If it is below 1.
        NonAffineError: If it is an expression that is not a constant.
    """
    if type(value) is int and value > 0:
        return value
    if is_expr(value):
        if not is_constant(value):
            raise NonAffineError(
                f"{operation} needs a constant divisor, got {brief_text(value)}",
                hint="a divisor must fold to an integer >= 1",
            )
        value = value.constant
    return exact_divisor(value, operation)


def simplify(expr: Operand, *, rules: Text = "default") -> Expr:
    """Return the canonical form of a raw tree; a canonical tree comes back equal.

    Args:
        expr: Any expression.
        rules: ``default`` uses every law; ``modelled`` those of the modelled system
            only, with its guards (see `pelican.engine.modelled`).

    Raises:
        OperandError: If `rules` is another word, or `expr` no expression; a text is
            read by `pelican.parse`.

    >>> from pelican import index
    >>> from pelican.expr import ModuloExpr
    >>> i = index("i", 0, 64)
    >>> print(simplify(ModuloExpr(ModuloExpr(i, 8), 16)))
    i mod 8
    >>> print(simplify(ModuloExpr(i, 64), rules="modelled"))
    i mod 64
    """
    modelled = check_rules(rules) == "modelled"
    divide = modelled_divmod if modelled else _divmod
    add = linear_sum if modelled else sum_of
    special = rebuilt_only if modelled else rebuilt
    recorder = listener()
    root = as_expr(expr)
    inlined = _inlined(root)
    made: dict[int, Expr] = {}
    for node in postorder(root):
        if is_index(node):
            made[id(node)] = node
        elif is_divlike(node):
            op = "%" if node.kind == MODULO else "//"
            made[id(node)] = divide(op, made[id(node.numer)], node.denom)
        elif is_special(node):
            parts = tuple(made[id(part)] for part in node.parts)
            made[id(node)] = special(node, parts, add)
        elif id(node) not in inlined:
            made[id(node)] = _simplified_sum(node, made, inlined, add)
        if recorder is not None and recorder.visited and id(node) in made:
            recorder.visited(node, made[id(node)])
    return made[id(root)]


def _inlined(root: Expr) -> set[int]:
    """Return the sums and scales that have one user, itself a sum or a scale.

    They are flattened with their user, so that a long chain of additions is added
    up once; a part with several users is built once.
    """
    users: dict[int, int] = {}
    linear: set[int] = set()
    for node in postorder(root):
        for part in children(node):
            users[id(part)] = users.get(id(part), 0) + 1
            if (is_sum(node) or is_mult(node)) and (is_sum(part) or is_mult(part)):
                linear.add(id(part))
    return {part for part in linear if users[part] == 1}


def _simplified_sum(
    root: Expr, made: dict[int, Expr], inlined: set[int], add: Add
) -> Expr:
    total: list[Expr | int] = []
    stack = [(root, 1)]
    while stack:
        node, weight = stack.pop()
        if node is not root and id(node) not in inlined:
            total.append(scale(made[id(node)], weight))
        elif is_sum(node):
            stack.extend((part, weight) for part in reversed(node.operands))
        elif is_mult(node):
            stack.append((node.operand, weight * node.scale))
        else:
            terms, offset = weights(node)
            total.extend(scale(term, weight * c) for term, c in terms)
            total.append(weight * offset)
    return add(total)


def _divmod(op: str, numer: Expr, denom: int, nesting: int = 0) -> Expr:
    """Return the simplified mod or floordiv; the numerator is canonical."""
    known = settled(op, numer, denom)
    return _by_laws(op, numer, denom, nesting) if known is None else known


def _by_laws(op: str, numer: Expr, denom: int, nesting: int = 0) -> Expr:
    """Simplify until no proposal holds; the numerator is canonical.

    One look was asked before, and is asked after each rewrite.
    """
    problem = DivMod(op, numer, denom)
    rewrites = 0
    while True:
        if problem.denom == 1 or is_constant(problem.numer):
            trivial = fold(problem)
            if trivial is not None:
                return trivial
        if rewrites >= MAX_REWRITES and rewrites >= MAX_REWRITES + numer.nodes:
            raise endless(problem.node)
        improved = _improved(problem, nesting)
        if improved is None:
            return plain(problem.op, problem.numer, problem.denom)
        if not isinstance(improved, DivMod):
            return _joined(improved, nesting)
        problem = improved
        if problem.numer.divisions:
            modulus = problem.denom if problem.op == "%" else 0
            joined_numer = _joined(problem.numer, nesting, modulus)
            problem = DivMod(problem.op, joined_numer, problem.denom)
        known = settled(problem.op, problem.numer, problem.denom)
        if known is not None:
            return known
        rewrites += 1


def _improved(problem: DivMod, nesting: int) -> Expr | DivMod | None:
    """Return what the first proposal that holds makes of a problem, or None."""
    make = _maker(nesting)
    mod = problem.op == "%"
    propose = propose_mod if mod else propose_floordiv
    for chain in propose(problem, is_settled=listener() is None):
        outcome = rewrite_chain(chain, problem, make)
        if outcome is not None:
            return outcome
    return _joined_inside(problem, nesting) if mod else None


def _joined(total: Expr, nesting: int, modulus: int = 0) -> Expr:
    """Join the mods and floordivs of a sum while it becomes smaller."""
    if total.kind not in _SUMS or not total.divisions:
        return total
    known = None if modulus else settled_sum(total)
    return joined(total, _maker(nesting), modulus) if known is None else known


_SUMS: Final = frozenset({SUM, MULT})


def _joined_inside(problem: DivMod, nesting: int) -> DivMod | None:
    """Join what joins in the numerator of a mod, where coefficients count modulo n."""
    if not problem.numer.divisions:
        return None
    numer = joined(problem.numer, _maker(nesting), problem.denom)
    if numer is problem.numer:
        return None
    changed = DivMod("%", numer, problem.denom)
    for chain in reduced_coefficients(*weights(numer), problem.denom):
        outcome = rewrite_chain(chain, changed, _maker(nesting))
        if isinstance(outcome, DivMod):
            return outcome
    return changed


def _maker(nesting: int) -> Make:
    """Return what builds the mods and floordivs inside the right side of a law.

    A numerator that a law has built may join, as one that is built by operators does.
    """
    return _MAKERS[min(nesting, MAX_NESTING)]


def _make_at(nesting: int) -> Make:
    """Return what builds at a depth; below `MAX_NESTING` a node stays plain."""
    if nesting == MAX_NESTING:
        return plain
    deeper = nesting + 1
    if nesting >= MAX_JOINED:
        return lambda op, numer, denom: _divmod(op, numer, denom, deeper)
    return lambda op, numer, denom: _divmod(op, _joined(numer, deeper), denom, deeper)


_MAKERS: Final = tuple(map(_make_at, range(MAX_NESTING + 1)))
