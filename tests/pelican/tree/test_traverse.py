"""Walks over expressions: each distinct part once, at any depth."""

import numpy as np
import pytest
from hypothesis import given

from pelican import Expr, OperandError
from pelican.expr import ModuloExpr, SumExpr
from pelican.tree.traverse import fold, fold_all, postorder
from tests.strategies import I, J, all_expressions, points, raw_expressions


@given(all_expressions())
def test_each_distinct_node_is_computed_once(expr: Expr):
    """Whoever shares it, and leaves are asked for once too."""
    looks, leaves = [], []

    def leaf(node: Expr) -> int:
        leaves.append(id(node))
        return 1

    fold(expr, leaf, look=lambda: looks.append(None))

    assert len(looks) == len({id(node) for node in postorder(expr)})
    assert len(leaves) == len(set(leaves))


def test_shared_parts_take_no_longer():
    """A hundred doublings are a hundred sums."""
    expr: Expr = I
    for _ in range(100):
        expr = SumExpr((expr, expr))

    assert fold(expr, {I: 1}.get) == 2**100


def test_parts_of_several_expressions_are_computed_once():
    """The second finds what the first computed."""
    looks = []
    part = ModuloExpr(I, 8)
    values = fold_all(
        [part, SumExpr((part, J))], {I: 9, J: 4}.get, look=lambda: looks.append(None)
    )

    assert values == [1, 5]
    assert len(looks) == len({id(n) for n in postorder(SumExpr((part, J)))})


def test_what_stands_below_a_known_value_is_not_looked_at():
    """Its leaves need no value."""
    part = ModuloExpr(I, 8)

    assert fold(SumExpr((part, J)), {J: 4}.__getitem__, {id(part): 3}) == 7


@given(raw_expressions(), points())
def test_arrays_fold_as_integers_do(raw: Expr, at):
    """Value by value, with numpy's own operators."""
    columns = {idx: np.array([value], object) for idx, value in at.items()}

    assert np.broadcast_to(fold(raw, columns.get), 1)[0] == fold(raw, at.get)


def test_only_expressions_are_walked():
    """A number is none."""
    with pytest.raises(OperandError, match="an expression is needed, got 3"):
        fold(3, {}.get)  # type: ignore[arg-type]
