"""The base of all expressions: operators, comparison, caches.

An expression is immutable. Equality is structural: two expressions are equal if they
are the same tree over the same indices; the hash is made of the parts' hashes when a
node is built. Operators simplify; calling a class gives the plain node.
"""

from __future__ import annotations

from pelican import evaluate, printing
from pelican.build import as_expr, product, scale, sum_of
from pelican.engine import floordiv, modulo
from pelican.errors import OperandError, PelicanError
from pelican.kinds import CLASSES, constant, is_expr
from pelican.order import compare_parts
from pelican.ranges import range_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar, NoReturn, Self

    from pelican.evaluate import EvalResult
    from pelican.expr import AffineIdx
    from pelican.ranges import Interval

    Rank = tuple[int, str, int]

_set = object.__setattr__


class Expr:
    """An integer expression over indices.

    Python operators ``+ - * // %`` take expressions and integers on either side and
    give simplified expressions. ``e == 3`` compares with a constant. There is no
    ``<`` and no truth value: ask `proofs.prove_in` whether a bound holds.

    Attributes:
        kind: Number of the kind in the modelled system.
        lead: Rank (depth, name, serial) of the first index; it decides the order of
            terms before all else.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print((2048 * i + 512) % 16384)
    (2048*i + 512) mod 16384
    """

    __slots__ = ("__weakref__", "_hash", "_nodes", "_range", "lead")

    __array_ufunc__: ClassVar[None] = None  # numpy integers leave operators to us
    kind: ClassVar[int] = 0

    lead: Rank
    _hash: int
    _nodes: int | None
    _range: Interval | None

    def __init_subclass__(cls) -> None:
        if "kind" in cls.__dict__:
            CLASSES[cls.kind] = cls

    def _init(self, hash_value: int, lead: Rank) -> None:
        """Set the fields that every node has."""
        _set(self, "lead", lead)
        _set(self, "_hash", hash_value)
        _set(self, "_nodes", None)
        _set(self, "_range", None)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"an expression is immutable, cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"an expression is immutable, cannot delete {name}")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    # What an expression is.

    @property
    def range(self) -> Interval:
        """The interval that holds every value; never narrower than the truth."""
        return range_of(self)

    @property
    def nodes(self) -> int:
        """Size of the written text: operators, names and signed literals."""
        return printing.nodes_of(self)

    def eval(self, at: Mapping[AffineIdx, int]) -> EvalResult:
        """Return the value with some indices bound.

        Args:
            at: Value of each index. An index that is left out makes the result
                invalid.

        Raises:
            IndexRangeError: If a value is outside its index's range or off its step.
            OperandError: If a key is no index or a value is no integer.

        >>> from pelican import index
        >>> i = index("i", 0, 64)
        >>> int(((4 * i + 3) % 8).eval({i: 5}))
        7
        """
        return evaluate.evaluate(self, at)

    def __str__(self) -> str:
        return printing.text_of(self)

    def __repr__(self) -> str:
        return printing.repr_of(self)

    def _repr_latex_(self) -> str | None:
        """Return what a notebook shows; None, the plain text, if LaTeX cannot."""
        from pelican.interchange.latex import to_latex  # noqa: PLC0415 - above this

        try:
            return f"${to_latex(self)}$"
        except PelicanError:
            return None

    # Comparison.

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, int) and not isinstance(other, bool):
            other = constant(other)
        if not is_expr(other):
            return NotImplemented
        return self._hash == other._hash and compare_parts(self, other) == 0

    def _no_order(self, other: object) -> NoReturn:
        raise OperandError(
            f"expressions have no order: ({self}) compared with ({other})",
            hint="ask proofs.prove_in(e, Interval(lo, hi)) whether a bound holds",
        )

    __lt__ = __le__ = __gt__ = __ge__ = _no_order

    def __bool__(self) -> NoReturn:
        raise OperandError(
            f"an expression has no truth value: {self}",
            hint="compare with ==, or ask proofs.prove_in about its values",
        )

    # Operators.

    def __pos__(self) -> Expr:
        return self

    def __neg__(self) -> Expr:
        return scale(self, -1)

    def __add__(self, other: object) -> Expr:
        return sum_of((self, as_expr(other)))

    __radd__ = __add__

    def __sub__(self, other: object) -> Expr:
        return sum_of((self, scale(as_expr(other), -1)))

    def __rsub__(self, other: object) -> Expr:
        return sum_of((as_expr(other), scale(self, -1)))

    def __mul__(self, other: object) -> Expr:
        return product(self, as_expr(other))

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> Expr:
        return floordiv(self, as_expr(other))

    def __rfloordiv__(self, other: object) -> Expr:
        return floordiv(as_expr(other), self)

    def __mod__(self, other: object) -> Expr:
        return modulo(self, as_expr(other))

    def __rmod__(self, other: object) -> Expr:
        return modulo(as_expr(other), self)

    def __divmod__(self, other: object) -> tuple[Expr, Expr]:
        return self // other, self % other

    def __truediv__(self, other: object) -> NoReturn:
        raise OperandError(
            f"/ does not give integers: ({self}) / ({other})",
            hint="write // to round down",
        )

    __rtruediv__ = __truediv__

    # Caches, for the modules that fill them.

    @property
    def cached_range(self) -> Interval | None:
        """The range if it is known already."""
        return self._range

    def keep_range(self, interval: Interval) -> None:
        """Keep the range."""
        _set(self, "_range", interval)

    @property
    def cached_nodes(self) -> int | None:
        """The size if it is known already."""
        return self._nodes

    def keep_nodes(self, nodes: int) -> None:
        """Keep the size."""
        _set(self, "_nodes", nodes)
