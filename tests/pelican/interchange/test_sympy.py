"""SymPy expressions, both ways, and their text."""

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican import (
    DivisorError,
    Expr,
    NonAffineError,
    OperandError,
    PelicanError,
    TooDeepError,
    TooLargeError,
    index,
    simplify,
)
from pelican.expr import FloorDivExpr, ModuloExpr, SumExpr
from pelican.interchange.sympy import (
    MAX_DEPTH,
    from_sympy,
    from_sympy_text,
    to_sympy,
    to_sympy_text,
)
from tests.strategies import INDICES, I, J, N, points, raw_expressions

X, Y = sympy.symbols("x y", integer=True)
SAME = {"x": I, "y": J}


def sympy_value(expr: Expr, at: dict[Expr, int]) -> int:
    """Return SymPy's own value at a point, where every part is a number."""
    written = to_sympy(expr)
    values = {
        symbol: sympy.Integer(at[INDICES[symbol.name]])
        for symbol in written.free_symbols
    }
    return int(written.xreplace(values).doit())


@given(raw_expressions(), points())
def test_sympy_gives_what_is_written_the_same_value(raw: Expr, at):
    """With numbers put in for the symbols."""
    assert sympy_value(raw, at) == int(raw.eval(at))


@given(raw_expressions(), points())
def test_what_is_written_reads_back_with_the_same_values(raw: Expr, at):
    """A raw tree reads back raw."""
    back = from_sympy(to_sympy(raw), INDICES, simplify=False)

    assert int(back.eval(at)) == int(raw.eval(at))


@given(raw_expressions())
def test_a_canonical_expression_reads_back_as_itself(raw: Expr):
    """Reading simplifies by default."""
    simple = simplify(raw)

    assert from_sympy(to_sympy(simple), INDICES) == simple


@given(raw_expressions(), points())
def test_the_text_that_sympy_prints_reads_with_the_same_values(raw: Expr, at):
    """Through str and back, without running the text."""
    back = from_sympy_text(str(to_sympy(raw)), INDICES)

    assert int(back.eval(at)) == int(raw.eval(at))


READ = [
    (sympy.floor(X / 4), I // 4),
    (sympy.floor((2 * X + 3) / 4), (2 * I + 3) // 4),
    (sympy.floor(X / 2 + Y / 3 - sympy.Rational(1, 6)), (3 * I + 2 * J - 1) // 6),
    (sympy.ceiling(X / 4), -(-I // 4)),
    (sympy.Mod(3 * X + 5, 7), (3 * I + 5) % 7),
    (sympy.Mod(-X, 8), -I % 8),
    (2 * X - 3 * Y + 1, 2 * I - 3 * J + 1),
    (2 * (X + Y), 2 * I + 2 * J),
    (sympy.Integer(7), 7),
    (7, 7),
]


@pytest.mark.parametrize(("value", "expr"), READ, ids=str)
def test_what_sympy_makes_reads(value: object, expr: Expr):
    """Evaluated expressions, where a quotient is spread over a sum."""
    assert from_sympy(value, SAME) == expr


ASSUMPTIONS = [
    (index("i", 0, 8), "nonnegative"),
    (index("i", 1, 8), "positive"),
    (index("i", -8, 0), "negative"),
    (index("i", -8, 1), "nonpositive"),
]


@pytest.mark.parametrize(("idx", "word"), ASSUMPTIONS, ids=str)
def test_the_sign_of_a_range_passes_both_ways(idx, word: str):
    """A range becomes an assumption, and an assumption a range."""
    written = to_sympy(idx)
    back = from_sympy(written)

    assert written.is_integer
    assert written.assumptions0[word] is True
    assert to_sympy(back) == written


def test_an_unbounded_index_has_no_sign():
    """Nothing is assumed but that it is an integer."""
    assert to_sympy(N).is_nonnegative is None
    assert to_sympy(index("s", -3, 4)).is_nonnegative is None


def test_two_indices_of_one_name_are_two_symbols():
    """The second has a number."""
    assert str(to_sympy(index("i") - index("i"))) == "i - i_2"


def test_nothing_is_evaluated():
    """A nested mod stays as it stands."""
    nested = ModuloExpr(ModuloExpr(N, 6), 4)

    assert str(to_sympy(nested)) == "Mod(Mod(n, 6), 4)"


REFUSED = [
    (X / 2, NonAffineError, "not known to be an integer"),
    (X * Y, NonAffineError, "one factor of a product"),
    (X**2, NonAffineError, "no integer expression"),
    (sympy.Mod(X, Y), NonAffineError, "integer divisor"),
    (sympy.Mod(X, -3), DivisorError, "got -3"),
    (sympy.Mod(X / 2, 3), NonAffineError, "not known to be an integer"),
    (sympy.Max(X, 2), NonAffineError, "no integer expression"),
    (sympy.Symbol("r"), NonAffineError, "r is not known to be an integer"),
    (sympy.pi, NonAffineError, "no integer expression"),
    (sympy.floor(sympy.sqrt(X)), NonAffineError, "no integer expression"),
    ("x", OperandError, "a SymPy expression is needed"),
]


@pytest.mark.parametrize(("value", "error", "message"), REFUSED, ids=str)
def test_what_has_no_form_is_refused(value: object, error, message: str):
    """With the part that has none."""
    with pytest.raises(error, match=message):
        from_sympy(value)


TEXTS = [
    ("Mod(2*i + 3, 8) + floor(i/4)", (2 * I + 3) % 8 + I // 4),
    ("ceiling(i/4) - 3", -(-I // 4) - 3),
    ("-(i - 1)*2", 2 - 2 * I),
    ("floor(3*i/4)", 3 * I // 4),
    ("floor((i + 1)/2 + i/3)", (5 * I + 3) // 6),
    (" i + 1\n", I + 1),
]


@pytest.mark.parametrize(("text", "expr"), TEXTS)
def test_text_reads(text: str, expr: Expr):
    """As SymPy would print it, and a little more."""
    assert from_sympy_text(text, INDICES) == expr


BAD_TEXTS = [
    ("__import__('os')", 1, "no form"),
    ("i + open('x')", 5, "no form"),
    ("i**2", 1, "no form"),
    ("i // 2", 1, "no form"),
    ("i.name", 1, "no form"),
    ("Mod(i)", 1, "no form"),
    ("floor(i, evaluate=False)", 1, "no form"),
    ("3.5", 1, "no form"),
    ("True", 1, "no form"),
    ("floor(i/0)", 9, "a divisor is an integer other than 0"),
    ("floor(i/j)", 9, "a divisor is an integer"),
    ("(3 +\n open(3))", 2, "no form"),
    ("i/2", 1, "not known to be an integer"),
    ("i +", 1, "no SymPy expression"),
    ("", 1, "no SymPy expression"),
    ("i\x00", 1, "no SymPy expression"),
    ("9" * 5000, 1, "no SymPy expression"),
]


@pytest.mark.parametrize(("text", "column", "message"), BAD_TEXTS)
def test_bad_text_is_refused_at_its_place(text: str, column: int, message: str):
    """Text is read, never run."""
    with pytest.raises(PelicanError, match=message) as caught:
        from_sympy_text(text, INDICES)

    assert caught.value.column == column


@pytest.mark.parametrize("text", ["-" * 5000 + "i", "1+" * 5000 + "i"])
def test_text_that_nests_too_deep_is_refused(text: str):
    """Python reads no deeper."""
    with pytest.raises(TooDeepError, match="nests too deep"):
        from_sympy_text(text)


@settings(max_examples=40)
@given(st.text(max_size=30) | st.text("Modflorceing(),ij+-*/ 24", max_size=40))
def test_any_text_reads_or_is_refused(text: str):
    """No text gives a traceback."""
    place: object = True
    try:
        from_sympy_text(text)
    except PelicanError as error:
        place = error.span

    assert place is not None


def test_depth_is_limited_in_writing_only():
    """The deepest tree prints, takes values and reads back."""
    expr: Expr = I
    for k in range(MAX_DEPTH // 2 - 1):
        deeper = SumExpr((expr, k % 5 + 1))
        expr = FloorDivExpr(deeper, 2) if k % 2 else ModuloExpr(deeper, 1000 + k)
    written = to_sympy(expr)
    (symbol,) = written.free_symbols

    assert int(written.xreplace({symbol: 7})) == int(expr.eval({I: 7}))
    assert int(from_sympy(written, INDICES).eval({I: 7})) == int(expr.eval({I: 7}))
    assert str(written).count("floor") == MAX_DEPTH // 4 - 1
    for _ in range(MAX_DEPTH):
        expr = FloorDivExpr(expr, 2)
    with pytest.raises(TooDeepError, match="SymPy is written up to 100"):
        to_sympy(expr)


def test_what_sympy_can_hold_reads():
    """Reading has no depth of its own."""
    deep, mods = X, 250
    for k in range(mods):
        deep = sympy.Mod(sympy.Add(deep, k, evaluate=False), 1000, evaluate=False)

    assert from_sympy(deep, SAME, simplify=False).divisions == mods


def test_the_text_is_that_of_sympy():
    """Where Python can write its integers."""
    assert to_sympy_text((I + 3) // 4) == str(to_sympy((I + 3) // 4))
    with pytest.raises(TooLargeError, match="5001 digits"):
        to_sympy_text(10**5000 * I)


def test_two_symbols_of_one_name_are_refused():
    """SymPy tells them apart by their assumptions, or because they are dummies."""
    positive = sympy.Symbol("x", integer=True, positive=True)
    pairs = [
        sympy.Symbol("x", integer=True) + positive,
        sympy.Dummy("x", integer=True) + sympy.Dummy("x", integer=True),
        sympy.Mod(sympy.Symbol("x"), 4) + positive,
    ]

    for value in pairs:
        with pytest.raises(NonAffineError, match="two symbols are called x"):
            from_sympy(value, {"x": I})


@given(st.lists(st.fractions(-4, 4, max_denominator=6), min_size=1, max_size=4))
def test_multiples_are_an_integer_where_their_sum_is(factors: list):
    """``x/2 + x/2`` is x, whatever its parts are."""
    x = sympy.Symbol("x", integer=True)
    parts = [sympy.Mul(sympy.Rational(str(f)), x, evaluate=False) for f in factors]
    value = sympy.Add(*parts, evaluate=False)
    total = sum(factors)

    if total.denominator == 1:
        assert from_sympy(value, {"x": N}) == int(total) * N
    else:
        with pytest.raises(NonAffineError, match="not known to be an integer"):
            from_sympy(value, {"x": N})
    floored = sympy.floor(value, evaluate=False)
    assert from_sympy(floored, {"x": N}) == total.numerator * N // total.denominator
