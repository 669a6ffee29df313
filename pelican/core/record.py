"""What records are by their fields: equality, hash, repr and pickle."""

from __future__ import annotations

from pelican.core.native import mypyc_attr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@mypyc_attr(allow_interpreted_subclasses=True)
class Record:
    """A record; equal to one of its class with equal fields.

    That it never changes is said by each class: one that is compiled says it itself,
    the others by `pelican.core.frozen.Frozen`.
    """

    __slots__ = ()

    @property
    def fields(self) -> tuple[Any, ...]:
        """What decides equality, in the order of the constructor's arguments."""
        raise NotImplementedError(type(self).__name__)

    def immutable(self, change: str, name: str) -> AttributeError:
        """Return the error of a change."""
        kind = type(self).__name__
        article = "an" if kind[0] in "AEIOU" else "a"
        return AttributeError(f"{article} {kind} is immutable, cannot {change} {name}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Record):
            return NotImplemented
        return self.fields == other.fields

    def __hash__(self) -> int:
        return hash(self.fields)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self.fields))
        return f"{type(self).__name__}({shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self.fields)
