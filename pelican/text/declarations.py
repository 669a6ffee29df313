"""Declarations of names in text: what stands for which values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from lark import UnexpectedInput

from pelican.errors import (
    NonAffineError,
    PelicanError,
    Source,
)
from pelican.expr import AffineIdx, shard
from pelican.text.expressions import read_expression, span_of, syntax_error
from pelican.text.parsers import parser_of
from pelican.tree.kinds import is_constant
from pelican.tree.printing import brief_text

if TYPE_CHECKING:
    from lark import Token, Tree

    from pelican.expr.node import Expr


def parse_declaration(text: str, make: Callable[..., Any], *, name: str) -> AffineIdx:
    """Return the index of a declaration such as ``i in [0, 64) step 4``.

    Args:
        text: A name alone is unbounded; bounds and step are constant expressions, and
            ``...`` is an end that is not known. A shard is written ``s of 4``.
        make: `pelican.index`, `symbol`, `runtime` or `shard`.
        name: What to call the text in messages.

    Raises:
        ParseError: If the text is no declaration.
        IndexRangeError: If the range is empty or malformed.

    >>> from pelican import index
    >>> parse_declaration("i in [0, 64) step 4", index, name="--index")
    index('i', 0, 64, 4)
    >>> parse_declaration("s of 4", shard, name="--shard")
    shard(4, 's')
    """
    source = Source(name, text)
    parser = parser_of("expr")
    start = "shard_declaration" if make is shard else "declaration"
    try:
        tree = parser.parse(text, start=start)
    except UnexpectedInput as error:
        raise syntax_error(error, source, parser, start=start) from None
    return read_declaration(tree, make, {}, source)


def read_declaration(
    tree: Tree[Token],
    make: Callable[..., Any],
    names: Mapping[str, Expr],
    source: Source,
) -> AffineIdx:
    """Return the index of a tree of a declaration.

    Args:
        tree: A tree of the rule ``declaration`` or ``shard_declaration``.
        make: `pelican.index`, `symbol`, `runtime` or `shard`.
        names: What names in the ends and the step stand for.
        source: The text, for messages.

    Raises:
        NonAffineError: If an end or the step is no constant.
        IndexRangeError: If the range is empty or malformed.
    """
    label, *parts = tree.children
    values = [_value(p, names, source) for p in parts if not isinstance(p, str)]
    try:
        made: AffineIdx = (
            make(*values, str(label)) if make is shard else make(str(label), *values)
        )
    except PelicanError as error:
        wrong = parts[-1] if make is shard else tree
        error.span = error.span or span_of(wrong, source)
        raise
    return made


def _value(tree: Tree[Token], names: Mapping[str, Expr], source: Source) -> int | None:
    """Return the integer of an end or a step, None for an end that is not known."""
    return None if tree.data == "unbounded" else read_constant(tree, names, source)


def read_constant(tree: Tree[Token], names: Mapping[str, Expr], source: Source) -> int:
    """Return the integer of a tree of the rule ``expr``.

    Raises:
        NonAffineError: If it is no constant.
    """
    value = read_expression(tree, names, source, simplify=True)
    if is_constant(value):
        return value.constant
    raise NonAffineError(
        f"a constant is needed here, got {brief_text(value)}",
        span_of(tree, source),
        "write an integer, or names of integers",
    )
