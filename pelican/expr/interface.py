"""What every expression can be asked: the methods of the modelled system's interface.

`SLOTS` says which Python name each slot of that interface has;
`pelican.expr.interface_page` writes it as a table for the docs.
"""

from __future__ import annotations

from pelican.access import delinearise
from pelican.engine.simplify import simplify
from pelican.evaluation import evaluate
from pelican.expr import hooks
from pelican.known.ranges import range_of
from pelican.questions import project, query, substitute
from pelican.tree.arguments import as_int
from pelican.tree.kinds import is_constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Final, TypeVar

    from pelican.core.given import Integer, Operand
    from pelican.evaluation.evaluate import EvalResult
    from pelican.expr import AffineIdx, SimpleExpr
    from pelican.expr.node import Expr
    from pelican.questions.query import Flat

    Leaf = TypeVar("Leaf", bound=SimpleExpr)
    This = Any  # the expression that inherits these methods

SLOTS: Final[tuple[tuple[int, str, str], ...]] = (
    (0, "destructor", ""),
    (1, "destructor", ""),
    (2, "isConst", "is_const"),
    (3, "getConst", "const"),
    (4, "isAffine", "is_affine"),
    (5, "clone", "__copy__"),
    (6, "add", "__add__"),
    (7, "simplify", "simplify"),
    (8, "canonicalize", "canonicalize"),
    (9, "hash_value", "__hash__"),
    (10, "equal", "__eq__"),
    (11, "equalInt", "equals_int"),
    (12, "isLegalDelinearizedAddress", "is_legal_delinearized_address"),
    (13, "collectIndices", "indices"),
    (14, "getIndicesSet", "indices"),
    (15, "hasRuntimeValue", "has_runtime_value"),
    (16, "hasIndex", "has_index"),
    (17, "getMaxLoopdepth", "max_loop_depth"),
    (18, "getInfimumFast", "infimum"),
    (19, "getSupremumFast", "supremum"),
    (20, "str", "__str__"),
    (21, "projectMax", "project_max"),
    (22, "projectMin", "project_min"),
    (23, "replaceSubExprWith", "replace"),
    (24, "replaceSubExprWith", "replace"),
    (25, "substituteIndices", "substitute"),
    (26, "eval", "eval"),
    (27, "eval", "eval"),
    (28, "dropApIndicies", "drop_ap_indices"),
    (29, "keepApIndicies", "keep_ap_indices"),
    (30, "keepApIndiciesLinearExpr", "keep_ap_indices_linear"),
    (31, "containExpr", "contains"),
    (32, "flattenTerms", "flatten_terms"),
    (33, "exactDivSubclass", "exact_div"),
    (34, "replaceSubExprWithExactDivSubclass", "replace_exact_div"),
    (35, "simplifyFloordivSubclass", "simplify_floordiv"),
    (36, "simplifyModSubclass", "simplify_mod"),
    (37, "simplifyMultSubclass", "simplify_mult"),
    (38, "simplifyAddSubclass", "simplify_add"),
    (39, "extra slot of binary nodes (clone)", "built"),
    (39, "extra slot of indices (name)", "name"),
)
"""Slot, name in the modelled system, name here; empty where Python needs none."""


class Interface:
    """The methods of an expression that are no operators."""

    __slots__ = ()

    # Constants and shape.

    @property
    def is_const(self: This) -> bool:
        """True for an integer constant."""
        return is_constant(self)

    @property
    def const(self: This) -> int:
        """The integer of a constant.

        Raises:
            OperandError: If the expression is none.
        """
        return query.const(self)

    @property
    def is_affine(self: This) -> bool:
        """True for a constant plus integer multiples of indices, in any tree."""
        return query.is_affine(self)

    def equals_int(self: This, value: Integer) -> bool:
        """Tell whether the expression is the constant of an integer."""
        return is_constant(self) and self.constant == as_int(value)

    # Forms.

    def simplify(self: This) -> Expr:
        """Return the canonical form by all laws; see `pelican.simplify`."""
        return simplify(self)

    def canonicalize(self: This) -> Expr:
        """Return the form of the builder alone, without any law.

        Sums are flattened and added up, constants folded, divisors of 1 dropped.
        """
        return substitute.canonicalized(self)

    def flatten_terms(self: This) -> Flat:
        """Return the distinct (term, coefficient) pairs of the sum, and its constant.

        A term is an index, an opaque value, a mod, a floordiv, or a comparison.
        """
        return query.flatten(self)

    # What it is made of.

    @property
    def indices(self: This) -> tuple[AffineIdx, ...]:
        """The indices whose values decide the value, each once, in term order.

        An index of an access pattern stands for the index that it follows from.
        """
        return query.index_leaves(self)

    @property
    def has_runtime_value(self: This) -> bool:
        """True if a value that is read when the program runs is part of it."""
        return query.has_runtime_value(self)

    def has_index(self: This, idx: Operand) -> bool:
        """Tell whether an index is part of the expression.

        Raises:
            OperandError: If `idx` is no index.
        """
        return query.has_index(self, idx)

    def contains(self: This, part: Operand) -> bool:
        """Tell whether an expression is a subtree of this one, or this one."""
        return query.contains(self, part)

    @property
    def max_loop_depth(self: This) -> int:
        """Depth of the innermost loop whose index is part of it; -1 without one."""
        return query.max_loop_depth(self)

    # Values.

    @property
    def infimum(self: This) -> int | None:
        """A lower bound of every value: the low end of `range`; None if unbounded."""
        return range_of(self).lo

    @property
    def supremum(self: This) -> int | None:
        """An upper bound of every value: the high end of `range`; None if unbounded."""
        return range_of(self).hi

    def eval(
        self: This, at: Mapping[Leaf, int], default: Integer | None = None
    ) -> EvalResult:
        """Return the value with some indices bound.

        Args:
            at: Value of each index or opaque value. One that is left out makes the
                result invalid.
            default: Value of those that are left out, where it is given.

        Raises:
            IndexRangeError: If a value is outside its index's range or off its step.
            OperandError: If a key is no index or a value is no integer.

        >>> from pelican import index
        >>> i = index("i", 0, 64)
        >>> int(((4 * i + 3) % 8).eval({i: 5}))
        7
        >>> int((i + index("j", 0, 8)).eval({i: 5}, default=0))
        5
        """
        return evaluate.evaluate(self, at, default)

    def project_max(self: This, eliminated: Iterable[Expr]) -> Expr:
        """Return an upper bound without some indices: the maximum over their values.

        Exact where the expression is affine in them; else never below the truth.

        Raises:
            IndexRangeError: If it has no upper bound.

        >>> from pelican import index
        >>> i, j = index("i", 0, 64), index("j", 0, 8)
        >>> print((16 * i - j).project_max([j]), (16 * i - j).project_min([j]))
        16*i 16*i - 7
        """
        return project.project_max(self, eliminated)

    def project_min(self: This, eliminated: Iterable[Expr]) -> Expr:
        """Return a lower bound without some indices: the minimum over their values.

        Exact where the expression is affine in them; else never above the truth.

        Raises:
            IndexRangeError: If it has no lower bound.
        """
        return project.project_min(self, eliminated)

    # Substitution.

    def substitute(self: This, to: Mapping[Leaf, Expr | int]) -> Expr:
        """Return the simplified expression with some indices replaced, all at once.

        A runtime value without a declared range takes that of the index that it
        replaces.

        Args:
            to: What replaces each index or opaque value.

        Raises:
            SubstitutionRangeError: If a substitute may be outside its index's range,
                or off its step: the expression was simplified for that range.
            OperandError: If a key is no index, or a substitute no expression.

        >>> from pelican import index
        >>> i, o, t = index("i", 0, 64), index("o", 0, 8), index("t", 0, 8)
        >>> print((i // 8).substitute({i: 8 * o + t}).range)
        Interval(0, 7)
        """
        return substitute.substituted(self, to)

    def replace(self: This, part: Operand, by: Operand) -> Expr:
        """Return the simplified expression with each subtree `part` replaced.

        Raises:
            SubstitutionRangeError: If `by` has values that `part` has not.
        """
        return substitute.replaced(self, part, by)

    def replace_exact_div(
        self: This, part: Operand, by: Operand, n: Integer
    ) -> Expr | None:
        """Return the expression with ``c * part`` as ``(c / n) * by`` in its sum.

        It is the same value where `by` is ``n * part``. None if n does not divide c.

        Raises:
            DivisorError: If n is below 1.
        """
        return hooks.replace_exact_div(self, part, by, n)

    # Access patterns.

    def is_legal_delinearized_address(
        self: This, factor: Integer, *, is_partition_dim: bool, require_predicate: bool
    ) -> bool:
        """Tell whether the modelled system delinearises the address.

        Its answer is not always right; that of
        `pelican.access.delinearise.is_sound_address` is.

        Args:
            factor: By what a dimension is split, for a bare index under a division.
            is_partition_dim: True for the dimension that is spread over partitions.
            require_predicate: True if a partial tile would need a guard.

        Raises:
            OperandError: If the expression holds a comparison.
        """
        return delinearise.is_legal_as_modelled(
            self,
            factor,
            is_partition_dim=is_partition_dim,
            require_predicate=require_predicate,
        )

    def drop_ap_indices(self: This) -> Expr:
        """Return the sum without the terms that hold an index of an access pattern."""
        return query.ap_split(self)[0]

    def keep_ap_indices(self: This) -> Expr:
        """Return the sum of the terms that hold an index of an access pattern.

        ``e.drop_ap_indices() + e.keep_ap_indices() == e`` for a canonical e.
        """
        return query.ap_split(self)[1]

    def keep_ap_indices_linear(self: This) -> Expr:
        """Return the multiples of indices of access patterns in the sum."""
        return query.ap_linear(self)

    # Hooks of the smart constructors: None where nothing is simpler.

    def exact_div(self: This, n: Integer) -> Expr | None:
        """Return the expression divided by n, or None if a coefficient is no multiple.

        Raises:
            DivisorError: If n is below 1.
        """
        return hooks.exact_div(self, n)

    def simplify_floordiv(self: This, denom: Integer) -> Expr | None:
        """Return the simplified floordiv, or None if the plain node is simplest.

        Raises:
            DivisorError: If the divisor is below 1.
        """
        return hooks.simplify_floordiv(self, denom)

    def simplify_mod(self: This, denom: Integer) -> Expr | None:
        """Return the simplified mod, or None if the plain node is simplest.

        Raises:
            DivisorError: If the divisor is below 1.
        """
        return hooks.simplify_mod(self, denom)

    def simplify_mult(self: This, factor: Integer) -> Expr | None:
        """Return the simplified product, or None if the plain node is simplest."""
        return hooks.simplify_mult(self, factor)

    def simplify_add(self: This, value: Integer) -> Expr | None:
        """Return the simplified sum, or None if the plain node is simplest."""
        return hooks.simplify_add(self, value)
