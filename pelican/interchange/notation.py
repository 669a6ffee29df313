"""Expressions as text in a notation: what LaTeX, MLIR and isl text share."""

from __future__ import annotations

from pelican.errors import NonAffineError, OperandError, TooDeepError
from pelican.integers import decimal
from pelican.tree.kinds import (
    AFFINE,
    FLOORDIV,
    MODULO,
    MULT,
    SUM,
    is_affine,
    is_ap_index,
    is_constant,
    is_divlike,
    is_index,
    is_mult,
    is_sum,
)
from pelican.tree.printing import refuse_large, written_terms
from pelican.tree.traverse import children, indices, postorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

    from pelican.expr import AffineIdx
    from pelican.expr.node import Expr

SUM_LEVEL, PRODUCT_LEVEL, UNARY_LEVEL = 1, 2, 3
"""How tightly a place binds: parts that bind looser need parentheses."""

_WRITTEN: Final = frozenset({AFFINE, SUM, MULT, FLOORDIV, MODULO})


class Around:
    """How a div-like node is written around its numerator.

    Attributes:
        before: Text before the numerator.
        after: Text after it, in which ``{}`` is the divisor.
        inside: How tightly the place of the numerator binds.
        outside: How tightly the whole binds.
    """

    __slots__ = ("after", "before", "inside", "outside")

    def __init__(self, before: str, after: str, inside: int, outside: int) -> None:
        self.before = before
        self.after = after
        self.inside = inside
        self.outside = outside


class Notation:
    """How a language writes expressions.

    Attributes:
        language: What it is called in messages.
        max_depth: Deeper trees are refused.
        times: The signs between a coefficient and what it scales: an expression, or
            a number.
        brackets: The opening and the closing one.
        floordiv: How a floordiv is written.
        modulo: How a mod is written.
        literal_level: How tightly a negative number binds.
    """

    __slots__ = (
        "brackets",
        "floordiv",
        "language",
        "literal_level",
        "max_depth",
        "modulo",
        "times",
    )

    def __init__(
        self,
        language: str,
        max_depth: int,
        *,
        times: tuple[str, str] = ("*", "*"),
        brackets: tuple[str, str] = ("(", ")"),
        floordiv: Around,
        modulo: Around,
        literal_level: int = SUM_LEVEL,
    ) -> None:
        self.language = language
        self.max_depth = max_depth
        self.times = times
        self.brackets = brackets
        self.floordiv = floordiv
        self.modulo = modulo
        self.literal_level = literal_level


def write(expr: Expr, notation: Notation, names: dict[AffineIdx, str]) -> str:
    """Return the text of an expression in a notation.

    Args:
        expr: Any expression of indices, sums, scales, mods and floordivs.
        notation: How the language writes them.
        names: What each index is called.

    Raises:
        TooDeepError: If the tree is deeper than the language's limit.
        TooLargeError: If the tree, with shared parts written out, is too large, or an
            integer in it is.
        NonAffineError: If the language has no form for a part.
        OperandError: If an index has no name.
    """
    refuse_foreign(expr, notation.language, notation.max_depth)
    unnamed = [idx.name for idx in indices(expr) if idx not in names]
    if unnamed:
        raise OperandError(
            f"{', '.join(unnamed)} is no parameter of the {notation.language} text",
            hint="list every index of the expression",
        )
    written: list[str] = []
    stack: list[str | tuple[Expr, int]] = [(expr, SUM_LEVEL)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            written.append(item)
            continue
        node, level = item
        parts = list(_parts(node, notation, names))
        if _binding(node, notation) < level:
            parts = [notation.brackets[0], *parts, notation.brackets[1]]
        stack.extend(reversed(parts))
    return "".join(written)


def refuse_foreign(expr: Expr, language: str, max_depth: int) -> None:
    """Raise if a language has no form for an expression, or it is too deep or large.

    Raises:
        TooDeepError: If the tree has more than `max_depth` levels.
        TooLargeError: If the tree, with shared parts written out, is too large.
        NonAffineError: If the language has no form for a part.
    """
    depth: dict[int, int] = {}
    for node in postorder(expr):
        plain = is_index(node) and not is_ap_index(node)
        if not plain and node.kind not in _WRITTEN:
            raise NonAffineError(f"{type(node).__name__} has no form in {language}")
        inner = (depth[id(part)] for part in children(node))
        depth[id(node)] = 1 + max(inner, default=0)
    if depth[id(expr)] > max_depth:
        raise TooDeepError(
            f"the expression is {depth[id(expr)]} levels deep, "
            f"{language} is written up to {max_depth}",
            hint="name some of its parts, or write C or Python: they have no limit",
        )
    refuse_large(expr)


def _terms(node: Expr) -> list[tuple[int, int, Expr]] | None:
    """Return what is added up, or None if the node adds nothing up."""
    if is_constant(node) or not (is_affine(node) or is_sum(node)):
        return None
    return written_terms(node)


def _binding(node: Expr, notation: Notation) -> int:
    terms = _terms(node)
    if terms is not None and len(terms) == 1:
        ((sign, magnitude, operand),) = terms
        if sign < 0:
            return SUM_LEVEL
        return PRODUCT_LEVEL if magnitude > 1 else _binding(operand, notation)
    if terms is not None:
        return SUM_LEVEL
    if is_constant(node):
        return UNARY_LEVEL if node.constant >= 0 else notation.literal_level
    if is_mult(node):
        return PRODUCT_LEVEL if node.scale >= 0 else SUM_LEVEL
    if is_divlike(node):
        return _around(node, notation).outside
    return UNARY_LEVEL


def _around(node: Expr, notation: Notation) -> Around:
    return notation.modulo if node.kind == MODULO else notation.floordiv


def _parts(
    node: Expr, notation: Notation, names: dict[AffineIdx, str]
) -> Iterator[str | tuple[Expr, int]]:
    terms = _terms(node)
    if terms is not None:
        yield from _sum_parts(terms, notation)
    elif is_constant(node):
        yield decimal(node.constant)
    elif is_index(node):
        yield names[node]
    elif is_mult(node):
        yield "-" if node.scale < 0 else ""
        yield from _scaled(abs(node.scale), node.operand, notation)
    elif is_divlike(node):
        around = _around(node, notation)
        yield around.before
        yield node.numer, around.inside
        yield around.after.replace("{}", decimal(node.denom))


def _scaled(
    magnitude: int, operand: Expr, notation: Notation
) -> Iterator[str | tuple[Expr, int]]:
    """Yield a product; a magnitude of 1 is written only where it must be."""
    if magnitude != 1:
        yield f"{decimal(magnitude)}{notation.times[is_constant(operand)]}"
    yield operand, UNARY_LEVEL


def _sum_parts(
    terms: Iterable[tuple[int, int, Expr]], notation: Notation
) -> Iterator[str | tuple[Expr, int]]:
    for k, (sign, magnitude, operand) in enumerate(terms):
        yield ("-" if k == 0 else " - ") if sign < 0 else (" + " if k else "")
        if magnitude > 1 or (k == 0 and sign < 0):
            yield from _scaled(magnitude, operand, notation)
        else:
            yield operand, PRODUCT_LEVEL if k else SUM_LEVEL
