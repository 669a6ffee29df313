"""The expressions, integers and ranges of a statement."""

from __future__ import annotations

from dataclasses import dataclass

from lark import Token, Tree

from pelican.expr.node import Expr
from pelican.pel.names import Names
from pelican.text.declarations import read_constant
from pelican.text.expressions import read_expression


@dataclass(frozen=True, slots=True)
class Values:
    """What the parts of statements stand for.

    Attributes:
        names: The names of the file.
        simplify: False keeps expressions as plain trees.
    """

    names: Names
    simplify: bool

    def expression(self, part: Tree[Token] | Token, *, plain: bool = True) -> Expr:
        """Return the expression of a part.

        Args:
            part: A tree of an expression or a comparison.
            plain: False simplifies in any case.
        """
        tree = as_tree(part)
        self.names.require_exprs(tree)
        return read_expression(
            tree,
            self.names.exprs,
            self.names.source,
            simplify=self.simplify or not plain,
            calls=True,
        )

    def constant(self, part: Tree[Token] | Token) -> int:
        """Return the integer of a part."""
        tree = as_tree(part)
        self.names.require_exprs(tree)
        return read_constant(tree, self.names.exprs, self.names.source)

    def pair(self, part: Tree[Token] | Token) -> tuple[int, int]:
        """Return the two integers of a range, or of a stride and a size."""
        first, second = as_tree(part).children
        return self.constant(first), self.constant(second)


def as_tree(part: Tree[Token] | Token) -> Tree[Token]:
    """Return a part that is a tree, as the grammar says."""
    if isinstance(part, Token):
        raise TypeError(f"a tree is needed, got the token {part!r}")
    return part


def as_token(part: Tree[Token] | Token) -> Token:
    """Return a part that is a word, as the grammar says."""
    if isinstance(part, Token):
        return part
    raise TypeError(f"a token is needed, got the tree {part.data}")
