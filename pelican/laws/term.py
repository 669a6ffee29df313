"""The term language of laws: metavariables, integers, and + - * floordiv mod.

>>> x, m = expr("x"), literal("m")
>>> print((x + 3) % m)
(x + 3) mod m
>>> evaluate((x + 3) % m, {"x": 30, "m": 8})
1
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, Final

_SYMBOLS: Final = {"+": "+", "-": "-", "*": "*", "//": "floordiv", "%": "mod"}
_PRECEDENCE: Final = {"+": 1, "-": 1, "*": 2, "//": 2, "%": 2}


class Term:
    """A metavariable, an integer, or an operation on two terms.

    Attributes:
        op: ``expr`` (stands for any expression), ``literal`` (stands for any
            integer), ``int``, or one of ``+ - * // %``.
        args: The two operands; the name; or the integer.
    """

    __slots__ = ("args", "op")

    def __init__(self, op: str, *args: Any) -> None:  # noqa: ANN401 - terms or a leaf
        self.op = op
        self.args = args

    def __add__(self, other: Term | int) -> Term:
        return Term("+", self, as_term(other))

    def __radd__(self, other: int) -> Term:
        return Term("+", as_term(other), self)

    def __sub__(self, other: Term | int) -> Term:
        return Term("-", self, as_term(other))

    def __rsub__(self, other: int) -> Term:
        return Term("-", as_term(other), self)

    def __mul__(self, other: Term | int) -> Term:
        return Term("*", self, as_term(other))

    def __rmul__(self, other: int) -> Term:
        return Term("*", as_term(other), self)

    def __floordiv__(self, other: Term | int) -> Term:
        return Term("//", self, as_term(other))

    def __mod__(self, other: Term | int) -> Term:
        return Term("%", self, as_term(other))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Term):
            return NotImplemented
        return self.op == other.op and self.args == other.args

    def __hash__(self) -> int:
        return hash((self.op, self.args))

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        if self.op in {"expr", "literal", "int"}:
            return str(self.args[0])
        left, right = self.args
        level = _PRECEDENCE[self.op]
        return (
            f"{_bracketed(left, level)} {_SYMBOLS[self.op]} "
            f"{_bracketed(right, level + 1)}"
        )


def _bracketed(term: Term, level: int) -> str:
    loose = term.op in _PRECEDENCE and _PRECEDENCE[term.op] < level
    negative = term.op == "int" and term.args[0] < 0 and level > 1
    return f"({term})" if loose or negative else str(term)


def expr(name: str) -> Term:
    """Return a metavariable that stands for any expression."""
    return Term("expr", name)


def literal(name: str) -> Term:
    """Return a metavariable that stands for any integer known while rewriting."""
    return Term("literal", name)


def as_term(value: Term | int) -> Term:
    """Return the term of an integer, or the term itself."""
    return value if isinstance(value, Term) else Term("int", value)


def evaluate(term: Term, binding: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Return the value of a term by Python operators.

    The values of `binding` may be integers, intervals, expressions, numpy arrays or
    solver terms: whatever has the operators ``+ - * // %``.
    """
    if term.op == "int":
        return term.args[0]
    if term.op in {"expr", "literal"}:
        return binding[term.args[0]]
    left = evaluate(term.args[0], binding)
    right = evaluate(term.args[1], binding)
    if term.op == "+":
        return left + right
    if term.op == "-":
        return left - right
    if term.op == "*":
        return left * right
    if term.op == "//":
        return left // right
    return left % right


def substitute(term: Term, terms: Mapping[str, Term | int]) -> Term:
    """Return a term with other terms in place of its metavariables."""
    return as_term(evaluate(term, {name: as_term(t) for name, t in terms.items()}))


def subterms(term: Term) -> Iterator[Term]:
    """Yield the term and all terms inside it, outermost first."""
    yield term
    if term.op in _SYMBOLS:
        for arg in term.args:
            yield from subterms(arg)


def metavariables(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return the placeholders of some terms, each once, by name."""
    found = {t.args[0]: t for s in terms for t in subterms(s) if t.op in _PLACEHOLDERS}
    return tuple(found[name] for name in sorted(found))


def divisors(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return the right sides of ``//`` and ``%`` in some terms, each once, by text."""
    found = {
        str(t.args[1]): t.args[1]
        for s in terms
        for t in subterms(s)
        if t.op in {"//", "%"}
    }
    return tuple(found[text] for text in sorted(found) if found[text].op != "int")


_PLACEHOLDERS: Final = frozenset({"expr", "literal"})
