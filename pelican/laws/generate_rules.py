"""Writes the text of `pelican.known.rules`: range and congruence rules as code.

Ranges are computed at every node, so their rules are not interpreted: they are written
once as functions, into a file that is kept with the code. The records stay the source;
a test writes the text again and compares.
"""

from __future__ import annotations

from pelican.laws.term import literal, metavariables, substitute
from pelican.lemmas import CONGRUENCE_RULES, RANGE_RULES
from pelican.lemmas.congruences import SCALE_CLASS, SUM_CLASS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from pelican.laws.lemma import CongruenceRule, Fact, RangeRule
    from pelican.laws.term import Term

HEADER: Final = '''"""Ends and classes of operations, by rule. Generated; do not edit.

`pelican.laws.generate_rules` writes this file from `pelican.lemmas.ranges` and
`pelican.lemmas.congruences`: run `make update-golden`. A literal that may be None is an
end that is not known. Each end is the tightest that the rules give, None where none
applies; each class is a modulus and a residue, None where a fact fails.
"""

from __future__ import annotations

from math import gcd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pelican.expr.node import Expr
'''

_UNKNOWN: Final = frozenset({"hi_x", "hi_y", "lo_x", "lo_y", "r", "trips"})
"""Literals of range rules that may be None."""


def rules_text() -> str:
    """Return the Python text of all rules.

    >>> print(rules_text().splitlines()[0])
    \"\"\"Ends and classes of operations, by rule. Generated; do not edit.
    """
    functions = [_end(name, rules) for name, rules in _groups(RANGE_RULES).items()]
    functions += [_weighted_ends(), _weighted_residue()]
    functions += [_class(rule) for rule in CONGRUENCE_RULES]
    return "\n\n".join([HEADER, *functions])


def _groups(rules: Iterable[RangeRule]) -> dict[str, list[RangeRule]]:
    """Return the rules that bound one end of one subject, by the function's name."""
    groups: dict[tuple[str, bool], list[RangeRule]] = {}
    for rule in rules:
        groups.setdefault((str(rule.subject), rule.lower), []).append(rule)
    return {_common(group): group for group in groups.values()}


def _common(rules: Sequence[RangeRule]) -> str:
    """Return what the names of some rules begin with, as a Python name."""
    words = [rule.name.split("-") for rule in rules]
    if len({part[-1] for part in words}) > 1:
        words = [part[:-1] for part in words]
    return min(("_".join(part) for part in words), key=len)


def _name(rule: str) -> str:
    return rule.replace("-", "_")


def _end(name: str, rules: Sequence[RangeRule]) -> str:
    """Return the function of the rules that bound one end."""
    names = _literals(t for rule in rules for t in _decided(rule))
    tighter = "max" if rules[0].lower else "min"
    lines = []
    known: bool | None = None  # that an end is found; None before the first rule
    for rule in rules:
        asked = [f"{n} is not None" for n in _literals(_decided(rule)) if n in _UNKNOWN]
        asked += [_fact(fact) for fact in rule.given if _is_decided(fact)]
        end = _python(rule.bound)
        if known is None and asked:
            lines.append("found: int | None = None")
        elif known is not None:
            best = f"{tighter}(found, {end})"
            end = best if known else f"{end} if found is None else {best}"
        known = bool(known) or not asked
        body = f"found = {end}"
        lines.append(f"# {rule.name}")
        lines += [f"if {' and '.join(asked)}:", f"    {body}"] if asked else [body]
    lines.append("return found")
    arguments = ", ".join(
        f"{n}: int | None" if n in _UNKNOWN else f"{n}: int" for n in names
    )
    return _function(name, arguments, "int | None", str(rules[0].subject), lines)


def _weighted_ends() -> str:
    """Return the function of both ends of a sum of scaled parts, in one loop.

    It is what the rules of scales and sums give, one after the other.
    """
    bound = {rule.name: rule.bound for rule in RANGE_RULES}
    lines = ["low: int | None = offset", "high: int | None = offset"]
    lines += ["for x, c in terms:", "    span = x.range"]
    lines += ["    lo_x, hi_x = span.lo, span.hi"]
    for head, sign in (("if c >= 0:", ""), ("else:", "negative-")):
        lines.append(f"    {head}")
        for end, name in (("lo", "lower"), ("hi", "upper")):
            term = bound[f"{sign}scale-{name}"]
            (needed,) = [n for n in _literals([term]) if n in _UNKNOWN]
            found = f"None if {needed} is None else {_python(term)}"
            lines.append(f"        # {sign}scale-{name}")
            lines.append(f"        {end}_y = {found}")
    for end, name in (("lo", "lower"), ("hi", "upper")):
        total = "low" if end == "lo" else "high"
        names = {f"{end}_x": literal(total), f"{end}_y": literal(f"{end}_y")}
        term = substitute(bound[f"sum-{name}"], names)
        known = f"{total} is None or {end}_y is None"
        lines.append(f"    # sum-{name}")
        lines.append(f"    {total} = None if {known} else {_python(term)}")
    lines.append("return low, high")
    body = "\n".join(f"    {line}" for line in lines)
    head = "def weighted_ends(\n    terms: Iterable[tuple[Expr, int]], offset: int\n"
    head += ") -> tuple[int | None, int | None]:\n"
    text = '"""Bound the sum of ``c * x`` over some terms, and an offset."""'
    return f"{head}    {text}\n{body}\n"


def _weighted_residue() -> str:
    """Return the function of the class of a sum of scaled parts, in one loop.

    It is what the rules of scales and sums give, one after the other: a class of one
    modulus is also one of each divisor of it.
    """
    scaled, added = SCALE_CLASS.residue, SUM_CLASS.residue
    one = substitute(added, {"r_x": literal("residue"), "r_y": literal("r_y")})
    lines = [
        "modulus, residue = 0, offset",
        "for x, c in terms:",
        "    known = x.stride",
        "    r, s = known.residue, known.modulus",
        "    # scale-class",
        f"    r_y = {_python(scaled)}",
        "    # weaker-class, sum-class",
        "    modulus = gcd(modulus, c * s)",
        f"    residue = {_python(one)}",
        "return modulus, residue",
    ]
    body = "\n".join(f"    {line}" for line in lines)
    head = "def weighted_residue(\n    terms: Iterable[tuple[Expr, int]], offset: int\n"
    head += ") -> tuple[int, int]:\n"
    text = '"""Classify the sum of ``c * x`` over some terms, and an offset."""'
    return f"{head}    {text}\n{body}\n"


def _class(rule: CongruenceRule) -> str:
    """Return the function of a congruence rule."""
    terms = [rule.modulus, rule.residue]
    terms += [side for fact in rule.given for side in (fact.left, fact.right)]
    arguments = ", ".join(f"{name}: int" for name in _literals(terms))
    lines = [f"return {_python(rule.modulus)}, {_python(rule.residue)}"]
    if rule.given:
        facts = " and ".join(_fact(fact) for fact in rule.given)
        lines = [f"if {facts}:", f"    {lines[0]}", "return None"]
    subject = str(rule.subject)
    returned = "tuple[int, int] | None"
    return _function(_name(rule.name), arguments, returned, subject, lines)


def _function(
    name: str, arguments: str, returned: str, subject: str, lines: Iterable[str]
) -> str:
    text = f'"""{"Bound" if returned == "int | None" else "Classify"} ``{subject}``."""'
    body = "\n".join(f"    {line}" for line in (text, *lines))
    return f"def {name}({arguments}) -> {returned}:\n{body}\n"


def _decided(rule: RangeRule) -> Iterator[Term]:
    """Yield the terms that are computed: the bound, and the facts about literals."""
    yield rule.bound
    for fact in rule.given:
        if _is_decided(fact):
            yield from (fact.left, fact.right)


def _is_decided(fact: Fact) -> bool:
    """Tell whether a fact is about literals; the others say what the ends mean."""
    return all(t.op == "literal" for t in metavariables((fact.left, fact.right)))


def _literals(terms: Iterable[Term]) -> list[str]:
    return [t.args[0] for t in metavariables(terms)]


def _fact(fact: Fact) -> str:
    if fact.relation == "divides":
        return f"{_python(fact.right % fact.left)} == 0"
    left, right = _python(fact.left), _python(fact.right)
    if fact.left.op == "int":  # a number stands on the right
        return f"{right} {_TURNED[fact.relation]} {left}"
    return f"{left} {fact.relation} {right}"


_TURNED: Final = {"<": ">", "<=": ">=", "==": "=="}


def _python(term: Term, *, inside: bool = False) -> str:
    """Return Python code of a term; in brackets where it stands inside another."""
    if term.op in {"int", "literal"}:
        return str(term.args[0])
    left, right = (_python(part, inside=True) for part in term.args)
    text = f"{left} {term.op} {right}"
    return f"({text})" if inside else text
