"""What the plain records share: they never change, and are equal by their fields."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class Frozen:
    """An immutable record; equal to one of its class with equal fields."""

    __slots__ = ()

    _set = object.__setattr__  # how a record sets a field while it is built

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self._kind()} is immutable, cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{self._kind()} is immutable, cannot delete {name}")

    def _kind(self) -> str:
        name = type(self).__name__
        return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"

    @property
    def fields(self) -> tuple[Any, ...]:
        """What decides equality, in the order of the constructor's arguments."""
        names: tuple[str, ...] = self.__slots__
        return tuple(getattr(self, name) for name in names)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Frozen):
            return NotImplemented
        return self.fields == other.fields

    def __hash__(self) -> int:
        return hash(self.fields)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self.fields))
        return f"{type(self).__name__}({shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self.fields)
