"""What an adapter says of its library, and how a text becomes calls of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Any


class Peer:
    """One library behind the works of `benchmarks.peers.works`.

    The templates say how its expressions are written in Python; a positional part is
    a source text. A method that returns None says that the library has no such thing.

    Attributes:
        title: What is called, for the table.
        distribution: What is installed to have it.
        add: Sum of two expressions.
        scale: Number times expression.
        mod: Expression modulo a number.
        floordiv: Expression divided by a number.
        number: A number as an expression.
    """

    title = ""
    distribution = ""
    add = "({0} + {1})"
    scale = "({0} * {1})"
    mod = "({0} % {1})"
    floordiv = "({0} // {1})"
    number = "{0}"

    def names(self) -> dict[str, Any]:
        """Return what the templates name."""
        return {}

    def variables(self, sizes: Mapping[str, int], mark: str = "") -> dict[str, Any]:
        """Return an index of the library for each name, with its range if it can.

        Args:
            sizes: How many values each index has, from 0.
            mark: Stands behind each name, so that indices are new ones.
        """
        raise NotImplementedError

    def simplified(self, built: Any) -> Any:
        """Return the simplified form of what the operators built."""
        return built

    def total(self, terms: Sequence[Any]) -> Any:
        """Return the sum of many expressions, by the best way of the library."""
        return sum(terms[1:], terms[0])

    def equal(self, one: Any, other: Any) -> bool:
        """Return whether two results are the same, by structure."""
        return bool(one == other)

    def text(self, built: Any) -> str:
        """Return how the library writes an expression."""
        return str(built)

    def value(
        self, _built: Any, _variables: Mapping[str, Any], _point: Mapping[str, int]
    ) -> int | None:
        """Return the value at one point, without compilation."""
        return None

    def compiled(
        self, _built: Any, _variables: Mapping[str, Any]
    ) -> Callable[..., int] | None:
        """Return a function of ints, in the order of the variables."""
        return None

    def bulk(
        self, _built: Any, _variables: Mapping[str, Any]
    ) -> Callable[..., Any] | None:
        """Return a function of int64 arrays, in the order of the variables."""
        return None

    def machine(
        self, _built: Any, _variables: Mapping[str, Any]
    ) -> Callable[..., Any] | None:
        """Return the same as machine code, if the library can make it."""
        return None

    def label(self) -> str:
        """Return title and version."""
        return f"{self.title} {version(self.distribution)}"


def builder(peer: Peer, text: str, parameters: Sequence[str]) -> Callable[..., Any]:
    """Return a function that builds a text with the peer's own constructors.

    It holds no walk and no lookup that the peer's user would not write by hand.

    Args:
        peer: Whose templates are used.
        text: A Python expression of `+`, `*`, `%`, `//`, numbers and names.
        parameters: Names of its parameters: indices, and numbers that vary.
    """
    source = _source(peer, ast.parse(text, mode="eval").body)
    names = peer.names()
    return eval(f"lambda {', '.join(parameters)}: {source}", names)  # type: ignore[no-any-return]


def _source(peer: Peer, node: ast.expr) -> str:
    match node:
        case ast.Name(name):
            return peer.number.format(name) if name in ("base", "step") else name
        case ast.Constant(value):
            return peer.number.format(value)
        case ast.UnaryOp(ast.USub(), ast.Constant(value)):
            return peer.number.format(-int(str(value)))
        case ast.BinOp(left, ast.Add(), right):
            return peer.add.format(_source(peer, left), _source(peer, right))
        case ast.BinOp(left, ast.Mult(), right):
            return peer.scale.format(_source(peer, left), _source(peer, right))
        case ast.BinOp(left, ast.Mod(), ast.Constant(period)):
            return peer.mod.format(_source(peer, left), period)
        case ast.BinOp(left, ast.FloorDiv(), ast.Constant(divisor)):
            return peer.floordiv.format(_source(peer, left), divisor)
        case _:
            raise ValueError(f"no template for {ast.unparse(node)}")
