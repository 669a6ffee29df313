"""Laws read from text."""

from __future__ import annotations

import pytest

from pelican import ParseError
from pelican.laws.lemma import Fact, eq, le, lt
from pelican.laws.term import expr, literal
from pelican.lemmas import LEMMAS
from pelican.text.terms import read_fact

x, y = expr("x"), expr("y")
m, n, s = literal("m"), literal("n"), literal("s")


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("x mod n == x", eq(x % n, x)),
        ("x // (m*n) <= y", le(x // (m * n), y)),
        ("n < m", lt(n, m)),
        ("n == -s*m", eq(n, -1 * s * m)),
        ("-3 <= (x + y)", le(-3, x + y)),
    ],
)
def test_a_text_is_the_fact_that_it_writes(text: str, fact: Fact):
    """Names that are no expressions are literals."""
    assert read_fact(text, {"x", "y"}) == fact


@pytest.mark.parametrize("law", LEMMAS, ids=lambda law: law.name)
def test_every_law_is_read_as_it_is_printed(law):
    """The page of laws can be copied."""
    names = {v.args[0] for v in law.metavariables if v.op == "expr"}

    assert str(read_fact(f"{law.lhs} == {law.rhs}", names)) == str(law.claim)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x mod n", "a law compares two sides"),
        ("x >= n", "a law has no >="),
        ("rank(x, 1) == n", "a law has no call"),
        ("x == ", "unexpected end"),
    ],
)
def test_what_is_no_law_is_refused(text: str, message: str):
    """With what was found and what a law may hold."""
    with pytest.raises(ParseError, match=message):
        read_fact(text, {"x"})
