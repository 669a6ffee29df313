"""LaTeX text of an expression."""

from __future__ import annotations

from pelican.interchange.notation import (
    PRODUCT_LEVEL,
    SUM_LEVEL,
    UNARY_LEVEL,
    Around,
    Notation,
    write,
)
from pelican.questions.query import index_leaves
from pelican.tree.arguments import as_expr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from pelican.expr import AffineIdx
    from pelican.expr.node import Expr

MAX_DEPTH: Final = 80
"""Deepest tree that is written. Source: TeX nests 255 groups, a floor takes three."""

_LATEX: Final = Notation(
    "LaTeX",
    MAX_DEPTH,
    times=(r"\,", r" \cdot "),
    brackets=(r"\left(", r"\right)"),
    floordiv=Around(
        r"\left\lfloor \frac{", r"}{{}} \right\rfloor", SUM_LEVEL, UNARY_LEVEL
    ),
    modulo=Around("", r" \bmod {}", PRODUCT_LEVEL, PRODUCT_LEVEL),
)


def to_latex(expr: Expr) -> str:
    r"""Return the LaTeX text of an expression, for math mode.

    A name of several letters is upright; a second index of one name has a prime.

    Raises:
        TooDeepError: If the tree is deeper than `MAX_DEPTH`.
        TooLargeError: If the tree, with shared parts written out, is too large.
        NonAffineError: If a part has no form.

    >>> from pelican import index
    >>> i, row = index("i", 0, 64), index("row")
    >>> print(to_latex((3*i + 5) % 16 + 3*row))
    \left(3\,i + 5\right) \bmod 16 + 3\,\mathrm{row}
    """
    primes: dict[str, int] = {}
    names: dict[AffineIdx, str] = {}
    whole = as_expr(expr)
    for idx in index_leaves(whole):
        count = primes.get(idx.name, 0)
        primes[idx.name] = count + 1
        names[idx] = _symbol(idx.name) + "'" * count
    return write(whole, _LATEX, names)


def _symbol(name: str) -> str:
    if len(name) == 1 and name != "_":
        return name
    escaped = name.replace("_", r"\_")
    return rf"\mathrm{{{escaped}}}"
