"""The types of what callers give, and what checks it: the function that takes it.

A compiled function refuses what is not of the type of a parameter before it runs. So
what the core takes from outside has these types, and the errors are its own: they name
the value and the remedy.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol, SupportsIndex, TypeAlias

    from pelican.expr.node import Expr

    Integer: TypeAlias = SupportsIndex
    """Anything with ``__index__``; a bool is refused."""

    Operand: TypeAlias = Expr | SupportsIndex
    """An expression, or an integer."""

    class Index(Protocol):
        """An index of an expression."""

        def takes(self, value: int) -> bool:
            """Tell whether a value is one of the index."""
            ...

    class Text(Protocol):
        """A str."""

        def isidentifier(self) -> bool:
            """Tell whether it is a name."""
            ...

    class KnownClass(Protocol):
        """A Congruence."""

        def is_multiple_of(self, n: int) -> bool:
            """Tell whether an integer divides every integer of the class."""
            ...
