"""Python text, run."""

from typing import Any

import pytest
from hypothesis import given

from pelican import Expr, OperandError, index
from pelican.expr import AffineExpr, FloorDivExpr, ModuloExpr, SumExpr
from pelican.interchange.python import to_python
from pelican.tree.traverse import indices
from tests.strategies import points, raw_expressions


def run(text: str, arguments: list[int], name: str = "f"):
    """Return the value that a function's text computes."""
    names: dict[str, Any] = {}
    exec(text, names)
    return names[name](*arguments)


@given(raw_expressions(), points())
def test_python_text_has_the_value_of_eval(raw: Expr, at):
    """The function takes the indices in term order."""
    arguments = [at[idx] for idx in indices(raw)]

    assert run(to_python(raw), arguments) == int(raw.eval(at))


def test_python_text_is_one_assignment_a_line():
    """One operation each."""
    i, j = index("i"), index("j")
    text = "def slot(i, j):\n    t0 = 3*i\n    t1 = t0 - j\n    return t1 // 7\n"

    assert to_python(FloorDivExpr(SumExpr((3 * i, -j)), 7), "slot") == text


def test_a_keyword_is_no_parameter():
    """A name that Python keeps gets a number."""
    assert "def f(lambda_2):" in to_python(index("lambda") + 1)


@pytest.mark.parametrize("name", ["def", "3f", ""])
def test_a_function_needs_a_python_name(name: str):
    """A keyword, or no identifier, is refused."""
    with pytest.raises(OperandError, match="cannot be called"):
        to_python(index("i") + 1, name)


def test_a_deep_expression_is_written():
    """Straight-line assignments have no depth: 2,000 levels."""
    expr: Expr = index("i", 0, 64)
    for k in range(1_000):
        expr = ModuloExpr(SumExpr((expr, AffineExpr((), 3))), 100 + k)

    assert run(to_python(expr), [5]) == int(expr.eval({indices(expr)[0]: 5}))


def test_debug_is_no_name():
    """Python refuses to bind it, though it is no keyword."""
    assert "__debug___2" in to_python(index("__debug__") + 1)
    with pytest.raises(OperandError, match="cannot be called"):
        to_python(index("i"), "__debug__")
