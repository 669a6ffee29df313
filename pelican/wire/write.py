"""Writing expressions as JSON objects, version 2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pelican.errors import TooDeepError, TooLargeError, WireError
from pelican.expr.node import Expr
from pelican.tree.arguments import as_expr
from pelican.tree.kinds import AFFINE, AFFINE_IV, CC_MOD, INT_RUNTIME_VALUE, SUM
from pelican.tree.traverse import indices, postorder
from pelican.wire.form import (
    INTEGER_KEYS,
    MAX_DEPTH,
    MAX_NODES,
    NAME_KEYS,
    PART_KEYS,
    TAGS,
    checked_integer,
)


def to_wire(expr: Expr) -> dict[str, Any]:
    """Return the JSON object of an expression, version 2, keys in emission order.

    Objects of shared parts are shared too: change none of them.

    Raises:
        WireError: If an index of an access pattern, a symbol, a comparison or a
            collective mod is part of it, if an integer needs more than 64 bits, or if
            two indices have one name.
        TooDeepError: If it is nested beyond `MAX_DEPTH`.
        TooLargeError: If its tree has more than `MAX_NODES` nodes.
    """
    whole = as_expr(expr)
    _refuse_size(whole)
    _refuse_names(whole)
    pointers = _pointers(whole)
    made: dict[int, dict[str, Any]] = {}
    for node in postorder(whole):
        made[id(node)] = _object(node, made, pointers[id(node)])
    return made[id(whole)]


def _refuse_size(expr: Expr) -> None:
    depth: dict[int, int] = {}
    size: dict[int, int] = {}
    for node in postorder(expr):
        depth[id(node)] = 1 + max((depth[id(part)] for part in node.parts), default=0)
        whole = 1 + sum(size[id(part)] for part in node.parts)
        size[id(node)] = min(whole, MAX_NODES + 1)  # it may double at each level
    if depth[id(expr)] > MAX_DEPTH:
        raise TooDeepError(
            f"an expression of depth {depth[id(expr)]} is beyond {MAX_DEPTH}, which is "
            "what a reader of JSON can hold",
            hint="simplify it first, or use pickle",
        )
    if size[id(expr)] > MAX_NODES:
        raise TooLargeError(
            f"the written-out expression has more than {MAX_NODES} nodes",
            hint="it shares parts many times over: pelican.to_pel() names them",
        )


def _refuse_names(expr: Expr) -> None:
    seen: set[str] = set()
    for leaf in indices(expr):
        if leaf.kind not in {AFFINE_IV, INT_RUNTIME_VALUE}:
            continue
        if leaf.name in seen:
            raise WireError(
                f"two indices are called {leaf.name!r}, and the format knows indices "
                "by name only",
                "",
                hint="give each its own name",
            )
        seen.add(leaf.name)


def _pointers(expr: Expr) -> dict[int, str]:
    """Return where each node is first written, as a JSON pointer."""
    pointers = {id(expr): ""}
    stack = [expr]
    while stack:
        node = stack.pop()
        for key, part in _places(node):
            if id(part) not in pointers:
                pointers[id(part)] = f"{pointers[id(node)]}/{key}"
                stack.append(part)
    return pointers


def _places(node: Expr) -> Iterator[tuple[str, Expr]]:
    for k, part in enumerate(node.parts):
        if node.kind in {AFFINE, SUM}:
            yield f"terms/{k}/idx" if node.kind == AFFINE else f"terms/{k}", part
        else:
            yield PART_KEYS.get(node.kind, str(k)), part


def _object(node: Expr, made: dict[int, dict[str, Any]], at: str) -> dict[str, Any]:
    if node.kind not in TAGS:
        hint = (
            "a collective mod can be read and never written"
            if node.kind == CC_MOD
            else "lower it to loop indices first"
        )
        raise WireError(
            f"version 2 has no {type(node).__name__} (kind {node.kind})", at, hint=hint
        )
    parts = [made[id(part)] for part in node.parts]
    return {"kind": TAGS[node.kind], **_fields(node, parts, at)}


def _fields(node: Expr, parts: list[dict[str, Any]], at: str) -> dict[str, Any]:
    if node.kind == AFFINE:
        return _affine_fields(node, parts, at)
    if node.kind == SUM:
        return {"n_terms": len(parts), "terms": parts}
    if node.kind in NAME_KEYS:
        return {NAME_KEYS[node.kind]: node.own[0]}
    fields: dict[str, Any] = {}
    if parts:
        fields[PART_KEYS[node.kind]] = parts[0]
    for key, value in zip(INTEGER_KEYS[node.kind], node.own, strict=False):
        fields[key] = checked_integer(value, key, at)
    return fields


def _affine_fields(node: Expr, parts: list[dict[str, Any]], at: str) -> dict[str, Any]:
    seen: set[Expr] = set()
    terms = []
    *coefficients, free = node.own
    for k, idx in enumerate(node.parts):
        if idx in seen:
            raise WireError(f"the index {idx} stands twice", f"{at}/terms/{k}/idx")
        seen.add(idx)
        coefficient = checked_integer(coefficients[k], "coeff", f"{at}/terms/{k}")
        terms.append({"idx": parts[k], "coeff": coefficient})
    return {"terms": terms, "c": checked_integer(free, "c", at)}
