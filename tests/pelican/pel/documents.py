"""Random files of claims: statements with random space, breaks and comments."""

from itertools import pairwise

from hypothesis import strategies as st

from pelican.pel.scan import scan

STATEMENTS = [
    "index i in [ 0 , 64 ) step 4",
    "index x",
    "index y in [ ... , 5 )",
    "symbol n in [ 4 , 4096 )",
    "shard s of 4",
    "runtime r in [ 0 , 9 )",
    "assume n >= 8",
    "let a = ( 2048 * i + - 512 ) % 4096",
    "let b = - i // 4 - ( - 3 ) + rank ( 0 , 1 ) mod 4",
    "let c = ( ( 1 ) ) + 007 * 0",
    "pattern p = acc partition [ 0 , 64 ) at a free [ 1 , 64 ] , [ 2 , 3 ]",
    "pattern q = at a",
    "map f ( i , x ) -> ( 64 * i + x , i ) onto [ 0 , 64 ) , [ 0 , 4 )",
    "show a",
    "show inverse f",
    "show f . f . f",
    "check a in [ 0 , ( 4096 ) )",
    "check a == b",
    "check distinct a for i , i + 4",
    "check disjoint p , q [ i -> i - 1 , x -> x + 2 ]",
    "check injective p",
    "check bijective f",
]
"""Each kind of statement, with a space between any two words of it."""

TIGHT = frozenset("()[],*+.") | {"->", "==", ">="}
"""Words beside which no space is needed."""

comments = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=9)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Return the text of a file that is in the language, in a random layout."""
    lines = st.one_of(statements(), comment_lines(), st.sampled_from(["", "   ", "\t"]))
    ends = st.sampled_from(["\n", "\n", "\r\n"])
    written = draw(st.lists(st.tuples(lines, ends), max_size=8))
    return "".join(line + end for line, end in written)


@st.composite
def statements(draw: st.DrawFn) -> str:
    """Return a statement with random space, and line ends inside its brackets."""
    words = draw(st.sampled_from(STATEMENTS)).split()
    text, depth = words[0], 0
    for before, word in pairwise(words):
        depth += (before in {"(", "["}) - (before in {")", "]"})
        text += draw(_gaps(tight=bool(TIGHT & {before, word}), inside=depth > 0)) + word
    return text + draw(st.sampled_from(["", " ", "\t"])) + draw(_tails)


_tails = st.one_of(st.just(""), comments.map(" #{}".format))


@st.composite
def _gaps(draw: st.DrawFn, *, tight: bool, inside: bool) -> str:
    gap = draw(st.sampled_from(["" if tight else " ", " ", "\t", "   "]))
    if not inside or draw(st.integers(0, 4)):
        return gap
    comment = draw(st.one_of(st.just(""), comments.map(" #{}".format)))
    return f"{gap}{comment}\n{draw(st.sampled_from(['', chr(10), '    ']))}"


def comment_lines() -> st.SearchStrategy[str]:
    """Return a line that holds a comment alone."""
    return st.builds("{}#{}".format, st.sampled_from(["", "  "]), comments)


SPELLED = {"%": "mod", "//": "floordiv"}


def meaning(text: str) -> list[list[str]]:
    """Return the words of each statement of a text, as they are spelled in print."""
    found = [[SPELLED.get(w.text, w.text) for w in line.words] for line in scan(text)]
    return [words for words in found if words]


def comments_of(text: str) -> list[str]:
    """Return the comments of a text, in order."""
    return [p.text for line in scan(text) for p in line.pieces if p.kind == "comment"]
