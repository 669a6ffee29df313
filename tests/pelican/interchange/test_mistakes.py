"""The operators of another language in a foreign text: each has its remedy."""

import pytest

from pelican.errors import PelicanError
from pelican.interchange.isl import from_isl
from pelican.interchange.mistakes import ISL, MLIR, SYMPY
from pelican.interchange.mlir import from_mlir
from pelican.interchange.sympy import from_sympy_text

DIVISION = {
    "mlir": "in MLIR text a division is d0 floordiv 4, or d0 ceildiv 4 that rounds up",
    "isl": "in isl text a division is floor((i)/4), or ceil((i)/4) that rounds up",
    "sympy": "in SymPy text a division is floor(x/4), or ceiling(x/4) that rounds up",
}
REMAINDER = {
    "mlir": "in MLIR text a remainder is d0 mod 4",
    "isl": "in isl text a remainder is (i) mod 4",
    "sympy": "in SymPy text a remainder is Mod(x, 4)",
}
CONDITION = "conditions have no form here: write one expression"
MISSING = "an operator is missing before {}: write 5*i, not 5i or 5 i"

MISTAKES = [
    ("mlir", "d0 / 4", DIVISION),
    ("mlir", "d0 // 4", DIVISION),
    ("mlir", "(d0) -> ((d0 // 4))", DIVISION),
    ("mlir", "d0 div 4", DIVISION),
    ("mlir", "floor(d0)", DIVISION),
    ("mlir", "d0 % 4", REMAINDER),
    ("mlir", "Mod(d0, 4)", REMAINDER),
    ("mlir", "d0 ** 2", "there are no powers"),
    ("mlir", "d0 >= 2", CONDITION),
    ("mlir", "2 d0", MISSING.format("'d0'")),
    ("mlir", "1.5*d0", "numbers are integers"),
    ("mlir", "1e3*d0", "numbers are integers, written out: 1000 and not 1e3"),
    ("mlir", "(d0 + 1", "a bracket is not closed"),
    ("mlir", "(d0) -> (d0 + (2)", "a bracket is not closed"),
    ("mlir", "", f"write it like {MLIR.whole}"),
    ("mlir", "{ [i] -> [i] }", f"write it like {MLIR.whole}"),
    (
        *("mlir", "foo(d0)"),
        "there is no function foo: MLIR text calls none; a product is foo*(...)",
    ),
    (
        *("mlir", "d0 >> 2"),
        "there are no bit operators in MLIR text: d0 >> 3 is d0 floordiv 8",
    ),
    ("isl", "{ [i] -> [i // 4] }", DIVISION),
    ("isl", "{ [i] -> [i floordiv 4] }", DIVISION),
    ("isl", "{ [i] -> [i ceildiv 4] }", DIVISION),
    ("isl", "{ [i] -> [Mod(i, 4)] }", REMAINDER),
    ("isl", "{ [i] -> [i ** 2] }", "there are no powers"),
    ("isl", "{ [i] -> [i = 2] }", CONDITION),
    ("isl", "{ [i] -> [(i + 1] }", "a bracket is not closed"),
    ("isl", "i mod 4", f"write it like {ISL.whole}"),
    (
        *("isl", "{ [i] -> [i & 3] }"),
        "there are no bit operators in isl text: i & 3 is (i) mod 4",
    ),
    (
        *("isl", "{ [i] -> [gcd(i, 3)] }"),
        "there is no function gcd: isl text has floor, ceil, floord, ceild; "
        "a product is gcd*(...)",
    ),
    ("sympy", "x // 4", DIVISION),
    ("sympy", "x floordiv 4", DIVISION),
    ("sympy", "ceil(x/4)", DIVISION),
    ("sympy", "x % 4", REMAINDER),
    ("sympy", "x mod 4", REMAINDER),
    ("sympy", "x ** 2", "there are no powers"),
    ("sympy", "x = 2", CONDITION),
    ("sympy", "x >= 2", CONDITION),
    ("sympy", "2.5*x", "numbers are integers"),
    ("sympy", "(x + 1", "a bracket is not closed"),
    ("sympy", "2 x", MISSING.format("'x'")),
    ("sympy", "", f"write it like {SYMPY.whole}"),
    (
        "sympy",
        "x ^ 2",
        "there are no powers, and there are no bit operators in SymPy text",
    ),
    (
        *("sympy", "x << 2"),
        "there are no bit operators in SymPy text: x << 3 is 8*x",
    ),
    (
        *("sympy", "gcd(x, 3)"),
        "there is no function gcd: SymPy text has Mod, floor, ceiling; "
        "a product is gcd*(...)",
    ),
    (
        *("sympy", "Mod(x)"),
        "write integers, names, + - * /, Mod(a, n), floor(a/n), ceiling(a/n)",
    ),
]
READERS = {"mlir": from_mlir, "isl": from_isl, "sympy": from_sympy_text}


@pytest.mark.parametrize(("language", "text", "hint"), MISTAKES)
def test_the_operator_of_the_language_is_named(language, text, hint):
    """Not that of pelican's own."""
    with pytest.raises(PelicanError) as caught:
        READERS[language](text)

    expected = hint[language] if isinstance(hint, dict) else hint
    assert caught.value.span is not None
    assert caught.value.hint == expected


def test_a_comment_of_words_is_one():
    """Only a number alone is taken for a divisor."""
    assert str(from_mlir("d0 // by 4")) == str(from_mlir("d0"))
