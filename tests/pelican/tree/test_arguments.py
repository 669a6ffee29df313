"""What callers give is checked where it comes in, and the error names it."""

import numpy as np
import pytest

from pelican import AffineExpr, IndexRangeError, OperandError, ap
from pelican.tree.arguments import (
    as_expr,
    as_half_open,
    as_index,
    as_int,
    as_mapping,
    as_text,
    as_tuple,
)
from tests.strategies import I


def test_what_fits_is_given_back():
    """Integers of any type as those of Python, pairs as tuples."""
    given = {I: 3}

    assert as_expr(I) is I
    assert as_expr(np.int64(3)) == AffineExpr((), 3)
    assert type(as_int(np.uint8(3))) is int
    assert as_index(I, "an input", "") is I
    assert as_half_open([0, np.int64(8)], "a range") == (0, 8)
    assert as_tuple(iter([1, 2]), "items") == (1, 2)
    assert as_mapping(given, "eval") is given
    assert as_text("i", "parse") == "i"


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: as_expr("3"), "an operand must be an integer or an expression, got"),
        (lambda: as_int(True, "a width"), "a width must be an integer, got True"),
        (lambda: as_int(I, "a width"), "a width must be an integer, got i"),
        (lambda: as_index(3, "an input", "h"), "an input must be an index, got 3"),
        (lambda: as_index(ap(I, 2), "an input", "h"), "an input must be an index, got"),
        (lambda: as_half_open((0, 8, 1), "a range"), "a range is a pair (lo, hi), got"),
        (lambda: as_half_open((0, 2.5), "a range"), "an end of a range must be an int"),
        (lambda: as_tuple(3, "needs digits"), "needs digits, got 3"),
        (lambda: as_mapping([I], "eval"), "eval needs a mapping, got ["),
        (lambda: as_text(3, "parse"), "parse needs a text, got 3"),
    ],
)
def test_what_does_not_fit_is_named(ask, said: str):
    """With what it is, and what it was."""
    with pytest.raises(OperandError) as caught:
        ask()

    assert str(caught.value).startswith(said)


def test_a_half_open_range_holds_something():
    """An empty one is refused, and the hint says what its end is."""
    with pytest.raises(IndexRangeError, match=r"a range needs lo < hi, got \[3, 3\)"):
        as_half_open((3, 3), "a range")
