"""The base of all expressions: operators, comparison, caches.

An expression is immutable. Equality is structural: two expressions are equal if they
are the same tree over the same indices; the hash is made of the parts' hashes when a
node is built. Operators simplify; calling a class gives the plain node.
"""

from __future__ import annotations

from pelican import pickling, printing
from pelican.build import as_expr, scale
from pelican.engine import floordiv, modulo, multiplied, scaled, sum_of
from pelican.errors import OperandError, PelicanError
from pelican.integers import integer_of
from pelican.interface import Interface
from pelican.kinds import CLASSES, constant, is_expr
from pelican.order import compare_parts
from pelican.ranges import range_of, stride_of, table_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, NoReturn, Self

    from pelican.congruence import Congruence
    from pelican.interval import Interval
    from pelican.tables import Table

    Rank = tuple[int, str, int]

_set = object.__setattr__


class Expr(Interface):
    """An integer expression over indices.

    Python operators ``+ - * // %`` take expressions and integers on either side and
    give simplified expressions. ``e == 3`` compares with a constant. There is no
    ``<`` and no truth value: ask `proofs.prove_in` whether a bound holds.

    Attributes:
        kind: Number of the kind in the modelled system.
        divisions: Number of mods and floordivs in the tree.
        lead: Rank (depth, name, serial) of the first index; it decides the order of
            terms before all else.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print((2048 * i + 512) % 16384)
    2048*(i mod 8) + 512
    """

    __slots__ = (
        "__weakref__",
        "_hash",
        "_nodes",
        "_range",
        "_stride",
        "_table",
        "_twin",
        "divisions",
        "lead",
    )

    __array_ufunc__: ClassVar[None] = None  # numpy integers leave operators to us
    kind: ClassVar[int] = 0

    divisions: int
    lead: Rank
    _hash: int
    _nodes: int | None
    _range: Interval | None
    _stride: Congruence
    _table: Table
    _twin: Expr | None

    def __init_subclass__(cls) -> None:
        if "kind" in cls.__dict__:
            CLASSES[cls.kind] = cls

    def _init(self, hash_value: int, lead: Rank, divisions: int = 0) -> None:
        """Set the fields that every node has."""
        _set(self, "divisions", divisions)
        _set(self, "lead", lead)
        _set(self, "_hash", hash_value)
        _set(self, "_nodes", None)
        _set(self, "_range", None)
        _set(self, "_twin", None)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"an expression is immutable, cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"an expression is immutable, cannot delete {name}")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return pickling.reduced(self)

    # What an expression is made of; a kind with parts or fields says which.

    @property
    def parts(self) -> tuple[Expr, ...]:
        """The direct parts, in order; a leaf has none."""
        return ()

    @property
    def own(self) -> tuple[Any, ...]:
        """The fields that are no parts."""
        return ()

    @classmethod
    def built(cls, own: tuple[Any, ...], parts: tuple[Expr, ...]) -> Expr:
        """Return the plain node of the given fields and parts.

        ``type(e).built(e.own, e.parts) == e`` for every expression.
        """
        raise NotImplementedError(cls.__name__)

    # What an expression is.

    @property
    def range(self) -> Interval:
        """The interval that holds every value; never narrower than the truth."""
        kept = self.cached_range
        return range_of(self) if kept is None else kept

    @property
    def stride(self) -> Congruence:
        """The class of every value: what it is modulo some number.

        >>> from pelican import index
        >>> i = index("i", 0, 64, 4)
        >>> (2 * i + 3).stride, ((2 * i + 3) % 16).stride
        (Congruence(8, 3), Congruence(8, 3))
        """
        return stride_of(self)

    @property
    def values(self) -> tuple[int, ...] | None:
        """The values in ascending order, at most 64; None where more are possible.

        Every value is among them. They are exact where the indices have at most 64
        points together; else some of them may never be taken.

        >>> from pelican import index
        >>> i = index("i", 14, 18)
        >>> (i % 8).values, (3 * i % 8 + i % 2).values, (i + index("n")).values
        ((0, 1, 6, 7), (0, 2, 4, 6), None)
        """
        table = table_of(self)
        if table is None:
            return None
        return tuple(value for value in table.members if value in self.range)

    @property
    def nodes(self) -> int:
        """Size of the written text: operators, names and signed literals."""
        return printing.nodes_of(self)

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
        if not is_expr(other):
            number = integer_of(other)
            if number is None:
                return NotImplemented
            other = constant(number)
        return self._hash == other._hash and compare_parts(self, other) == 0

    def _no_order(self, other: object) -> NoReturn:
        raise OperandError(
            f"expressions have no order: ({printing.brief_text(self)}) compared with "
            f"({printing.brief_text(other)})",
            hint="ask proofs.prove_in(e, Interval(lo, hi)) whether a bound holds",
        )

    __lt__ = __le__ = __gt__ = __ge__ = _no_order

    def __bool__(self) -> NoReturn:
        raise OperandError(
            f"an expression has no truth value: {printing.brief_text(self)}",
            hint="compare with ==, or ask proofs.prove_in about its values",
        )

    # Operators.

    def __pos__(self) -> Expr:
        return self

    def __neg__(self) -> Expr:
        return scaled(self, -1)

    def __add__(self, other: object) -> Expr:
        return sum_of((self, as_expr(other)))

    __radd__ = __add__

    def __sub__(self, other: object) -> Expr:
        return sum_of((self, scale(as_expr(other), -1)))

    def __rsub__(self, other: object) -> Expr:
        return sum_of((as_expr(other), scale(self, -1)))

    def __mul__(self, other: object) -> Expr:
        return multiplied(self, as_expr(other))

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

    def __rdivmod__(self, other: object) -> tuple[Expr, Expr]:
        return self.__rfloordiv__(other), self.__rmod__(other)

    def __truediv__(self, other: object) -> NoReturn:
        raise OperandError(
            f"/ does not give integers: ({printing.brief_text(self)}) / "
            f"({printing.brief_text(other)})",
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

    # Few nodes are asked for these two, so they are not set when a node is built.

    @property
    def cached_stride(self) -> Congruence | None:
        """The class if it is known already."""
        return getattr(self, "_stride", None)

    def keep_stride(self, known: Congruence) -> None:
        """Keep the class."""
        _set(self, "_stride", known)

    @property
    def cached_table(self) -> Table | None:
        """The table if it is known already; `NO_TABLE` if there is none."""
        return getattr(self, "_table", None)

    def keep_table(self, table: Table) -> None:
        """Keep the table."""
        _set(self, "_table", table)

    @property
    def cached_nodes(self) -> int | None:
        """The size if it is known already."""
        return self._nodes

    def keep_nodes(self, nodes: int) -> None:
        """Keep the size."""
        _set(self, "_nodes", nodes)

    @property
    def cached_twin(self) -> Expr | None:
        """For a mod: the floordiv of the same numerator, if it is known already."""
        return self._twin

    def keep_twin(self, twin: Expr) -> None:
        """Keep the floordiv of the same numerator."""
        _set(self, "_twin", twin)
