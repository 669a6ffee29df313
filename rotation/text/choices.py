"""Read what decides an ``if``: comparisons of indices, or loaded buffers."""

from __future__ import annotations

from lark import Token

from pelican.tree.kinds import constant
from rotation.loop_form.kernel import Compare, Comparison, IndexExpr, Region
from rotation.text.operations import read_index
from rotation.text.reading import Node, Reading, parts, tokens, trees
from rotation.text.scope import Scope


def read_comparisons(
    reading: Reading, tree: Node, scope: Scope
) -> tuple[Comparison, ...]:
    """Return the comparisons of an ``if``, without the wrong ones."""
    found = [
        reading.attempt(_comparison, reading, part, scope)
        for part in trees(tree)
        if part.data == "condition"
    ]
    return tuple(comparison for comparison in found if comparison is not None)


def _comparison(reading: Reading, tree: Node, scope: Scope) -> Comparison:
    left, right = (read_index(reading, part, scope) for part in trees(tree))
    (sign,) = tokens(tree)
    return Comparison(left, Compare(str(sign)), right, reading.span(tree))


def read_loaded(
    reading: Reading, tree: Node, scope: Scope
) -> tuple[tuple[Region, ...], str | None]:
    """Return the buffers whose values decide an ``if``, and what is asked of them."""
    loaded = parts(tree).get("loaded")
    if loaded is None:
        return (), None
    names = [token for token in tokens(loaded) if token.type == "NAME"]
    texts = [str(token)[1:-1] for token in tokens(loaded) if token.type == "STRING"]
    found = [reading.attempt(_whole, reading, name, names, scope) for name in names]
    regions = tuple(region for region in found if region is not None)
    return regions, texts[0] if texts else None


def _whole(reading: Reading, name: Token, names: list[Token], scope: Scope) -> Region:
    tensor = scope.tensor(reading, name)
    if name is not names[names.index(name)]:
        raise reading.error(f"{name} is given twice", name, "keep one of them")
    if tensor.scope is not None and tensor.scope not in scope.loops:
        loop = tensor.scope.name
        message = f"{name} has an instance for each {loop}, and none here"
        hint = "copy the one that is meant to a tile, and ask that"
        raise reading.error(message, name, hint)
    span = reading.span(name)
    zero = IndexExpr(constant(0), constant(0), span)
    starts = (zero,) * len(tensor.shape)
    return Region(tensor, starts, tensor.shape, whole=True, span=span)
