"""Expressions made of parts. Calling a class gives the plain node, unsimplified."""

from __future__ import annotations

from itertools import pairwise

from pelican.core.native import mypyc_attr
from pelican.engine.simplify import as_divisor
from pelican.errors import OperandError
from pelican.expr.disordered import Disordered
from pelican.expr.opaque import as_id
from pelican.expr.remedies import refuse_base
from pelican.expr.spine import BinaryExpr, CompoundExpr
from pelican.tree.arguments import as_expr, as_int, as_tuple
from pelican.tree.kinds import (
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
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final, Self

    from pelican.core.given import Integer, Operand
    from pelican.expr.indices import AffineIdx
    from pelican.expr.node import Expr
    from pelican.tree.build import Terms

    Parts = tuple[Expr, ...]
    Rank = tuple[Any, ...]

_NO_INDEX: Final = (1 << 62, "", 0)
"""Rank of an expression without an index: after all others."""


@mypyc_attr(free_list_len=1)  # a sum that grows frees one for each that it makes
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

    kind: int = AFFINE

    terms: tuple[tuple[AffineIdx, int], ...]
    constant: int

    def __init__(
        self,
        terms: Iterable[tuple[AffineIdx, int]],
        constant: Integer = 0,
        *,
        _checked: bool = False,
    ) -> None:
        if _checked:
            object.__setattr__(self, "terms", terms)
            object.__setattr__(self, "constant", constant)
            return
        given: Iterable[object] = terms
        found = as_tuple(given, "an AffineExpr needs terms")
        kept = tuple([(idx, c) for idx, c in map(_pair, found) if c])
        object.__setattr__(self, "terms", kept if _in_order(kept) else Disordered(kept))
        object.__setattr__(self, "constant", as_int(constant))

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

    __slots__ = ("_lead", "divisions", "operands")

    kind: int = SUM

    divisions: int
    _lead: Rank
    operands: tuple[Expr, ...]

    def __init__(self, operands: Iterable[Operand], *, _divisions: int = -1) -> None:
        if _divisions >= 0:
            self._hold(tuple(operands), _divisions)  # type: ignore[arg-type]
            return
        given = as_tuple(operands, "a SumExpr needs operands")
        parts = tuple(as_expr(part) for part in given)
        if not parts:
            hint = "the empty sum is the constant 0: AffineExpr((), 0)"
            raise OperandError("a sum needs at least one operand", hint=hint)
        self._hold(parts, sum(part.divisions for part in parts))

    def _hold(self, parts: Parts, divisions: int) -> None:
        object.__setattr__(self, "operands", parts)
        object.__setattr__(self, "divisions", divisions)
        object.__setattr__(self, "_lead", parts[0].lead)

    @property
    def lead(self) -> Rank:
        """The rank of the first index in it."""
        return self._lead

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

    __slots__ = ("_lead", "divisions", "operand", "scale")

    kind: int = MULT

    divisions: int
    _lead: Rank
    operand: Expr
    scale: int

    def __init__(self, operand: Operand, scale: Integer) -> None:
        part = as_expr(operand)
        object.__setattr__(self, "operand", part)
        object.__setattr__(self, "scale", as_int(scale))
        object.__setattr__(self, "divisions", part.divisions)
        object.__setattr__(self, "_lead", part.lead)

    @property
    def lead(self) -> Rank:
        """The rank of the first index in it."""
        return self._lead

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

    __slots__ = ("_lead", "denom", "divisions", "numer")

    divisions: int
    _lead: Rank
    numer: Expr
    denom: int

    def __init__(
        self, numer: Operand, denom: Integer, *, _checked: bool = False
    ) -> None:
        if not self.kind:
            refuse_base(type(self))
        part: Expr = numer if _checked else as_expr(numer)  # type: ignore[assignment]
        divisor = denom if _checked else as_divisor(denom, type(self).__name__)
        object.__setattr__(self, "numer", part)
        object.__setattr__(self, "denom", divisor)
        object.__setattr__(self, "divisions", part.divisions + 1)
        object.__setattr__(self, "_lead", part.lead)

    @property
    def lead(self) -> Rank:
        """The rank of the first index in it."""
        return self._lead

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


class FloorDivExpr(DivLikeExpr):
    """``numer floordiv denom``, rounded down for negative values too.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print(FloorDivExpr(i, 64), i // 64)
    i floordiv 64 0
    """

    __slots__ = ()

    kind: int = FLOORDIV


class ModuloExpr(DivLikeExpr):
    """``numer mod denom``, in [0, denom) for negative numerators too.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print(ModuloExpr(i, 64), i % 64)
    i mod 64 i
    """

    __slots__ = ()

    kind: int = MODULO


class CCDivExpr(FloorDivExpr):
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

    kind: int = CC_DIV

    group: int

    def __init__(self, numer: Operand, denom: Integer, group: Integer) -> None:
        super().__init__(numer, denom)
        object.__setattr__(self, "group", as_id(group, "a group id"))

    @property
    def own(self) -> tuple[int, ...]:
        """Divisor and group id."""
        return self.denom, self.group


class CCModExpr(ModuloExpr):
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

    kind: int = CC_MOD

    group: int

    def __init__(self, numer: Operand, denom: Integer, group: Integer) -> None:
        super().__init__(numer, denom)
        object.__setattr__(self, "group", as_id(group, "a group id"))

    @property
    def own(self) -> tuple[int, ...]:
        """Divisor and group id."""
        return self.denom, self.group


def _in_order(terms: Terms) -> bool:
    """Tell whether the indices are distinct and in term order."""
    keys = [idx.order_key for idx, _ in terms]
    return all(one < two for one, two in pairwise(keys))


def _pair(term: Any) -> tuple[AffineIdx, int]:  # noqa: ANN401 - checked here
    """Return index and coefficient of a term."""
    what = "a term of an AffineExpr is (index, coefficient)"
    pair: tuple[object, ...] = as_tuple(term, what)
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
