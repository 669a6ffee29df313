"""Replacing parts of an expression; the wholes are simplified again."""

from __future__ import annotations

from pelican.engine.collective import is_special, rebuilt
from pelican.engine.simplify import floordiv, modulo, sum_of
from pelican.errors import OperandError, SubstitutionRangeError
from pelican.integers import brief
from pelican.known.interval import Interval, half_open_text
from pelican.tree.arguments import as_expr, as_mapping
from pelican.tree.build import linear_sum, plain, scale
from pelican.tree.kinds import (
    INT_RUNTIME_VALUE,
    MODULO,
    constant,
    is_affine,
    is_ap_index,
    is_constant,
    is_divlike,
    is_expr,
    is_index,
    is_leaf,
    is_mult,
    is_sum,
)
from pelican.tree.printing import brief_text
from pelican.tree.traverse import postorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeGuard, TypeVar

    from pelican.core.given import Operand
    from pelican.engine.collective import Add
    from pelican.expr import IntRuntimeValue, SimpleExpr
    from pelican.expr.node import Expr

    Leaf = TypeVar("Leaf", bound=SimpleExpr)


def substituted(expr: Expr, to: Mapping[Leaf, Expr | int]) -> Expr:
    """Return an expression with some indices replaced, all at once.

    Raises:
        SubstitutionRangeError: If a substitute may be outside its index's range, or
            off its step.
        OperandError: If a key is no index, or a substitute no expression.
    """
    given: dict[Expr, Expr] = {}
    for idx, value in as_mapping(to, "substitute").items():
        if not is_expr(idx) or not (is_leaf(idx) or is_ap_index(idx)):
            raise OperandError(
                f"a key of substitute must be an index, got {brief_text(idx)}",
                hint="replace(part, by) replaces other parts",
            )
        given[idx] = as_expr(value)
    declared = _declared(given)
    changes = {idx: rebuild(new, smart, declared) for idx, new in given.items()}
    for old, new in changes.items():
        _check(old, new)
    return rebuild(expr, smart, {**declared, **changes})


def _declared(given: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """Return what each runtime value without a range becomes: one with its index's.

    Raises:
        SubstitutionRangeError: If it replaces indices of two ranges.
    """
    declared: dict[Expr, Expr] = {}
    for idx, new in given.items():
        if not is_index(idx) or not _is_undeclared(new):
            continue
        made = new.built((new.name, idx.lo, idx.hi, idx.step), ())
        if declared.setdefault(new, made) != made:
            raise SubstitutionRangeError(
                f"{new} cannot replace indices of two ranges: "
                f"{declared[new]!r} and {made!r}",
                hint=f"declare the range of {new}",
            )
    return declared


def replaced(expr: Expr, part: Operand, by: Operand) -> Expr:
    """Return an expression with each subtree that equals `part` replaced.

    Raises:
        SubstitutionRangeError: If `by` has values that `part` has not.
    """
    old, new = as_expr(part), as_expr(by)
    _check(old, new)
    return rebuild(expr, smart, {old: new})


def canonicalized(expr: Expr) -> Expr:
    """Return the form that the builder gives an expression, without any law."""
    return rebuild(expr, _linear, {})


def simplified(expr: Expr) -> Expr:
    """Return the simplified form of an expression that may be as it was written."""
    return rebuild(expr, smart, {})


def renamed(expr: Expr, to: Mapping[Leaf, Leaf]) -> Expr:
    """Return an expression over other indices, without any law.

    They may have other values: what was simplified need not hold for them, so this is
    for expressions that are as they were written.
    """
    changes: dict[Expr, Expr] = {old: new for old, new in to.items()}  # noqa: C416
    return rebuild(expr, _linear, changes)


def rebuild(
    expr: Expr,
    build: Callable[[Expr, tuple[Expr, ...]], Expr],
    changes: Mapping[Expr, Expr],
) -> Expr:
    """Return an expression that is built again from its leaves.

    Args:
        expr: The expression.
        build: Returns the node of a kind, as the given one, over new parts.
        changes: Nodes that become others; their parts are not looked at.
    """
    made: dict[int, Expr] = {}
    for node in postorder(expr, done=changes.__contains__):
        parts = tuple(
            changes[part] if part in changes else made[id(part)] for part in node.parts
        )
        made[id(node)] = build(node, parts)
    return changes[expr] if expr in changes else made[id(expr)]


def smart(node: Expr, parts: tuple[Expr, ...]) -> Expr:
    """Return the simplified node of a kind over other parts."""
    if is_divlike(node):
        build = modulo if node.kind == MODULO else floordiv
        return build(parts[0], node.denom)
    return _built(node, parts, sum_of)


def _linear(node: Expr, parts: tuple[Expr, ...]) -> Expr:
    """Return the node that the builder gives a kind over other parts."""
    if is_divlike(node):
        return _division(node.kind, parts[0], node.denom)
    return _built(node, parts, linear_sum)


def _built(node: Expr, parts: tuple[Expr, ...], add: Add) -> Expr:
    """Return the node of a kind that is no division, with sums built by `add`."""
    if is_leaf(node):
        return node
    if is_affine(node):
        scaled = [scale(p, c) for p, (_, c) in zip(parts, node.terms, strict=True)]
        return add([*scaled, node.constant])
    if is_sum(node):
        return add(parts)
    if is_mult(node):
        return add([scale(parts[0], node.scale)])
    if is_special(node):
        return rebuilt(node, parts, add)
    if is_ap_index(node):
        return _ap_index(node, parts[0])
    raise TypeError(node.kind)


def _ap_index(node: Expr, child: Expr) -> Expr:
    """Return an access pattern's index over an index with the values of its child.

    Over anything else it is what the index computes.
    """
    if not is_ap_index(node):
        raise TypeError(node.kind)
    old = node.child
    same = is_index(child) and (child.lo, child.hi, child.step) == (
        old.lo,
        old.hi,
        old.step,
    )
    return node.built(node.own, (child,)) if same else as_expr(node.value_of(child))


def _division(kind: int, numer: Expr, denom: int) -> Expr:
    if denom == 1:
        return constant(0) if kind == MODULO else numer
    if is_constant(numer):
        value = numer.constant
        return constant(value % denom if kind == MODULO else value // denom)
    return plain("%" if kind == MODULO else "//", numer, denom)


def _is_undeclared(expr: Expr) -> TypeGuard[IntRuntimeValue]:
    return expr.kind == INT_RUNTIME_VALUE and (expr.range == Interval(None, None))


def _check(old: Expr, new: Expr) -> None:
    """Refuse a substitute that may have a value that the replaced part has not.

    Raises:
        SubstitutionRangeError: If its range or congruence is not inside.
    """
    if old == new:
        return
    if not new.range.within(old.range):
        raise SubstitutionRangeError(
            f"{brief_text(new)} has range {half_open_text(new.range)}, outside that of "
            f"{brief_text(old)}, {half_open_text(old.range)}",
            hint="an expression is simplified for the ranges of its parts: substitute "
            "before simplifying, or declare narrower ranges",
        )
    if not is_index(old) or old.step == 1:
        return
    # By its range: where only 0 is left, the remainder need not be the constant.
    if modulo(new - (old.lo or 0), old.step).range != Interval(0, 0):
        raise SubstitutionRangeError(
            f"{brief_text(new)} is not known to be on the step of {old.describe()}",
            hint=f"substitute {brief(old.lo or 0)} plus a multiple of "
            f"{brief(old.step)}",
        )
