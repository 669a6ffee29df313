"""The mistakes that pelican reports, and how a message shows its place.

Every error carries the value that was wrong, the place where it stands when it
came from text, and what to do about it. `str(error)` is the whole message:

>>> source = Source("mm.kernel", "i // 0")
>>> print(DivisorError("divisor must be >= 1, got 0", Span(source, 5, 6)))
mm.kernel:1:6: divisor must be >= 1, got 0
    i // 0
         ^
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

CONTEXT_COLUMNS: Final = 160
"""Width of a source line in a message; a longer line is cut around its caret."""


class Source:
    """A text that was read, and the name to show for it."""

    __slots__ = ("name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    def __repr__(self) -> str:
        return f"Source({self.name!r}, <{len(self.text)} characters>)"

    def line_column(self, offset: int) -> tuple[int, int]:
        """Return the line and column of a character, both counted from 1."""
        line_start = self.text.rfind("\n", 0, offset) + 1
        return self.text.count("\n", 0, offset) + 1, offset - line_start + 1


class Span:
    """The characters [start, end) of a source; empty spans point between two."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = max(start, end)

    def __repr__(self) -> str:
        return f"Span({self.place})"

    @property
    def file(self) -> str:
        """Name of the source."""
        return self.source.name

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.line_column(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.line_column(self.start)[1]

    @property
    def end_column(self) -> int:
        """Column after the last character that stands on the first line."""
        return self.column + max(1, len(self.text.split("\n", 1)[0]))

    @property
    def text(self) -> str:
        """The spanned characters."""
        return self.source.text[self.start : self.end]

    @property
    def place(self) -> str:
        """``file:line:column``."""
        return f"{self.file}:{self.line}:{self.column}"

    def excerpt(self) -> str:
        """Return the source line with a caret under the span."""
        column = self.column
        whole = self.source.text.split("\n")[self.line - 1]
        cut = max(0, column - 1 - CONTEXT_COLUMNS // 2)
        part = whole[cut : cut + CONTEXT_COLUMNS]
        # A control character would move the caret, or worse, act on the terminal.
        shown = "".join(c if c.isprintable() else " " for c in part).rstrip()
        lead = "... " if cut else ""
        width = min(self.end_column - column, CONTEXT_COLUMNS // 2)
        caret = " " * (len(lead) + column - 1 - cut) + "^" * width
        return f"    {lead}{shown}\n    {caret}"


class LocatedError(Exception):
    """A mistake of the input: what, where, and the remedy.

    Attributes:
        message: What was wrong with which value, in one sentence.
        span: Where it stands, or None when it did not come from a text.
        hint: What to do about it, or None.
    """

    def __init__(
        self,
        message: str,
        span: Span | None = None,
        hint: str | None = None,
        errors: tuple[LocatedError, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint
        self._errors = errors

    @property
    def errors(self) -> tuple[LocatedError, ...]:
        """All mistakes that one run found, this one first; most often it alone."""
        return self._errors or (self,)

    @property
    def file(self) -> str | None:
        """Name of the source, or None."""
        return None if self.span is None else self.span.file

    @property
    def line(self) -> int | None:
        """Line from 1, or None."""
        return None if self.span is None else self.span.line

    @property
    def column(self) -> int | None:
        """Column from 1, or None."""
        return None if self.span is None else self.span.column

    @property
    def end_column(self) -> int | None:
        """Column after the last character, or None."""
        return None if self.span is None else self.span.end_column

    def __str__(self) -> str:
        text = self.message
        if self.span is not None:
            text = f"{self.span.place}: {text}\n{self.span.excerpt()}"
        if self.hint is not None:
            text = f"{text}\n    hint: {self.hint}"
        return text


class PelicanError(LocatedError):
    """Any mistake that pelican reports."""


class OperandError(PelicanError, TypeError):
    """An operand that is no integer and no expression."""


class NonAffineError(PelicanError, TypeError):
    """A product of two non-constants, or a divisor that is not a constant."""


class DivisorError(PelicanError, ValueError):
    """A divisor below 1."""


class IndexRangeError(PelicanError, ValueError):
    """An index range that is empty or malformed, or a value outside its range."""


class UnboundIndexError(PelicanError, ValueError):
    """The integer of a result was asked for, but an index had no value."""


class SubstitutionRangeError(PelicanError, ValueError):
    """A substitute whose values are not all values of what it replaces."""


class WireError(PelicanError, ValueError):
    """A JSON object that is no expression, or an expression that JSON cannot hold.

    Attributes:
        pointer: Where in the object, as a JSON pointer (RFC 6901); empty at the top.
    """

    def __init__(self, message: str, pointer: str, hint: str | None = None) -> None:
        super().__init__(f"{pointer or 'the top'}: {message}", hint=hint)
        self.pointer = pointer


class TooDeepError(PelicanError, ValueError):
    """An expression that is nested more deeply than a format can hold."""


class TooLargeError(PelicanError, ValueError):
    """An expression whose written-out tree is too large to print."""


class WidthError(PelicanError, ValueError):
    """A program whose intermediate values do not fit the machine's integers."""


class ParseError(PelicanError, SyntaxError):
    """A text that is not in the language.

    One run may find several mistakes: `errors` holds them all, this one first.
    """


class UnknownNameError(ParseError):
    """A name that stands for nothing where it is used.

    Attributes:
        name: The name.
    """

    def __init__(
        self, name: str, span: Span | None = None, hint: str | None = None
    ) -> None:
        super().__init__(f"unknown name {name!r}", span, hint)
        self.name = name


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the question after the known name that is nearest, None if none is near.

    >>> nearest("unrol", ["verify", "unroll"])
    'did you mean unroll?'
    """
    from difflib import get_close_matches  # noqa: PLC0415 - it loads `re`

    near = get_close_matches(name, sorted(known), n=1)
    return f"did you mean {near[0]}?" if near else None
