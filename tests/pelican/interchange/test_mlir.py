"""MLIR text, both ways, and against xDSL's parser when it is installed."""

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
    WidthError,
    index,
    simplify,
    symbol,
)
from pelican.expr import AffineExpr, FloorDivExpr, ModuloExpr, MultExpr, SumExpr
from pelican.interchange.mlir import MAX_DEPTH, from_mlir, to_mlir, to_mlir_expr
from tests.strategies import I, J, K, N, points, raw_expressions

DIMS = [I, J, K, N]
BOUND = {f"d{k}": idx for k, idx in enumerate(DIMS)}
D0 = index("d0", -50, 50)
S0 = symbol("s0_of_mlir", 1, 9)


@given(raw_expressions(), points())
def test_what_is_written_reads_back_with_the_same_values(raw: Expr, at):
    """A raw tree reads back raw."""
    (back,) = from_mlir(to_mlir(raw, DIMS), BOUND, simplify=False).results

    assert int(back.eval(at)) == int(raw.eval(at))


@given(raw_expressions())
def test_a_canonical_expression_reads_back_as_itself(raw: Expr):
    """Reading simplifies by default."""
    simple = simplify(raw)

    assert from_mlir(to_mlir(simple, DIMS), BOUND).results == [simple]


@given(raw_expressions(), points())
def test_xdsl_gives_what_is_written_the_same_values(raw: Expr, at):
    """An independent reader of the language agrees."""
    parser = pytest.importorskip("xdsl.parser")
    context = pytest.importorskip("xdsl.context").Context()
    context.load_dialect(pytest.importorskip("xdsl.dialects.builtin").Builtin)
    read = parser.Parser(context, to_mlir(raw, DIMS)).parse_attribute().data

    assert list(read.eval([at[idx] for idx in DIMS], [])) == [int(raw.eval(at))]


READ = [
    ("d0 ceildiv 4", -(-D0 // 4)),
    ("-d0 mod 4", -D0 % 4),
    ("2 * d0 mod 8", 2 * D0 % 8),
    ("d0 * 3 - (d0 + 1) floordiv 2", 3 * D0 - (D0 + 1) // 2),
    ("d0 floordiv 2 mod 3", D0 // 2 % 3),
    ("7 - d0 // a comment", 7 - D0),
    ("d0 mod (2 + 2)", D0 % 4),
]


@pytest.mark.parametrize(("text", "expr"), READ)
def test_an_expression_reads_as_mlir_says(text: str, expr: Expr):
    """Operators, precedence and comments."""
    assert from_mlir(text, {"d0": D0}).results == [expr]


@given(st.integers(-50, 49), st.integers(1, 12))
def test_ceildiv_rounds_up(value: int, divisor: int):
    """The value is that of the mathematical ceiling."""
    (read,) = from_mlir(f"d0 ceildiv {divisor}", {"d0": D0}).results

    assert int(read.eval({D0: value})) == -(-value // divisor)


def test_a_map_has_several_results():
    """In order, over dimensions and symbols, with or without its keyword or alias."""
    for text in (
        "affine_map<(d0)[s0] -> (d0 + s0, d0 mod 4)>",
        "#map1 = affine_map<(d0)[s0] -> (d0 + s0, d0 mod 4)>",
        "(i)[n] -> (i + n, i mod 4)",
    ):
        names = {"d0": D0, "s0": S0, "i": D0, "n": S0}
        read = from_mlir(text, names)

        assert (read.dims, read.symbols) == ((D0,), (S0,))
        assert read.results == [D0 + S0, D0 % 4]


def test_a_map_may_have_no_results():
    """An empty map is a map."""
    assert from_mlir("affine_map<() -> ()>").results == []
    assert to_mlir([]) == "affine_map<() -> ()>"


def test_names_that_are_not_given_are_unbounded():
    """Dimensions become indices, symbols symbols."""
    read = from_mlir("(a)[mlir_b] -> (a + mlir_b)")

    assert str(read) == "AffineMap((a)[mlir_b] -> (mlir_b + a))"
    assert [type(part).__name__ for part in (*read.dims, *read.symbols)] == [
        "AffineIV",
        "SymbolicIdx",
    ]


def test_the_names_of_an_expression_are_in_order():
    """d2 before d10, symbols apart."""
    read = from_mlir("d10 + d2 + s1")

    assert [str(part) for part in read.dims] == ["d2", "d10"]
    assert [str(part) for part in read.symbols] == ["s1"]


WRITTEN = [
    (to_mlir(D0 + S0), "affine_map<(d0)[s0] -> (s0 + d0)>"),
    (to_mlir([D0, 3]), "affine_map<(d0) -> (d0, 3)>"),
    (to_mlir(D0 + S0, dims=[S0, D0]), "affine_map<(d0, d1) -> (d0 + d1)>"),
    (to_mlir(D0 + 0, symbols=[D0]), "affine_map<()[s0] -> (s0)>"),
    (to_mlir_expr(-(D0 % 3) - 2), "-(d0 mod 3) - 2"),
    (to_mlir_expr(3 * (D0 % 5) + S0), "s0 + 3 * (d0 mod 5)"),
]


@pytest.mark.parametrize(("text", "expected"), WRITTEN)
def test_a_map_is_written_as_mlir_prints_it(text: str, expected: str):
    """Dimensions are what varies in a loop, symbols what does not."""
    assert text == expected


REFUSED = [
    ("(d0)[s0] -> (d0 floordiv s0)", NonAffineError, 26, "constant divisor, got s0"),
    ("(d0)[s0] -> (d0 mod s0)", NonAffineError, 21, "constant divisor"),
    ("(d0)[s0] -> (d0 ceildiv s0)", NonAffineError, 25, "constant divisor"),
    ("(d0)[s0] -> (d0 * s0)", NonAffineError, 14, "one side of"),
    ("(d0) -> (d0 mod 0)", DivisorError, 17, "got 0"),
    ("(d0) -> (d0 floordiv -2)", DivisorError, 22, "got -2"),
    ("(d0) -> (d1)", ParseError, 10, "unknown name 'd1'"),
    ("(d0, d0) -> (d0)", ParseError, 6, "d0 is listed twice"),
    ("(d0)[d0] -> (d0)", ParseError, 6, "d0 is listed twice"),
    ("affine_set<(d0) : (d0 >= 0)>", ParseError, 1, "integer sets"),
    ("d0 // 2 +", None, 0, ""),
    ("d0 +", ParseError, 5, "unexpected end"),
    ("affine_map<(d0) -> (d0)", ParseError, 24, "unexpected end"),
    ("(d0) -> d0", ParseError, 9, "unexpected 'd0'"),
    ("", ParseError, 1, "unexpected end"),
]


@pytest.mark.parametrize(("text", "error", "column", "message"), REFUSED)
def test_what_is_refused_has_a_place(text: str, error, column: int, message: str):
    """Semi-affine maps, sets and malformed texts."""
    names = {"s0": S0, "d0": D0}
    if error is None:
        assert from_mlir(text, names).results == [D0]
        return
    with pytest.raises(error, match=message) as caught:
        from_mlir(text, names)

    assert caught.value.column == column


@settings(max_examples=25)
@given(st.text(max_size=30) | st.text("()[]<>->d0s1 mod*+,floorceildiv", max_size=40))
def test_any_text_reads_or_is_refused(text: str):
    """No text gives a traceback."""
    place: object = True
    try:
        from_mlir(text)
    except (ParseError, DivisorError, NonAffineError) as error:
        place = error.span

    assert place is not None


def test_an_index_is_a_parameter():
    """Each index is listed once, and all of them are."""
    with pytest.raises(OperandError, match="j is no parameter of the MLIR text"):
        to_mlir(I + J, dims=[I], symbols=[])
    with pytest.raises(OperandError, match="listed twice"):
        to_mlir(I + J, dims=[I, J], symbols=[J])


@pytest.mark.parametrize(
    "expr",
    [
        AffineExpr(((I, 1),), 1 << 63),
        MultExpr(I, -(1 << 63)),
        ModuloExpr(I, 1 << 63),
        AffineExpr(((I, 1 << 63),), 0),
    ],
)
def test_a_literal_beyond_64_bits_is_refused(expr: Expr):
    """MLIR reads no such integer."""
    with pytest.raises(WidthError, match="MLIR reads integers up to"):
        to_mlir(expr)


def test_depth_is_limited_in_writing_only():
    """What is written reads back; one more level is refused."""
    expr: Expr = D0
    for k in range(MAX_DEPTH // 2 - 1):
        expr = FloorDivExpr(SumExpr((expr, k % 5)), 2)
    (back,) = from_mlir(to_mlir(expr), {"d0": D0}, simplify=False).results

    assert int(back.eval({D0: 7})) == int(expr.eval({D0: 7}))
    with pytest.raises(TooDeepError, match="MLIR is written up to 1000"):
        to_mlir(FloorDivExpr(FloorDivExpr(expr, 2), 2))


@pytest.mark.parametrize(
    "text", ["(" * 3000 + "d0" + ")" * 3000, "d0 + " * 3000 + "d0", "-" * 3000 + "d0"]
)
def test_an_expression_is_read_from_any_depth(text: str):
    """As a map is: its names are found without recursion."""
    read = from_mlir(text, simplify=False)

    assert read.results[0].indices == read.dims


def test_an_expression_lists_its_names_by_their_numbers():
    """Those that start with s are symbols."""
    read = from_mlir("d10 + s2 + d2 + s10")

    assert [str(idx) for idx in (*read.dims, *read.symbols)] == [
        "d2",
        "d10",
        "s2",
        "s10",
    ]
