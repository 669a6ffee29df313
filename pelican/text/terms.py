"""Laws from text, in the operators of the text language.

>>> print(read_fact("(x + y) mod n == x mod n + y mod n", {"x", "y"}))
(x + y) mod n = x mod n + y mod n
"""

from __future__ import annotations

from collections.abc import Collection

from lark import Token, Tree, UnexpectedInput

from pelican.errors import ParseError, Source, Span
from pelican.laws.lemma import Fact, eq, le, lt
from pelican.laws.term import Term, as_term, expr, literal
from pelican.text.expressions import syntax_error
from pelican.text.operators import LITERAL
from pelican.text.parsers import parser_of

_RELATIONS = {"<=": le, "<": lt, "==": eq}


def read_fact(text: str, expressions: Collection[str]) -> Fact:
    """Return the fact of a text such as ``n <= x mod m``.

    Args:
        text: Two sides and ``<=``, ``<`` or ``==``. A divisor may be a name.
        expressions: The names that stand for any expression; others are literals.

    Raises:
        ParseError: If the text is no such comparison.
    """
    source = Source("<law>", text)
    try:
        tree = parser_of("expr").parse(text, start="start")
    except UnexpectedInput as error:
        raise syntax_error(error, source, parser_of("expr")) from None
    (root,) = tree.children
    if not isinstance(root, Tree) or root.data != "comparison":
        raise _refused("a law compares two sides", source)
    left, relation, right = root.children
    if str(relation) not in _RELATIONS:
        raise _refused(f"a law has no {relation}", source)
    sides = (_term(side, expressions, source) for side in (left, right))
    return _RELATIONS[str(relation)](*sides)


def _term(
    tree: Tree[Token] | Token, expressions: Collection[str], source: Source
) -> Term:
    if isinstance(tree, Token):
        raise TypeError(f"a side is a tree, got the token {tree!r}")
    if tree.data == "number":
        return as_term(int(str(tree.children[0])))
    if tree.data == "name":
        name = str(tree.children[0])
        return expr(name) if name in expressions else literal(name)
    if tree.data == "group":
        return _term(tree.children[0], expressions, source)
    if tree.data not in LITERAL:
        raise _refused(f"a law has no {tree.data}", source)
    parts = [_term(part, expressions, source) for part in tree.children]
    if tree.data == "neg":
        return -1 * parts[0] if parts[0].op != "int" else as_term(-parts[0].args[0])
    return as_term(LITERAL[tree.data](*parts))


def _refused(message: str, source: Source) -> ParseError:
    whole = Span(source, 0, len(source.text))
    return ParseError(message, whole, "use <=, <, == and + - * mod floordiv")
