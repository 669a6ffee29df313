"""Explain why a text is no kernel: the place, what was found, and the remedy."""

from __future__ import annotations

import re
from functools import partial
from typing import Final, NamedTuple

from lark import Lark, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from pelican.errors import ParseError, Source, Span, nearest
from pelican.text.expressions import syntax_error
from pelican.text.mistakes import in_number, remedy
from rotation.loop_form.kernel import DTYPE_BYTES

KERNEL_FORM: Final = "kernel NAME on planning { ... }"
LOOP_FORM: Final = "for i in [0, 32) step 1 { ... }"
IF_FORM: Final = "if i + 1 < 8 and j == 0 { ... } else { ... }"
LOADED_FORM: Final = 'if loaded(a, b) "a < b" { ... } else { ... }'
CALL_FORM: Final = "call NAME(x, y) scope kernel sb(128, 65536) banks 2"
RUN_TIME_FORM: Final = "for i in [0, %n) { ... }"
_DRAM_FORM: Final = "dram NAME [4096, 4096] bf16 input"
DECLARATION_FORM: Final = "sb NAME [128, 512] bf16 at LOOP ring 2"
OPERATION_FORM: Final = "ID: ENGINE.OPCODE DST <- SRC, SRC"
INSTANCE_FORM: Final = "NAME@(i + 1)[0:+128, 0:+512]"
REGION_FORM: Final = "write NAME[128*k:+128, 0:+512]"
INDEX_FORM: Final = "index(BUFFER, dim 0)"

PLACE_FORM: Final = "place t[k mod 3] = sb part 0 byte 0 step 8192"
PLACE_FORMS: Final = {
    "dram": "place t = dram byte 0",
    "psum": "place t[k mod 2] = psum part 0 bank 0 step 1",
}
"""How a place is written in a space that is not like `sb`."""

ORDER_FORM: Final = "order dma: 0 1 4 2"
EDGE_FORM: Final = "edge 12 -> 7 anti distance 3"

FORMS: Final = {
    "kernel": KERNEL_FORM,
    "scope": "kernel NAME on planning scope none { ... }",
    "call": CALL_FORM,
    "for": LOOP_FORM,
    "dram": _DRAM_FORM,
    "sb": DECLARATION_FORM,
    "psum": DECLARATION_FORM.replace("sb", "psum"),
    "at": DECLARATION_FORM,
    "ring": DECLARATION_FORM,
    "bank": "psum NAME [128, 512] fp32 bank k mod 4",
    "byte": "sb NAME [128, 512] bf16 byte 1024*(k mod 2) part 0",
    "part": "sb NAME [32, 512] bf16 byte 0 part 32",
    "place": PLACE_FORM,
    "order": ORDER_FORM,
    "edge": EDGE_FORM,
    "if": IF_FORM,
    "else": IF_FORM,
    "and": IF_FORM,
    "loaded": LOADED_FORM,
    "min": "NAME[128*i:+min(128, 1000 - 128*i), 0:+512]",
    "over": "over(k)",
    "accumulate": "over(k)",
    "fn": 'fn "text"',
    "index": INDEX_FORM,
    "unique": f"{INDEX_FORM} unique",
    "view": 'view "text"',
    '"': 'fn "text"',
    "@": INSTANCE_FORM,
    "=": OPERATION_FORM,
    "<": OPERATION_FORM,
}
"""How it is written, by the word or character that stands at a wrong place."""

ORDERED: Final = {
    "at": "write `at` before the place: psum NAME [128, 512] fp32 at i bank i mod 2",
    "ring": "write the ring before the place: psum t [8, 8] fp32 ring 2 bank i mod 2",
    "bank": "a buffer has one place: a bank or a byte",
    "byte": "a buffer has one place: a bank or a byte",
}
"""Remedies for words of a declaration that cannot follow its place."""

KEYWORDS: Final = (
    *("kernel", "on", "dram", "sb", "psum", "input", "output", "const", "at", "ring"),
    *("bank", "byte", "part"),
    *("auto", "for", "in", "step", "over", "inplace", "transpose", "fn"),
    *("index", "unique", "view"),
    *("if", "else", "and", "loaded", "min"),
)

_TARGETS: Final = re.compile(r"\.\s*\w+\s+[^<{}]*$")
"""An operation up to a place that is not behind its arrow."""

_BRACKET: Final = re.compile(r'#[^\n]*|"[^"\n]*"|[\[\](){}]')


class Mistake(NamedTuple):
    """A known mistake: what stands before the place, what at it, and the remedy."""

    before: str
    at: str
    remedy: str


ATTRIBUTES: Final = ("over", "inplace", "transpose", "fn", "index", "unique", "view")
"""Words that may follow the operands of an operation."""

_NO_NAME: Final = f"a kernel has a name: write {KERNEL_FORM}"
_NO_WORD: Final = "a name is letters, digits and _, no digit first"
_NO_ENGINE: Final = (
    f"an operation names its engine and, after a dot, its opcode: {OPERATION_FORM}"
)
_DESTINATION: Final = (
    f"the arrow points at the destination, which stands first: write {OPERATION_FORM}"
)

MISTAKES: Final = (
    Mistake("", r"//|/\*", "# starts a comment"),
    Mistake("", ";", "nothing ends a statement: leave the ; out"),
    Mistake("", "->", _DESTINATION),
    Mistake(r"\bkernel\s+on", r"\w", _NO_NAME),
    Mistake(r"\bkernel", r"\{", _NO_NAME),
    Mistake(r"\*", r"\*", "there are no powers"),
    Mistake(
        r"\bdram\s+\w+\s*\[[^\[\]{}]*\][\w\s]*",
        r"part\b",
        "a dram buffer has no partitions and no place: leave both out",
    ),
    Mistake(
        r"\bpsum\s+\w+\s*\[[^\[\]{}]*\][\w\s]*",
        r"part\b",
        "write psum NAME [32, 512] fp32 bank 0 part 32",
    ),
    Mistake(r"\bring", "-", "a ring has 1 slot or more: write ring 2"),
    Mistake(r"\bstep", "-", "a step is 1 or more: write step 1"),
    Mistake(r"\bstep", r"\{", f"give the step a number: write {LOOP_FORM}"),
    Mistake(r"\bin\s*\[[^\[\]]*\)", r"\d", f"a step is named: write {LOOP_FORM}"),
    Mistake(
        r"\bin\s*\[[^\[\]]*\)(?:\s*step\s*\d+)?",
        r":|(?:do|then|sb|dram|psum|for|if)\b|\w+\s*[:.]",
        f"the body of a loop stands in braces: write {LOOP_FORM}",
    ),
    Mistake(
        r"\b(?:dram|sb|psum)\s+\w+\s*\[",
        r"\]",
        f"give each dimension its extent: write {DECLARATION_FORM}",
    ),
    Mistake(
        r"\b(?:dram|sb|psum)\s+\w+\s*\[[\d\s,]*",
        "-",
        "an extent is 1 or more: write [128, 512]",
    ),
    Mistake(
        "",
        r"\w+\s+(?:dma|pe|vector|scalar|gpsimd|cc|sync)\s*\.",
        f"a colon stands behind an ID: write {OPERATION_FORM}",
    ),
    Mistake(r"\bkernel(?:\s+\w+)?", r"-|\d", _NO_WORD),
    Mistake(r"\bin\s*\[\s*-?\d+", r"\.\.", f"a range has a comma: write {LOOP_FORM}"),
    Mistake("", "--", "# starts a comment"),
    Mistake("", r"hbm\b", f"memory off the chip is dram: write {_DRAM_FORM}"),
    Mistake(r"\w\s*\[", r"\]", f"say which part: {REGION_FORM}, or leave [] out"),
    Mistake(r"\bcall\s+\w+\s*\([^()]*\)", "", f"write {CALL_FORM}"),
    Mistake("", r'"[^"\n]*(?:\n|$)', 'close the quote: write fn "text"'),
    Mistake(r"\bfor\s+\w+\s+in", r"[^\[]", f"write {LOOP_FORM}"),
    Mistake("@", r"[^(]", f"an instance stands in brackets: write {INSTANCE_FORM}"),
    Mistake(r"@\s*\(", r"\)", f"say which instance: write {INSTANCE_FORM}"),
    Mistake(r"\bin\s*\[", "%", f"a loop starts at a number: write {RUN_TIME_FORM}"),
    Mistake(r"\bindex\s*\(\s*\w*\s*,?\s*(?:dim)?", "", f"write {INDEX_FORM}"),
    Mistake(r":\+", r"[\w(]", f"an extent is a number or a min(a, b): {REGION_FORM}"),
    Mistake(r"\bif\b(?!\s*loaded)[^{}]*", r"\{", f"an if compares: write {IF_FORM}"),
    Mistake(r"\belse", r"if\b", "write else { if ... { ... } }"),
    Mistake(
        r"(?:<|>|=)=?[^{}]*",
        r"(?:or\b|\|\||&&)",
        f"join comparisons with `and`: {IF_FORM}",
    ),
)
"""Mistakes outside expressions; the first that fits is the one that was made."""

_PLACED: Final = re.compile(r"\bplaced\s+\w+\s*\{([^}]*)$")
_LINE: Final = re.compile(r"\b(place|order|edge)\b")
_COUNTED: Final = re.compile(
    r"for\s+(\w+)\s*(?:"
    r"in\s+range\s*\(\s*(?:(\d+)\s*,\s*)?(\d+)\s*(?:,\s*(\d+)\s*)?\)|"
    r"(?:=|in)\s*(\d+)\s*(?:\.\.|to\b|:)\s*(\d+))"
)
"""Loops of other languages: ``range(3)``, ``range(0, 8, 2)``, ``= 0..4``."""

NEAR: Final = 400
"""So many characters before a place are looked at for a comma, whatever the text."""

_NOTHING_AFTER_COMMA: Final = re.compile(
    r",(?:\s|#[^\n]*\n)*(?:\n\s*[A-Za-z_][A-Za-z0-9_]*\s*)?$"
)
_SOURCES: Final = re.compile(r"<-[^{}\n]*$")
"""A line of an operation up to a place behind its arrow."""

_DECLARED: Final = re.compile(r"\b(dram|sb|psum)\s+\w+\s*(\[[\d\s,]*\])(\s*)(\w*)\s*$")


def explained(error: UnexpectedInput, source: Source, parser: Lark) -> ParseError:
    """Return the located error of a text that the parser refused, with a remedy."""
    plain = syntax_error(error, source, parser, known=partial(remedy, calls=()))
    if plain.span is None:
        return plain
    number = in_number(source.text, plain.span.start)
    if number is not None:
        return ParseError(plain.message, plain.span, number)
    known = _shape_without_type(plain.span) or _comma_without_part(plain.span)
    if known is not None:
        return known
    wanted = _wanted(error)
    if "PLUS" in wanted and plain.span.text in ORDERED:
        return ParseError(plain.message, plain.span, ORDERED[plain.span.text])
    if "PLUS" in wanted and plain.hint is not None:
        return plain  # inside an expression, whose mistakes are known there
    return ParseError(plain.message, plain.span, _remedy(wanted, plain.span))


def missing_type(space: str, shape_end: Span) -> ParseError:
    """Return the error of a declaration that gives no element type."""
    message = "an element type is missing, such as fp32"
    return ParseError(message, shape_end, f"write {FORMS[space]}")


def _shape_without_type(span: Span) -> ParseError | None:
    """Return the error of a declaration without an element type before a place.

    A word of the language, or the first of the next line, was taken for the type.
    """
    match = _DECLARED.search(span.source.text[: span.start])
    if match is None or match[4] in DTYPE_BYTES:
        return None
    if match[4] and match[4] not in KEYWORDS and "\n" not in match[3]:
        return None
    return missing_type(match[1], Span(span.source, match.end(2), match.end(2)))


def _comma_without_part(span: Span) -> ParseError | None:
    """Return the error of a comma that nothing follows, or None.

    The place where the reading stopped is a closing bracket, the end of the block, or
    what follows the first word of the next line, which was taken for an operand.
    """
    if span.text not in {"]", ")", "}", ".", ":", ","}:
        return None
    near = max(0, span.start - NEAR)
    comma = _NOTHING_AFTER_COMMA.search(span.source.text, near, span.start)
    if comma is None or ("\n" not in comma[0] and span.text in {".", ":"}):
        return None
    place = Span(span.source, comma.start(), comma.start() + 1)
    return ParseError("nothing follows this ','", place, "leave it out, or name more")


def _wanted(error: UnexpectedInput) -> set[str]:
    """Return the names of the terminals that may stand at the place."""
    if isinstance(error, UnexpectedToken):
        return set(error.accepts or error.expected)
    if isinstance(error, UnexpectedCharacters):
        return set(error.allowed or ())
    return set()


def _remedy(wanted: set[str], span: Span) -> str:
    """Return what to do about the text that is found instead of what is wanted."""
    found, opened = span.text, _last_open_bracket(span)
    placed = _placed_line(span)
    if placed is not None:
        return placed
    known = _known_mistake(wanted, span)
    if known is not None:
        return known
    if "KERNEL" in wanted:
        closes = "this bracket closes nothing" if found == "}" else None
        return closes or f"a text holds kernels: write {KERNEL_FORM}"
    if found in FORMS:
        return f"write {FORMS[found]}"
    behind = span.source.text[: span.start].rpartition("\n")[2]
    if found[:1].isalpha() and "_EXTENT" not in wanted and _SOURCES.search(behind):
        words = ", ".join(ATTRIBUTES)
        return nearest(found, ATTRIBUTES) or f"operands are followed by {words}"
    if wanted == {"RPAR"} and opened is not None and opened.text == "[":
        return f"a loop runs over a half-open range: write {LOOP_FORM}"
    if opened is None:
        return f"a text holds kernels: write {KERNEL_FORM}"
    if wanted & {"RPAR", "RSQB"} or not found:
        return f"close the {opened.text!r} that was opened at {opened.place}"
    return nearest(found, KEYWORDS) or (
        f"a block holds declarations, loops and operations: write {OPERATION_FORM}"
    )


def _placed_line(span: Span) -> str | None:
    """Return the form of a line of a ``placed`` block, None outside of one."""
    before = span.source.text[: span.start]
    block = _PLACED.search(before)
    if block is None or not span.text:
        return None
    text = block[1] + span.text
    words = _LINE.findall(text)
    if words and words[-1] != "place":
        return f"write {FORMS[words[-1]]}"
    line = text.rpartition("place")[2]
    forms = (form for space, form in PLACE_FORMS.items() if f"= {space}" in line)
    return f"write {next(forms, PLACE_FORM)}"


def _known_mistake(wanted: set[str], span: Span) -> str | None:
    """Return the remedy of a mistake that people often make, or None."""
    text, found = span.source.text, span.text
    if "_EXTENT" in wanted and found in {":", ",", "]"}:
        return f"a region is START:+EXTENT: {REGION_FORM}"
    counted = _counted_loop(span)
    if counted is not None:
        return counted
    if "REGISTER" in wanted:
        return f"a loop ends at a number or a register: write {RUN_TIME_FORM}"
    before = text[: span.start].rstrip()[-80:]
    for mistake in MISTAKES:
        left = re.search(f"(?:{mistake.before})$", before)
        if left and re.match(mistake.at, text[span.start :]):
            return mistake.remedy
    if found.lower() in KEYWORDS and found not in KEYWORDS:
        return f"write {found.lower()} in small letters"
    declared = rf"\b(?:dram|sb|psum)\s+{re.escape(found)}\s*\["
    if "COMMA" in wanted and found and re.search(declared, text):
        if _TARGETS.search(before):
            return f"'<-' is missing before {found!r}: write {OPERATION_FORM}"
        return f"',' is missing before {found!r}"
    if "ENGINE" in wanted and re.search(r"\w\s*:$", before):
        return _NO_ENGINE
    return None


def _counted_loop(span: Span) -> str | None:
    """Return how the loop of another language in a line is written here, or None."""
    text = span.source.text
    line_start = text.rfind("\n", 0, span.start) + 1
    if "for" not in {span.text, *text[line_start : span.start].split()[:1]}:
        return None
    line_end = text.find("\n", span.start)
    header = _COUNTED.search(text, line_start, len(text) if line_end < 0 else line_end)
    if header is None:
        return f"write {LOOP_FORM}" if span.text == "range" else None
    name, low, high, step, first, last = header.groups()
    counted = f" step {step}" if step else ""
    return f"write for {name} in [{low or first or 0}, {high or last}){counted}"


def _last_open_bracket(span: Span) -> Span | None:
    """Return the innermost bracket that is open before a place, or None."""
    opened = []
    for match in _BRACKET.finditer(span.source.text, 0, span.start):
        if match.group() in "[({":
            opened.append(Span(span.source, *match.span()))
        elif match.group() in "])}" and opened:
            opened.pop()  # whichever it is: a loop's range opens with [ and ends with )
    return opened[-1] if opened else None
