"""Reading a file: statement by statement, with every mistake at its place.

A statement with a mistake is left out. What it would define counts as known, so that
its uses are not reported as well; what uses it is left out too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from lark import Token, Tree

from pelican.access.maps import RingMap
from pelican.access.patterns import ALL_PARTITIONS, AccessPattern
from pelican.errors import IndexRangeError, LocatedError, ParseError, Source, Span
from pelican.expr import AffineIdx, ICmpExpr, index, runtime, shard, symbol
from pelican.pel.claims import read_claim
from pelican.pel.document import Check, Document, Show
from pelican.pel.layout import one_line
from pelican.pel.names import Names, SkippedError
from pelican.pel.scan import Line, Piece, scan
from pelican.pel.shows import read_shown
from pelican.pel.syntax import statement_tree
from pelican.pel.values import Values, as_token, as_tree
from pelican.pel.words import KEYWORDS
from pelican.text.declarations import read_declaration
from pelican.tree.kinds import is_comparison

MAX_ERRORS: Final = 50
"""After so many mistakes the rest of a file is not read."""

_DECLARATIONS: Final[Mapping[str, Callable[..., AffineIdx]]] = {
    "index": index,
    "symbol": symbol,
    "runtime": runtime,
    "shard": shard,
}
_DEFINITIONS: Final = frozenset({*_DECLARATIONS, "let", "pattern", "map"})


def read_pel(
    text: str,
    name: str = "<text>",
    *,
    indices: Mapping[str, AffineIdx] | None = None,
    simplify: bool = True,
) -> Document:
    r"""Return what a text says.

    Args:
        text: Statements, one a line.
        name: What to call the text in messages, most often its file.
        indices: Indices that declarations of their name stand for, instead of new
            ones; a declaration must give the same values.
        simplify: False keeps the expressions of lets, claims, patterns and maps as
            plain trees.

    Returns:
        The document; its `errors` say what could not be read.

    >>> text = "index i in [0, 64)\nlet e = (i + 64) mod 64\ncheck e in [0, 8)"
    >>> document = read_pel(text)
    >>> print(document.names["e"], "|", document.questions[0].claim)
    i | i in [0, 8)
    """
    reading = _Reading(Source(name, text), indices or {}, simplify=simplify)
    for line in reading.lines:
        if line.words:
            reading.read(line)
        if len(reading.errors) > MAX_ERRORS:
            reading.give_up(line)
            break
    return reading.document()


class _Reading:
    """A file that is being read."""

    def __init__(
        self, source: Source, indices: Mapping[str, AffineIdx], *, simplify: bool
    ) -> None:
        self.source = source
        self.indices = indices
        self.lines = list(scan(source.text))
        self.names = Names(source, _later(self.lines))
        self.values = Values(self.names, simplify)
        self.assumed: list[tuple[ICmpExpr, Span]] = []
        self.questions: list[Check | Show] = []
        self.errors: list[LocatedError] = []
        self.fact_missing = False  # claims are answered under all facts, or not

    def document(self) -> Document:
        """Return what was read."""
        return Document(
            self.source.name,
            self.names.values,
            tuple(self.assumed),
            tuple(self.questions),
            tuple(self.errors),
        )

    def read(self, line: Line) -> None:
        """Read one statement; note its mistakes."""
        try:
            tree = statement_tree(line, self.source)
            self._statement(tree, line)
        except SkippedError:
            self._leave_out(line)
        except LocatedError as error:
            for each in error.errors:
                each.span = each.span or self._whole(line)
            self.errors += error.errors
            self._leave_out(line)

    def give_up(self, line: Line) -> None:
        """Note that the rest of the file is not read."""
        message = f"more than {MAX_ERRORS} mistakes, the rest of the file is not read"
        del self.errors[MAX_ERRORS:]
        self.errors.append(ParseError(message, self._whole(line)))

    def _whole(self, line: Line) -> Span:
        return Span(self.source, line.words[0].start, line.words[-1].end)

    def _leave_out(self, line: Line) -> None:
        self.fact_missing |= line.words[0].text == "assume"
        defined = defined_name(line)
        if defined is not None:
            place = Span(self.source, defined.start, defined.end)
            self.names.places.setdefault(defined.text, place)

    def _statement(self, tree: Tree[Token], line: Line) -> None:
        word = line.words[0].text
        if word in _DEFINITIONS:
            self._definition(word, tree, line)
        elif word == "assume":
            self._assume(tree)
        elif word == "show":
            shown = read_shown(as_tree(tree.children[0]), self.values)
            text, place = one_line(line.words[1:]), self._whole(line)
            self.questions.append(Show(shown, text, place, line.words[0].line))
        else:
            self._check(tree, line)

    def _definition(self, word: str, tree: Tree[Token], line: Line) -> None:
        name = line.words[1]
        place = Span(self.source, name.start, name.end)
        self.names.require_new(name.text, place)
        if word in _DECLARATIONS:
            (declaration,) = tree.children
            value = self._declared(_DECLARATIONS[word], as_tree(declaration))
            self.names.define(name.text, value)
        elif word == "let":
            self.names.define(name.text, self.values.expression(tree.children[1]))
        elif word == "pattern":
            self.names.define(name.text, self._pattern(name.text, tree))
        else:
            self.names.define(name.text, self._map(name.text, tree))
        self.names.places[name.text] = place

    def _declared(self, make: Callable[..., AffineIdx], tree: Tree[Token]) -> AffineIdx:
        self.names.require_exprs(tree)
        made = read_declaration(tree, make, self.names.exprs, self.source)
        known = self.indices.get(made.name)
        if known is None:
            return made
        if type(known) is type(made) and _same_values(known, made):
            return known
        raise IndexRangeError(
            f"{made.describe()} is given as {known.describe()}",
            self.names.span(tree),
            "declare it with the values of the index that is given",
        )

    def _pattern(self, name: str, tree: Tree[Token]) -> AccessPattern:
        _, *parts = tree.children
        by_rule = {str(as_tree(part).data): as_tree(part) for part in parts}
        tensor = by_rule.pop("tensor", None)
        partition = by_rule.pop("partition", None)
        free = by_rule.pop("free", None)
        (address,) = by_rule.values()
        dims = [] if free is None else free.children
        return AccessPattern(
            self.values.expression(address),
            [self.values.pair(dim) for dim in dims],
            partitions=(
                ALL_PARTITIONS
                if partition is None
                else self.values.pair(partition.children[0])
            ),
            tensor=None if tensor is None else str(tensor.children[0]),
            name=name,
        )

    def _map(self, name: str, tree: Tree[Token]) -> RingMap:
        _, inputs, outputs, *ranges = tree.children
        return RingMap(
            [self.names.index(as_token(part)) for part in as_tree(inputs).children],
            [self.values.expression(part) for part in as_tree(outputs).children],
            [self.values.pair(part) for part in ranges],
            name=name,
        )

    def _assume(self, tree: Tree[Token]) -> None:
        (comparison,) = tree.children
        fact = self.values.expression(comparison)
        span = self.names.span(comparison)
        if is_comparison(fact):
            self.assumed.append((fact, span))
        elif fact == 0:
            raise ParseError(
                "this holds for no values", span, "assume what some values allow"
            )

    def _check(self, tree: Tree[Token], line: Line) -> None:
        (part,) = tree.children
        claim = read_claim(as_tree(part), self.values)
        if self.fact_missing:
            raise SkippedError
        given = tuple(fact for fact, _ in self.assumed)
        text, place = one_line(line.words[1:]), self._whole(line)
        self.questions.append(Check(claim, given, text, place, line.words[0].line))


def _same_values(left: AffineIdx, right: AffineIdx) -> bool:
    ends = [(idx.lo, idx.hi, idx.step) for idx in (left, right)]
    return ends[0] == ends[1]


def defined_name(line: Line) -> Piece | None:
    r"""Return the name that a statement defines, if it has got so far.

    >>> [defined_name(line).text for line in scan("index i\nlet e = 2*i")]
    ['i', 'e']
    """
    if len(line.words) < 2 or line.words[0].text not in _DEFINITIONS:
        return None
    name = line.words[1]
    plain = name.kind == "word" and name.text not in KEYWORDS
    return name if plain else None


def _later(lines: list[Line]) -> dict[str, int]:
    """Return the line of the first statement that defines each name."""
    found: dict[str, int] = {}
    for line in lines:
        name = defined_name(line)
        if name is not None:
            found.setdefault(name.text, name.line)
    return found
