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
    from collections.abc import Iterable, Sequence
    from typing import Final

CONTEXT_COLUMNS: Final = 160
"""Width of a source line in a message; a longer line is cut around its caret."""

SENTENCE_ENDS: Final = 300, 100
"""Characters that a shortened message or hint shows of its beginning and its end."""


def shortened(sentence: str) -> str:
    """Return a sentence as it is shown: of a long one the beginning and the end.

    >>> shortened("short"), len(shortened(1000 * "long "))
    ('short', 405)
    """
    head, tail = SENTENCE_ENDS
    if len(sentence) <= head + tail + len(" ... "):
        return sentence
    return f"{sentence[:head]} ... {sentence[-tail:]}"


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
        message: What was wrong with which value, in one sentence, `shortened`.
        span: Where it stands, or None when it did not come from a text.
        hint: What to do about it, or None.

    >>> error = LocatedError("what is wrong", hint="what to do")
    >>> print(error)
    what is wrong
        hint: what to do
    """

    def __init__(
        self,
        message: str,
        span: Span | None = None,
        hint: str | None = None,
        errors: tuple[LocatedError, ...] = (),
    ) -> None:
        self.message = shortened(message)
        super().__init__(self.message)
        self.span = span
        self.hint = None if hint is None else shortened(hint)
        self._errors = errors

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, self.__dict__)

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


def _restored(
    kind: type[LocatedError], args: tuple[object, ...], fields: dict[str, object]
) -> LocatedError:
    """Return the error of a pickle or copy; its message is not built again."""
    error = kind.__new__(kind)
    super(LocatedError, error).__init__(*args)
    error.__dict__.update(fields)
    return error


class PelicanError(LocatedError):
    """Any mistake that pelican reports.

    >>> error = PelicanError("what is wrong", hint="what to do")
    >>> error.message, error.hint, error.line
    ('what is wrong', 'what to do', None)
    """


class OperandError(PelicanError, TypeError):
    """An operand that is no integer and no expression.

    >>> from pelican import index
    >>> index("i") + 1.5  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    pelican.errors.OperandError: an operand must be an integer or an expression, ...
    """


class NonAffineError(PelicanError, TypeError):
    """A product of two non-constants, or a divisor that is not a constant.

    >>> from pelican import index
    >>> index("i") * index("j")
    Traceback (most recent call last):
        ...
    pelican.errors.NonAffineError: one side of * must be a constant, got (i) * (j)
        hint: index expressions are linear; a product of two indices has no form here
    """


class DivisorError(PelicanError, ValueError):
    """A divisor below 1.

    >>> from pelican import index
    >>> index("i") // 0
    Traceback (most recent call last):
        ...
    pelican.errors.DivisorError: floordiv needs a divisor >= 1, got 0
        hint: a divisor is an integer of at least 1
    """


class IndexRangeError(PelicanError, ValueError):
    """An index range that is empty or malformed, or a value outside its range.

    >>> from pelican import index
    >>> index("i", 8, 8)
    Traceback (most recent call last):
        ...
    pelican.errors.IndexRangeError: index i in [8, 8) step 1: the range is empty
        hint: the end is exclusive: give an end above the least value
    """


class UnboundIndexError(PelicanError, ValueError):
    """The integer of a result was asked for, but an index had no value.

    >>> from pelican import index
    >>> int((index("i") + 1).eval({}))
    Traceback (most recent call last):
        ...
    pelican.errors.UnboundIndexError: the expression has no value: no value for i
        hint: bind every index: e.eval({i: 3, j: 0})
    """


class SubstitutionRangeError(PelicanError, ValueError):
    """A substitute whose values are not all values of what it replaces.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> (i % 128).substitute({i: 64})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    pelican.errors.SubstitutionRangeError: 64 has range [64, 65), outside ...
    """


class WireError(PelicanError, ValueError):
    """A JSON object that is no expression, or an expression that JSON cannot hold.

    Attributes:
        pointer: Where in the object, as a JSON pointer (RFC 6901); empty at the top.

    >>> from pelican.wire import loads
    >>> loads('{"kind": "AffExprKind", "c": 1.5, "terms": []}', {})
    Traceback (most recent call last):
        ...
    pelican.errors.WireError: /c: an integer is needed, got float
    """

    def __init__(self, message: str, pointer: str, hint: str | None = None) -> None:
        super().__init__(f"{pointer or 'the top'}: {message}", hint=hint)
        self.pointer = pointer


class TooDeepError(PelicanError, ValueError):
    """An expression that is nested more deeply than a format can hold.

    >>> from pelican import ModuloExpr, index
    >>> from pelican.wire import dumps
    >>> deep = index("i")
    >>> for n in range(300):
    ...     deep = ModuloExpr(deep, 7)
    >>> dumps(deep)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    pelican.errors.TooDeepError: an expression of depth 301 is beyond 200, ...
    """


class TooLargeError(PelicanError, ValueError):
    """An expression whose written-out tree is too large to print.

    >>> from pelican import SumExpr, index
    >>> shared = index("i")
    >>> for n in range(20):
    ...     shared = SumExpr([shared, shared])
    >>> str(shared)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    pelican.errors.TooLargeError: the written-out expression has 2097151 nodes, ...
    """


class RewriteLimitError(PelicanError, RuntimeError):
    """A simplification that did not end: a fault of the laws, not of the input.

    >>> str(RewriteLimitError("i mod 7 is rewritten for ever"))
    'i mod 7 is rewritten for ever'
    """


class WidthError(PelicanError, ValueError):
    """A program whose intermediate values do not fit the machine's integers.

    >>> from pelican import index
    >>> from pelican.interchange.c import to_c
    >>> to_c(index("i") + 1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    pelican.errors.WidthError: the C text needs more than 64 bits: ...
    """


class ParseError(PelicanError, SyntaxError):
    """A text that is not in the language.

    One run may find several mistakes: `errors` holds them all, this one first.

    >>> from pelican import index, parse
    >>> parse("i + ?", {"i": index("i")})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    pelican.errors.ParseError: <expression>:1:5: unexpected '?', expected ...
    """

    @property
    def msg(self) -> str:  # type: ignore[override]
        """The whole message: Python shows this of a SyntaxError that nobody catches."""
        return str(self)


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


def raise_all(errors: Sequence[LocatedError]) -> None:
    """Return if there is no mistake.

    Raises:
        ParseError: The first mistake, with all of them in `errors`.
    """
    if errors:
        first = errors[0]
        raise ParseError(first.message, first.span, first.hint, tuple(errors))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the question after the known name that is nearest, None if none is near.

    >>> nearest("unrol", ["verify", "unroll"])
    'did you mean unroll?'
    >>> nearest("TRN2", ["inf1", "trn2"])
    'did you mean trn2?'
    """
    from difflib import get_close_matches  # noqa: PLC0415 - it loads `re`

    names = sorted(known)
    small = {each.lower(): each for each in names}
    near = get_close_matches(name, names, n=1) or [
        small[each] for each in get_close_matches(name.lower(), small, n=1)
    ]
    return f"did you mean {near[0]}?" if near else None
