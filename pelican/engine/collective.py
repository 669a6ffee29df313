"""Smart building of the kinds that no law but a fold by ranges applies to.

These are the divisions of a rank by a group size, which keep their group id, and
comparisons.
"""

from __future__ import annotations

from pelican.core import makers
from pelican.engine.rewrite import rewrite
from pelican.errors import OperandError
from pelican.integers import exact_divisor
from pelican.laws.step import Step
from pelican.lemmas.floordiv import PERIOD_FOLD_FLOORDIV
from pelican.lemmas.modulo import PERIOD_FOLD_MOD
from pelican.tree.arguments import as_expr
from pelican.tree.build import plain, scale
from pelican.tree.divmod import DivMod
from pelican.tree.flat import weights
from pelican.tree.kinds import (
    CC_DIV,
    CC_MOD,
    CLASSES,
    ICMP,
    constant,
    is_collective,
    is_comparison,
    is_index,
)
from pelican.tree.order import term_key
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

    from pelican.expr.node import Expr

    Add = Callable[[Iterable[Expr | int]], Expr]

_FOLDS: Final = {CC_DIV: ("//", PERIOD_FOLD_FLOORDIV), CC_MOD: ("%", PERIOD_FOLD_MOD)}
_WORDS: Final = {CC_DIV: "cc_div", CC_MOD: "cc_mod"}
COMPARISONS: Final = (">=", "<=", ">", "<", "==")
"""The comparisons that `icmp` takes; there is no negation in the modelled system."""


def collective_of(
    kind: int, numer: Expr | int, denom: int, group: int, add: Add
) -> Expr:
    """Return a division of a rank, or what it is where the range lies in one period.

    Args:
        kind: ``CC_DIV`` or ``CC_MOD``.
        numer: Any expression or integer.
        denom: The group size, an integer >= 1.
        group: Id of the replica groups, >= 0.
        add: Builds the sums.

    Raises:
        DivisorError: If the divisor is below 1.
        OperandError: If the group id is negative.
    """
    divisor = exact_divisor(denom, _WORDS[kind])
    whole = as_expr(numer)
    wrapped = makers.new_affine(((whole, 1),), 0) if is_index(whole) else whole
    node: Expr = CLASSES[kind](wrapped, divisor, group)
    low, high = whole.range.lo, whole.range.hi
    if low is None or high is None or low // divisor != high // divisor:
        return node
    op, law = _FOLDS[kind]
    fold = Step(law, ({"e": whole, "k": low // divisor, "n": divisor},))
    folded = rewrite(fold, DivMod(op, whole, divisor), plain)
    if folded is None or isinstance(folded, DivMod):
        return node
    return add([folded])


def comparison_of(left: Expr, comparison: str, right: Expr, add: Add) -> Expr:
    """Return a comparison as ``e >= 0`` or ``e == 0``, or as the integer it is.

    Args:
        left: Left side.
        comparison: One of `COMPARISONS`.
        right: Right side.
        add: Builds the sums.

    Raises:
        OperandError: If the comparison is another one.
    """
    if comparison not in COMPARISONS:
        raise OperandError(
            f"a comparison is one of {' '.join(COMPARISONS)}, "
            f"got {brief_text(comparison)}"
        )
    if comparison in {"<=", "<"}:
        left, right = right, left
    strict = -1 if comparison in {"<", ">"} else 0
    difference = add((left, scale(right, -1), strict))
    low, high = difference.range.lo, difference.range.hi
    if comparison == "==":
        if low == 0 == high:
            return constant(1)
        if (low is not None and low > 0) or (high is not None and high < 0):
            return constant(0)
        opposite = add([scale(difference, -1)])
        swap = _is_negative(difference) and not _is_negative(opposite)
        return _comparison("==", opposite if swap else difference)
    if low is not None and low >= 0:
        return constant(1)
    if high is not None and high < 0:
        return constant(0)
    return _comparison(">=", difference)


def _comparison(comparison: str, difference: Expr) -> Expr:
    node: Expr = CLASSES[ICMP](comparison, difference, 0)
    return node


def _is_negative(expr: Expr) -> bool:
    """Tell whether the first term of a sum has a negative coefficient."""
    terms, _ = weights(expr)
    _, coefficient = min(terms, key=lambda pair: term_key(pair[0]))
    return coefficient < 0


def is_special(expr: Expr) -> bool:
    """Tell whether `rebuilt` is what builds an expression of this kind."""
    return is_collective(expr) or is_comparison(expr)


def rebuilt(node: Expr, parts: tuple[Expr, ...], add: Add) -> Expr:
    """Return the canonical node of a special kind over other parts.

    Args:
        node: The node, for its kind and fields.
        parts: The new parts.
        add: Builds the sums.
    """
    if is_comparison(node):
        return comparison_of(parts[0], node.compare_op, parts[1], add)
    if is_collective(node):
        return collective_of(node.kind, parts[0], node.denom, node.group, add)
    raise TypeError(node.kind)
