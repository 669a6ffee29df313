"""Simplifications that users of other systems missed: each is made here.

Each named case is followed by a property over random instances of its shape: the
result is no larger than the answer, and has the value of the input.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

from pelican import index, parse
from pelican.expr import AffineIdx
from tests.pelican.reported import Bounds, check_answer, check_case, names_of

few = settings(max_examples=25)  # each example looks at many points
divisors = st.integers(2, 9)
factors = st.integers(1, 6)
offsets = st.integers(-20, 20)
UNBOUNDED: Bounds = {"x": (None, None)}
BOTH: Bounds = {"x": (0, 16), "y": (-3, 9)}


def test_a32b_a_remainder_joins_its_quotient_beside_another():
    """(d floordiv 2 + t floordiv 2)*2 + d mod 2 is d + 2*(t floordiv 2)."""
    check_case("A32b")


@few
@given(divisors, st.integers(2, 9), st.sampled_from(["y", "(y // 3)", "(y % 5)"]))
def test_remainders_join_their_quotients_beside_others(n, m, other):
    """Under a common factor, and beside anything."""
    text = f"(x // {n} + {other} // {m})*{n} + x % {n}"

    check_answer(text, f"x + {n}*({other} // {m})", BOTH)


def test_b01_a_wrapped_negative_step_is_recognised():
    """(3 + 3*x) mod 4 is 3 - x for x in [0, 4)."""
    check_case("B01")


@few
@given(st.integers(3, 30), st.integers(1, 4), st.integers(1, 4), st.data())
def test_wrapped_negative_steps_are_recognised(n, step, periods, data):
    """(c + (k*n - s)*x) mod n is c - s*x where that is in [0, n)."""
    start = data.draw(st.integers(0, n - 1))
    box = {"x": (0, start // step + 1)}
    text = f"({start} + {periods * n - step}*x) % {n}"

    check_answer(text, f"{start} - {step}*x" if step > 1 else f"{start} - x", box)


def test_b03_an_offset_is_trimmed_to_the_common_factor():
    """(4*x + 4*y + 7) floordiv 16 is (x + y + 1) floordiv 4."""
    check_case("B03")


@few
@given(st.integers(2, 8), divisors, offsets)
def test_offsets_are_trimmed_to_a_common_factor(g, d, offset):
    """Rounded down, for offsets of any sign."""
    text = f"({g}*x + {g}*y + {offset}) // {g * d}"

    check_answer(text, f"(x + y + {offset // g}) // {d}", BOTH)


def test_b04_a_common_factor_is_divided_out_beside_a_multiple():
    """(6*a + 6*b + 16) floordiv 16 is (3*a + 3*b) floordiv 8 + 1."""
    check_case("B04")


@few
@given(st.integers(2, 6), st.sampled_from([(3, 8), (2, 5), (5, 12)]), offsets)
def test_common_factors_are_divided_out_beside_multiples(g, pair, periods):
    """One shape with and without an added multiple of the divisor."""
    a, d = pair
    text = f"({g * a}*x + {g * a}*y + {periods * g * d}) // {g * d}"

    check_answer(text, f"({a}*x + {a}*y) // {d} + {periods}", BOTH)


def test_b06_no_division_becomes_two():
    """(l + 2) floordiv 4 stays the smaller one."""
    check_case("B06")


def test_b11_nested_divisions_are_one():
    """(x floordiv 3) floordiv 4 is x floordiv 12."""
    check_case("B11")


@few
@given(st.lists(st.tuples(divisors, offsets), min_size=1, max_size=4))
def test_chains_of_divisions_are_one(chain):
    """With an offset before each of them."""
    text, answer, total = "x", 0, 1
    for divisor, offset in chain:
        text = f"({text} + {offset}) // {divisor}"
        answer += offset * total
        total *= divisor

    check_answer(text, f"(x + {answer}) // {total}", UNBOUNDED)


def test_b08_digits_of_a_split_are_the_index():
    """Three digits of mixed radix."""
    check_case("B08")


def test_b14_a_triple_index_in_range_is_linear():
    """All divisions of a delinearised index go."""
    check_case("B14")


@few
@given(st.lists(divisors, min_size=1, max_size=4), st.integers(1, 3))
def test_digits_of_any_split_are_the_index(radixes, factor):
    """Any number of digits, under a factor, of a sum too."""
    parts, radix = [], 1
    for size in radixes:
        parts.append(f"{factor * radix}*(((x + y) // {radix}) % {size})")
        radix *= size
    parts.append(f"{factor * radix}*((x + y) // {radix})")
    answer = "x + y" if factor == 1 else f"{factor}*x + {factor}*y"

    check_answer(" + ".join(parts), answer, {"x": (None, None), "y": (-3, 9)})


@few
@given(st.lists(divisors, min_size=2, max_size=3))
def test_linearised_digits_in_range_come_back(radixes):
    """Splitting a linearised index and joining it again."""
    names = "xyz"[: len(radixes)]
    box = {name: (0, size) for name, size in zip(names, radixes, strict=True)}
    strides = [1]
    for size in reversed(radixes[1:]):
        strides.insert(0, size * strides[0])
    flat = " + ".join(
        f"{s}*{n}" if s > 1 else n for s, n in zip(strides, names, strict=True)
    )
    digits = [f"(({flat}) // {s}) % {r}" for s, r in zip(strides, radixes, strict=True)]

    for digit, name in zip(digits, names, strict=True):
        check_answer(digit, name, box)
    joined = " + ".join(
        f"{s}*({digit})" for s, digit in zip(strides, digits, strict=True)
    )
    check_answer(joined, flat, box)


def test_b09_a_reducible_coefficient_hides_no_constant():
    """((360*x) mod 16 + 359) floordiv 16 is 22."""
    check_case("B09")


@few
@given(st.integers(1, 9), st.integers(2, 8), st.integers(2, 8), st.integers(0, 40))
def test_no_reducible_coefficient_hides_a_constant(a, g, d, periods):
    """(g*a*x) mod (g*d) is at most g*d - g, so less than g may be added."""
    n = g * d
    text = f"(({g * (a + d)}*x) % {n} + {periods * n + g - 1}) // {n}"

    check_answer(text, f"{periods}", UNBOUNDED)


def test_b12_a_division_of_a_mod_is_one_mod():
    """((b floordiv 4) mod 6) floordiv 3 is (b floordiv 12) mod 2."""
    check_case("B12")


@few
@given(divisors, divisors, divisors)
def test_divisions_of_mods_are_one_mod(a, d, q):
    """The division goes inside, whatever is divided before."""
    text = f"((x // {a}) % {d * q}) // {d}"

    check_answer(text, f"(x // {a * d}) % {q}", UNBOUNDED)


def test_b19_a_reduced_coefficient_hides_no_pair():
    """Quotient and remainder of one flat index, each simplified alone."""
    check_case("B19")


@few
@given(st.integers(2, 40), st.integers(2, 40), st.integers(1, 50), st.integers(0, 3))
def test_pairs_with_reduced_coefficients_join(n, a, width, periods):
    """n*((a*x + y) floordiv n) + ((a - k*n)*x + y) mod n is a*x + y."""
    box = {"x": (0, 7), "y": (0, width)}
    text = f"{n}*(({a}*x + y) // {n}) + (({a - periods * n})*x + y) % {n}"

    check_answer(text, f"{a}*x + y", box)


def test_b20_a_cancellation_that_shows_late_is_made():
    """In one call, though it takes two rounds."""
    check_case("B20")


@few
@given(st.integers(-7, 7), divisors, offsets, st.integers(-3, 3))
def test_cancellations_that_show_late_are_made(a, n, offset, periods):
    """Two divisions that differ by whole periods, written in two ways."""
    first = f"({a}*y + {offset}) // {n}"
    second = f"({a}*(y - {n}) + {offset + a * n + periods * n}) // {n}"

    check_answer(f"x - {first} - {periods} + {second}", "x", BOTH)


def test_b22_a_difference_to_a_mod_is_a_multiple():
    """S - s mod 8 is 8*(s floordiv 8)."""
    check_case("B22")


@few
@given(divisors, factors, st.integers(0, 9), st.integers(1, 200))
def test_differences_to_mods_are_multiples(n, factor, low, width):
    """With a range that ends at multiples."""
    box = {"x": (low, low + width)}
    text = f"{factor}*x - {factor}*(x % {n})"
    check_answer(text, f"{factor * n}*(x // {n})", box)
    span = parse(text, names_of(box)).range
    ends = (low // n, (low + width - 1) // n)

    assert (span.lo, span.hi) == tuple(factor * n * end for end in ends)
    assert isinstance(index("x", *box["x"]), AffineIdx)
