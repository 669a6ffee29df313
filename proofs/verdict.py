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
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from pelican.integers import literal
from pelican.printing import point_text


class _Answer:
    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value: ask isinstance(verdict, Proved)")


@dataclass(frozen=True, slots=True)
class Proved(_Answer):
    """The claim holds for all values.

    Attributes:
        seconds: Time that the proof took [s].

    >>> from pelican import index
    >>> from proofs import prove_equal
    >>> i = index("i", 0, 64)
    >>> prove_equal(i % 64, i)  # doctest: +ELLIPSIS
    Proved(seconds=...)
    """

    word: ClassVar[str] = "proved"

    seconds: float

    def __str__(self) -> str:
        return self.word


@dataclass(frozen=True, slots=True)
class Refuted(_Answer):
    """The claim fails.

    Attributes:
        model: One counterexample: the value of each index or metavariable.

    >>> from pelican import index
    >>> from proofs import prove_equal
    >>> i = index("i", 0, 64)
    >>> prove_equal(i % 63, i)
    Refuted(model={index('i', 0, 64): 63})
    """

    word: ClassVar[str] = "refuted"

    model: Mapping[Any, int]

    def __repr__(self) -> str:
        # A dict cannot write integers of any length.
        items = (f"{key!r}: {literal(value)}" for key, value in self.model.items())
        return f"Refuted(model={{{', '.join(items)}}})"

    def __str__(self) -> str:
        at = point_text(self.model)
        return f"{self.word} at {at}" if at else self.word


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
