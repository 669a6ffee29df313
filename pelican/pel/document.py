"""What a file says: its names, its facts, and the questions that it asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pelican.access.maps import Inverse, RingMap
from pelican.access.patterns import AccessPattern
from pelican.errors import LocatedError, Span
from pelican.expr import ICmpExpr
from pelican.expr.node import Expr
from pelican.questions.claims import Claim

Value = Expr | AccessPattern | RingMap


@dataclass(frozen=True, slots=True)
class Check:
    """A claim that a file makes.

    Attributes:
        claim: What is claimed.
        given: The facts that the file assumes above it.
        text: The claim as it is written, on one line, without the word ``check``.
        span: Where the statement stands.
        line: Its line, from 1.
    """

    claim: Claim
    given: tuple[ICmpExpr, ...]
    text: str
    span: Span
    line: int


@dataclass(frozen=True, slots=True)
class Show:
    """A value that a file asks to see.

    Attributes:
        value: The value; None for a map without an inverse that pelican knows.
        text: What is asked, as it is written, without the word ``show``.
        span: Where the statement stands.
        line: Its line, from 1.
    """

    value: Value | Inverse | None
    text: str
    span: Span
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read.

    Attributes:
        file: Its name.
        names: What each name stands for, in the order of the file.
        assumed: Each fact that the file assumes, with its place.
        questions: The checks and shows, in the order of the file.
        errors: The mistakes of the file; the statements that have none are read.
    """

    file: str
    names: Mapping[str, Value]
    assumed: tuple[tuple[ICmpExpr, Span], ...]
    questions: tuple[Check | Show, ...]
    errors: tuple[LocatedError, ...] = ()
