"""The text language of expressions: reading, with the place of every mistake.

Reading has two stages. The parser library turns text into a tree with positions; then
`read_expression` turns the tree into an expression, raw or simplified. Languages that
contain expressions use the second stage on their own trees. Writing is in
`pelican.tree.printing`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, cast

from lark import Lark, Token, Tree, UnexpectedInput
from lark.exceptions import UnexpectedToken

from pelican.engine.simplify import as_divisor
from pelican.engine.simplify import simplify as simplify_tree
from pelican.errors import (
    DivisorError,
    NonAffineError,
    OperandError,
    ParseError,
    PelicanError,
    Source,
    Span,
    UnknownNameError,
    nearest,
    raise_all,
)
from pelican.expr.node import Expr
from pelican.integers import MAX_DIGITS
from pelican.text.calls import called, compared
from pelican.text.mistakes import remedy
from pelican.text.operators import LITERAL, RAW, RAW_DIVISIONS, SMART, raw_scale
from pelican.text.parsers import parser_of
from pelican.tree.arguments import as_expr
from pelican.tree.build import product
from pelican.tree.kinds import constant, is_constant
from pelican.tree.printing import brief_text

MAX_EXPECTED: Final = 6
"""A message lists at most so many things that may stand at a place."""

_OPERATORS: Final = frozenset({"'+'", "'-'", "'*'", "'mod'", "'floordiv'"})
_WORDS: Final = {
    "NAME": "a name",
    "CALL": "",  # what may be called is listed where a call goes wrong
    "COMPARE": "",
    "INT": "a number",
    "_MOD": "'mod'",
    "_FLOORDIV": "'floordiv'",
    "$END": "the end",
}


def parse_expression(
    text: str, indices: Mapping[str, Expr], *, simplify: bool, name: str
) -> Expr:
    """Return the expression of a text; see `pelican.parse`."""
    if not isinstance(text, str):
        raise OperandError(f"parse needs a text, got {brief_text(text)}")
    if not isinstance(indices, Mapping):
        raise OperandError(
            f"parse needs a mapping from names to indices, got {brief_text(indices)}",
            hint='write {"i": i} with i = index("i", 0, 64)',
        )
    for key in indices:
        if not isinstance(key, str):
            raise OperandError(
                f"a name of an index is a text, got {brief_text(key)}",
                hint='write {"i": i} with i = index("i", 0, 64)',
            )
    source = Source(name, text)
    read = partial(_read_text, source, indices, simplify=simplify)
    try:
        return read(parser_of("expr", places=False))
    except (UnexpectedInput, PelicanError):
        pass  # once more, with the place of what is wrong
    try:
        return read(parser_of("expr"))
    except UnexpectedInput as error:
        raise syntax_error(error, source, parser_of("expr")) from None


def _read_text(
    source: Source, indices: Mapping[str, Expr], parser: Lark, *, simplify: bool
) -> Expr:
    (root,) = parser.parse(source.text, start="start").children
    return read_expression(root, indices, source, simplify=simplify, calls=True)


def span_of(part: Tree[Token] | Token, source: Source) -> Span:
    """Return where a part of a tree stands; without places, the whole text."""
    if isinstance(part, Token):
        start = part.start_pos or 0
        return Span(source, start, part.end_pos or start + len(part))
    if part.meta.empty:
        return Span(source, 0, len(source.text))
    return Span(source, part.meta.start_pos, part.meta.end_pos)


def read_expression(
    tree: Tree[Token] | Token,
    names: Mapping[str, Expr],
    source: Source,
    *,
    simplify: bool,
    calls: bool = False,
) -> Expr:
    """Return the expression of a tree of the rule ``expr``.

    Args:
        tree: What the parser made, with positions in `source`.
        names: What each name stands for.
        source: The text, for messages.
        simplify: False gives the raw tree of nodes.
        calls: True allows comparisons and calls, such as ``tile(x, 4)``.

    Raises:
        ParseError: If names are unknown; its `errors` lists each of them.
        DivisorError: If a divisor is below 1.
        NonAffineError: If two non-constants are multiplied, or divide.
    """
    reader = _Reader(names, source, simplify=simplify, calls=calls)
    if isinstance(tree, Token):
        raise TypeError(f"a tree of the rule expr is needed, got the token {tree!r}")
    for subtree in tree.iter_subtrees():
        reader.read(subtree)
    if reader.unknown:
        raise_all(reader.unknown_names(tree))
    return reader.made[id(tree)]


def _tokens_in_divisors(root: Tree[Token]) -> set[int]:
    """Return the ids of the tokens that stand in a divisor."""
    found: set[int] = set()
    parts: list[tuple[Tree[Token] | Token, bool]] = [(root, False)]
    while parts:
        part, inside = parts.pop()
        if isinstance(part, Token):
            found.update([id(part)] * inside)
            continue
        divides = part.data in RAW_DIVISIONS
        for position, child in enumerate(part.children):
            parts.append((child, inside or (divides and position == 1)))
    return found


class _Reader:
    """Builds the expression of each subtree from those of its parts."""

    def __init__(
        self,
        names: Mapping[str, Expr],
        source: Source,
        *,
        simplify: bool,
        calls: bool,
    ) -> None:
        self.names = names
        self.source = source
        self.simplify = simplify
        self.calls = calls
        self.made: dict[int, Expr] = {}
        self.literals: dict[int, int] = {}  # values of parts made of literals only
        self.unknown: list[Token] = []

    def read(self, tree: Tree[Token]) -> None:
        try:
            self.made[id(tree)] = self._value(tree)
        except PelicanError as error:
            if error.span is None:
                error.span = self._blamed(error, tree)
            raise

    def _blamed(self, error: PelicanError, tree: Tree[Token]) -> Span:
        """Return the divisor's place for a bad divisor, else the whole operation's."""
        product_of_two = isinstance(error, NonAffineError) and tree.data == "mul"
        if tree.data == "call" and isinstance(error, DivisorError):
            return span_of(tree.children[2], self.source)
        whole = product_of_two or tree.data in {"call", "comparison"}
        blamed = tree if whole else tree.children[-1]
        return span_of(blamed, self.source)

    def _value(self, tree: Tree[Token]) -> Expr:
        if tree.data == "number":
            number = self._integer(tree.children[0])
            self.literals[id(tree)] = number
            return constant(number)
        if tree.data == "name":
            return self._named(tree.children[0])
        if tree.data in {"call", "comparison"}:
            return self._word(tree)
        parts = [self.made[id(part)] for part in tree.children]
        if self.simplify:
            return SMART[tree.data](*parts)
        made = self._raw(tree, parts)
        if all(id(part) in self.literals for part in tree.children):
            values = (self.literals[id(part)] for part in tree.children)
            self.literals[id(tree)] = LITERAL[tree.data](*values)
        return made

    def _word(self, tree: Tree[Token]) -> Expr:
        """Return what a call or a comparison stands for."""
        word = next(str(part) for part in tree.children if isinstance(part, Token))
        if not self.calls:
            hint = "only names, integers and + - * mod floordiv may"
            raise ParseError(
                f"{word} does not stand here", span_of(tree, self.source), hint
            )
        parts = [self.made[id(p)] for p in tree.children if not isinstance(p, Token)]
        if tree.data == "call":
            return called(word, parts, smart=self.simplify)
        return compared(parts[0], word, parts[1], smart=self.simplify)

    def _raw(self, tree: Tree[Token], parts: list[Expr]) -> Expr:
        if tree.data == "mul":
            return self._raw_mul(tree, *parts)
        if tree.data in RAW_DIVISIONS:
            numer, denom = parts
            value = self._constant(tree.children[1])
            divisor = as_divisor(denom if value is None else value, tree.data)
            return RAW_DIVISIONS[tree.data](numer, divisor)
        return RAW[tree.data](*parts)

    def _raw_mul(self, tree: Tree[Token], left: Expr, right: Expr) -> Expr:
        """Return the product with its constant side as the scale."""
        first, second = tree.children
        known = [self.literals.get(id(part)) for part in (first, second)]
        if known == [None, None]:
            known = [self._constant(first), self._constant(second)]
        if known[0] is not None:
            return raw_scale(right, known[0])
        if known[1] is not None:
            return raw_scale(left, known[1])
        return product(left, right)

    def _constant(self, part: Tree[Token] | Token) -> int | None:
        """Return the integer that a part folds to, or None."""
        if id(part) in self.literals:
            return self.literals[id(part)]
        folded = simplify_tree(self.made[id(part)])
        return folded.constant if is_constant(folded) else None

    def _integer(self, token: Tree[Token] | Token) -> int:
        if len(str(token)) > MAX_DIGITS:
            raise ParseError(
                f"an integer of {len(str(token))} digits is too long",
                span_of(token, self.source),
                f"literals have at most {MAX_DIGITS} digits",
            )
        return int(str(token))

    def _named(self, token: Tree[Token] | Token) -> Expr:
        if token in self.names:
            return as_expr(self.names[str(token)])
        self.unknown.append(cast("Token", token))
        return constant(1)  # stands in, so that the other names are looked at too

    def unknown_names(self, root: Tree[Token]) -> list[ParseError]:
        """Return the error of each unknown name that was met."""
        in_divisors = _tokens_in_divisors(root)
        return [
            self._unknown_divisor(token)
            if id(token) in in_divisors
            else self._unknown_name(token)
            for token in self.unknown
        ]

    def _unknown_divisor(self, token: Token) -> ParseError:
        message = f"a divisor is a number, got the unknown name {str(token)!r}"
        hint = "write the number itself, as in x mod 8"
        return ParseError(message, span_of(token, self.source), hint)

    def _unknown_name(self, token: Token) -> ParseError:
        known = ", ".join(sorted(self.names)) or "none"
        hint = nearest(token, self.names) or f"known names: {known}"
        return UnknownNameError(str(token), span_of(token, self.source), hint)


def syntax_error(
    error: UnexpectedInput,
    source: Source,
    parser: Lark,
    *,
    start: str = "start",
    whole: str = "text",
    known: Callable[..., str | None] = remedy,
) -> ParseError:
    """Return the located error of a text that the parser refused.

    Args:
        error: What the parser raised.
        source: The text.
        parser: The parser, which knows how its terminals are spelled.
        start: The rule that was read.
        whole: What the text is called where it ends too early.
        known: Returns the remedy of a mistake; takes what
            `pelican.text.mistakes.remedy` does.
    """
    at = cast("int | None", error.pos_in_stream)
    end = len(source.text.rstrip())
    ended = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    if at is None or not 0 <= at < end or ended:
        at, found = end, ""
    else:
        found = _found(source.text, at)
    place = Span(source, at, at + len(found))
    shown = f"unexpected {found!r}" if found else f"unexpected end of the {whole}"
    expected = _expected(source.text[:at], parser, start)
    message = f"{shown}, expected {expected}" if expected else shown
    hint = known(found, source.text, at, expected, start=start)
    return ParseError(message, place, hint)


def _found(text: str, at: int) -> str:
    """Return the word, number or character that stands at a place."""
    end = at + 1
    while _in_word(text[at]) and end < len(text) and _in_word(text[end]):
        end += 1
    return text[at:end]


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _expected(before: str, parser: Lark, start: str) -> str:
    """Return what may follow a text, in the words of the language."""
    state = parser.parse_interactive(before, start)
    try:
        state.exhaust_lexer()
    except UnexpectedInput:
        return ""
    accepted: set[str] = state.accepts()  # type: ignore[no-untyped-call]
    words = {word for word in (_word(name, parser) for name in accepted) if word}
    if words >= _OPERATORS:
        words = words - _OPERATORS | {"an operator"}
    if len(words) > MAX_EXPECTED:
        return ""
    shown = sorted(words, key=lambda word: (word.startswith("'"), word))
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _word(name: str, parser: Lark) -> str:
    if name in _WORDS:
        return _WORDS[name]
    for terminal in parser.terminals:
        if terminal.name == name:
            if terminal.pattern.type == "str":
                return f"'{terminal.pattern.value}'"
            return name.lower().replace("_", " ").strip()
    return ""
