"""Explain why a text is no kernel: the place, what was found, and the remedy."""

from __future__ import annotations

import re
from typing import Final

from lark import Lark, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from pelican.errors import ParseError, Source, Span, nearest
from pelican.text import syntax_error

KERNEL_FORM: Final = "kernel NAME on planning { ... }"
LOOP_FORM: Final = "for i in [0, 32) step 1 { ... }"
DECLARATION_FORM: Final = "sb NAME [128, 512] bf16 at LOOP ring 2"
OPERATION_FORM: Final = "ID: ENGINE.OPCODE DST <- SRC, SRC"

FORMS: Final = {
    "kernel": KERNEL_FORM,
    "for": LOOP_FORM,
    "dram": "dram NAME [4096, 4096] bf16 input",
    "sb": DECLARATION_FORM,
    "psum": DECLARATION_FORM.replace("sb", "psum"),
    "at": DECLARATION_FORM,
    "ring": DECLARATION_FORM,
    "over": "over(k)",
    "fn": 'fn "text"',
    '"': 'fn "text"',
    "=": OPERATION_FORM,
    "<": OPERATION_FORM,
}
"""How it is written, by the word or character that stands at a wrong place."""

KEYWORDS: Final = (
    *("kernel", "on", "dram", "sb", "psum", "input", "output", "const", "at", "ring"),
    *("auto", "for", "in", "step", "over", "inplace", "transpose", "fn"),
)

_BRACKET: Final = re.compile(r'#[^\n]*|"[^"\n]*"|[\[\](){}]')


def explained(error: UnexpectedInput, source: Source, parser: Lark) -> ParseError:
    """Return the located error of a text that the parser refused, with a remedy."""
    plain = syntax_error(error, source, parser)
    if plain.span is None:
        return plain
    wanted = _wanted(error)
    if "PLUS" in wanted and plain.hint is not None:
        return plain  # inside an expression, whose mistakes are known there
    return ParseError(plain.message, plain.span, _remedy(wanted, plain.span))


def _wanted(error: UnexpectedInput) -> set[str]:
    """Return the names of the terminals that may stand at the place."""
    if isinstance(error, UnexpectedToken):
        return set(error.accepts or error.expected)
    if isinstance(error, UnexpectedCharacters):
        return set(error.allowed or ())
    return set()


def _remedy(wanted: set[str], span: Span) -> str:
    """Return what to do about the text that is found instead of what is wanted."""
    found = span.text
    opened = _last_open_bracket(span)
    if found in FORMS:
        return f"write {FORMS[found]}"
    if wanted == {"RPAR"} and opened is not None and opened.text == "[":
        return f"a loop runs over a half-open range: write {LOOP_FORM}"
    if opened is None:
        return f"a text holds kernels: write {KERNEL_FORM}"
    if wanted & {"RPAR", "RSQB"} or not found:
        return f"close the {opened.text!r} that was opened at {opened.place}"
    return nearest(found, KEYWORDS) or (
        f"a block holds declarations, loops and operations: write {OPERATION_FORM}"
    )


def _last_open_bracket(span: Span) -> Span | None:
    """Return the innermost bracket that is open before a place, or None."""
    opened = []
    for match in _BRACKET.finditer(span.source.text, 0, span.start):
        if match.group() in "[({":
            opened.append(Span(span.source, *match.span()))
        elif match.group() in "])}" and opened:
            opened.pop()  # whichever it is: a loop's range opens with [ and ends with )
    return opened[-1] if opened else None
