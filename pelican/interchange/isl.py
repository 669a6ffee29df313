"""isl's quasi-affine functions, both ways: as text, and as islpy objects.

In isl's text a mod takes only what stands right before it: ``2*i mod 4`` is twice
``i mod 4``. What is written has brackets wherever that matters, and what is read
follows isl.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from lark import Token, Tree

from pelican.errors import NonAffineError, OperandError, ParseError, Source
from pelican.expr import AffineIdx
from pelican.expr.node import Expr
from pelican.interchange.maps import AffineMap, result_list, split_indices
from pelican.interchange.mistakes import ISL
from pelican.interchange.names import plain_names
from pelican.interchange.notation import SUM_LEVEL, UNARY_LEVEL, Around, Notation, write
from pelican.interchange.trees import (
    parse_tree,
    read_map,
    tokens_of,
)
from pelican.text.expressions import span_of
from pelican.text.parsers import parser_of
from pelican.tree.arguments import as_text

MAX_DEPTH: Final = 1000
"""Deepest tree that is written. Source: a choice; isl's own parser is recursive."""

_WORDS: Final = """
NaN and ceil ceild exists false floor floord implies infty max min mod nan not or rat
true
"""
WORDS: Final = frozenset(_WORDS.split())
"""Words that no index may be called. Source: measured; islpy 2026.2.2 refuses them."""

_ISL: Final = Notation(
    "isl",
    MAX_DEPTH,
    floordiv=Around("floor((", ")/{})", SUM_LEVEL, UNARY_LEVEL),
    modulo=Around("((", ") mod {})", SUM_LEVEL, UNARY_LEVEL),
)


def to_isl(
    results: Expr | Sequence[Expr],
    dims: Sequence[AffineIdx] | None = None,
    symbols: Sequence[AffineIdx] | None = None,
) -> str:
    """Return the isl text of a function with the given results.

    The function is total: the ranges of the indices are not written.

    Args:
        results: One expression or several.
        dims: The indices that are dimensions, in order; None takes those that vary
            in a loop, in term order.
        symbols: The indices that are parameters, in order; None takes all others.

    Raises:
        OperandError: If an index is listed twice, or is neither.
        TooDeepError: If a tree is deeper than `MAX_DEPTH`.
        TooLargeError: If a tree, with shared parts written out, is too large.

    >>> from pelican import index
    >>> i, j = index("i", 0, 64), index("j", 0, 64)
    >>> to_isl((3*i + j) % 16 + j // 4)
    '{ [i, j] -> [(((3*i + j) mod 16) + floor((j)/4))] }'
    """
    exprs = result_list(results)
    dim_list, symbol_list = split_indices(exprs, dims, symbols)
    names = plain_names([*dim_list, *symbol_list], WORDS)
    parameters = ", ".join(names[idx] for idx in symbol_list)
    domain = ", ".join(names[idx] for idx in dim_list)
    values = ", ".join(f"({write(expr, _ISL, names)})" for expr in exprs)
    head = f"[{parameters}] -> " if symbol_list else ""
    return f"{head}{{ [{domain}] -> [{values}] }}"


def to_islpy(
    results: Expr | Sequence[Expr],
    dims: Sequence[AffineIdx] | None = None,
    symbols: Sequence[AffineIdx] | None = None,
) -> Any:  # noqa: ANN401 - islpy is optional and may be absent
    """Return an islpy Aff, or a MultiAff for a sequence of results; see `to_isl`.

    Raises:
        ImportError: If islpy is not installed: it comes with the extra ``islpy``.
    """
    import islpy  # noqa: PLC0415 - optional

    several = isinstance(results, (list, tuple))
    make = islpy.MultiAff if several else islpy.Aff
    return make(to_isl(results, dims, symbols))


def from_islpy(
    function: object,
    names: Mapping[str, Expr] | None = None,
    *,
    simplify: bool = True,
) -> AffineMap:
    """Return what an islpy Aff, PwAff, MultiAff or PwMultiAff says; see `from_isl`.

    Raises:
        OperandError: If the object is none of these.
        ParseError: If it is piecewise, or defined on a part of its space only.
    """
    kind = type(function).__name__
    if kind not in {"Aff", "PwAff", "MultiAff", "PwMultiAff"}:
        raise OperandError(f"an isl function is needed, got a {kind}: {function}")
    return from_isl(str(function), names, simplify=simplify)


def from_isl(
    text: str,
    names: Mapping[str, Expr] | None = None,
    *,
    simplify: bool = True,
    name: str = "<isl>",
) -> AffineMap:
    """Return what the text of an isl function says.

    Args:
        text: Such as ``[n] -> { [i, j] -> [floor((i + n)/4), (j mod 8)] }``.
        names: What each dimension and parameter stands for; one that is not given
            becomes an index or symbol of its name, unbounded.
        simplify: False gives raw trees.
        name: What to call the text in messages.

    Raises:
        ParseError: If the text is no total function: sets, relations with conditions
            and piecewise functions have no form as expressions.
        DivisorError: If a divisor is below 1.
        NonAffineError: If a quotient is not rounded, or two indices are multiplied.

    >>> print(from_isl("{ [i] -> [2*i mod 4, floor((-3 + i)/4)] }"))
    AffineMap((i)[] -> (2*(i mod 4), (i - 3) floordiv 4))
    """
    source = Source(name, as_text(text, "reading"))
    tuples = _parts(_tree(source))
    *domain, results = [t for t in tuples if t.data == "tuple"]
    dims = [_dimension(part, source) for head in domain for part in _parts(head)]
    symbols = [
        t for part in tuples if part.data == "parameters" for t in tokens_of(part)
    ]
    return read_map(dims, symbols, _parts(results), names, source, simplify=simplify)


def _tree(source: Source) -> Tree[Token]:
    try:
        return parse_tree(parser_of("isl"), source, "start", ISL)
    except ParseError as error:
        before = source.text[: error.span.start if error.span else 0].rstrip()
        at = error.span.text if error.span else ""
        if at in {"mod", "%"}:
            error.hint = "a mod takes a name or brackets: write (-3) mod 4"
        if before.endswith((":", ";")) or at in {":", ";", "min", "max"}:
            error.hint = (
                "sets and piecewise functions have no form here: "
                "write one function without conditions"
            )
        raise


def _parts(tree: Tree[Token]) -> list[Tree[Token]]:
    """Return the trees right below a tree, such as the entries of a tuple."""
    return [part for part in tree.children if isinstance(part, Tree)]


def _dimension(part: Tree[Token], source: Source) -> Token:
    """Return the name of a dimension."""
    if part.data == "name":
        return tokens_of(part)[0]
    raise NonAffineError(
        "a dimension of the domain is a plain name",
        span_of(part, source),
        "write { [i] -> [...] }: an equation in the domain makes it a relation",
    )
