"""C text, compiled by the C compiler of the machine when it has one."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from pelican import (
    Expr,
    OperandError,
    SumExpr,
    WidthError,
    index,
    parse,
)
from pelican.expr import AffineExpr, FloorDivExpr, ModuloExpr, MultExpr
from pelican.interchange.c import to_c
from pelican.tree.traverse import indices

CC = shutil.which("cc")
needs_cc = pytest.mark.skipif(CC is None, reason="no C compiler here")

I = index("i", -70, 70)  # noqa: E741 - the name in the texts
J = index("j", -5, 100, 3)
BIG = index("b", -(1 << 31), 1 << 31)
LARGEST = index("l", -(1 << 63), 1 << 63)

EXACT = [
    I // 3,
    I // 4,
    I % 7,
    I % 8,
    (7 - I) % 12 - 5 * (J // 6),
    (J + 5) // 4 + (I % 64) // 8,
    FloorDivExpr(-I, 1),
    ModuloExpr(-I, 1),
    -(I % 3) // 2,
    BIG % 3,
    BIG // 7,
    BIG % 4096,
    MultExpr(BIG, -3),
    LARGEST // 10,
    LARGEST % 10,
    LARGEST % (1 << 62),
    SumExpr((FloorDivExpr(AffineExpr((), -7), 2), I)),
    ModuloExpr(AffineExpr((), -(1 << 63)), 10),
    AffineExpr((), -(1 << 31)),
    SumExpr((-(1 << 31), ModuloExpr(I, 3))),
    SumExpr((-(1 << 63), ModuloExpr(I, 3))),
    MultExpr(FloorDivExpr(I, 100), -(1 << 31)),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Return all expressions of the table in one shared library, checks on."""
    folder: Path = tmp_path_factory.mktemp("c")
    source = folder / "table.c"
    texts = [to_c(expr, f"f{k}") for k, expr in enumerate(EXACT)]
    source.write_text("\n".join(texts), encoding="utf-8")
    command = [CC or "cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
    command += ["-Wno-parentheses", "-O1", "-fsanitize=undefined"]
    command += ["-fno-sanitize-recover=undefined", "-shared", "-fPIC"]
    made = folder / "table.so"
    subprocess.run([*command, "-o", made, source], check=True)
    return ctypes.CDLL(str(made))


def ends(expr: Expr) -> list[dict[Expr, int]]:
    """Return points at the ends and in the middle of every index's range."""
    found = indices(expr)
    at: list[dict[Expr, int]] = [{}]
    for idx in found:
        low, trips = idx.lo or 0, idx.trip_count
        picked = {0, 1, 2, 3, trips // 2, trips // 2 + 1, trips - 2, trips - 1}
        values = sorted(low + idx.step * k for k in picked if 0 <= k < trips)
        at = [{**point, idx: value} for point in at for value in values]
    return at


@needs_cc
@pytest.mark.parametrize("k", range(len(EXACT)), ids=lambda k: str(EXACT[k]))
def test_c_text_is_exact(library: ctypes.CDLL, k: int):
    """At the ends of all ranges, for negative numerators, without overflow."""
    expr = EXACT[k]
    integer = ctypes.c_int32 if "int32_t f" in to_c(expr) else ctypes.c_int64
    function = library[f"f{k}"]
    function.restype = integer

    for at in ends(expr):
        arguments = [integer(at[idx]) for idx in indices(expr)]
        assert function(*arguments) == int(expr.eval(at))


def test_the_text_is_one_assignment_a_line():
    """With the ranges that the text relies on."""
    j = index("j", 0, 8)

    assert to_c(parse("(3*i + j) mod 16384", {"i": I, "j": j}), "address") == (
        "#include <stdint.h>\n"
        "\n"
        "/* i in [-70, 70), j in [0, 8) */\n"
        "int32_t address(int32_t i, int32_t j) {\n"
        "  int32_t t0 = 3 * i;\n"
        "  int32_t t1 = t0 + j;\n"
        "  return t1 & 16383;\n"
        "}\n"
    )


def test_a_shift_is_for_what_is_never_negative():
    """C leaves the right shift of a negative value to the compiler."""
    assert ">> 2" in to_c(index("n", 0, 9) // 4)
    assert ">>" not in to_c(I // 4)


def test_wider_values_take_wider_integers():
    """int64_t where int32_t does not hold an intermediate value."""
    assert "int64_t f(int64_t i)" in to_c(ModuloExpr((1 << 26) * I, 3))


@pytest.mark.parametrize("expr", [index("x") + 1, LARGEST + 1, MultExpr(LARGEST, -1)])
def test_what_64_bits_do_not_hold_is_refused(expr: Expr):
    """With the value that leaves the width."""
    with pytest.raises(WidthError, match=r"more than 64 bits: .*64 bits do not hold"):
        to_c(expr)


@pytest.mark.parametrize("name", ["int", "3f", "", "é", "a b"])
def test_a_function_needs_a_c_name(name: str):
    """A word of C, or no identifier, is refused."""
    with pytest.raises(OperandError, match="cannot be called"):
        to_c(I + 1, name)


def test_parameters_are_no_words_of_c():
    """Nor is one called like the function or like another."""
    text = to_c(index("for", 0, 2) + index("f", 0, 2) + index("t0", 0, 2) * 3)

    assert "f(int32_t f_2, int32_t for_2, int32_t t0)" in text
    assert "t_0 = " in text


def test_a_constant_takes_nothing():
    """No index, no parameter."""
    assert "f(void) {\n  return (-7);" in to_c(AffineExpr((), -7))


RESERVED = [
    "linux",
    "INT32_MAX",
    "uint8_t",
    "_Bool",
    "__func__",
    "__LINE__",
    "_Atomic",
    "INT64_C",
    "int128_t",
    "SIZE_MAX",
]


@needs_cc
def test_an_index_may_have_a_name_that_c_keeps(tmp_path: Path):
    """It is called otherwise in the text, with any standard of the compiler."""
    functions = [
        to_c(3 * index(name, -9, 9) // 4, f"f{k}") for k, name in enumerate(RESERVED)
    ]
    (tmp_path / "names.c").write_text("".join(functions), encoding="utf-8")
    command = [str(CC), "-Wall", "-Werror", "-c", "names.c", "-o", "names.o"]

    for standard in ("c99", "gnu17"):
        subprocess.run([*command, f"-std={standard}"], cwd=tmp_path, check=True)


@pytest.mark.parametrize("name", [*RESERVED, "int", "a b", ""])
def test_a_function_has_no_name_that_c_keeps(name: str):
    """It would not compile, or mean another thing."""
    with pytest.raises(OperandError, match="cannot be called"):
        to_c(I, name)
