"""What the names of a file stand for, and what to say of one that does not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from lark import Token, Tree

from pelican.access.maps import RingMap
from pelican.access.patterns import AccessPattern
from pelican.errors import (
    ParseError,
    Source,
    Span,
    UnknownNameError,
    nearest,
    raise_all,
)
from pelican.expr import AffineIdx
from pelican.expr.node import Expr
from pelican.pel.document import Value
from pelican.text.expressions import span_of
from pelican.tree.kinds import is_index


class SkippedError(Exception):
    """A statement uses a name whose own statement has a mistake, reported there."""


@dataclass(slots=True)
class Names:
    """The names that are defined so far.

    Attributes:
        source: The file, for messages.
        later: The line of the first statement that defines each name of the file.
        values: What each name stands for; names of broken statements are left out.
        exprs: Those of them that are expressions.
        places: Where each name was defined first.
    """

    source: Source
    later: dict[str, int]
    values: dict[str, Value] = field(default_factory=dict)
    exprs: dict[str, Expr] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)

    def span(self, part: Tree[Token] | Token) -> Span:
        """Return the characters of a part of the file."""
        return span_of(part, self.source)

    def require_new(self, name: str, span: Span) -> None:
        """Return if a name is free.

        Raises:
            ParseError: If it is defined above.
        """
        first = self.places.get(name)
        if first is not None:
            raise ParseError(
                f"{name} is defined twice, first at {first.place}",
                span,
                "give each its own name",
            )

    def define(self, name: str, value: Value) -> None:
        """Give a new name its value."""
        self.values[name] = value
        if not isinstance(value, (AccessPattern, RingMap)):
            self.exprs[name] = value

    def require_exprs(self, tree: Tree[Token]) -> None:
        """Return if the names of an expression are expressions, or plainly unknown.

        Raises:
            ParseError: If one is a pattern or a map, or is defined below.
            SkippedError: If the statement of one has a mistake.
        """
        found = [
            self._no_expression(str(name), self.span(name))
            for part in tree.iter_subtrees()
            if part.data == "name"
            for name in part.children
            if isinstance(name, Token) and name not in self.exprs
        ]
        errors = [error for error in found if error is not None]
        errors.sort(key=_start)
        raise_all(errors)

    def _no_expression(self, name: str, span: Span) -> ParseError | None:
        if name in self.values:
            return self._other_kind(name, span, "an expression")
        if name in self.places:
            raise SkippedError
        return self._below(name, span)

    def _below(self, name: str, span: Span) -> ParseError | None:
        line = self.later.get(name)
        if line is None:
            return None
        message = f"{name} is used before it is defined, in line {line}"
        return ParseError(message, span, "move its definition above this line")

    def _other_kind(self, name: str, span: Span, needed: str) -> ParseError:
        value = self.values[name]
        remedy = _REMEDIES[needed]
        if needed == "an expression" and isinstance(value, RingMap):
            remedy = "a map is asked by check injective, check bijective and show"
        message = f"{name} is {kind_of(value)}, and {needed} is needed here"
        return ParseError(message, span, remedy)

    def pattern(self, name: Token) -> AccessPattern:
        """Return the pattern of that name."""
        value = self._value(name, "an access pattern")
        if isinstance(value, AccessPattern):
            return value
        raise self._other_kind(str(name), self.span(name), "an access pattern")

    def map(self, name: Token) -> RingMap:
        """Return the map of that name."""
        value = self._value(name, "a map")
        if isinstance(value, RingMap):
            return value
        raise self._other_kind(str(name), self.span(name), "a map")

    def pattern_or_map(self, name: Token) -> AccessPattern | RingMap:
        """Return the pattern or the map of that name."""
        value = self._value(name, "a pattern or a map")
        if isinstance(value, (AccessPattern, RingMap)):
            return value
        raise self._other_kind(str(name), self.span(name), "a pattern or a map")

    def index(self, name: Token) -> AffineIdx:
        """Return the index, symbol, shard or runtime value of that name."""
        value = self._value(name, "an index")
        if isinstance(value, Expr) and is_index(value):
            return value
        raise self._other_kind(str(name), self.span(name), "an index")

    def _value(self, name: Token, needed: str) -> Value:
        text, span = str(name), self.span(name)
        if text in self.values:
            return self.values[text]
        if text in self.places:
            raise SkippedError
        below = self._below(text, span)
        if below is not None:
            raise below
        raise UnknownNameError(text, span, self._known(text, needed))

    def _known(self, name: str, needed: str) -> str:
        near = nearest(name, self.values)
        if near is not None:
            return near
        return f"define it above: {_EXAMPLES[needed]}"


def kind_of(value: Value) -> str:
    """Return what a value is, with its article."""
    if isinstance(value, AccessPattern):
        return "an access pattern"
    if isinstance(value, RingMap):
        return "a map"
    return "an index" if is_index(value) else "an expression"


_EXAMPLES: Final = {
    "an access pattern": "pattern p = acc at 64*i free [1, 64]",
    "a pattern or a map": "pattern p = acc at 64*i free [1, 64]",
    "a map": "map f (i) -> (i) onto [0, 64)",
    "an index": "index i in [0, 64)",
}

_REMEDIES: Final = {
    "an expression": "give its address a name by let, and use that",
    "an access pattern": f"define one: {_EXAMPLES['an access pattern']}",
    "a pattern or a map": f"define one: {_EXAMPLES['a pattern or a map']}",
    "a map": f"define one: {_EXAMPLES['a map']}",
    "an index": f"name an index that is declared, such as {_EXAMPLES['an index']}",
}


def _start(error: ParseError) -> int:
    """Return where an error stands, for the order of messages."""
    return 0 if error.span is None else error.span.start
