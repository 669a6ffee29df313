"""What the compiler of the core is told of a class; plain Python takes no notice."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from mypy_extensions import mypyc_attr

    Class = TypeVar("Class", bound=type)
else:

    def mypyc_attr(**_: object) -> Callable[[Class], Class]:
        """Return a decorator that gives the class as it is."""
        return lambda cls: cls


__all__ = ["mypyc_attr"]
