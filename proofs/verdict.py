"""The three answers to a claim.

A verdict has no truth value: "not refuted" is not "proved", so the caller says which
answer it wants.

>>> isinstance(Proved(0.01), Proved)
True
>>> bool(Unknown("the solver gave up after 10 s"))
Traceback (most recent call last):
    ...
TypeError: a verdict has no truth value: ask isinstance(verdict, Proved)

Its text is what people are told:

>>> print(Refuted({"i": 3, "k": 0}))
refuted at i = 3, k = 0
>>> print(Refuted({"i": 0}, other={"i": 8}, values=(512,)))
refuted at i = 0 and at i = 8, both give 512
>>> print(Proved(0.01, "no two values of i are 64 apart"))
proved: no two values of i are 64 apart
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NoReturn

from pelican.integers import brief, literal
from pelican.tree.points import in_term_order, point_text


class _Answer:
    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value: ask isinstance(verdict, Proved)")


@dataclass(frozen=True, slots=True)
class Proved(_Answer):
    """The claim holds for all values.

    Attributes:
        seconds: Time that the proof took [s].
        reason: Why the claim speaks of no case at all, if so; else empty.

    >>> from pelican import index
    >>> from proofs import prove_distinct, prove_equal
    >>> i = index("i", 0, 64)
    >>> prove_equal(i % 64, i)  # doctest: +ELLIPSIS
    Proved(seconds=...)
    >>> print(prove_distinct(i % 8, i, 64))
    proved: no two values of i are 64 apart
    """

    word: ClassVar[str] = "proved"

    seconds: float
    reason: str = field(default="", compare=False)

    def __repr__(self) -> str:
        return f"Proved(seconds={self.seconds!r})"

    def __str__(self) -> str:
        return f"{self.word}: {self.reason}" if self.reason else self.word


@dataclass(frozen=True, slots=True)
class Refuted(_Answer):
    """The claim fails.

    Attributes:
        model: One counterexample: the value of each index, in term order, or of each
            metavariable. Of a claim about two points, the first.
        other: The second point, or None.
        values: What the expressions of the claim are there; of two points, what both
            give. They follow from the model, so they are no part of equality.
        reason: Why the claim fails, where the values do not say it; or empty.

    >>> from pelican import index
    >>> from proofs import prove_equal
    >>> i = index("i", 0, 64)
    >>> prove_equal(i % 63, i)
    Refuted(model={index('i', 0, 64): 63})
    """

    word: ClassVar[str] = "refuted"

    model: Mapping[Any, int]
    other: Mapping[Any, int] | None = None
    values: tuple[int, ...] = field(default=(), compare=False)
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "model", in_term_order(self.model))
        if self.other is not None:
            object.__setattr__(self, "other", in_term_order(self.other))

    def __repr__(self) -> str:
        other = "" if self.other is None else f", other={_dict_text(self.other)}"
        return f"Refuted(model={_dict_text(self.model)}{other})"

    def __str__(self) -> str:
        points = (self.model,) if self.other is None else (self.model, self.other)
        texts = (point_text(point, *points) for point in points)
        text = " and at ".join(filter(None, texts))
        text = f"{self.word} at {text}" if text else self.word
        if self.other is not None:
            given = ", ".join(map(brief, self.values))
            both = f"({given})" if len(self.values) > 1 else given
            text = f"{text}, both give {both}"
        return f"{text}: {self.reason}" if self.reason else text


def _dict_text(point: Mapping[Any, int]) -> str:
    # A dict cannot write integers of any length.
    items = (f"{key!r}: {literal(value)}" for key, value in point.items())
    return f"{{{', '.join(items)}}}"


@dataclass(frozen=True, slots=True)
class Unknown(_Answer):
    """Nobody knows; to every reader this is a failure.

    Attributes:
        reason: Why there is no answer.

    >>> print(Unknown("the time is up"))
    unknown, the time is up
    """

    word: ClassVar[str] = "unknown"

    reason: str

    def __str__(self) -> str:
        return f"{self.word}, {self.reason}"


Verdict = Proved | Refuted | Unknown
