"""Reading expressions: values, precedence, exact round trips, located mistakes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    DivisorError,
    Expr,
    IndexRangeError,
    NonAffineError,
    OperandError,
    ParseError,
    PelicanError,
    index,
    parse,
    simplify,
    symbol,
)
from pelican.text.declarations import parse_declaration
from tests.strategies import INDICES, I, J, raw_expressions

NAMES = {"i": I, "j": J, "a": index("a", 1, 9), "x": index("x")}


@given(raw_expressions())
def test_parsing_the_print_gives_the_canonical_expression(raw: Expr):
    """For every canonical e, parse(print(e)) == e."""
    simple = simplify(raw)

    assert parse(str(simple), INDICES) == simple


@given(raw_expressions())
def test_a_raw_tree_prints_back_the_same_text(raw: Expr):
    """Text that was printed is read and printed again unchanged."""
    text = str(raw)

    assert str(parse(text, INDICES, simplify=False)) == text


@given(raw_expressions())
def test_a_raw_tree_simplifies_to_what_the_text_does(raw: Expr):
    """Reading raw and simplifying is reading."""
    text = str(raw)

    assert simplify(parse(text, INDICES, simplify=False)) == parse(text, INDICES)


PRECEDENCE = [
    ("5*6 // 7", 4),
    ("-7 mod 4", 1),
    ("-(7 mod 4)", -3),
    ("2 + 3*4", 14),
    ("20 - 5 - 3", 12),
    ("20 // 3 % 4 * 2", 4),
    ("100 floordiv 7 mod 5", 4),
    ("--3", 3),
    ("2*-3", -6),
    ("((((1))))", 1),
]


@pytest.mark.parametrize(("text", "value"), PRECEDENCE)
def test_operators_bind_as_the_language_says(text: str, value: int):
    """Unary minus first, then * mod floordiv to the left, then + and -."""
    assert parse(text, {}) == value


FACTORS = [
    ("2*2*j", "4*j"),
    ("(1 + 1)*j", "2*j"),
    ("j*(x - x + 3)", "3*j"),
    ("j mod (2*3)", "j mod 6"),
    ("j floordiv (x - x + 3)", "j floordiv 3"),
]


@pytest.mark.parametrize(("text", "raw"), FACTORS)
def test_a_factor_or_divisor_may_be_any_constant_expression(text: str, raw: str):
    """One side of * and a divisor need only fold to a constant, raw or simplified."""
    assert str(parse(text, NAMES, simplify=False)) == raw
    assert parse(text, NAMES) == parse(raw, NAMES)


MISTAKES = [
    ("3 + 7)", ParseError, 6, "unexpected ')'"),
    ("i j", ParseError, 3, "unexpected 'j'"),
    ("5i", ParseError, 2, "unexpected 'i'"),
    ("2(i)", ParseError, 2, "unexpected '('"),
    ("4*(i + ", ParseError, 7, "unexpected end of the text"),
    ("4*(i + ,)", ParseError, 8, "unexpected ','"),
    ("mod(a", ParseError, 1, "unexpected 'mod', expected a name"),
    ("a floordiv", ParseError, 11, "unexpected end of the text"),
    ("a % % x", ParseError, 5, "unexpected '%'"),
    ("i / 2", ParseError, 3, "unexpected '/'"),
    ("i#2", ParseError, 2, "unexpected '#'"),
    ("i ** 2", ParseError, 4, "unexpected '*'"),
    ("1.5*i", ParseError, 2, "unexpected '.'"),
    ("", ParseError, 1, "unexpected end of the text"),
    ("i + jj", ParseError, 5, "unknown name 'jj'"),
    ("9" * 5000, ParseError, 1, "too long"),
    ("i mod 0", DivisorError, 7, "got 0"),
    ("i floordiv (2 - 5)", DivisorError, 12, "got -3"),
    ("i mod x", NonAffineError, 7, "constant divisor, got x"),
    ("1 + i*x", NonAffineError, 5, "one side"),
]


REMEDIES = [
    ("x MOD 4", "write mod in small letters, as in x mod 4"),
    ("x div 4", "write floordiv, as in x floordiv 4"),
    ("(x) FLOORDIV 4", "write floordiv, as in x floordiv 4"),
    ("x ceildiv 4", "there is no ceildiv: x ceildiv 4 is (x + 3) floordiv 4"),
    ("ceildiv(x, 4)", "there is no ceildiv: x ceildiv 4 is (x + 3) floordiv 4"),
    ("x**2", "there are no powers"),
    ("min(x, 4)", "there is no min, max or abs here: use + - * mod floordiv"),
    ("0x40", "write numbers in decimal, as in 64"),
    ("x & 3", "there are no bit operators: x & 3 is x mod 4"),
    ("x >> 3", "there are no bit operators: x >> 3 is x floordiv 8"),
    ("x << 3", "there are no bit operators: x << 3 is 8*x"),
    ("(x<<2)", "there are no bit operators: x << 2 is 4*x"),
    ("x & 6", "there are no bit operators"),
    ("x | 4", "there are no bit operators: x | 4 is x + 4 where no bit is in both"),
    ("~x", "there are no bit operators: ~x is -x - 1"),
    ("x @ x", "a product with a number is written *"),
    ("x / 4", "division rounds down and is written // or floordiv"),
    ("x#2", "an expression holds no comment, and i#2 is display only"),
    ("5 x", "an operator is missing before 'x': write 5*i, not 5i or 5 i"),
    ("5 x_y", "an operator is missing before 'x_y': write 5*i, not 5i or 5 i"),
    ("1.5", "numbers are integers"),
    ("x)", "this bracket closes nothing"),
    ("(x", "a bracket is not closed"),
    ("x mod n", "write the number itself, as in x mod 8"),
    ("x mod", "write a value here, as in 4*i + 1"),
    ("1e3*x", "numbers are integers, written out: 1000 and not 1e3"),
    ("x + 1e-3", "numbers are integers, written out: 1000 and not 1e3"),
    ("1_000*x", "the digits of a number stand together: 1000 and not 1_000"),
    ("5(x + 1)", "an operator is missing before '(': write 5*i, not 5i or 5 i"),
    ("x^2", "there are no powers and no bit operators"),
    ("Mod(x, 4)", "a remainder is written x mod 4"),
    ("floor(x)", "division rounds down and is written x floordiv 4"),
    ("x \u00d7 3", "write * for a product"),
    ("x \u2013 3", "write - for a minus"),
    ("x \u00f7 3", "division rounds down and is written // or floordiv"),
    ("x < 3 && x > 1", "comparisons are joined by a product: (i < 3)*(j < 4)"),
    ("x < 3 and x > 1", "comparisons are joined by a product: (i < 3)*(j < 4)"),
    ("x ? 3 : 4", "a choice is a sum: 3*(i < 4) + 5*(i >= 4)"),
    ("3 if x else 4", "a choice is a sum: 3*(i < 4) + 5*(i >= 4)"),
    ("x = 3", "two values are compared with =="),
    ("1 < x < 3", "each comparison but one stands in brackets"),
    ("[x]", "brackets are round, and nothing is indexed: write (i + 1)"),
    ("x[3]", "brackets are round, and nothing is indexed: write (i + 1)"),
    ("$x", "a name is letters, digits and _, no digit first"),
    ('"x"', "a name is letters, digits and _, no digit first"),
    ("%x", "a name begins with a letter, and % is mod"),
    ("x +* 3", "write a value here, as in 4*i + 1"),
    (
        "2*foo(x)",
        "there is no function foo: the calls are ap, arg, cc_div, cc_mod, rank, tile; "
        "a product is foo*(...)",
    ),
]


@pytest.mark.parametrize(("text", "hint"), REMEDIES)
def test_a_known_mistake_has_its_remedy(text: str, hint: str | None):
    """What people write by habit from other languages is recognised."""
    with pytest.raises(PelicanError) as caught:
        parse(text, NAMES)

    assert caught.value.hint == hint


def test_an_unknown_divisor_is_asked_to_be_a_number():
    """An unknown name in a divisor cannot be declared; others still can."""
    with pytest.raises(ParseError) as caught:
        parse("k + x mod (2*n)", NAMES)

    assert {(e.message, e.column) for e in caught.value.errors} == {
        ("unknown name 'k'", 1),
        ("a divisor is a number, got the unknown name 'n'", 14),
    }


@pytest.mark.parametrize("simplified", [True, False])
@pytest.mark.parametrize(("text", "kind", "column", "message"), MISTAKES)
def test_a_mistake_has_its_place(text, kind, column, message, simplified):
    """Each mistake names the value and its column, raw or simplified."""
    with pytest.raises(kind) as caught:
        parse(text, NAMES, simplify=simplified, name="t.pel")

    assert message in caught.value.message
    assert (caught.value.file, caught.value.line) == ("t.pel", 1)
    assert caught.value.column == column


def test_the_message_shows_the_line_and_a_caret():
    """The whole message: place, what was found, the line, a caret, the remedy."""
    with pytest.raises(ParseError) as caught:
        parse("i +\n  4 / 2", NAMES, name="t.pel")

    assert str(caught.value) == (
        "t.pel:2:5: unexpected '/', expected an operator or the end\n"
        "      4 / 2\n"
        "        ^\n"
        "    hint: division rounds down and is written // or floordiv"
    )


def test_every_unknown_name_is_reported():
    """One run names all unknown names, each with its nearest neighbour."""
    with pytest.raises(ParseError) as caught:
        parse("ii + jj + i", NAMES)

    assert [e.message for e in caught.value.errors] == [
        "unknown name 'ii'",
        "unknown name 'jj'",
    ]
    assert caught.value.hint == "did you mean i?"


@given(st.text(alphabet="ij01+-*%/() modflr", max_size=30))
def test_any_text_is_read_or_refused_with_a_place(text: str):
    """No text gives anything but an expression or a located error."""
    found: list[PelicanError] = []
    try:
        parse(text, NAMES)
    except PelicanError as error:
        found.append(error)

    assert all(error.line and str(error) for error in found)


def test_a_deep_text_is_read():
    """A depth of 100,000 brackets and of many operations is read and printed."""
    nested = "(" * 100_000 + "i" + ")" * 100_000
    chain = "(" * 10_000 + "x" + " + 1) floordiv 2" * 10_000

    assert parse(nested, NAMES) == I
    assert str(parse(chain, NAMES, simplify=False)) == chain


DECLARATIONS = [
    ("x", (None, None, 1)),
    ("i in [0, 64)", (0, 64, 1)),
    ("i in [-8, 2*32) step 4", (-8, 64, 4)),
    ("in in [0, 3)", (0, 3, 1)),
]


@pytest.mark.parametrize(("text", "fields"), DECLARATIONS)
def test_a_declaration_makes_an_index(text: str, fields):
    """Bounds and step are constant expressions."""
    made = parse_declaration(text, index, name="--index")

    assert (made.lo, made.hi, made.step) == fields


def test_a_declaration_makes_a_symbol():
    """The same text declares a symbol."""
    made = parse_declaration("size in [4, 4096) step 4", symbol, name="--symbol")

    assert made is symbol("size", 4, 4096, 4)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("i in [4, 4)", IndexRangeError),
        ("i in [0, 8) step 0", IndexRangeError),
        ("i in [0, 8", ParseError),
        ("i in 0, 8)", ParseError),
        ("i in [0, y)", ParseError),
        ("4", ParseError),
    ],
)
def test_a_wrong_declaration_is_refused(text: str, kind):
    """A wrong declaration has its place too."""
    with pytest.raises(kind) as caught:
        parse_declaration(text, index, name="--index")

    assert caught.value.line == 1


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("i in [0, 7]", "a range is half-open: write i in [0, 8) for 0 to 7"),
        ("i in range(8)", 'write it like "i in [0, 64) step 4"'),
        ("i in [0, 8) by 4", 'write it like "i in [0, 64) step 4"'),
        ("i < 8", 'write it like "i in [0, 64) step 4"'),
        ("i, j", "each name has a declaration of its own"),
        ("i in [0, 8), j", "each name has a declaration of its own"),
        ("i in [0..8)", 'write it like "i in [0, 64) step 4"'),
        ("i [0, 8)", 'write it like "i in [0, 64) step 4"'),
        ("i in [0, 1e3)", "numbers are integers, written out: 1000 and not 1e3"),
        (
            "i in [0, 2 4)",
            "an operator is missing before '4': write 5*i, not 5i or 5 i",
        ),
    ],
)
def test_a_wrong_declaration_has_a_remedy(text: str, hint: str):
    """The half-open range is explained, and the form is shown."""
    with pytest.raises(ParseError) as caught:
        parse_declaration(text, index, name="--index")

    assert caught.value.hint == hint


@pytest.mark.parametrize("text", ["i - (-1)*0", "i - (-1)*5", "-((-1)*3)", "(-1)*i"])
def test_a_factor_of_minus_one_is_read_as_a_sign(text):
    """A raw tree prints a text that is read as the same tree."""
    raw = parse(text, INDICES, simplify=False)

    assert parse(str(raw), INDICES, simplify=False) == raw
    assert "--" not in str(raw).replace(" ", "")


@pytest.mark.parametrize(
    ("text", "names", "message"),
    [
        (b"i", {}, "parse needs a text, got b'i'"),
        (None, {}, "parse needs a text, got None"),
        ("i", None, "parse needs a mapping from names to indices, got None"),
        ("i", [I], "parse needs a mapping from names to indices, got "),
    ],
)
def test_an_argument_of_the_wrong_type_is_refused(text, names, message):
    """Before anything is read."""
    with pytest.raises(OperandError) as error:
        parse(text, names)

    assert error.value.message.startswith(message)


@pytest.mark.parametrize("simple", [True, False])
def test_a_name_stands_for_an_expression(simple: bool):
    """Alone, too: an integer becomes a constant, and a text is refused."""
    assert isinstance(parse("n", {"n": 5}, simplify=simple), Expr)
    with pytest.raises(OperandError, match="<expression>:1:1"):
        parse("n", {"n": "x"}, simplify=simple)
