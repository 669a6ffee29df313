"""The parsers of the text languages, from tables that are saved beside the grammars.

The parser library takes some thirty milliseconds to work out the tables of a grammar,
more than most texts take to read. They are saved as `grammar/tables/*.table`; run
`make update-golden` after a change of a grammar. Where the saved ones are of another
grammar or of another version of the library, they are worked out as ever.
"""

from __future__ import annotations

import pickle
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple
from zlib import crc32

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef
from lark.load_grammar import FromPackageLoader

from grammar import EXPR, ISL, KERNEL, MLIR, PATTERN
from pelican.pel.words import STATEMENTS


class Language(NamedTuple):
    """A grammar, and the rules from which texts are read."""

    grammar: str
    starts: tuple[str, ...]


LANGUAGES: Final = {
    "expr": Language(EXPR, ("start", "declaration", "shard_declaration")),
    "isl": Language(ISL, ("start",)),
    "kernel": Language(KERNEL, ("start",)),
    "mlir": Language(MLIR, ("map_text", "expression")),
    "pattern": Language(PATTERN, tuple(f"{word}_statement" for word in STATEMENTS)),
}


@cache
def parser_of(language: str, *, places: bool = True) -> Lark:
    """Return the parser of a language.

    Args:
        language: A key of `LANGUAGES`.
        places: Whether its trees have places, which take a third of the time.
    """
    saved = _saved(language)
    if saved is None or saved["key"] != key_of(language):
        return _built(language, places=places)
    parser = Lark.__new__(Lark)
    # `Lark.load` takes a file only, and no options.
    return parser._load(saved, propagate_positions=places)  # noqa: SLF001


def key_of(language: str) -> tuple[Any, ...]:
    """Return what the tables of a language depend on."""
    # A grammar may take rules from that of expressions.
    text = "\n".join((LANGUAGES[language].grammar, EXPR))
    return lark.__version__, LANGUAGES[language].starts, crc32(text.encode())


def table_bytes(language: str) -> bytes:
    """Return the file of a language's tables."""
    data, memo = _built(language).memo_serialize([TerminalDef, Rule])
    return pickle.dumps({"key": key_of(language), "data": data, "memo": memo}, 5)


def _saved(language: str) -> dict[str, Any] | None:
    """Return the saved tables, or None where there are none that can be read."""
    file = files("grammar").joinpath("tables", f"{language}.table")
    try:
        saved: dict[str, Any] = pickle.loads(file.read_bytes())
    except (OSError, pickle.UnpicklingError, EOFError):
        return None
    return saved


def _built(language: str, *, places: bool = True) -> Lark:
    grammar, starts = LANGUAGES[language]
    return Lark(
        grammar,
        parser="lalr",
        start=list(starts),
        propagate_positions=places,
        maybe_placeholders=False,
        import_paths=[FromPackageLoader("grammar")],
    )
