"""Faults that users of other systems reported: hashes, equality, order, round trips.

Each named case is followed, where it stands for a kind of fault, by a property over
random instances of its shape.
"""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    Expr,
    ModuloExpr,
    MultExpr,
    SumExpr,
    index,
    parse,
    runtime,
    simplify,
    symbol,
)
from pelican.wire import dumps, loads
from tests.strategies import (
    ALL_NAMES,
    I,
    J,
    all_expressions,
    indices,
    written_expressions,
)

ROOT = Path(__file__).parents[2]
A = index("a")


def test_f01_minus_one_and_minus_two_are_not_confused():
    """hash(-1) == hash(-2), in either order of construction."""
    zero, negative = A - A, A - 2 * A

    assert zero == 0
    assert negative == -A
    assert A - 2 * A == -A
    assert A - A == 0
    assert MultExpr(A % 3, -1) != MultExpr(A % 3, -2)


@given(st.sampled_from([(-1, -2), (2**61 - 1, 0), (1, 2**61)]), indices)
def test_integers_of_one_hash_are_two(pair: tuple[int, int], idx: Expr):
    """Equal hashes never make equal expressions, as constant or coefficient."""
    first, second = pair

    assert hash(first) == hash(second)
    assert idx + first != idx + second
    assert first * idx != second * idx
    assert len({idx + first, idx + second}) == 2


def test_f04_output_does_not_depend_on_the_hash_seed():
    """Text, JSON, error and hash are the same bytes for each seed."""
    code = (
        "from pelican import *; from pelican.wire import dumps\n"
        "names = {n: index(n, 0, 64) for n in ('i', 'j', 'k')}\n"
        "names['s'] = symbol('s', 0, 8); names['r'] = runtime('r')\n"
        "e = parse('(k + 3*j - i + r) mod 7 + tile(i, 4) + s + arg(0)', names)\n"
        "print(e, hash(e), e.range, sorted(map(str, e.indices)))\n"
        "print(dumps(parse('(k + 3*j - i + r) mod 7', names)))\n"
        "try: parse('i + kk', names)\n"
        "except PelicanError as error: print(error)\n"
    )
    run = [sys.executable, "-c", code]
    printed = {
        subprocess.run(
            run,
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "22")
    }

    assert len(printed) == 1


def test_random_output_does_not_depend_on_the_hash_seed():
    """Text and JSON of 100 random expressions are the same bytes for each seed."""
    code = (
        "from benchmarks.fuzz_expressions import made\n"
        "from benchmarks.random_programs import drawn\n"
        "from pelican import PelicanError; from pelican.wire import dumps\n"
        "for number in range(100):\n"
        "    e = made(drawn(4, number)); print(e, hash(e), e.range)\n"
        "    try: print(dumps(e))\n"
        "    except PelicanError as error: print(error)\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "22")
    }

    assert len(printed) == 1


def test_f05_a_symbol_stays_one_whatever_is_built_in_between():
    """Symbols are equal by name; two loop indices are two."""
    first = symbol("x_f05", 0, 8)
    others = [symbol(f"other_{k}", 0, 8) for k in range(5000)]
    second = symbol("x_f05", 0, 8)

    assert len(others) == 5000
    assert first == second
    assert hash(first) == hash(second)
    assert first - second == 0
    assert index("x", 0, 8) - index("x", 0, 8) != 0


@given(st.integers(-9, 9), st.integers(1, 9), st.integers(1, 4), st.integers(0, 9))
def test_any_symbol_stays_one(low: int, trips: int, step: int, others: int):
    """The same fields give an equal symbol with an equal hash, which cancels."""
    name = f"f05_{low}_{trips}_{step}".replace("-", "m")
    first = symbol(name, low, low + trips * step, step)
    between = [symbol(f"f05_other_{k}", 0, 8) for k in range(others)]
    second = symbol(name, low, low + trips * step, step)

    assert first == second
    assert hash(first) == hash(second)
    assert first - second == 0
    assert first not in between


def test_f06_a_hash_ignores_sharing():
    """One shared part or two equal ones: one hash, one text, one JSON."""

    def part() -> Expr:
        return ModuloExpr(A, 8)

    shared = part()
    one, two = SumExpr((shared, shared)), SumExpr((part(), part()))

    assert one == two
    assert hash(one) == hash(two)
    assert (str(one), dumps(one)) == (str(two), dumps(two))
    assert pickle.dumps(pickle.loads(pickle.dumps(two))) == pickle.dumps(
        pickle.loads(pickle.dumps(one))
    )


@given(all_expressions())
def test_any_hash_ignores_sharing(expr: Expr):
    """A tree without any sharing is equal, and hashes alike."""

    def unshared(node: Expr) -> Expr:
        return node.built(node.own, tuple(unshared(part) for part in node.parts))

    assert unshared(expr) == expr
    assert hash(unshared(expr)) == hash(expr)


@pytest.mark.parametrize("make", [index, runtime])
def test_f07_one_name_with_two_ranges_is_two_values(make):
    """They never cancel, and the text shows that they are two."""
    short, long = make("k", 0, 4), make("k", 0, 8)
    difference = short - long

    assert difference != 0
    assert str(difference) in {"k - k#2", "-k + k#2", "k#2 - k"}
    assert difference.substitute({short: 3}).indices == (long,)


@given(
    st.sampled_from([index, runtime]),
    st.lists(st.integers(1, 20), min_size=2, max_size=4, unique=True),
    st.integers(2, 9),
)
def test_values_of_one_name_never_cancel(make, ends: list[int], n: int):
    """Whatever their ranges are, in sums, mods and floordivs."""
    made = [make("k", 0, end) for end in ends]

    assert len(set(made)) == len(made)
    for other in made[1:]:
        assert made[0] - other != 0
        assert (made[0] - other).range.lo == 1 - other.hi
        assert ModuloExpr(made[0], n) != ModuloExpr(other, n)


def test_i01_the_smallest_64_bit_integer_comes_back():
    """Through text and through JSON."""
    d = index("d")
    expr = parse("d - 9223372036854775808", {"d": d})

    assert expr == d - 9223372036854775807 - 1
    assert parse(str(expr), {"d": d}) == expr
    assert loads(dumps(expr), {"d": d}) == expr


@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1))
def test_any_64_bit_integers_come_back(coefficient: int, offset: int):
    """As coefficient and constant."""
    expr = coefficient * I + offset

    assert parse(str(expr), ALL_NAMES) == expr
    assert loads(dumps(expr), ALL_NAMES) == expr


def test_i05_negative_constants_keep_their_meaning():
    """Unary minus binds tightest; a minus may follow an operator."""
    assert parse("(0 - 3) % 4", {}) == 1
    assert parse("-3 % 4", {}) == 1
    assert parse("7 - (0 - 3)", {}) == parse("7 - -3", {}) == 10
    assert parse("i*(0 - 2) // 3", {"i": I}) == (-2 * I) // 3


def test_i08_each_spelling_of_a_sign_has_one_print():
    """All are read, but a sign that says nothing; one print each."""
    names = {"a": A, "b": index("b")}

    assert str(parse("-a", names)) == str(parse("0 - a", names)) == "-a"
    assert str(parse("-b + a", names)) == str(parse("a - b", names)) == "a - b"
    assert str(parse("-1*a", names)) == "-a"


@given(written_expressions())
def test_printing_reading_printing_is_printing(raw: Expr):
    """One spelling, whatever the signs; through JSON too."""
    simple = simplify(raw)

    assert str(parse(str(simple), ALL_NAMES)) == str(simple)
    assert str(loads(dumps(simple), ALL_NAMES)) == str(simple)
    assert "-1*" not in str(simple)
    assert J not in (simple - simple).indices
