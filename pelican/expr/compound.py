"""Expressions made of parts. Calling a class gives the plain node, unsimplified."""

from __future__ import annotations

from pelican.build import as_expr, as_int, as_tuple
from pelican.engine import as_divisor
from pelican.errors import OperandError
from pelican.expr.opaque import as_id
from pelican.expr.spine import BinaryExpr, CompoundExpr, text_hash
from pelican.kinds import (
    AFFINE,
    CC_DIV,
    CC_MOD,
    FLOORDIV,
    ICMP,
    MODULO,
    MULT,
    SUM,
    is_constant,
    is_expr,
    is_index,
)
from pelican.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, ClassVar, Final, Self

    from pelican.expr.indices import AffineIdx
    from pelican.node import Expr

    Parts = tuple[Expr, ...]

_set = object.__setattr__

_NO_INDEX: Final = (1 << 62, "", 0)
"""Rank of an expression without an index: after all others."""


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
        self._hold(tuple((idx, c) for idx, c in pairs if c), as_int(constant))

    @classmethod
    def of(cls, terms: tuple[tuple[AffineIdx, int], ...], constant: int) -> AffineExpr:
        """Return the node of terms and a constant that need no check."""
        node = cls.__new__(cls)
        node._hold(terms, constant)  # noqa: SLF001 - one of its constructors
        return node

    def _hold(self, terms: tuple[tuple[AffineIdx, int], ...], constant: int) -> None:
        _set(self, "terms", terms)
        _set(self, "constant", constant)
        # A constant hashes like its integer, since the two are equal.
        if terms:
            key = hash((self.kind, terms, constant))
            self._init(key, terms[0][0].order_key)
        else:
            self._init(hash(constant), _NO_INDEX)

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

    __slots__ = ("operands",)

    kind: ClassVar[int] = SUM

    operands: tuple[Expr, ...]

    def __init__(self, operands: Iterable[Expr | int]) -> None:
        given = as_tuple(operands, "a SumExpr needs operands")
        parts = tuple(as_expr(part) for part in given)
        if not parts:
            hint = "the empty sum is the constant 0: AffineExpr((), 0)"
            raise OperandError("a sum needs at least one operand", hint=hint)
        _set(self, "operands", parts)
        divisions = sum(part.divisions for part in parts)
        self._init(hash((self.kind, parts)), parts[0].lead, divisions)

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

    __slots__ = ("operand", "scale")

    kind: ClassVar[int] = MULT

    operand: Expr
    scale: int

    def __init__(self, operand: Expr | int, scale: int) -> None:
        _set(self, "operand", as_expr(operand))
        _set(self, "scale", as_int(scale))
        key = hash((self.kind, self.operand, self.scale))
        self._init(key, self.operand.lead, self.operand.divisions)

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

    __slots__ = ("denom", "numer")

    numer: Expr
    denom: int

    def __init__(self, numer: Expr | int, denom: int) -> None:
        self._fill(numer, denom)
        self._finish()

    def _fill(self, numer: Expr | int, denom: int) -> None:
        divisor = as_divisor(denom, type(self).__name__)
        _set(self, "numer", as_expr(numer))
        _set(self, "denom", divisor)

    def _finish(self) -> None:
        key = hash((self.kind, self.numer, *self.own))
        self._init(key, self.numer.lead, self.numer.divisions + 1)

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
        self._fill(numer, denom)
        _set(self, "group", as_id(group, "a group id"))
        self._finish()

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


class ICmpExpr(CompoundExpr):
    """1 where a comparison of two expressions holds, else 0.

    Attributes:
        compare_op: ``>=`` or ``==``; `pelican.icmp` lowers the other comparisons.
        lhs: Any expression.
        rhs: Any expression.

    Raises:
        OperandError: If the comparison is another one.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> e = ICmpExpr(">=", i, 3)
    >>> print(e)
    i >= 3
    >>> int(e.eval({i: 3})), int(e.eval({i: 2}))
    (1, 0)
    """

    __slots__ = ("compare_op", "lhs", "rhs")

    kind: ClassVar[int] = ICMP

    compare_op: str
    lhs: Expr
    rhs: Expr

    def __init__(self, compare_op: str, lhs: Expr | int, rhs: Expr | int) -> None:
        if compare_op not in (">=", "=="):  # what has no hash is refused
            raise OperandError(
                f"an ICmpExpr compares by >= or ==, got {brief_text(compare_op)}",
                hint="icmp(a, '<', b) lowers the other comparisons to these",
            )
        left, right = as_expr(lhs), as_expr(rhs)
        _set(self, "compare_op", compare_op)
        _set(self, "lhs", left)
        _set(self, "rhs", right)
        lead = right.lead if is_constant(left) else left.lead
        key = hash((self.kind, text_hash(compare_op), left, right))
        self._init(key, lead, left.divisions + right.divisions)

    @property
    def parts(self) -> tuple[Expr, Expr]:
        """The two sides."""
        return self.lhs, self.rhs

    @property
    def own(self) -> tuple[str]:
        """The comparison."""
        return (self.compare_op,)

    @classmethod
    def built(cls, own: tuple[str], parts: Parts) -> ICmpExpr:
        """Return the comparison of the given parts."""
        return cls(own[0], *parts)


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
