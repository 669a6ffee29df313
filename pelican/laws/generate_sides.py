"""Writes the text of `pelican.laws.facts` and `pelican.laws.sides`: laws as code.

The kernel decides the facts of a law and builds its right side at every rewrite, so
neither is interpreted: each is written once as a function, into files that are kept
with the code. The records stay the source; a test writes the text again and compares.
"""

from __future__ import annotations

from pelican.laws.term import metavariables
from pelican.lemmas import LEMMAS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from pelican.laws.lemma import Fact, Lemma
    from pelican.laws.term import Term

    Piece = tuple[str, str]

FACTS_HEADER: Final = '''"""Facts of the laws, as functions. Generated; do not edit.

`pelican.laws.generate_sides` writes this file from `pelican.lemmas`: run
`make update-golden`. `at` binds the metavariables of a law; `numer` is the numerator
of its left side; `ask` builds simplified mods and floordivs.
"""

from __future__ import annotations

from pelican.tree.build import plain, weighted_sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from pelican.expr.node import Expr
    from pelican.laws.step import Make

    Binding = Mapping[str, Any]  # integers or expressions: a law knows which, by name
'''

LAWS_HEADER: Final = '''"""Right sides of laws, as functions. Generated; do not edit.

`pelican.laws.generate_sides` writes this file from `pelican.lemmas`: run
`make update-golden`. `at` binds the metavariables of a law; `make` builds simplified
mods and floordivs. A law over a sum gets a binding for each term that it treats; the
other terms are `rest` and `offset`.
"""

from __future__ import annotations

from pelican.tree.build import added, scale, weighted_sum
from pelican.tree.divmod import DivMod
from pelican.tree.kinds import constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Final

    from pelican.expr.node import Expr
    from pelican.laws.step import Make
    from pelican.tree.flat import Weighted

    Binding = Mapping[str, Any]  # integers or expressions: a law knows which, by name
    Single = Callable[[Binding, Make], Expr | DivMod]
    Lifted = Callable[[Sequence[Binding], Weighted, int, Make], Expr | DivMod]
'''


def facts_text() -> str:
    """Return the Python text of the facts of all laws.

    >>> print(facts_text().splitlines()[0])
    \"\"\"Facts of the laws, as functions. Generated; do not edit.
    """
    guarded = [law for law in LEMMAS if law.given]
    rule = "Callable[[Binding, Expr, Make], bool]"
    table = _table("FACTS", rule, guarded)
    return "\n\n".join([FACTS_HEADER, *map(_facts, guarded), table])


def laws_text() -> str:
    """Return the Python text of the right sides of all laws.

    >>> print(laws_text().splitlines()[0])
    \"\"\"Right sides of laws, as functions. Generated; do not edit.
    """
    lifted = [law for law in LEMMAS if law.rest is not None]
    single = [law for law in LEMMAS if law.rest is None]
    functions = [*map(_single, single), *map(_lifted, lifted)]
    table = _table("SINGLE", "Single", single)
    table += "\n" + _table("LIFTED", "Lifted", lifted)
    return "\n\n".join([LAWS_HEADER, *functions, table])


def _name(law: Lemma) -> str:
    return law.name.replace("-", "_")


def _table(name: str, signature: str, laws: Iterable[Lemma]) -> str:
    """Return the dictionary of the functions, by the names of the laws."""
    rows = "".join(f'    "{law.name}": _{_name(law)},\n' for law in laws)
    return f"{name}: Final[dict[str, {signature}]] = {{\n{rows}}}\n"


def _facts(law: Lemma) -> str:
    """Return the function that decides the facts of a law."""
    numer = law.lhs.args[0] if law.lhs.op in {"%", "//"} else None
    lines: list[str] = []
    known: dict[str, str] = {}  # the range of each value that was looked at
    decisions = [_decision(fact, numer, known) for fact in law.given]
    for k, (looks, condition) in enumerate(decisions):
        lines += looks
        if k < len(decisions) - 1:
            lines += [f"if not ({condition}):", "    return False"]
        else:
            lines.append(f"return bool({condition})")
    shown = " and ".join(map(str, law.given))
    sides = [side for fact in law.given for side in (fact.left, fact.right)]
    head = f"def _{_name(law)}(at: Binding, numer: Expr, ask: Make) -> bool:"
    taken = _unpacked(_used(_names(sides), lines))
    return _function(head, [f'"""Tell whether {shown}."""', *taken, *lines])


def _decision(
    fact: Fact, numer: Term | None, known: dict[str, str]
) -> tuple[list[str], str]:
    """Return what to look at for a fact, and the condition that it is known to hold."""
    left, right = fact.left, fact.right
    if fact.relation == "==":
        sides = f"{_value(left, numer, 'ask')} == {_value(right, numer, 'ask')}"
        return [], sides
    if fact.relation == "divides":
        if _is_number(right):
            n = _number(left, inside=True)
            return [], f"{_number(right, inside=True)} % {n} == 0"
        stride = f"{_value(right, numer, 'plain')}.stride"
        return [], f"{stride}.is_multiple_of({_number(left)})"
    looks, unknown, ends = [], [], []
    for side, end in ((left, "hi"), (right, "lo")):
        if _is_number(side):
            ends.append(_number(side))
            continue
        value = _value(side, numer, "plain")
        if value not in known:
            known[value] = "span" if not known else f"span_{len(known)}"
            looks.append(f"{known[value]} = {value}.range")
        ends.append(f"{known[value]}.{end}")
        unknown.append(f"{ends[-1]} is not None and ")
    return looks, f"{''.join(unknown)}{ends[0]} {fact.relation} {ends[1]}"


def _single(law: Lemma) -> str:
    """Return the function that builds the right side of a law."""
    head = f"def _{_name(law)}(at: Binding, make: Make) -> Expr | DivMod:"
    rhs = law.rhs
    if rhs.op == "expr":
        text = f'"""Build ``{rhs}``."""'
        return _function(head, [text, f'x: Expr = at["{rhs.args[0]}"]', "return x"])
    if rhs.op in {"%", "//"}:
        numer, denom = rhs.args
        built = f'DivMod("{rhs.op}", {_value(numer, None, "make")}, {_number(denom)})'
    else:
        built = _value(rhs, None, "make")
    lines = [*_unpacked(_names([rhs])), f"return {built}"]
    return _function(head, [f'"""Build ``{rhs}``."""', *lines])


def _lifted(law: Lemma) -> str:
    """Return the function that builds the right side of a law over a sum."""
    head = (
        f"def _{_name(law)}(\n    bindings: Sequence[Binding], "
        "rest: Weighted, offset: int, make: Make\n) -> Expr | DivMod:"
    )
    division, outside = law.rhs.args if law.rhs.op == "+" else (law.rhs, None)
    numer, denom = division.args
    pieces, constant = _linear(numer, None, "make")
    inside = [(code, c) for code, c in pieces if code != law.rest]
    others = [] if outside is None else _linear(outside, None, "make")[0]
    body = [f"parts.append(({code}, {c}))" for code, c in inside]
    body += [f"offset += {constant}"] if constant else []
    body += [f"outside.append(({code}, {c}))" for code, c in others]
    names = [n for n in _names([law.rhs]) if n != law.rest]
    lines = ["parts = list(rest)"]
    lines += ["outside: Weighted = []"] if others else []
    loop = [*_unpacked(_used(names, body)), *body]
    if loop:
        lines.append("for at in bindings:")
        lines += [f"    {line}" for line in loop]
    lines.append(f'n = bindings[0]["{denom.args[0]}"]')
    made = "weighted_sum(parts, offset)"
    if others:
        made = f'make("{division.op}", {made}, n)'
        lines.append(f"return weighted_sum([({made}, 1), *outside])")
    else:
        lines.append(f'return DivMod("{division.op}", {made}, n)')
    return _function(head, [f'"""Build ``{law.rhs}``."""', *lines])


def _used(names: Iterable[str], lines: Iterable[str]) -> list[str]:
    """Return the names that stand in some lines of code."""
    text = "".join(c if c.isalnum() or c in "._" else " " for c in " ".join(lines))
    words = {word.split(".")[0] for word in text.split()}
    return [name for name in names if name in words]


def _function(head: str, lines: Iterable[str]) -> str:
    body = "\n".join(lines).replace("\n", "\n    ")
    return f"{head}\n    {body}\n"


def _names(terms: Iterable[Term]) -> list[str]:
    return [str(t.args[0]) for t in metavariables(terms)]


def _unpacked(names: list[str]) -> list[str]:
    """Return the line that takes some metavariables out of a binding."""
    if not names:
        return []
    values = ", ".join(f'at["{name}"]' for name in names)
    return [f"{', '.join(names)} = {values}"]


def _is_number(term: Term) -> bool:
    return all(t.op == "literal" for t in metavariables([term]))


def _number(term: Term, *, inside: bool = False) -> str:
    """Return Python code of a term of literals; in brackets inside another."""
    if term.op in {"int", "literal"}:
        text = str(term.args[0])
        return f"({text})" if inside and text.startswith("-") else text
    left, right = (_number(part, inside=True) for part in term.args)
    text = f"{left} {term.op} {right}"
    return f"({text})" if inside else text


def _value(term: Term, numer: Term | None, maker: str) -> str:
    """Return Python code of the expression, or the integer, that a term stands for."""
    if _is_number(term):
        if maker == "make":  # a right side is an expression
            return f"constant({_number(term)})"
        return _number(term)
    pieces, constant = _linear(term, numer, maker)
    if len(pieces) == 1 and pieces[0][1] == "1":
        code = pieces[0][0]
        return f"added({code}, {constant})" if constant else code
    if len(pieces) == 1 and not constant:
        return f"scale({pieces[0][0]}, {pieces[0][1]})"
    parts = ", ".join(f"({code}, {c})" for code, c in pieces)
    return f"weighted_sum([{parts}]{', ' + constant if constant else ''})"


def _linear(term: Term, numer: Term | None, maker: str) -> tuple[list[Piece], str]:
    """Return code of the parts of a sum, each with its coefficient; its constant."""
    pieces: list[Piece] = []
    constants: list[str] = []
    stack: list[tuple[Term, list[str]]] = [(term, [])]
    while stack:
        part, factors = stack.pop()
        if _is_number(part):
            constants.append(_product([*factors, _number(part, inside=True)]))
        elif part == numer:
            pieces.append(("numer", _product(factors)))
        elif part.op == "expr":
            pieces.append((str(part.args[0]), _product(factors)))
        elif part.op in {"+", "-"}:
            left, right = part.args
            sign = ["-1"] if part.op == "-" else []
            stack += [(right, [*factors, *sign]), (left, factors)]
        elif part.op == "*":
            number, other = part.args if _is_number(part.args[0]) else part.args[::-1]
            stack.append((other, [*factors, _number(number, inside=True)]))
        else:
            inside = _value(part.args[0], numer, maker)
            made = f'{maker}("{part.op}", {inside}, {_number(part.args[1])})'
            pieces.append((made, _product(factors)))
    return pieces, " + ".join(c for c in constants if c != "0")


def _product(factors: list[str]) -> str:
    """Return code of a product of integers."""
    signs = sum(f in {"-1", "(-1)"} for f in factors)
    kept = [f for f in factors if f not in {"-1", "(-1)", "1"}]
    sign = "-" if signs % 2 else ""
    if not kept:
        return f"{sign}1"
    if len(kept) == 1:
        only = kept[0]
        bare = only[1:-1] if only.startswith("(") and not sign else only
        return f"{sign}{bare}"
    return f"{sign}{' * '.join(kept)}"
