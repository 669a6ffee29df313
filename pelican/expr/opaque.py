"""Leaves that only the running program can tell: the rank of a core, an argument."""

from __future__ import annotations

from pelican.errors import OperandError
from pelican.expr.spine import SimpleExpr
from pelican.integers import brief, decimal
from pelican.tree.arguments import as_int
from pelican.tree.kinds import CC_GET_RANK, INDIRECT_ARG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.core.given import Integer


class OpaqueFnExpr(SimpleExpr):
    """A value that compilation knows nothing of: unbounded, and in no loop."""

    __slots__ = ()

    def _init_opaque(self, name: str) -> None:
        self._init_leaf((None, None, 1))
        self._init_place(-1, name, 0)


class CCGetRank(OpaqueFnExpr):
    """The rank of a core in a collective operation.

    Attributes:
        iteration_id: Iteration of the collective, >= 0.
        channel_id: Channel of the collective, >= 0.

    Raises:
        OperandError: If an id is negative.

    >>> print(CCGetRank(0, 2))
    rank(0, 2)
    """

    __slots__ = ("channel_id", "iteration_id")

    kind: int = CC_GET_RANK

    iteration_id: int
    channel_id: int

    def __init__(self, iteration_id: Integer, channel_id: Integer) -> None:
        ids = (as_id(iteration_id, "iteration_id"), as_id(channel_id, "channel_id"))
        object.__setattr__(self, "iteration_id", ids[0])
        object.__setattr__(self, "channel_id", ids[1])
        self._init_opaque(f"rank({decimal(ids[0])}, {decimal(ids[1])})")

    @property
    def own(self) -> tuple[int, int]:
        """The two ids."""
        return self.iteration_id, self.channel_id


class IndirectArg(OpaqueFnExpr):
    """An offset that is read from a tensor when the program runs (a gather).

    Attributes:
        arg_id: Number of the argument that holds the offsets, >= 0.

    Raises:
        OperandError: If the id is negative.

    >>> print(IndirectArg(1))
    arg(1)
    """

    __slots__ = ("arg_id",)

    kind: int = INDIRECT_ARG

    arg_id: int

    def __init__(self, arg_id: Integer) -> None:
        number = as_id(arg_id, "arg_id")
        object.__setattr__(self, "arg_id", number)
        self._init_opaque(f"arg({decimal(number)})")

    @property
    def own(self) -> tuple[int]:
        """The id."""
        return (self.arg_id,)


def as_id(value: object, what: str) -> int:
    """Return the integer of an id.

    Raises:
        OperandError: If it is no integer, or negative.
    """
    number = as_int(value, what)
    if number < 0:
        raise OperandError(f"{what} must be >= 0, got {brief(number)}")
    return number


def rank(iteration_id: Integer, channel_id: Integer) -> CCGetRank:
    """Return the rank of a core in a collective operation; see `CCGetRank`.

    Args:
        iteration_id: Iteration of the collective, >= 0.
        channel_id: Channel of the collective, >= 0.

    Raises:
        OperandError: If an id is negative.

    >>> print(rank(0, 2))
    rank(0, 2)
    """
    return CCGetRank(iteration_id, channel_id)


def arg(arg_id: Integer) -> IndirectArg:
    """Return an offset that is read when the program runs; see `IndirectArg`.

    Args:
        arg_id: Number of the argument that holds the offsets, >= 0.

    Raises:
        OperandError: If the id is negative.

    >>> print(arg(1) + 4)
    arg(1) + 4
    """
    return IndirectArg(arg_id)
