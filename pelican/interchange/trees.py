"""Reading the foreign texts: what the MLIR reader and the isl reader share."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lark import Lark, Token, Tree, UnexpectedInput

from pelican.errors import NonAffineError, ParseError, Source
from pelican.expr.node import Expr
from pelican.interchange.maps import AffineMap, bound_names
from pelican.interchange.mistakes import Spelling
from pelican.text.expressions import read_expression, span_of, syntax_error
from pelican.tree.arguments import as_mapping

Part = Tree[Token] | Token


def parse_tree(
    parser: Lark, source: Source, start: str, spelling: Spelling
) -> Tree[Token]:
    """Return the tree of a text.

    Args:
        parser: That of the language.
        source: The text.
        start: The rule to read.
        spelling: What the language writes for what others write otherwise.

    Raises:
        ParseError: If the text is not in the language.
    """
    try:
        return parser.parse(source.text, start=start)
    except UnexpectedInput as error:
        raise syntax_error(
            error, source, parser, start=start, known=spelling.remedy
        ) from None


def tokens_of(tree: Tree[Token]) -> list[Token]:
    """Return the tokens that stand right below a tree."""
    return [part for part in tree.children if isinstance(part, Token)]


def read_map(
    dims: Sequence[Token],
    symbols: Sequence[Token],
    results: Sequence[Part],
    names: Mapping[str, Expr] | None,
    source: Source,
    *,
    simplify: bool,
) -> AffineMap:
    """Return the map of its heads and the trees of its results.

    Args:
        dims: The name of each dimension.
        symbols: The name of each symbol.
        results: The tree of each result.
        names: What names stand for; one that is not given becomes an index or symbol
            of its name, unbounded.
        source: The text, for messages.
        simplify: False gives raw trees.

    Raises:
        ParseError: If a name is listed twice, or is unknown.
        OperandError: If `names` is no mapping.
        DivisorError, NonAffineError: As reading an expression does.
    """
    given = as_mapping(names or {}, "reading")
    listed = distinct([*dims, *symbols], source)
    heads = listed[: len(dims)], listed[len(dims) :]
    bound = bound_names(*heads, given)
    dim_list, symbol_list = ([bound[label] for label in head] for head in heads)
    read = [read_part(part, bound, source, simplify=simplify) for part in results]
    return AffineMap(dim_list, symbol_list, read)


def distinct(tokens: Collection[Token], source: Source) -> list[str]:
    """Return names as strings.

    Raises:
        ParseError: If one is listed twice.
    """
    seen: set[str] = set()
    for token in tokens:
        if str(token) in seen:
            raise ParseError(
                f"{token} is listed twice",
                span_of(token, source),
                "give every dimension and symbol a name of its own",
            )
        seen.add(str(token))
    return [str(token) for token in tokens]


def read_part(
    tree: Part, names: Mapping[str, Expr], source: Source, *, simplify: bool
) -> Expr:
    """Return the expression of a tree, with roundings made floordivs.

    ``ceildiv`` reads as ``-((-e) floordiv n)``, ``floor(e/n)`` as a floordiv.

    Raises:
        NonAffineError: If a quotient is not rounded.
        ParseError, DivisorError, NonAffineError: As reading an expression does.
    """
    if isinstance(tree, Token):
        raise TypeError(f"a tree is needed, got the token {tree!r}")
    for part in tree.iter_subtrees():
        if part.data in {"floor", "ceil"}:
            _round(part)
        if part.data == "ceildiv":
            _upward(part)
    for part in tree.iter_subtrees():
        if part.data == "quotient":
            raise NonAffineError(
                "a quotient that is not rounded is no integer",
                span_of(part, source),
                "write floor((e)/n), with nothing but one quotient in the brackets",
            )
    return read_expression(tree, names, source, simplify=simplify)


def _round(part: Tree[Token]) -> None:
    """Make a rounded quotient a floordiv or ceildiv; rounding an integer is nothing."""
    (inner,) = part.children
    negative = False
    while isinstance(inner, Tree) and inner.data in {"group", "neg"}:
        negative ^= inner.data == "neg"
        (inner,) = inner.children
    if not isinstance(inner, Tree) or inner.data != "quotient":
        part.data = "group"
        return
    numer, denom = inner.children
    part.data = "floordiv" if part.data == "floor" else "ceildiv"
    part.children = [Tree("neg", [numer], part.meta) if negative else numer, denom]


def _upward(part: Tree[Token]) -> None:
    numer, denom = part.children
    below: Tree[Token] = Tree("neg", [numer], part.meta)
    part.data = "neg"
    part.children = [Tree("floordiv", [below, denom], part.meta)]
