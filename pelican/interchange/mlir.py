"""MLIR's affine maps and affine expressions, as text, both ways.

The operators of the two languages agree: ``floordiv`` and ``mod`` round down, bind
like ``*`` and to the left, below unary minus. What is read is the affine part of the
dialect: a divisor is a constant, where MLIR admits symbols in semi-affine maps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from lark import Token, Tree

from pelican.errors import ParseError, Source, Span, WidthError
from pelican.expr import AffineIdx
from pelican.expr.node import Expr
from pelican.integers import brief
from pelican.interchange.maps import AffineMap, result_list, split_indices
from pelican.interchange.mistakes import MLIR
from pelican.interchange.notation import (
    PRODUCT_LEVEL,
    UNARY_LEVEL,
    Around,
    Notation,
    write,
)
from pelican.interchange.trees import (
    Part,
    parse_tree,
    read_map,
    tokens_of,
)
from pelican.text.parsers import parser_of
from pelican.tree.arguments import as_text
from pelican.tree.kinds import is_affine, is_divlike, is_mult
from pelican.tree.traverse import postorder

MAX_DEPTH: Final = 1000
"""Deepest tree that is written. Source: a choice; MLIR's own parser is recursive."""

_INT64_MAX: Final = (1 << 63) - 1
_MLIR: Final = Notation(
    "MLIR",
    MAX_DEPTH,
    times=(" * ", " * "),
    floordiv=Around("", " floordiv {}", PRODUCT_LEVEL, PRODUCT_LEVEL),
    modulo=Around("", " mod {}", PRODUCT_LEVEL, PRODUCT_LEVEL),
    literal_level=UNARY_LEVEL,
)


def to_mlir(
    results: Expr | Sequence[Expr],
    dims: Sequence[AffineIdx] | None = None,
    symbols: Sequence[AffineIdx] | None = None,
) -> str:
    """Return an ``affine_map`` with the given results.

    Dimensions are called d0, d1, ... and symbols s0, s1, ... as MLIR prints them.

    Args:
        results: One expression or several.
        dims: The indices that are dimensions, in order; None takes those that vary
            in a loop, in term order.
        symbols: The indices that are symbols, in order; None takes all others.

    Raises:
        OperandError: If an index is listed twice, or is neither.
        TooDeepError: If a tree is deeper than `MAX_DEPTH`.
        WidthError: If a literal is beyond 64 bits, which MLIR does not read.

    >>> from pelican import index, symbol
    >>> i, j, n = index("i", 0, 8), index("j", 0, 64), symbol("n", 1, 100)
    >>> to_mlir([(64*i + j + n) % 128, j // 4])
    'affine_map<(d0, d1)[s0] -> ((s0 + 64 * d0 + d1) mod 128, d1 floordiv 4)>'
    """
    exprs = result_list(results)
    dim_list, symbol_list = split_indices(exprs, dims, symbols)
    names = _names(dim_list, symbol_list)
    heads = [names[idx] for idx in dim_list], [names[idx] for idx in symbol_list]
    bracket = f"[{', '.join(heads[1])}]" if symbol_list else ""
    texts = ", ".join(_text(expr, names) for expr in exprs)
    return f"affine_map<({', '.join(heads[0])}){bracket} -> ({texts})>"


def to_mlir_expr(
    expr: Expr,
    dims: Sequence[AffineIdx] | None = None,
    symbols: Sequence[AffineIdx] | None = None,
) -> str:
    """Return an affine expression over d0, d1, ... and s0, s1, ...; see `to_mlir`.

    >>> from pelican import index
    >>> to_mlir_expr(index("i", 0, 64) * 2 // 3)
    '2 * d0 floordiv 3'
    """
    return _text(expr, _names(*split_indices([expr], dims, symbols)))


def _names(
    dims: Sequence[AffineIdx], symbols: Sequence[AffineIdx]
) -> dict[AffineIdx, str]:
    names = {idx: f"d{k}" for k, idx in enumerate(dims)}
    names.update((idx, f"s{k}") for k, idx in enumerate(symbols))
    return names


def _text(expr: Expr, names: dict[AffineIdx, str]) -> str:
    text = write(expr, _MLIR, names)
    for node in postorder(expr):
        literals = [0]
        if is_affine(node):
            literals = [node.constant, *(c for _, c in node.terms)]
        elif is_mult(node):
            literals = [node.scale]
        elif is_divlike(node):
            literals = [node.denom]
        large = [number for number in literals if abs(number) > _INT64_MAX]
        if large:
            raise WidthError(
                f"MLIR reads integers up to {_INT64_MAX}, got {brief(large[0])}",
                hint="its index type has 64 bits",
            )
    return text


def from_mlir(
    text: str,
    names: Mapping[str, Expr] | None = None,
    *,
    simplify: bool = True,
    name: str = "<mlir>",
) -> AffineMap:
    """Return what an affine map or an affine expression says.

    Args:
        text: ``affine_map<(d0)[s0] -> (...)>``, the part between the angle brackets,
            or one expression. An expression's dimensions and symbols are the names
            that occur in it; those that start with ``s`` are symbols.
        names: What each dimension and symbol stands for; one that is not given
            becomes an index or symbol of its name, unbounded.
        simplify: False gives raw trees.
        name: What to call the text in messages.

    Raises:
        ParseError: If the text is no affine map and no affine expression, or a
            comment in it holds but a number.
        DivisorError: If a divisor is below 1.
        NonAffineError: If a divisor is no constant, or two indices are multiplied.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> from_mlir("affine_map<(d0) -> (d0 ceildiv 4, d0 mod 64)>", {"d0": i}).results
    [FloorDivExpr(AffineExpr(((index('i', 0, 64), 1), ), 3), 4), index('i', 0, 64)]
    """
    source = Source(name, as_text(text, "reading"))
    _refuse_divisor_comment(source)
    if "->" in text or "affine_map" in text:
        tree = _tree(source, "map_text")
        parts = [part for part in tree.children if isinstance(part, Tree)]
        heads = {str(part.data): tokens_of(part) for part in parts[:-1]}
        dims, symbols = heads["dims"], heads.get("symbols", [])
        results: Sequence[Part] = parts[-1].children
    else:
        tree = _tree(source, "expression")
        results = tree.children
        dims, symbols = _occurring(tree)
    return read_map(dims, symbols, results, names, source, simplify=simplify)


def _refuse_divisor_comment(source: Source) -> None:
    """Raise a `ParseError` if a comment holds but a number, which was to divide."""
    comment = re.search(r"//[ \t]*\d+[ \t)]*$", source.text, re.MULTILINE)
    if comment is not None:
        message = "// begins a comment in MLIR, and divides nothing"
        raise ParseError(message, Span(source, *comment.span()), MLIR.operator("//"))


def _occurring(tree: Tree[Token]) -> tuple[list[Token], list[Token]]:
    """Return the dimensions and symbols that occur in an expression, d2 before d10."""
    named = (part for part in tree.iter_subtrees() if part.data == "name")
    found = {str(token): token for part in named for token in tokens_of(part)}
    labels = sorted(found, key=lambda label: (len(label), label))
    symbols = [found[label] for label in labels if label.startswith("s")]
    return [found[label] for label in labels if label[0] != "s"], symbols


def _tree(source: Source, start: str) -> Tree[Token]:
    try:
        return parse_tree(parser_of("mlir"), source, start, MLIR)
    except ParseError as error:
        if "affine_set" in source.text:
            error.hint = "integer sets have no form here: only maps and expressions do"
        raise
