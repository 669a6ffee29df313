"""The base of all expressions: operators, comparison, caches.

An expression is immutable. Equality is structural: two expressions are equal if they
are the same tree over the same indices; the hash is made of the parts' hashes when a
node is built. Operators simplify; calling a class gives the plain node.
"""

from __future__ import annotations

from pelican.engine.growing import plus
from pelican.engine.simplify import divided, floordiv, joined_up, modulo
from pelican.errors import PelicanError
from pelican.expr import pickling
from pelican.expr.refused import Refused
from pelican.expr.remedies import refuse_base
from pelican.integers import integer_of
from pelican.known.ranges import range_of, stride_of, table_of
from pelican.tree import printing
from pelican.tree.arguments import as_expr
from pelican.tree.build import added, product, scale
from pelican.tree.kinds import SUM, constant, is_expr
from pelican.tree.order import equal, hashed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, NoReturn, Self

    from pelican.engine.growing import Kept
    from pelican.known.congruence import Congruence
    from pelican.known.interval import Interval
    from pelican.known.tables import Table

    Rank = tuple[Any, ...]


class Expr(Refused):
    """An integer expression over indices.

    Python operators ``+ - * // %`` take expressions and integers on either side and
    give simplified expressions. ``e == 3`` compares with a constant. There is no
    ``<`` and no truth value: ask `proofs.prove_in` whether a bound holds. Nor are there
    powers and operators on bits; the error says what to write, ``8*i`` for ``i << 3``.

    Attributes:
        kind: Number of the kind in the modelled system.
        divisions: Number of mods and floordivs in the tree.
        lead: Rank (depth, name, serial) of the first index; it decides the order of
            terms before all else.

    Raises:
        OperandError: If this class itself is called: only its kinds have nodes.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print((2048 * i + 512) % 16384)
    2048*(i mod 8) + 512
    """

    __slots__ = (
        "__weakref__",
        "_growth",
        "_hash",
        "_nodes",
        "_point",
        "_range",
        "_same",
        "_stride",
        "_table",
        "_twin",
    )

    __array_ufunc__: ClassVar[None] = None  # numpy integers leave operators to us
    kind: int = 0

    divisions: int = 0
    # What is not known yet is not set: most nodes are asked for little.
    _growth: Kept
    _hash: int
    _nodes: int
    _point: object
    _range: Interval
    _same: object
    _stride: Congruence
    _table: Table
    _twin: Expr

    def __init__(self, *_given: object, **_named: object) -> None:
        # Kinds with parts or fields of their own have another; interned ones come here.
        if not self.kind:
            refuse_base(type(self))

    @property
    def lead(self) -> Rank:
        """Rank of the first index; see the class."""
        raise NotImplementedError(type(self).__name__)

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
        try:
            return self._range
        except AttributeError:
            return range_of(self)

    @property
    def stride(self) -> Congruence:
        """The class of every value: what it is modulo some number.

        >>> from pelican import index
        >>> i = index("i", 0, 64, 4)
        >>> (2 * i + 3).stride, ((2 * i + 3) % 16).stride
        (Congruence(8, 3), Congruence(8, 3))
        """
        try:
            return self._stride
        except AttributeError:
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
        try:
            return self._hash
        except AttributeError:
            return hashed(self)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        try:
            if self._same is other._same:  # type: ignore[attr-defined]
                return True
        except AttributeError:  # it is no expression, or one was never compared
            pass
        if not is_expr(other):
            number = integer_of(other)
            if number is None:
                return NotImplemented
            other = constant(number)
        return equal(self, other)

    # Operators.

    def __pos__(self) -> Expr:
        return self

    def __neg__(self) -> Expr:
        total = scale(self, -1)
        return joined_up(total) if total.divisions else total

    def __add__(self, other: object) -> Expr:
        if self.kind == SUM or (
            # An integer is told first: to find that it is no node takes longest.
            type(other) is not int and isinstance(other, Expr) and other.kind == SUM
        ):
            return plus(self, other)
        total = added(self, other)
        return joined_up(total) if total.divisions else total

    def __radd__(self, other: object) -> Expr:
        return self.__add__(other)

    def __sub__(self, other: object) -> Expr:
        if self.kind == SUM:
            return plus(self, other, -1)
        taken = -other if type(other) is int else scale(as_expr(other), -1)
        total = added(self, taken)
        return joined_up(total) if total.divisions else total

    def __rsub__(self, other: object) -> Expr:
        total = added(scale(self, -1), as_expr(other))
        return joined_up(total) if total.divisions else total

    def __mul__(self, other: object) -> Expr:
        if type(other) is int:
            total = scale(self, other)
        else:
            total = product(self, as_expr(other))
        return joined_up(total) if total.divisions else total

    def __rmul__(self, other: object) -> Expr:
        return self.__mul__(other)

    def __floordiv__(self, other: object) -> Expr:
        return divided("//", self, other)

    def __rfloordiv__(self, other: object) -> Expr:
        return floordiv(as_expr(other), self)

    def __mod__(self, other: object) -> Expr:
        return divided("%", self, other)

    def __rmod__(self, other: object) -> Expr:
        return modulo(as_expr(other), self)

    def __divmod__(self, other: object) -> tuple[Expr, Expr]:
        return self // other, self % other

    def __rdivmod__(self, other: object) -> tuple[Expr, Expr]:
        return self.__rfloordiv__(other), self.__rmod__(other)

    # Caches, for the modules that fill them.

    @property
    def cached_range(self) -> Interval | None:
        """The range if it is known already."""
        return getattr(self, "_range", None)

    def keep_hash(self, value: int) -> int:
        """Keep the hash, and return it."""
        object.__setattr__(self, "_hash", value)
        return value

    def own_hash(self) -> int:
        """Return the hash, of the hashes of the parts."""
        raise NotImplementedError(type(self).__name__)

    @property
    def same(self) -> object:
        """The mark of those that were found to be equal to it, or None."""
        return getattr(self, "_same", None)

    def keep_same(self, mark: object) -> None:
        """Keep the mark of those that are equal to it."""
        object.__setattr__(self, "_same", mark)

    def keep_range(self, interval: Interval) -> Interval:
        """Keep the range, and return it."""
        object.__setattr__(self, "_range", interval)
        return interval

    @property
    def cached_stride(self) -> Congruence | None:
        """The class if it is known already."""
        return getattr(self, "_stride", None)

    def keep_stride(self, known: Congruence) -> None:
        """Keep the class."""
        object.__setattr__(self, "_stride", known)

    @property
    def cached_table(self) -> Table | None:
        """The table if it is known already; `NO_TABLE` if there is none."""
        return getattr(self, "_table", None)

    def keep_table(self, table: Table) -> None:
        """Keep the table."""
        object.__setattr__(self, "_table", table)

    @property
    def point(self) -> Any:  # noqa: ANN401 - see `pelican.evaluation.evaluate`
        """How often it was evaluated, or what evaluates it; None if it never was."""
        return getattr(self, "_point", None)

    def keep_point(self, point: object) -> None:
        """Keep the count, or what evaluates it."""
        object.__setattr__(self, "_point", point)

    @property
    def cached_nodes(self) -> int | None:
        """The size if it is known already."""
        return getattr(self, "_nodes", None)

    def keep_nodes(self, nodes: int) -> None:
        """Keep the size."""
        object.__setattr__(self, "_nodes", nodes)

    @property
    def growth(self) -> Kept | None:
        """For a sum: what its next addition may take; None if nothing was added yet."""
        return getattr(self, "_growth", None)

    def keep_growth(self, kept: Kept) -> None:
        """Keep what an addition may take."""
        object.__setattr__(self, "_growth", kept)

    @property
    def cached_twin(self) -> Expr | None:
        """For a mod: the floordiv of the same numerator, if it is known already."""
        return getattr(self, "_twin", None)

    def keep_twin(self, twin: Expr) -> None:
        """Keep the floordiv of the same numerator."""
        object.__setattr__(self, "_twin", twin)
