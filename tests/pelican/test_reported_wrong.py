"""Wrong simplifications that users of other systems reported: none happens here.

Each named case is followed by a property over random instances of its shape, checked
by enumeration against Python.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican import (
    DivisorError,
    NonAffineError,
    compile,
    floordiv,
    index,
    modulo,
    parse,
    symbol,
)
from tests.pelican.reported import (
    Bounds,
    check_answer,
    check_case,
    check_case_is_refused,
    check_refused,
    check_value,
    in_python,
    names_of,
    values,
)

few = settings(max_examples=25)  # each example looks at many points
divisors = st.sampled_from([2, 3, 4, 5, 6, 8, 12])
factors = st.integers(1, 6)
offsets = st.integers(-12, 12)
lows = st.integers(-8, 4)
widths = st.integers(1, 14)
UNBOUNDED: Bounds = {"x": (None, None)}


@st.composite
def bounds(draw: st.DrawFn, names: str = "x") -> Bounds:
    """Return small ranges, some of them below 0."""
    return {name: (low, low + draw(widths)) for name in names for low in [draw(lows)]}


def test_a01_a_difference_is_no_remainder():
    """I - (i + 1) is -1, as the operation inside is no floordiv."""
    check_case("A01")


def test_a02_a_remainder_needs_its_own_numerator():
    """I - 4*(j floordiv 4) is no mod."""
    check_case("A02")


def test_a02b_a_remainder_needs_its_own_factor():
    """I - 4*(i floordiv 8) is no mod."""
    check_case("A02b")


@few
@given(
    st.sampled_from(["x", "y", "(x + 1)", "(x + y)", "(-x)"]),
    st.sampled_from(["//", "%", "*", "+", "-"]),
    factors,
    factors,
    bounds("xy"),
)
def test_near_misses_of_a_remainder_keep_their_value(part, op, c, d, box):
    """``x - c*(part op d)`` is a mod only where it equals one."""
    check_value(f"x - {c}*({part} {op} {d})", box)
    check_value(f"{c}*({part} {op} {d}) + x % {d}", box)


def test_a04_multiples_leave_a_floor_division():
    """(241 + 48*x) floordiv 16 is 15 + 3*x below 0 too."""
    check_case("A04")


def test_a04b_an_offset_below_the_divisor_is_dropped_below_zero_too():
    """(10*x + 5) floordiv 10 is x."""
    check_case("A04b")


@few
@given(divisors, st.integers(-6, 6), st.integers(-40, 300))
def test_multiples_leave_a_floor_division_of_any_sign(n, factor, offset):
    """(n*factor*x + offset) floordiv n, at negative x too."""
    text = f"({n * factor}*x + {offset}) // {n}"

    check_answer(text, f"{factor}*x + {offset // n}", UNBOUNDED)


def test_a06_a_sign_before_a_parity_shifts_its_phase():
    """Y - x mod 2 is y + (x + 1) mod 2 - 1."""
    check_case("A06")


@few
@given(divisors, st.sampled_from([-2, -1, 1, 2]), offsets, offsets, bounds("xy"))
def test_a_sign_before_a_mod_keeps_its_value(n, factor, inner, outer, box):
    """Complements of a mod, with offsets inside and outside."""
    check_value(f"y + {outer} + ({factor})*((x + {inner}) % {n})", box)
    check_value(f"{n - 1} - ((x + {inner}) % {n}) - y % {n}", box)


def test_a07_an_offset_in_a_division_is_kept():
    """(i - 1) floordiv 2 is -1 at 0."""
    check_case("A07")


@few
@given(divisors, offsets, st.sampled_from(["//", "%"]), bounds())
def test_offsets_in_a_division_are_kept(n, offset, op, box):
    """Alone, and beside the division without the offset."""
    check_value(f"(x + {offset}) {op} {n}", box)
    check_value(f"(x + {offset}) {op} {n} - x {op} {n}", box)


def test_a10_a_needless_outer_mod_goes():
    """Digits of a tiled index, joined again."""
    check_case("A10")


@few
@given(factors, factors, factors, factors, st.integers(1, 200))
def test_digits_of_a_tiled_index_keep_their_value(a, b, c, outer, width):
    """(d*((x floordiv a) mod b) + (x mod a) floordiv c) mod m, for related numbers."""
    inner = a * c
    text = f"({a}*((x // {inner}) % {b}) + (x % {inner}) // {c}) % {a * b * outer}"
    check_value(text, {"x": (0, width)})
    check_value(text.replace(f"{a}*(", f"{c}*(", 1), {"x": (0, width)})


def test_a11_an_outer_mod_stays_where_a_period_is_dropped():
    """(4 - x mod 4) mod 4 is 3 at 1."""
    check_case("A11")


@few
@given(divisors, st.integers(-3, 3), offsets, bounds())
def test_a_difference_under_a_mod_stays_in_its_period(n, periods, offset, box):
    """(k*n - (x + c) mod n) mod n is in [0, n)."""
    text = f"({periods * n} - ((x + {offset}) % {n})) % {n}"

    check_value(text, box)
    names = names_of(box)
    assert parse(text, names) == parse(f"({-offset} - x) % {n}", names)


def test_a12_a_symbolic_divisor_is_refused():
    """-x mod 2*x is no expression of the language."""
    check_case_is_refused("A12", NonAffineError, "(2*x)")


def test_a16_a_division_by_itself_is_refused():
    """Neither 1 nor any other value is right where the divisor may be 0."""
    check_case_is_refused("A16", NonAffineError, "i")
    check_refused("i % i", {"i": (0, 4)}, NonAffineError, "i")


def test_a16b_a_division_by_itself_is_refused_above_zero_too():
    """A divisor is a number, whatever the range of an index is."""
    check_case_is_refused("A16b", NonAffineError, "i")


def test_a17_a_division_by_zero_is_refused_whatever_folds():
    """At its place, and before the numerator could make it vanish."""
    check_case_is_refused("A17", DivisorError, "0")
    for text in ("0 % 0", "i // 0", "0 // 0", "0*i % 0"):
        check_refused(text, {"i": (0, 16)}, DivisorError, "0")


def test_a17b_a_symbol_that_may_become_zero_is_no_divisor():
    """So no substitution makes a divisor of 0."""
    check_case_is_refused("A17b", NonAffineError, "(4*s1)")
    s1 = symbol("s1_a17b", 0, 1)
    with pytest.raises(NonAffineError):
        modulo(4, 4 * s1)


def test_a18_a_negative_divisor_is_refused():
    """Floored and Euclidean division part there, so neither is chosen."""
    check_case_is_refused("A18", DivisorError, "(0 - 4)")


def test_a18b_a_divisor_of_minus_one_is_refused():
    """It is no negation."""
    check_case_is_refused("A18b", DivisorError, "(0 - 1)")


def test_a23_a_common_symbolic_factor_is_refused():
    """(64*x) mod (31*x) has no form here; the factor could not be dropped."""
    check_case_is_refused("A23", NonAffineError, "(31*x)")


def test_a32_a_product_of_two_is_refused():
    """A coefficient is a number."""
    check_case_is_refused("A32", NonAffineError, "(d // 2)*s")


@few
@given(
    st.sampled_from(["//", "%", "floordiv", "mod"]),
    st.sampled_from(["x", "(2*x)", "(x + 1)", "(x % 3)", "(x // 2)", "-x"]),
    st.sampled_from(["", "x + ", "3*", "0*", "7 - 2*"]),
    st.sampled_from(["x", "0", "(x + y)", "(2*x)"]),
)
def test_a_divisor_that_is_no_number_is_refused_at_its_place(op, divisor, head, numer):
    """Wherever it stands and whatever it divides."""
    check_refused(
        f"{head}{numer} {op} {divisor} + y",
        {"x": (1, 9), "y": (0, 4)},
        NonAffineError,
        divisor,
    )


@few
@given(
    st.sampled_from(["//", "%", "floordiv", "mod"]),
    st.integers(-12, 0),
    st.sampled_from(["{}", "({} + 3 - 3)", "({})", "(2*{} // 2)", "(x - x + {})"]),
    st.sampled_from(["x", "0", "(x - x)", "0*x"]),
)
def test_a_divisor_below_one_is_refused_at_its_place(op, value, shape, numer):
    """However it is written, and whatever it divides."""
    divisor = shape.format(value)
    check_refused(f"1 + {numer} {op} {divisor}", {"x": (1, 9)}, DivisorError, divisor)
    with pytest.raises(DivisorError):
        (floordiv if op in {"//", "floordiv"} else modulo)(0, value)


@few
@given(
    st.sampled_from(["x", "(x + y)", "(x % 3)", "(x // 2)"]),
    st.sampled_from(["y", "(y + 1)", "(y % 2)"]),
)
def test_a_product_of_two_is_refused_at_its_place(left, right):
    """Whatever the two are; two sides that fold to numbers are allowed."""
    box: Bounds = {"x": (0, 9), "y": (0, 4)}
    check_refused(f"1 + {left}*{right}", box, NonAffineError, f"{left}*{right}")
    check_value(f"1 + {left}*({right} - {right} + 2)", box)


def test_a14_a_negative_factor_is_no_divisor():
    """-3*(a + 5) floordiv 6 is (-a - 5) floordiv 2."""
    check_case("A14")


@few
@given(st.integers(-6, -1), factors, offsets, bounds())
def test_negative_factors_cancel_without_a_negative_divisor(factor, d, offset, box):
    """The sign stays in the numerator."""
    text = f"({factor}*(x + {offset})) // {-factor * d}"

    check_answer(text, f"(-x - {offset}) // {d}" if offset else f"-x // {d}", box)
    check_value(text.replace("//", "%"), box)


def test_a20_a_division_is_not_distributed_over_a_sum():
    """(a + b) floordiv 4 is in [0, 1] and takes both values."""
    check_case("A20")


@few
@given(divisors, st.integers(-6, 6), st.integers(-6, 6), offsets, bounds("xy"))
def test_divisions_of_sums_keep_their_value(n, a, b, c, box):
    """Whatever carries from one term to the other."""
    text = f"({a}*x + {b}*y + {c}) // {n}"
    check_value(text, box)
    check_value(f"{text} - ({a}*x) // {n} - ({b}*y) // {n}", box)
    check_value(text.replace("//", "%"), box)


def test_a21_multiples_of_a_modulus_go_where_the_rest_is_negative():
    """The value stays in [0, 3]."""
    check_case("A21")


def test_a22_a_mod_stays_where_only_the_upper_end_is_below_it():
    """(i - 3) floordiv 2 mod 4 is 2 at 0."""
    check_case("A22")


@few
@given(divisors, factors, st.integers(-2, 2), offsets, st.sampled_from([-1, 1]))
def test_a_mod_of_what_may_be_negative_is_in_its_period(m, d, periods, c, sign):
    """In the simplified form, and in the program that is made of it."""
    box: Bounds = {"x": (0, 13)}
    text = f"({periods * m} + ({sign}*x + {c}) // {d}) % {m}"
    simple = check_value(text, box)
    right = in_python(text)
    computed = compile(simple)(dict.fromkeys(simple.indices, range(13)))

    if simple.indices:
        assert computed.tolist() == [right(at) for at in values(box)]
        assert set(computed.tolist()) <= set(range(m))


def test_a25_a_stride_that_does_not_divide_a_mode_carries():
    """A layout with the stride 3 over a mode of 4 is no layout of one stride."""
    check_case("A25")


def test_a26_a_carry_from_one_mode_to_the_next_is_kept():
    """(2*x + 3*y) mod 6 + 7*((2*x + 3*y) floordiv 6) is no linear form."""
    check_case("A26")


@few
@given(
    st.lists(st.tuples(divisors, st.integers(-9, 9)), min_size=1, max_size=3),
    st.integers(1, 7),
    st.integers(0, 7),
    bounds("xy"),
)
def test_composed_layouts_keep_their_value(modes, a, b, box):
    """Digits of a*x + b*y by mixed radix, each with a stride of its own."""
    source, parts, radix = f"({a}*x + {b}*y)", [], 1
    for size, stride in modes:
        parts.append(f"{stride}*(({source} // {radix}) % {size})")
        radix *= size
    parts.append(f"{modes[0][1] + radix}*({source} // {radix})")
    check_value(" + ".join(parts), box)


def test_a29_integers_do_not_overflow():
    """(n + 9) floordiv 10 over all of 32 bits has its exact range."""
    check_case("A29")


@few
@given(st.sampled_from([31, 32, 63, 64, 200]), divisors, st.integers(-(2**70), 2**70))
def test_ranges_of_wide_integers_are_exact(bits, n, offset):
    """Both ends of a division of a sum are reached, however wide it is."""
    box: Bounds = {"x": (-(2**bits), 2**bits)}
    simple = parse(f"(x + {offset}) // {n}", names_of(box))
    ends = [(x + offset) // n for x in (-(2**bits), 2**bits - 1)]

    assert [simple.range.lo, simple.range.hi] == ends
    assert [int(simple.eval(dict.fromkeys(simple.indices, v))) for v in (-1, 0, 1)] == [
        (v + offset) // n for v in (-1, 0, 1)
    ]
    assert index("i", *box["x"]).range.hi == 2**bits - 1
