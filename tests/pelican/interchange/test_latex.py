"""LaTeX text: brackets where they are needed, and what a notebook shows."""

import pytest

from pelican import (
    Expr,
    NonAffineError,
    TooDeepError,
    TooLargeError,
    cc_mod,
    icmp,
    index,
    parse,
)
from pelican.expr import AffineExpr, FloorDivExpr, ModuloExpr, MultExpr, SumExpr
from pelican.interchange.latex import MAX_DEPTH, to_latex
from tests.strategies import INDICES, RANK, STEP, TILE, I, J

KNOWN = [
    ("2048*i + 512", r"2048\,i + 512"),
    ("(i + 3) mod 8", r"\left(i + 3\right) \bmod 8"),
    ("3*(i mod 8) mod 5", r"3\,\left(i \bmod 8\right) \bmod 5"),
    ("-i mod 8", r"\left(-i\right) \bmod 8"),
    ("(i + 3) floordiv 8", r"\left\lfloor \frac{i + 3}{8} \right\rfloor"),
    ("i - (j mod 3)", r"i - j \bmod 3"),
    ("i - (j - 3)", r"i - \left(j - 3\right)"),
    ("-3*i + j mod 3", r"-3\,i + j \bmod 3"),
    ("3*(i floordiv 4)", r"3\,\left\lfloor \frac{i}{4} \right\rfloor"),
]


@pytest.mark.parametrize(("text", "latex"), KNOWN)
def test_a_raw_tree_is_written_as_it_stands(text: str, latex: str):
    """With the brackets that are needed and no others."""
    assert to_latex(parse(text, INDICES, simplify=False)) == latex


RAW = [
    (MultExpr(AffineExpr((), -3), 5), r"5 \cdot \left(-3\right)"),
    (ModuloExpr(AffineExpr((), -3), 5), r"\left(-3\right) \bmod 5"),
    (MultExpr(I, 0), r"0\,i"),
    (MultExpr(MultExpr(I, -1), -1), r"-\left(-i\right)"),
    (SumExpr((MultExpr(SumExpr((I, J)), -1), J)), r"-\left(i + j\right) + j"),
    (SumExpr((ModuloExpr(I, 4),)), r"i \bmod 4"),
]


@pytest.mark.parametrize(("expr", "latex"), RAW)
def test_numbers_are_told_apart(expr: Expr, latex: str):
    """A product of numbers has a dot, a negative number brackets."""
    assert to_latex(expr) == latex


def test_names_are_upright_or_primed():
    """Long names are upright, a second index of one name has a prime."""
    assert to_latex(index("row_2") + 1) == r"\mathrm{row\_2} + 1"
    assert to_latex(index("i") - index("i")) == "i - i'"


def test_a_notebook_shows_latex():
    """Between dollars."""
    assert (3 * I + 1)._repr_latex_() == r"$3\,i + 1$"


def test_a_notebook_shows_text_where_latex_is_too_deep():
    """None makes the notebook take the plain text."""
    expr: Expr = I
    for _ in range(MAX_DEPTH + 1):
        expr = FloorDivExpr(expr, 2)

    assert expr._repr_latex_() is None


def test_depth_is_limited():
    """The deepest tree is written, one more level is refused."""
    expr: Expr = I
    for _ in range(MAX_DEPTH - 1):
        expr = FloorDivExpr(expr, 2)

    assert to_latex(expr).count(r"\lfloor") == MAX_DEPTH - 1
    with pytest.raises(TooDeepError, match=r"81 levels deep, LaTeX .* up to 80"):
        to_latex(FloorDivExpr(expr, 2))


def test_size_is_limited():
    """A shared tree that would be written out is refused."""
    expr: Expr = I
    for _ in range(30):
        expr = SumExpr((expr, expr))

    with pytest.raises(TooLargeError, match="nodes"):
        to_latex(expr)


@pytest.mark.parametrize(
    "expr", [RANK + 1, 2 * STEP, TILE, cc_mod(I, 4, 0), icmp(I, "<", 3)]
)
def test_a_kind_without_a_form_is_refused(expr: Expr):
    """The message names its class; a notebook shows the plain text."""
    with pytest.raises(NonAffineError, match="has no form in LaTeX"):
        to_latex(expr)
    assert expr._repr_latex_() is None


def test_an_integer_that_text_cannot_hold_is_refused():
    """As in the text of the language itself."""
    with pytest.raises(TooLargeError, match="5001 digits"):
        to_latex(10**5000 * I + 1)
