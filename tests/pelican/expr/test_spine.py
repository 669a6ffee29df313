"""The two sides of the family of expressions, and what every kind can say of itself."""

import pytest
from hypothesis import given

from pelican import Expr, OperandError
from pelican import expr as kinds
from pelican.tree.kinds import CLASSES
from pelican.tree.traverse import postorder
from tests.strategies import I, all_expressions

BASES = [
    ("CCGetRank", "OpaqueFnExpr", "SimpleExpr"),
    ("IndirectArg", "OpaqueFnExpr", "SimpleExpr"),
    ("AffineIV", "AffineIdx", "SimpleExpr"),
    ("IntRuntimeValue", "AffineIdx", "SimpleExpr"),
    ("APIndex", "APIndexLike", "FoldingIdx"),
    ("TiledAPIndex", "APIndexLike", "FoldingIdx"),
    ("SymbolicIdx", "InvariantId", "FoldingIdx"),
    ("ShardId", "InvariantId", "FoldingIdx"),
    ("FoldingIdx", "AffineIdx", "SimpleExpr"),
    ("AffineExpr", "CompoundExpr", "Expr"),
    ("SumExpr", "CompoundExpr", "Expr"),
    ("ICmpExpr", "CompoundExpr", "Expr"),
    ("MultExpr", "BinaryExpr", "CompoundExpr"),
    ("FloorDivExpr", "DivLikeExpr", "BinaryExpr"),
    ("ModuloExpr", "DivLikeExpr", "BinaryExpr"),
    ("CCDivExpr", "FloorDivExpr", "DivLikeExpr"),
    ("CCModExpr", "ModuloExpr", "DivLikeExpr"),
]

ABSTRACT = sorted(
    {base for cls in CLASSES.values() for base in cls.__mro__ if issubclass(base, Expr)}
    - set(CLASSES.values()),
    key=lambda base: base.__name__,
)


@pytest.mark.parametrize(("name", "base", "above"), BASES)
def test_a_class_has_the_bases_of_the_modelled_system(name: str, base: str, above: str):
    """The nearest public base, and the one above it."""
    bases = (b.__name__ for b in getattr(kinds, name).__mro__[1:])
    nearest, second, *_ = (b for b in bases if not b.startswith("_"))

    assert (nearest, second) == (base, above)


def test_the_index_family_has_the_numbers_6_to_13():
    """An index is what an affine node may hold."""
    found = {k for k, cls in CLASSES.items() if issubclass(cls, kinds.AffineIdx)}

    assert found == {6, 7, 9, 10, 12, 13}


@given(all_expressions())
def test_a_node_is_its_fields_and_its_parts(expr: Expr):
    """Built again of what it says of itself, a node is equal."""
    for node in postorder(expr):
        again = type(node).built(node.own, node.parts)

        assert again == node
        assert hash(again) == hash(node)


def test_an_abstract_node_is_not_built():
    """A class without a number has no nodes."""
    with pytest.raises(NotImplementedError):
        Expr.built((), ())


@pytest.mark.parametrize("base", ABSTRACT)
def test_a_class_without_a_number_is_not_called(base):
    """The error says that others are built."""
    with pytest.raises(OperandError, match=f"^{base.__name__} is a base") as caught:
        base(I, 4)

    assert caught.value.hint is not None
    assert 'index("i", 0, 8)' in caught.value.hint
