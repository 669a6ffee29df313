"""Formatting a file: the same statements and comments in the one layout."""

from __future__ import annotations

from pelican.errors import ParseError, Source, raise_all
from pelican.pel.layout import laid_out
from pelican.pel.read import MAX_ERRORS
from pelican.pel.scan import scan
from pelican.pel.syntax import statement_tree


def format_pel(text: str, name: str = "<text>") -> str:
    r"""Return a text in the one layout; nothing is simplified, no comment is lost.

    Formatting twice is formatting once.

    Args:
        text: Statements, one a line; they need to be in the language only, not to
            make sense.
        name: What to call the text in messages.

    Raises:
        ParseError: If a line is no statement; its `errors` lists each of them.

    >>> format_pel("check  slot in [0,4096)# all of it\n")
    'check slot in [0, 4096)  # all of it\n'
    """
    source = Source(name, text)
    lines = list(scan(text))
    errors: list[ParseError] = []
    for line in lines:
        if line.words and len(errors) < MAX_ERRORS:
            try:
                statement_tree(line, source)
            except ParseError as error:
                errors.append(error)
    raise_all(errors)
    return laid_out(lines)
