"""Not a peer but the floor: the text as Python reads it."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.peers.peer import Peer


class Text(str):
    """A source text whose operators write longer ones, as one writes by hand."""

    __slots__ = ()

    def __add__(self, other: object) -> Text:
        return Text(f"{self!s} + {other}")

    def __mul__(self, other: object) -> Text:
        return Text(f"{self._closed()} * {other}")

    def __radd__(self, other: object) -> Text:
        return Text(f"{other} + {self!s}")

    def __rmul__(self, other: object) -> Text:
        return Text(f"{other} * {self._closed()}")

    def __mod__(self, other: object) -> Text:
        return Text(f"{self._closed()} % {other}")

    def __floordiv__(self, other: object) -> Text:
        return Text(f"{self._closed()} // {other}")

    def _closed(self) -> str:
        return self if self.isidentifier() else f"({self!s})"


class Adapter(Peer):
    """A lambda written by hand; over arrays, plain numpy."""

    title = "plain Python and numpy"
    distribution = "numpy"

    def label(self) -> str:
        """Return title and version of Python."""
        return f"{self.title}, {platform.python_version()}"

    def variables(self, sizes: Mapping[str, int], mark: str = "") -> dict[str, Any]:
        """Return texts that build texts."""
        return {name: Text(name + mark) for name in sizes}

    def compiled(
        self, built: Any, variables: Mapping[str, Any]
    ) -> Callable[..., int] | None:
        """Return the lambda."""
        made: Callable[..., int] = eval(f"lambda {', '.join(variables)}: {built}")
        return made

    def bulk(
        self, built: Any, variables: Mapping[str, Any]
    ) -> Callable[..., Any] | None:
        """Return the lambda: numpy does the rest."""
        return self.compiled(built, variables)
