"""Ifs: which arm an iteration does, and what a join keeps from being rotated.

An `if` over indices is decided in each iteration by itself: `arm_mask`. An `if` over
loaded values stays, and the flow of control meets again after it: the function is not
rotated. What a join is in a program says `rotation.unrolled.joins`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from pelican.expr.node import Expr
from rotation.columns import Bools, Ints
from rotation.loop_form.kernel import (
    Arm,
    Compare,
    Comparison,
    Function,
    If,
    MemoryLocationSet,
    Region,
    Statement,
)

SIGNS: Final = {
    Compare.LESS: np.less,
    Compare.AT_MOST: np.less_equal,
    Compare.MORE: np.greater,
    Compare.AT_LEAST: np.greater_equal,
    Compare.EQUAL: np.equal,
    Compare.UNEQUAL: np.not_equal,
}
"""How numpy compares."""


def arm_mask(arms: Iterable[Arm], values: Callable[[Expr], Ints], count: int) -> Bools:
    """Return which of some iterations do all of some arms, (count,).

    Loaded values may choose either arm, so they leave nothing out.

    Args:
        arms: Arms inside one another.
        values: Gives the value of an index expression at each iteration, (count,).
        count: Number of iterations.
    """
    mask = np.ones(count, np.bool_)
    for arm in arms:
        if arm.choice.comparisons:
            holds = np.ones(count, np.bool_)
            for comparison in arm.choice.comparisons:
                holds &= _holds(comparison, values)
            mask &= holds if arm.taken else ~holds
    return mask


def _holds(comparison: Comparison, values: Callable[[Expr], Ints]) -> Bools:
    left, right = values(comparison.left.expr), values(comparison.right.expr)
    return np.asarray(SIGNS[comparison.compare](left, right), np.bool_)


def deciding_regions(arms: Iterable[Arm]) -> tuple[Region, ...]:
    """Return the buffers whose loaded values decide some arms, each once."""
    regions = (region for arm in arms for region in arm.choice.loaded)
    return tuple({region.tensor: region for region in regions}.values())


def joins(function: Function) -> tuple[If, ...]:
    """Return the ifs of a function that loaded values decide, in its order."""
    return tuple(choice for choice in function.choices if choice.loaded)


def join_reason(choice: If) -> str:
    """Return why a function with a join is not rotated, in one sentence.

    It names the if, its line, the block that both arms lead to, and the buffers that
    both arms write.
    """
    names = ", ".join(region.tensor.name for region in choice.loaded)
    line = "" if choice.span is None else f" in line {choice.span.line}"
    after = "" if choice.join is None else f" in line {choice.join.line}"
    asked = "" if choice.text is None else f' "{choice.text}"'
    other = "the else arm" if choice.otherwise else "the if itself"
    return (
        f"the if on loaded({names}){asked}{line} makes a join, and a function with a "
        f"join is not rotated: the join block after it{after} has two predecessors, "
        f"the then arm and {other}; {_both_arms(choice)}"
    )


def _both_arms(choice: If) -> str:
    then, other = _written(choice.then), _written(choice.otherwise)
    both = [tensor.name for tensor in then if tensor in other]
    if both:
        return f"buffers written in both arms: {', '.join(both)}"
    names = [tensor.name for tensor in dict.fromkeys((*then, *other))]
    return f"buffers written in one arm only: {', '.join(names) or 'none'}"


def _written(body: tuple[Statement, ...]) -> tuple[MemoryLocationSet, ...]:
    """Return the buffers that a body writes, each once, in its order."""
    function = Function("arm", "", body)
    regions = (r for i in function.instructions for r in i.writes)
    return tuple(dict.fromkeys(region.tensor for region in regions))
