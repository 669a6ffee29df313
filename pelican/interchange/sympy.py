"""SymPy expressions, both ways, and SymPy's text.

Expressions are built with ``evaluate=False``: SymPy 1.14 rewrites some nested mods
wrongly, so it neither simplifies what is written here nor is asked about values.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

import sympy

from pelican.engine.simplify import floordiv, modulo, sum_of
from pelican.errors import (
    DivisorError,
    NonAffineError,
    OperandError,
    ParseError,
    PelicanError,
    Source,
    Span,
    TooDeepError,
)
from pelican.expr import (
    AffineIdx,
    FloorDivExpr,
    ModuloExpr,
    MultExpr,
    SumExpr,
    index,
)
from pelican.expr.node import Expr
from pelican.integers import brief, decimal
from pelican.interchange.mistakes import SYMPY, hint_of
from pelican.interchange.names import plain_names
from pelican.interchange.notation import refuse_foreign
from pelican.interchange.rational import Combination
from pelican.questions.query import index_leaves
from pelican.tree.arguments import as_expr, as_mapping, as_text
from pelican.tree.build import scale
from pelican.tree.kinds import (
    MODULO,
    constant,
    is_constant,
    is_divlike,
    is_index,
    is_mult,
)
from pelican.tree.printing import brief_text, written_terms
from pelican.tree.traverse import postorder

MAX_DEPTH: Final = 100
"""Deepest tree that is written. Source: measured; SymPy 1.14 prints 100 nested pairs
of a sum and a mod or floor, and meets Python's recursion limit of 1000 at 150."""


def to_sympy(expr: Expr) -> Any:  # noqa: ANN401 - sympy is untyped
    """Return the SymPy expression of an expression, unevaluated.

    An index becomes an integer symbol of its name with what its range says of its
    sign; a second index of one name becomes ``i_2``.

    Raises:
        TooDeepError: If the tree is deeper than `MAX_DEPTH`.
        TooLargeError: If the tree, with shared parts written out, is too large.
        NonAffineError: If a part has no form.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> to_sympy((3*i + 5) % 16 + i // 4)
    Mod(3*i + 5, 16) + floor(i/4)
    """
    whole = as_expr(expr)
    refuse_foreign(whole, "SymPy", MAX_DEPTH)
    names = plain_names(index_leaves(whole))
    made: dict[int, Any] = {}
    for node in postorder(whole):
        made[id(node)] = _written(node, made, names)
    return made[id(whole)]


def to_sympy_text(expr: Expr) -> str:
    """Return the text of the SymPy expression of an expression; see `to_sympy`.

    Raises:
        TooLargeError: If the tree or an integer in it is too large.
    """
    whole = as_expr(expr)
    made = to_sympy(whole)
    for node in postorder(whole):
        for number in () if is_index(node) else node.own:
            decimal(number)  # raises where Python's own text would
    return str(made)


def _written(node: Expr, made: dict[int, Any], names: dict[AffineIdx, str]) -> Any:  # noqa: ANN401
    if is_index(node):
        return sympy.Symbol(names[node], integer=True, **_assumptions(node))
    if is_constant(node):
        return sympy.Integer(node.constant)
    if is_divlike(node) and node.kind == MODULO:
        return sympy.Mod(made[id(node.numer)], node.denom, evaluate=False)
    if is_divlike(node):
        part = sympy.Rational(1, node.denom)
        quotient = sympy.Mul(part, made[id(node.numer)], evaluate=False)
        return sympy.floor(quotient, evaluate=False)
    if is_mult(node):
        return sympy.Mul(node.scale, made[id(node.operand)], evaluate=False)
    terms = [
        _times(sign * magnitude, _known(part, made))
        for sign, magnitude, part in written_terms(node)
    ]
    return terms[0] if len(terms) == 1 else sympy.Add(*terms, evaluate=False)


def _known(part: Expr, made: dict[int, Any]) -> Any:  # noqa: ANN401
    return sympy.Integer(part.constant) if is_constant(part) else made[id(part)]


def _times(factor: int, operand: Any) -> Any:  # noqa: ANN401
    if operand.is_Integer:
        return factor * operand
    return operand if factor == 1 else sympy.Mul(factor, operand, evaluate=False)


def _assumptions(idx: AffineIdx) -> dict[str, bool]:
    low, high = idx.range.lo, idx.range.hi
    if low is not None and low >= 0:
        return {"positive" if low > 0 else "nonnegative": True}
    if high is not None and high <= 0:
        return {"negative" if high < 0 else "nonpositive": True}
    return {}


def from_sympy(
    value: Any,  # noqa: ANN401 - sympy is untyped
    names: Mapping[str, Expr] | None = None,
    *,
    simplify: bool = True,
) -> Expr:
    """Return what a SymPy expression says.

    Args:
        value: Integers, integer symbols, sums, products with a number, ``Mod`` by an
            integer, ``floor`` and ``ceiling`` of what is rational in these.
        names: What each symbol stands for, by its name. Another symbol must be an
            integer one, and becomes an index with the range that its sign gives.
        simplify: False gives the raw tree.

    Raises:
        NonAffineError: If a part is none of these, or two symbols share a name.
        DivisorError: If a mod is by a number below 1.
        OperandError: If the value is no SymPy expression and no integer.

    >>> x = sympy.Symbol("x", integer=True, nonnegative=True)
    >>> print(from_sympy(sympy.floor(x/4) + sympy.Mod(3*x + 1, 8)))
    x floordiv 4 + (3*x + 1) mod 8
    """
    reader = _Reader(as_mapping(names or {}, "reading"), simplify=simplify)
    try:
        root = sympy.sympify(value, strict=True)
    except sympy.SympifyError:
        raise OperandError(
            f"a SymPy expression is needed, got {brief_text(value)}"
        ) from None
    stack = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if id(node) in reader.made:
            continue
        if ready:
            reader.read(node)
            continue
        stack.append((node, True))
        stack.extend((part, False) for part in node.args if not node.is_Symbol)
    return reader.integer(root)


class _Reader:
    """Reads each node from its parts."""

    def __init__(self, names: Mapping[str, Expr], *, simplify: bool) -> None:
        self.names = dict(names)
        self.symbols: dict[str, Any] = {}
        self.made: dict[int, Combination] = {}  # by id: hashing a deep node recurses
        self.simplify = simplify

    def read(self, node: Any) -> None:  # noqa: ANN401
        self.made[id(node)] = self._value(node)

    def _value(self, node: Any) -> Combination:  # noqa: ANN401
        if node.is_Rational:
            return Combination([], Fraction(int(node.p), int(node.q)))
        if node.is_Symbol:
            return Combination([(self._symbol(node), Fraction(1))], Fraction(0))
        parts = [self.made[id(part)] for part in node.args]
        if node.is_Add:
            terms = [pair for part in parts for pair in part.terms]
            return Combination(terms, sum((p.offset for p in parts), Fraction(0)))
        if node.is_Mul:
            return self._product(node, parts)
        if isinstance(node, (sympy.floor, sympy.ceiling)):
            up = isinstance(node, sympy.ceiling)
            return self._rounded(parts[0], up=up)
        if isinstance(node, sympy.Mod):
            return self._modulo(node, parts)
        raise NonAffineError(
            f"{_shown(node)} is no integer expression of indices",
            hint="sums, multiples, floor, ceiling and Mod by an integer have a form",
        )

    def _symbol(self, node: Any) -> Expr:  # noqa: ANN401
        if self.symbols.setdefault(node.name, node) != node:
            raise NonAffineError(
                f"two symbols are called {node.name}, and differ in their assumptions",
                hint="a name stands for one index: rename one of them",
            )
        if node.name in self.names:
            return as_expr(self.names[node.name])
        if not node.is_integer:
            raise NonAffineError(
                f"the symbol {node.name} is not known to be an integer",
                hint=f"Symbol({node.name!r}, integer=True), or say what it stands for",
            )
        low = 1 if node.is_positive else 0 if node.is_nonnegative else None
        high = 0 if node.is_negative else 1 if node.is_nonpositive else None
        self.names[node.name] = index(node.name, low, high)
        return self.names[node.name]

    def _product(self, node: Any, parts: list[Combination]) -> Combination:  # noqa: ANN401
        factor, left = Fraction(1), None
        for part in parts:
            if not part.terms:
                factor *= part.offset
            elif left is None:
                left = part
            else:
                raise NonAffineError(
                    f"one factor of a product must be a number: {_shown(node)}",
                    hint="index expressions are linear",
                )
        return Combination([], factor) if left is None else left.times(factor)

    def _rounded(self, part: Combination, *, up: bool) -> Combination:
        denom = part.denominator
        numer = self._combined(part.times(Fraction(-denom if up else denom)))
        make = floordiv if self.simplify else FloorDivExpr
        rounded = numer if denom == 1 else make(numer, denom)
        return Combination([(rounded, Fraction(-1 if up else 1))], Fraction(0))

    def _modulo(self, node: Any, parts: list[Combination]) -> Combination:  # noqa: ANN401
        numer, denom = parts
        if denom.terms or denom.denominator != 1:
            raise NonAffineError(f"Mod needs an integer divisor: {_shown(node)}")
        if denom.offset < 1:
            raise DivisorError(
                f"Mod needs a divisor >= 1, got {brief(int(denom.offset))}"
            )
        make = modulo if self.simplify else ModuloExpr
        made = make(self._integral(numer, node.args[0]), int(denom.offset))
        return Combination([(made, Fraction(1))], Fraction(0))

    def integer(self, node: Any) -> Expr:  # noqa: ANN401
        """Return the expression of a node that was read."""
        return self._integral(self.made[id(node)], node)

    def _integral(self, part: Combination, node: Any) -> Expr:  # noqa: ANN401
        if part.denominator != 1:
            raise NonAffineError(
                f"{_shown(node)} is not known to be an integer",
                hint="round it: floor(x/4)",
            )
        return self._combined(part)

    def _combined(self, part: Combination) -> Expr:
        """Return the sum of a combination whose coefficients are integers."""
        pairs = [(term, int(c)) for term, c in part.terms]
        offset = int(part.offset)
        if self.simplify:
            return sum_of([*(scale(term, c) for term, c in pairs), offset])
        terms = [term if c == 1 else MultExpr(term, c) for term, c in pairs]
        terms += [constant(offset)] if offset or not terms else []
        return terms[0] if len(terms) == 1 else SumExpr(terms)


def _shown(node: Any) -> str:  # noqa: ANN401
    try:
        text = str(node)
    except (RecursionError, ValueError):  # too deep, or an integer too long
        return type(node).__name__
    return text if len(text) <= 80 else f"{text[:80]}..."


def from_sympy_text(
    text: str,
    names: Mapping[str, Expr] | None = None,
    *,
    simplify: bool = True,
    name: str = "<sympy>",
) -> Expr:
    """Return what the text of a SymPy expression says.

    The text is read, never run: ``Mod(2*i + 3, 8) + floor(i/4)`` with integers,
    names, ``+ - * /``, ``Mod``, ``floor`` and ``ceiling``. Names that are not given
    are unbounded integers.

    Raises:
        ParseError: If the text is none of these.
        TooDeepError: If it nests deeper than Python reads.
        NonAffineError, DivisorError: As `from_sympy`.

    >>> print(from_sympy_text("Mod(2*i + 3, 8) + floor(i/4)"))
    i floordiv 4 + (2*i + 3) mod 8
    """
    source = Source(name, as_text(text, "reading"))
    try:
        value = _TextReader(source).value(_syntax_tree(text.strip()))
    except SyntaxError as error:
        if isinstance(error, PelicanError):
            raise
        lead = len(text) - len(text.lstrip())
        at = lead + min(max((error.offset or 1) - 1, 0), len(text.strip()))
        hint = SYMPY.remedy(text[at : at + 1], text, at, "", start="")
        raise ParseError(
            f"no SymPy expression: {error.msg}", Span(source, at, at + 1), hint
        ) from None
    except (RecursionError, MemoryError):
        raise TooDeepError(
            "the text nests too deep for Python to read",
            Span(source, 0, len(text)),
            "build the expression, or use MLIR or isl text",
        ) from None
    except ValueError as error:
        raise ParseError(f"no SymPy expression: {error}", Span(source, 0, 1)) from None
    try:
        return from_sympy(value, names, simplify=simplify)
    except PelicanError as error:
        error.span = error.span or Span(source, 0, len(text))
        raise


def _syntax_tree(text: str) -> ast.expr:
    with warnings.catch_warnings():  # of Python, about its own literals
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body


class _TextReader:
    """Builds unevaluated SymPy nodes from a syntax tree."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lead = len(source.text) - len(source.text.lstrip())

    def value(self, node: ast.expr) -> Any:  # noqa: ANN401
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return sympy.Integer(node.value)
        if isinstance(node, ast.Name):
            return sympy.Symbol(node.id, integer=True)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return sympy.Mul(-1, self.value(node.operand), evaluate=False)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            left, right = self.value(node.left), self.value(node.right)
            if isinstance(node.op, ast.Div) and not (right.is_Integer and right):
                raise self._error("a divisor is an integer other than 0", node.right)
            return _BINARY[type(node.op)](left, right)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            make, count = _CALLS.get(node.func.id, (None, 0))
            if make is not None and len(node.args) == count and not node.keywords:
                parts = [self.value(part) for part in node.args]
                return make(*parts, evaluate=False)
        raise self._error("this has no form as an index expression", node)

    def _error(self, message: str, node: ast.expr) -> ParseError:
        lines = self.source.text.lstrip().split("\n")[: node.lineno]
        ahead = len(lines[-1].encode()[: node.col_offset].decode(errors="ignore"))
        start = self.lead + sum(len(line) + 1 for line in lines[:-1]) + ahead
        return ParseError(message, Span(self.source, start, start + 1), hint_of(node))


_BINARY: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: lambda a, b: sympy.Add(a, b, evaluate=False),
    ast.Sub: lambda a, b: sympy.Add(
        a, sympy.Mul(-1, b, evaluate=False), evaluate=False
    ),
    ast.Mult: lambda a, b: sympy.Mul(a, b, evaluate=False),
    ast.Div: lambda a, b: sympy.Mul(a, sympy.Rational(1, b), evaluate=False),
}
_CALLS: Final[dict[str, tuple[Any, int]]] = {
    "Mod": (sympy.Mod, 2),
    "floor": (sympy.floor, 1),
    "ceiling": (sympy.ceiling, 1),
}
