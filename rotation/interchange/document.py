"""A JSON document with pointers: every value knows where it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from os import PathLike, fspath
from typing import Any, Final, NoReturn

from pelican.errors import ParseError, Source, Span, nearest
from rotation.errors import InterchangeError
from rotation.loop_form.kernel import MAX_INTEGER

MAX_DIGITS: Final = 1000
"""Longer integers are not even read; Python's own limit is a little above."""

MAX_SHOWN: Final = 60
"""Characters of a refused value in a message."""

_SCALAR: Final = re.compile(r'"(?:[^"\\]|\\.)*"|-?(?:Infinity|\d+)|NaN')
"""A string, an integer or a constant, from the left."""

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a document, and how it is read: each method says what it must be.

    Attributes:
        data: The value as the `json` module gives it.
        pointer: JSON pointer (RFC 6901) of the value.
    """

    data: Any
    pointer: str = ""

    def refuse(self, message: str, hint: str | None = None) -> NoReturn:
        """Raise the error of this value."""
        raise InterchangeError(message, self.pointer, hint)

    def fields(
        self, required: Collection[str], optional: Collection[str] = ()
    ) -> dict[str, Value]:
        """Return the members of an object by name, in their order.

        Raises:
            InterchangeError: If it is no object, lacks a required member, or has one
                that is neither required nor optional.
        """
        members = dict(self.members())
        known = [*required, *optional]
        for name, member in members.items():
            if name not in known:
                hint = nearest(name, known) or f"the fields here: {', '.join(known)}"
                member.refuse("this field is not read", hint)
        for name in required:
            if name not in members:
                hint = f'add "{name}": ... to the object'
                self.refuse(f"the field {name} is missing", hint)
        return members

    def members(self) -> list[tuple[str, Value]]:
        """Return the members of an object with their names, in their order."""
        if not isinstance(self.data, dict):
            self._expected("an object")
        return [
            (str(name), Value(item, f"{self.pointer}/{_escaped(str(name))}"))
            for name, item in self.data.items()
        ]

    def items(self) -> list[Value]:
        """Return the items of an array."""
        if not isinstance(self.data, list):
            self._expected("an array")
        return [
            Value(item, f"{self.pointer}/{position}")
            for position, item in enumerate(self.data)
        ]

    def integer(self, least: int = -MAX_INTEGER) -> int:
        """Return an integer of at most 64 bits that is not below `least`."""
        if not isinstance(self.data, int) or isinstance(self.data, bool):
            self._expected("an integer")
        if not least <= self.data <= MAX_INTEGER:
            self._expected(f"an integer in [{least}, {MAX_INTEGER}]")
        return self.data

    def flag(self) -> bool:
        """Return true or false."""
        if not isinstance(self.data, bool):
            self._expected("true or false")
        return self.data

    def word(self) -> str:
        """Return a name: letters, digits and _, no digit first."""
        if not isinstance(self.data, str) or not _NAME.fullmatch(self.data):
            self._expected("a name like x or row_2")
        return self.data

    def text(self) -> str:
        """Return a text that can stand between quotes on one line."""
        if not isinstance(self.data, str):
            self._expected("a text")
        if not self.data.isprintable() or set(self.data) & {'"', "\\"}:
            self.refuse('a text on one line without " and \\ is needed')
        return self.data

    def choice(self, known: Iterable[str]) -> str:
        """Return one of the known words."""
        known = sorted(known)
        if self.data not in known:
            self._expected(f"{'one of ' * (len(known) > 1)}{', '.join(known)}")
        return str(self.data)

    def _expected(self, what: str) -> NoReturn:
        self.refuse(f"{what} is needed, got {self._shown()}")

    def _shown(self) -> str:
        if isinstance(self.data, (dict, list)):
            return "an object" if isinstance(self.data, dict) else "an array"
        if isinstance(self.data, int) and abs(self.data) > MAX_INTEGER:
            return "an integer of more than 64 bits"
        if self.data is None or isinstance(self.data, bool):
            return json.dumps(self.data)
        shown = repr(self.data)
        return shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}..."


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


@contextmanager
def named_document(path: str | PathLike[str]) -> Iterator[None]:
    """Give each mistake of a document the path that it was read from."""
    try:
        yield
    except InterchangeError as error:
        error.document = fspath(path)
        raise


def read_document(source: Source) -> object:
    """Return the JSON document of a text.

    Raises:
        ParseError: If it is no JSON text in UTF-8; or if it is JSON that readers take
            differently, such as a repeated field, NaN or an integer of thousands of
            digits; or if it is nested too deep.
    """
    try:
        document: object = json.loads(
            source.text,
            object_pairs_hook=partial(_object, source),
            parse_constant=partial(_constant, source),
            parse_int=partial(_integer, source),
        )
    except json.JSONDecodeError as error:
        message = f"this is not JSON: {error.msg}"
        hint = "strings have double quotes, and no comma stands before a bracket"
        span = Span(source, error.pos, error.pos)
        raise ParseError(message, span, hint) from None
    except RecursionError:
        message = f"{source.name} is nested too deep"
        hint = "a kernel needs few objects inside one another: merge its loops"
        raise ParseError(message, hint=hint) from None
    return document


def _object(source: Source, members: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(members)
    if len(made) < len(members):
        names = [name for name, _ in members]
        repeated = next(name for name in names if names.count(name) > 1)
        message = f"{source.name} has an object with the field {repeated!r} twice"
        raise ParseError(message, hint="keep one of the two")
    return made


def _constant(source: Source, word: str) -> NoReturn:
    message = f"{word} is not a number of JSON"
    raise ParseError(message, _first(source, word), "write an integer")


def _integer(source: Source, digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        message = f"an integer of {len(digits)} digits is too long"
        hint = f"integers of a kernel are at most {MAX_INTEGER}"
        raise ParseError(message, _first(source, digits), hint)
    return int(digits)


def _first(source: Source, word: str) -> Span:
    """Return the first place of a word that stands outside all strings."""
    for match in _SCALAR.finditer(source.text):
        if match.group() == word:
            return Span(source, *match.span())
    return Span(source, 0, 0)
