"""isl text, both ways, and against isl itself when islpy is installed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican import (
    DivisorError,
    Expr,
    NonAffineError,
    OperandError,
    ParseError,
    TooDeepError,
    index,
    simplify,
    symbol,
)
from pelican.expr import AffineExpr, FloorDivExpr, ModuloExpr, MultExpr, SumExpr
from pelican.interchange.isl import (
    MAX_DEPTH,
    from_isl,
    from_islpy,
    to_isl,
    to_islpy,
)
from tests.strategies import INDICES, I, J, K, N, points, raw_expressions

DIMS = [I, J, K, N]
X = index("i", -50, 50)
P = symbol("isl_p", 1, 9)


def isl_value(text: str, at: list[int]) -> int:
    """Return isl's own value of a function's text at a point."""
    islpy = pytest.importorskip("islpy")
    point = islpy.Set(f"{{ [{', '.join(str(value) for value in at)}] }}")
    value = islpy.PwAff(text).intersect_domain(point).max_val()
    return int(str(value))


@given(raw_expressions(), points())
def test_what_is_written_reads_back_with_the_same_values(raw: Expr, at):
    """A raw tree reads back raw."""
    (back,) = from_isl(to_isl(raw, DIMS), INDICES, simplify=False).results

    assert int(back.eval(at)) == int(raw.eval(at))


@given(raw_expressions())
def test_a_canonical_expression_reads_back_as_itself(raw: Expr):
    """Reading simplifies by default."""
    simple = simplify(raw)

    assert from_isl(to_isl(simple, DIMS), INDICES).results == [simple]


@given(raw_expressions(), points())
def test_isl_gives_what_is_written_the_same_value(raw: Expr, at):
    """The library itself agrees."""
    assert isl_value(to_isl(raw, DIMS), [at[i] for i in DIMS]) == int(raw.eval(at))


@given(raw_expressions(), points())
def test_what_isl_prints_reads_with_the_same_value(raw: Expr, at):
    """Objects pass through isl's own normal form."""
    pytest.importorskip("islpy")
    (back,) = from_islpy(to_islpy(raw, DIMS), INDICES).results

    assert int(back.eval(at)) == int(raw.eval(at))


READ = [
    ("2*i mod 4", 2 * (X % 4)),  # a mod takes what is right before it
    ("2i mod 4", 2 * (X % 4)),
    ("(2*i) mod 4", 2 * X % 4),
    ("-i mod 4", -(X % 4)),
    ("-2*i mod 4", -2 * (X % 4)),
    ("i + 3 mod 4", None),
    ("i % 4", X % 4),
    ("floor(i/4)", X // 4),
    ("floor((2i + 1)/4)", (2 * X + 1) // 4),
    ("floor((i))", X),
    ("floor(-i/3)", -X // 3),
    ("ceil(i/4)", -(-X // 4)),
    ("floord(i + 1, 4)", (X + 1) // 4),
    ("ceild(i + 1, 4)", -((-X - 1) // 4)),
    ("2*3*i - 3*floor(i/2)*2", 6 * X - 6 * (X // 2)),
    ("2*-i", -2 * X),
    ("i*-3 - -2", -3 * X + 2),
    ("- -i", X),
    ("-4*(floor((i)/2)) - (3*i - 4) mod 7", -4 * (X // 2) - (3 * X - 4) % 7),
    ("99999999999999999999999i", 99999999999999999999999 * X),
]


@pytest.mark.parametrize(("text", "expr"), READ)
def test_an_expression_reads_as_isl_does(text: str, expr: Expr | None):
    """Each reading is the one that isl itself has, or a refusal."""
    function = f"{{ [i] -> [{text}] }}"
    if expr is None:
        with pytest.raises(ParseError):
            from_isl(function)
        return
    (read,) = from_isl(function, {"i": X}).results

    assert read == expr
    for value in (-7, -1, 0, 5):
        assert int(read.eval({X: value})) == isl_value(function, [value])


def test_a_function_has_parameters_and_several_results():
    """Names of tuples are passed over."""
    text = "[n] -> { S[i, j] -> A[(i + n), floor((j)/2)] : }"
    read = from_isl(text, {"i": X, "j": J, "n": P})

    assert (read.dims, read.symbols) == ((X, J), (P,))
    assert read.results == [X + P, J // 2]


def test_a_constant_function_has_no_domain():
    """A single tuple holds the results."""
    assert from_isl("{ [5, -(3)] }").results == [5, -3]


def test_names_that_are_not_given_are_unbounded():
    """Dimensions become indices, parameters symbols."""
    read = from_isl("[isl_q] -> { [a] -> [a + isl_q] }")

    assert str(read) == "AffineMap((a)[isl_q] -> (isl_q + a))"


def test_a_function_is_written_with_its_parameters():
    """What does not vary in a loop is a parameter."""
    assert to_isl([X + P, 3]) == "[isl_p] -> { [i] -> [(isl_p + i), (3)] }"


def test_a_word_of_isl_is_no_name():
    """Nor are two indices called alike."""
    text = to_isl(index("floor") + index("i") - index("i"))

    assert text == "{ [floor_2, i, i_2] -> [(floor_2 + i - i_2)] }"


REFUSED = [
    ("{ [i] -> [i] : i > 0 }", ParseError, 16, "piecewise"),
    ("{ [i] -> [i]; [i] -> [3] }", ParseError, 13, "piecewise"),
    ("{ [i] : i > 0 }", ParseError, 9, "sets"),
    ("{ [i] }", ParseError, 4, "unknown name 'i'"),
    ("{ [i] -> [max(i, 2)] }", ParseError, 11, "piecewise"),
    ("{ [i] -> [i/2] }", NonAffineError, 11, "not rounded"),
    ("{ [i] -> [floor(i + i/2)] }", NonAffineError, 21, "not rounded"),
    ("{ [i, 3] -> [i] }", NonAffineError, 7, "plain name"),
    ("{ [i] -> [i*i] }", NonAffineError, 11, "one side of"),
    ("{ [i] -> [i mod 0] }", DivisorError, 17, "got 0"),
    ("{ [i] -> [floor(i/0)] }", DivisorError, 19, "got 0"),
    ("{ [i] -> [-3 mod 4] }", ParseError, 14, "brackets"),
    ("{ [i, i] -> [i] }", ParseError, 7, "listed twice"),
    ("[i] -> { [i] -> [i] }", ParseError, 2, "listed twice"),
    ("", ParseError, 1, "unexpected end"),
]


@pytest.mark.parametrize(("text", "error", "column", "message"), REFUSED)
def test_what_is_refused_has_a_place(text: str, error, column: int, message: str):
    """Sets, piecewise functions, rational values and malformed texts."""
    with pytest.raises(error, match=message) as caught:
        from_isl(text)

    assert caught.value.column == column


@settings(max_examples=25)
@given(st.text(max_size=30) | st.text("{}[]()->ij, mod*+/:floor24", max_size=40))
def test_any_text_reads_or_is_refused(text: str):
    """No text gives a traceback."""
    place: object = True
    try:
        from_isl(text)
    except (ParseError, DivisorError, NonAffineError) as error:
        place = error.span

    assert place is not None


def test_objects_are_functions():
    """A single result is an Aff, several are a MultiAff; sets are refused."""
    islpy = pytest.importorskip("islpy")

    assert isinstance(to_islpy(X % 4), islpy.Aff)
    assert isinstance(to_islpy([X % 4]), islpy.MultiAff)
    assert from_islpy(to_islpy([X % 4, X]), {"i": X}).results == [X % 4, X]
    with pytest.raises(OperandError, match="an isl function is needed, got a Set"):
        from_islpy(islpy.Set("{ [i] : i > 0 }"))
    with pytest.raises(ParseError, match="piecewise"):
        from_islpy(islpy.PwAff("{ [i] -> [i] : i > 0; [i] -> [3] : i < 0 }"))


RAW = [
    MultExpr(AffineExpr((), -3), 5),
    ModuloExpr(AffineExpr((), -3), 5),
    MultExpr(MultExpr(X, -1), -1),
    SumExpr((MultExpr(SumExpr((X, 1)), -2), X)),
    MultExpr(X, 0),
]


@pytest.mark.parametrize("expr", RAW, ids=str)
def test_isl_reads_every_raw_tree(expr: Expr):
    """Signs and numbers in odd places."""
    assert isl_value(to_isl(expr, [X]), [-7]) == int(expr.eval({X: -7}))


def test_depth_is_limited_in_writing_only():
    """What is written reads back; one more level is refused."""
    expr: Expr = X
    for k in range(MAX_DEPTH // 2 - 1):
        expr = FloorDivExpr(SumExpr((expr, k % 5)), 2)
    (back,) = from_isl(to_isl(expr), {"i": X}, simplify=False).results

    assert int(back.eval({X: 7})) == int(expr.eval({X: 7}))
    with pytest.raises(TooDeepError, match="isl is written up to 1000"):
        to_isl(FloorDivExpr(FloorDivExpr(expr, 2), 2))
