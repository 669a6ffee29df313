"""The text of an expression, the size of that text, and its `repr`.

Printing writes the parentheses that are needed and no others. Unary minus binds
tightest, then ``* mod floordiv`` alike and to the left, then ``+ -``. A sum is
written in the order of its operands; an affine node writes its first positive term
first, then the rest in order, the constant last unless it alone is positive.

Every walk uses a stack of its own, so a depth of 100,000 prints.
"""

from __future__ import annotations

from pelican.errors import TooLargeError
from pelican.integers import MAX_SHOWN, brief, brief_value, cut, decimal, literal
from pelican.tree.kinds import (
    AFFINE_IV,
    AP_INDEX,
    CC_DIV,
    CC_MOD,
    INT_RUNTIME_VALUE,
    MODULO,
    SHARD_ID,
    SYMBOLIC_IDX,
    TILED_AP_INDEX,
    constant,
    is_affine,
    is_ap_index,
    is_collective,
    is_comparison,
    is_constant,
    is_divlike,
    is_expr,
    is_index,
    is_leaf,
    is_mult,
    is_opaque,
    is_sum,
)
from pelican.tree.points import numbered
from pelican.tree.traverse import indices, unfinished

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Final

    from pelican.expr import AffineExpr, AffineIdx
    from pelican.expr.node import Expr

MAX_PRINTED_NODES: Final = 1_000_000
"""Above this size the written-out tree of a shared expression is refused."""

_COMPARISON, _SUM, _PRODUCT, _UNARY = 0, 1, 2, 3
"""How tightly a place binds: parts that bind looser need parentheses."""


def text_of(expr: Expr) -> str:
    """Return the text of an expression.

    Raises:
        TooLargeError: If the tree, with shared parts written out, is too large; or an
            integer in it is.
    """
    refuse_large(expr)
    return _text(expr, decimal)


def brief_text(value: object) -> str:
    """Return what messages show of a value: long integers by their ends.

    Of a text longer than `MAX_SHOWN` the beginning is shown.

    >>> from pelican import index
    >>> print(brief_text(10**5000 * index("i")))
    100000000000...000000000000 (5001 digits)*i
    >>> brief_text("x" * 5000)[115:]
    'xxxxx... (5002 characters)'
    """
    if is_expr(value):
        nodes = nodes_of(value)
        if nodes > MAX_PRINTED_NODES:
            return f"an expression of {brief(nodes)} nodes"
        text = _written(value, _numbered_names(value), brief, most=MAX_SHOWN)
        return cut(text, f"{nodes} nodes")
    return brief_value(value)


def text_with(expr: Expr, names: Mapping[Expr, str]) -> str:
    """Return the text of an expression whose named parts are written by name.

    Args:
        expr: The expression, which is not written by its own name.
        names: Name of each leaf and of each part that has one.
    """
    return _written(expr, names, decimal)


def written_parts(node: Expr) -> list[Expr]:
    """Return the parts of a node that its text writes out, in order."""
    parts = _parts(node, {}, brief)
    return [part[0] for part in parts if not isinstance(part, str)]


def _text(expr: Expr, number: Callable[[int], str]) -> str:
    return _written(expr, _numbered_names(expr), number)


def _written(
    expr: Expr,
    names: Mapping[Expr, str],
    number: Callable[[int], str],
    *,
    most: int | None = None,
) -> str:
    """Return the text of an expression; where it is longer than `most`, a part of it.

    The part is the beginning, and longer than `most`, too.
    """
    written: list[str] = []
    length = 0
    stack: list[str | tuple[Expr, int]] = [(expr, _COMPARISON)]
    while stack and (most is None or length <= most):
        item = stack.pop()
        if isinstance(item, str):
            written.append(item)
            length += len(item)
            continue
        node, level = item
        if node is not expr and node in names:
            stack.append(names[node])
            continue
        parts = list(_parts(node, names, number))
        if _binding(node) < level:
            parts = ["(", *parts, ")"]
        stack.extend(reversed(parts))
    return "".join(written)


def refuse_large(expr: Expr) -> None:
    """Raise TooLargeError if the tree, with shared parts written out, is too large."""
    if nodes_of(expr) > MAX_PRINTED_NODES:
        raise TooLargeError(
            f"the written-out expression has {brief(nodes_of(expr))} nodes, "
            f"more than {MAX_PRINTED_NODES}",
            hint="it shares parts many times over: pelican.to_pel() names them",
        )


def _numbered_names(expr: Expr) -> dict[Expr, str]:
    return numbered(indices(expr))


def _binding(node: Expr) -> int:
    """Return how tightly the outermost operator of a node's text binds."""
    if is_leaf(node) or is_constant(node) or is_ap_index(node) or is_collective(node):
        return _UNARY
    if is_comparison(node):
        return _COMPARISON
    if is_affine(node):
        if len(node.terms) > 1 or node.constant:
            return _SUM
        return _PRODUCT if abs(node.terms[0][1]) > 1 else _UNARY
    if is_sum(node):
        return _SUM if len(node.operands) > 1 else _binding(node.operands[0])
    if is_mult(node):
        return _UNARY if node.scale == -1 else _PRODUCT
    return _PRODUCT


def _parts(
    node: Expr, names: Mapping[Expr, str], number: Callable[[int], str]
) -> Iterator[str | tuple[Expr, int]]:
    """Yield the text of a node as strings and parts with the level of their place."""
    if is_leaf(node):
        yield names.get(node, node.name)
    elif is_constant(node):
        yield number(node.constant)
    elif is_affine(node) or is_sum(node):
        yield from _sum_parts(written_terms(node), number)
    elif is_mult(node):
        negative, scale, operand = node.scale == -1, node.scale, node.operand
        yield from ("-",) if negative else (number(scale), "*")
        yield operand, _UNARY
    elif is_divlike(node):
        yield node.numer, _PRODUCT
        operator = "mod" if node.kind == MODULO else "floordiv"
        yield f" {operator} {number(node.denom)}"
    elif is_comparison(node):
        yield node.lhs, _SUM
        yield f" {node.compare_op} "
        yield node.rhs, _SUM
    else:
        fields = [number(field) for field in _call_fields(node)]
        yield f"{call_name(node)}("
        yield node.parts[0], _COMPARISON
        yield "".join(f", {field}" for field in fields) + ")"


_CALLS: Final = {
    AP_INDEX: "ap",
    TILED_AP_INDEX: "tile",
    CC_DIV: "cc_div",
    CC_MOD: "cc_mod",
}


def call_name(node: Expr) -> str:
    """Return the name of the call that stands for a kind in text."""
    return _CALLS[node.kind]


def _call_fields(node: Expr) -> tuple[int, ...]:
    """Return the arguments of a call that follow its part."""
    if is_ap_index(node):
        return node.shown_fields()
    return node.own


def written_terms(node: Expr) -> list[tuple[int, int, Expr]]:
    """Return sign, magnitude and operand of a sum's terms, in the order written.

    A magnitude of 1 is not written; a constant is a magnitude of 1 on itself. Nodes
    that are neither affine nor a sum have no terms.
    """
    if is_sum(node):
        return [_signed(part) for part in node.operands]
    return list(_affine_terms(node)) if is_affine(node) else []


def _affine_terms(node: AffineExpr) -> Iterator[tuple[int, int, Expr]]:
    """Yield sign, magnitude and index of an affine node's terms as they are written."""
    terms: list[tuple[int, int, Expr]]
    terms = [(1 if c > 0 else -1, abs(c), idx) for idx, c in node.terms]
    free = node.constant
    lead = next((k for k, (sign, _, _) in enumerate(terms) if sign > 0), None)
    if lead is not None:
        terms.insert(0, terms.pop(lead))
    signed = (1 if free > 0 else -1, 1, constant(abs(free)))
    if free and lead is None and free > 0:
        yield signed
    yield from terms
    if free and (lead is not None or free < 0):
        yield signed


def _signed(part: Expr) -> tuple[int, int, Expr]:
    """Return sign, magnitude and operand of one operand of a sum."""
    if is_constant(part):
        return (-1, 1, constant(-part.constant)) if part.constant < 0 else (1, 1, part)
    if is_affine(part) and len(part.terms) == 1 and not part.constant:
        ((idx, c),) = part.terms
        return (1 if c > 0 else -1, abs(c), idx)
    if is_mult(part) and part.scale < 0:
        return (-1, -part.scale, part.operand)
    return (1, 1, part)


def _sum_parts(
    terms: list[tuple[int, int, Expr]], number: Callable[[int], str]
) -> Iterator[str | tuple[Expr, int]]:
    for k, (sign, magnitude, operand) in enumerate(terms):
        first = k == 0
        if first and sign < 0:
            yield "-"
        elif not first:
            yield " - " if sign < 0 else " + "
        if magnitude > 1:
            yield f"{number(magnitude)}*"
        tight = magnitude > 1 or (first and sign < 0)
        loosest = _SUM if first else _PRODUCT
        yield operand, _UNARY if tight else loosest


def nodes_of(expr: Expr) -> int:
    """Return how many operators, names and signed literals the text has.

    A unary minus counts only on a part that is no literal. Shared parts count as
    often as they are written; each node keeps its own count.

    >>> from pelican import index
    >>> i, j = index("i"), index("j")
    >>> nodes_of(7 - i), nodes_of(-4 * i + 3 * (j % 8))
    (3, 9)
    """
    kept = expr.cached_nodes
    if kept is not None:
        return kept
    for node in unfinished(expr, lambda n: n.cached_nodes is not None):
        node.keep_nodes(_own_nodes(node))
    return expr.cached_nodes or 0


def _own_nodes(node: Expr) -> int:
    if is_leaf(node):
        return 1 + len(node.own) if is_opaque(node) else 1
    if is_constant(node):
        return 1
    if is_comparison(node):
        return nodes_of(node.lhs) + 1 + nodes_of(node.rhs)
    if is_ap_index(node) or is_collective(node):
        return 1 + nodes_of(node.parts[0]) + len(_call_fields(node))
    if is_divlike(node):
        return nodes_of(node.numer) + 2
    if is_mult(node):
        return nodes_of(node.operand) + (1 if node.scale == -1 else 2)
    terms = written_terms(node)
    size = len(terms) - 1
    for k, (sign, magnitude, operand) in enumerate(terms):
        bare_minus = k == 0 and sign < 0 and magnitude == 1
        size += nodes_of(operand) + (2 if magnitude > 1 else 0)
        size += 1 if bare_minus and not is_constant(operand) else 0
    return size


def repr_of(expr: Expr) -> str:
    """Return Python text that builds the same tree over new indices."""
    refuse_large(expr)
    written: list[str] = []
    stack: list[str | Expr] = [expr]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            written.append(item)
        else:
            stack.extend(reversed(list(_repr_parts(item))))
    return "".join(written)


def _repr_parts(node: Expr) -> Iterator[str | Expr]:
    if is_opaque(node):
        yield node.name
    elif is_index(node) and not is_ap_index(node):
        yield f"{_maker(node)}({node.arguments()})"
    elif is_affine(node):
        yield "AffineExpr(("
        for idx, c in node.terms:
            yield "("
            yield idx
            yield f", {literal(c)}), "
        yield f"), {literal(node.constant)})"
    elif is_sum(node):
        yield "SumExpr(("
        for part in node.operands:
            yield part
            yield ", "
        yield "))"
    elif is_mult(node):
        yield "MultExpr("
        yield node.operand
        yield f", {literal(node.scale)})"
    elif is_comparison(node):
        yield f"ICmpExpr({node.compare_op!r}, "
        yield node.lhs
        yield ", "
        yield node.rhs
        yield ")"
    else:
        yield f"{type(node).__name__}("
        yield node.parts[0]
        yield "".join(f", {literal(field)}" for field in node.own) + ")"


_MAKERS: Final = {
    AFFINE_IV: "index",
    INT_RUNTIME_VALUE: "runtime",
    SYMBOLIC_IDX: "symbol",
    SHARD_ID: "shard",
}


def _maker(idx: AffineIdx) -> str:
    """Return what builds an index; the class where no function can."""
    if idx.kind == AFFINE_IV and idx.depth:
        return type(idx).__name__
    return _MAKERS[idx.kind]
