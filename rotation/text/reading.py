"""What every reader of a part of a kernel needs: its source, places and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from lark import Token, Tree

from pelican.errors import LocatedError, Source, Span
from pelican.expr import AffineIV
from rotation.errors import KernelError
from rotation.loop_form.kernel import MAX_INTEGER, Function

Node = Tree[Token]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Reading:
    """One kernel being read.

    Attributes:
        source: The text.
        declared: The name in the first declaration of each buffer.
        labels: Every operation id: the first use of each that the text gives, and
            those made for operations without one.
        numbers: The last number in an id made of each opcode.
        errors: The mistakes so far.
        coming: The index of each loop that a declaration above it has named, by the
            position of the loop in the text.
        above: The kernels above this one, which it may call, by name.
    """

    source: Source
    declared: dict[str, Token]
    labels: dict[str, Token]
    numbers: dict[str, int] = field(default_factory=dict)
    errors: list[LocatedError] = field(default_factory=list)
    coming: dict[int, AffineIV] = field(default_factory=dict)
    above: Mapping[str, Function] = field(default_factory=dict)

    def attempt(self, read: Callable[..., Result], *arguments: object) -> Result | None:
        """Return what `read` returns; None, and the mistake noted, if it raises."""
        try:
            return read(*arguments)
        except LocatedError as error:
            self.errors.append(error)
            return None

    def span(self, part: Node | Token) -> Span:
        """Return the characters that a token or a tree was read from."""
        return span_of(part, self.source)

    def error(self, message: str, part: Node | Token, hint: str) -> KernelError:
        """Return the error of a part of the text."""
        return KernelError(message, self.span(part), hint)

    def has_error_in(self, span: Span | None) -> bool:
        """Return whether a mistake was noted inside some characters."""
        places = [e.span for e in self.errors if e.span is not None]
        return span is not None and any(
            span.start <= place.start and place.end <= span.end for place in places
        )

    def integer(self, token: Token, what: str, *, least: int = 0) -> int:
        """Return the value of a number.

        Raises:
            KernelError: If it is below `least` or needs more than 64 bits.
        """
        digits = token.lstrip("0") or "0"
        if len(digits) > len(str(MAX_INTEGER)) or int(digits) > MAX_INTEGER:
            hint = f"the largest number is {MAX_INTEGER}"
            raise self.error(f"{what} is too large", token, hint)
        if int(digits) < least:
            message = f"{what} must be >= {least}, got {digits}"
            raise self.error(message, token, f"give {least} or more")
        return int(digits)


def span_of(part: Node | Token, source: Source) -> Span:
    """Return the characters of a source that a token or a tree was read from."""
    if isinstance(part, Token):
        return Span(source, part.start_pos or 0, part.end_pos or 0)
    return Span(source, part.meta.start_pos, part.meta.end_pos)


def tokens(tree: Node) -> list[Token]:
    """Return the words that are direct parts of a tree."""
    return [part for part in tree.children if isinstance(part, Token)]


def trees(tree: Node) -> list[Node]:
    """Return the trees that are direct parts of a tree."""
    return [part for part in tree.children if isinstance(part, Tree)]


def parts(tree: Node) -> dict[str, Node]:
    """Return the trees that are direct parts of a tree, by their rule."""
    return {str(part.data): part for part in trees(tree)}
