"""What the plain records share: they never change, and are equal by their fields."""

from __future__ import annotations

from pelican.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class Frozen(Record):
    """An immutable record whose fields are its slots."""

    __slots__ = ()

    _set = object.__setattr__  # how a record sets a field while it is built

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise self.immutable("set", name)

    def __delattr__(self, name: str) -> NoReturn:
        raise self.immutable("delete", name)

    @property
    def fields(self) -> tuple[Any, ...]:
        """What decides equality, in the order of the constructor's arguments."""
        names: tuple[str, ...] = self.__slots__
        return tuple(getattr(self, name) for name in names)
