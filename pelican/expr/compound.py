"""Expressions made of parts. Calling a class gives the plain node, unsimplified."""

from __future__ import annotations

from itertools import pairwise

from pelican.build import as_expr, as_int, as_tuple
from pelican.engine import as_divisor
from pelican.errors import OperandError
from pelican.expr.opaque import as_id
from pelican.expr.spine import BinaryExpr, CompoundExpr
from pelican.kinds import (
    AFFINE,
    CC_DIV,
    CC_MOD,
    FLOORDIV,
    MODULO,
    MULT,
    SUM,
    is_expr,
    is_index,
)
from pelican.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, ClassVar, Final, Self

    from pelican.build import Terms
    from pelican.expr.indices import AffineIdx
    from pelican.node import Expr

    Parts = tuple[Expr, ...]
    Rank = tuple[int, str, int]

_set = object.__setattr__
_new = object.__new__

_NO_INDEX: Final = (1 << 62, "", 0)
"""Rank of an expression without an index: after all others."""


class Disordered(tuple["tuple[AffineIdx, int]", ...]):
    """Terms that are out of order, or hold an index twice."""

    __slots__ = ()


class AffineExpr(CompoundExpr):
    """``constant + sum of coefficient*index``; without terms it is a constant.

    Attributes:
        terms: Pairs of an index and its coefficient; in a canonical node the indices
            are distinct and in term order. Coefficients of 0 are dropped when the node
            is built.
        constant: The free term.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print(AffineExpr([(i, 2)], 3), AffineExpr((), 7))
    2*i + 3 7
    """

    __slots__ = ("constant", "terms")

    kind: ClassVar[int] = AFFINE

    terms: tuple[tuple[AffineIdx, int], ...]
    constant: int

    def __init__(
        self, terms: Iterable[tuple[AffineIdx, int]], constant: int = 0
    ) -> None:
        pairs = (_pair(term) for term in as_tuple(terms, "an AffineExpr needs terms"))
        kept = tuple((idx, c) for idx, c in pairs if c)
        _set(self, "terms", kept if _in_order(kept) else Disordered(kept))
        _set(self, "constant", as_int(constant))

    @classmethod
    def of(cls, terms: tuple[tuple[AffineIdx, int], ...], constant: int) -> AffineExpr:
        """Return the node of distinct terms in term order, and a constant."""
        node = _new(cls)
        _set_terms(node, terms)
        _set_constant(node, constant)
        return node

    def own_hash(self) -> int:
        """Return the hash; a constant hashes like its integer: the two are equal."""
        if not self.terms:
            return hash(self.constant)
        return hash((self.kind, self.terms, self.constant))

    @property
    def lead(self) -> Rank:
        """The rank of the first index; without one, after all others."""
        return self.terms[0][0].order_key if self.terms else _NO_INDEX

    @property
    def parts(self) -> tuple[AffineIdx, ...]:
        """The indices."""
        return tuple(idx for idx, _ in self.terms)

    @property
    def own(self) -> tuple[int, ...]:
        """The coefficients, then the constant."""
        return (*(c for _, c in self.terms), self.constant)

    @classmethod
    def built(cls, own: tuple[int, ...], parts: Parts) -> AffineExpr:
        """Return the node with the given coefficients of the given indices."""
        pairs = zip(map(_index, parts), own[:-1], strict=True)
        return cls(tuple(pairs), own[-1])


# What sets a slot itself costs less than what looks for it by its name.
_set_terms: Final = AffineExpr.__dict__["terms"].__set__
_set_constant: Final = AffineExpr.__dict__["constant"].__set__


class SumExpr(CompoundExpr):
    """The sum of its operands, in their order.

    Attributes:
        operands: At least one expression.

    Raises:
        OperandError: If there is no operand.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print(SumExpr([i, i % 8, 3]), SumExpr([i, i]))
    i + i mod 8 + 3 i + i
    """

    __slots__ = ("divisions", "lead", "operands")

    kind: ClassVar[int] = SUM

    divisions: int
    lead: Rank
    operands: tuple[Expr, ...]

    def __init__(self, operands: Iterable[Expr | int]) -> None:
        given = as_tuple(operands, "a SumExpr needs operands")
        parts = tuple(as_expr(part) for part in given)
        if not parts:
            hint = "the empty sum is the constant 0: AffineExpr((), 0)"
            raise OperandError("a sum needs at least one operand", hint=hint)
        self._hold(parts, sum(part.divisions for part in parts))

    @classmethod
    def of(cls, parts: Parts, divisions: int) -> SumExpr:
        """Return the sum of some parts, with their number of mods and floordivs."""
        node = _new(cls)
        node._hold(parts, divisions)  # noqa: SLF001 - one of its constructors
        return node

    def _hold(self, parts: Parts, divisions: int) -> None:
        _set(self, "operands", parts)
        _set(self, "divisions", divisions)
        _set(self, "lead", parts[0].lead)

    def own_hash(self) -> int:
        """Return the hash."""
        return hash((self.kind, self.operands))

    @property
    def parts(self) -> Parts:
        """The operands."""
        return self.operands

    @classmethod
    def built(cls, own: tuple[()], parts: Parts) -> SumExpr:
        """Return the sum of the given parts; it has no other fields."""
        del own
        return cls(parts)


class MultExpr(BinaryExpr):
    """``scale * operand``.

    Attributes:
        operand: Any expression.
        scale: An integer.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print(MultExpr(i % 8, 4), MultExpr(i, 1))
    4*(i mod 8) 1*i
    """

    __slots__ = ("divisions", "lead", "operand", "scale")

    kind: ClassVar[int] = MULT

    divisions: int
    lead: Rank
    operand: Expr
    scale: int

    def __init__(self, operand: Expr | int, scale: int) -> None:
        part = as_expr(operand)
        _set(self, "operand", part)
        _set(self, "scale", as_int(scale))
        _set(self, "divisions", part.divisions)
        _set(self, "lead", part.lead)

    def own_hash(self) -> int:
        """Return the hash."""
        return hash((self.kind, self.operand, self.scale))

    @property
    def parts(self) -> tuple[Expr]:
        """The operand."""
        return (self.operand,)

    @property
    def own(self) -> tuple[int]:
        """The scale."""
        return (self.scale,)

    @classmethod
    def built(cls, own: tuple[int], parts: Parts) -> MultExpr:
        """Return the node with the given scale and operand."""
        return cls(parts[0], own[0])


class DivLikeExpr(BinaryExpr):
    """A numerator and a constant divisor.

    Attributes:
        numer: Any expression.
        denom: The divisor, an integer >= 1.

    Raises:
        DivisorError: If the divisor is below 1.
    """

    __slots__ = ("denom", "divisions", "lead", "numer")

    divisions: int
    lead: Rank
    numer: Expr
    denom: int

    def __init__(self, numer: Expr | int, denom: int) -> None:
        self._hold(as_expr(numer), as_divisor(denom, type(self).__name__))

    @classmethod
    def of(cls, numer: Expr, denom: int) -> Self:
        """Return the node of an expression and a divisor that need no check."""
        node = _new(cls)
        node._hold(numer, denom)  # noqa: SLF001 - one of its constructors
        return node

    def _hold(self, numer: Expr, denom: int) -> None:
        _set_numer(self, numer)
        _set_denom(self, denom)
        _set_divisions(self, numer.divisions + 1)
        _set_lead(self, numer.lead)

    def own_hash(self) -> int:
        """Return the hash."""
        return hash((self.kind, self.numer, *self.own))

    @property
    def parts(self) -> tuple[Expr]:
        """The numerator."""
        return (self.numer,)

    @property
    def own(self) -> tuple[int, ...]:
        """The divisor."""
        return (self.denom,)

    @classmethod
    def built(cls, own: tuple[Any, ...], parts: Parts) -> Self:
        """Return the node with the given divisor and numerator."""
        return cls(parts[0], *own)


_set_numer: Final = DivLikeExpr.__dict__["numer"].__set__
_set_denom: Final = DivLikeExpr.__dict__["denom"].__set__
_set_divisions: Final = DivLikeExpr.__dict__["divisions"].__set__
_set_lead: Final = DivLikeExpr.__dict__["lead"].__set__


class FloorDivExpr(DivLikeExpr):
    """``numer floordiv denom``, rounded down for negative values too.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print(FloorDivExpr(i, 64), i // 64)
    i floordiv 64 0
    """

    __slots__ = ()

    kind: ClassVar[int] = FLOORDIV


class ModuloExpr(DivLikeExpr):
    """``numer mod denom``, in [0, denom) for negative numerators too.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print(ModuloExpr(i, 64), i % 64)
    i mod 64 i
    """

    __slots__ = ()

    kind: ClassVar[int] = MODULO


class _InGroup(DivLikeExpr):
    """What the two divisions of a rank by a group size share: the group's id."""

    __slots__ = ()

    group: int

    def __init__(self, numer: Expr | int, denom: int, group: int) -> None:
        super().__init__(numer, denom)
        _set(self, "group", as_id(group, "a group id"))

    @property
    def own(self) -> tuple[int, int]:
        """Divisor and group id."""
        return self.denom, self.group


class CCDivExpr(_InGroup, FloorDivExpr):
    """The shard of a rank in a collective: ``numer floordiv denom``, for a group.

    It never equals a FloorDivExpr, and no law but a fold by ranges applies to it.

    Attributes:
        group: Id of the replica groups, >= 0.

    >>> from pelican import rank
    >>> print(CCDivExpr(rank(0, 1), 4, 7))
    cc_div(rank(0, 1), 4, 7)
    >>> CCDivExpr(rank(0, 1), 4, 7) == rank(0, 1) // 4
    False
    """

    __slots__ = ("group",)

    kind: ClassVar[int] = CC_DIV


class CCModExpr(_InGroup, ModuloExpr):
    """The lane of a rank in a collective: ``numer mod denom``, for a group.

    It never equals a ModuloExpr, and no law but a fold by ranges applies to it.

    Attributes:
        group: Id of the replica groups, >= 0.

    >>> from pelican import rank
    >>> print(CCModExpr(rank(0, 1), 4, 7))
    cc_mod(rank(0, 1), 4, 7)
    >>> CCModExpr(rank(0, 1), 4, 7) == rank(0, 1) % 4
    False
    """

    __slots__ = ("group",)

    kind: ClassVar[int] = CC_MOD


def _in_order(terms: Terms) -> bool:
    """Tell whether the indices are distinct and in term order."""
    keys = [idx.order_key for idx, _ in terms]
    return all(one < two for one, two in pairwise(keys))


def _pair(term: tuple[AffineIdx, int]) -> tuple[AffineIdx, int]:
    """Return index and coefficient of a term."""
    pair = as_tuple(term, "a term of an AffineExpr is (index, coefficient)")
    if len(pair) != 2:
        raise OperandError(f"a term is (index, coefficient), got {brief_text(pair)}")
    return _index(pair[0]), as_int(pair[1])


def _index(value: object) -> AffineIdx:
    if not is_expr(value) or not is_index(value):
        raise OperandError(
            f"a term of an AffineExpr needs an index, got {brief_text(value)}",
            hint="add other parts with sum_of or SumExpr",
        )
    return value
