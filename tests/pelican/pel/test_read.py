"""Reading files of claims: names, values, and every mistake at its place."""

import pytest

from pelican import index, runtime, shard, symbol
from pelican.access.maps import RingMap
from pelican.access.patterns import AccessPattern
from pelican.errors import raise_all
from pelican.pel.document import Check, Document, Show
from pelican.pel.read import MAX_ERRORS, read_pel
from pelican.questions.claims import (
    Bijective,
    Disjoint,
    Distinct,
    Equal,
    InBounds,
    Injective,
    InRange,
)

HEAD = """
index i in [0, 64) step 1
index x
let e = 2048*i mod 8192
pattern p = acc partition [0, 64) at e free [1, 64], [64, 4]
map f (i) -> ((i + 1) mod 64) onto [0, 64)
"""


def read(text: str) -> Document:
    """Return a document without mistakes."""
    document = read_pel(text)
    raise_all(document.errors)
    return document


def claim(text: str):
    """Return a claim about the names of `HEAD`, and what they stand for."""
    document = read(f"{HEAD}{text}\n")
    (question,) = document.questions
    assert isinstance(question, Check)
    return question.claim, document.names


def test_indices_are_declared():
    """Each word declares its kind, with ends and step."""
    text = (
        "index i in [0, 64) step 4\nindex x\n"
        "index y in [..., 5)\nindex z in [-2, ...)\n"
        "symbol pel_n in [4, 4096) step 4\nshard s of 4\nruntime r in [0, 9)\n"
    )
    names = read(text).names
    said = {name: str(value.describe()) for name, value in names.items()}

    assert said == {
        "i": "i in [0, 64) step 4",
        "x": "x in [..., ...)",
        "y": "y in [..., 5)",
        "z": "z in [-2, ...)",
        "pel_n": "pel_n in [4, 4096) step 4",
        "s": "shard of 4",
        "r": "r in [0, 9)",
    }
    assert names["pel_n"] == symbol("pel_n", 4, 4096, 4)
    assert (names["s"], names["r"]) == (shard(4, "s"), runtime("r", 0, 9))


def test_an_end_may_be_a_name():
    """Names of constants stand wherever an integer may."""
    names = read("let n = 4\nindex i in [0, 2*n) step n\nlet a = 9*n mod 8").names

    assert (names["i"].hi, names["i"].step, names["a"]) == (8, 4, 4)


def test_a_let_gives_a_simplified_expression():
    """An expression is simplified as it is read."""
    assert str(read("index i in [0, 4)\nlet a = (i + 8) mod 8").names["a"]) == "i"


def test_a_let_may_keep_its_tree():
    """Without simplification the tree is that of the text."""
    document = read_pel("index i in [0, 4)\nlet a = (i + 8) mod 8", simplify=False)

    assert str(document.names["a"]) == "(i + 8) mod 8"


def test_a_pattern_has_all_its_parts():
    """Tensor, partitions, address and free dims."""
    i = index("i", 0, 64)
    names = read_pel(HEAD, indices={"i": i}).names

    assert names["p"] == AccessPattern(
        2048 * i % 8192, [(1, 64), (64, 4)], partitions=(0, 64), tensor="acc"
    )


def test_a_pattern_needs_its_address_only():
    """All partitions, one element, no tensor."""
    assert read("pattern p = at 4").names["p"] == AccessPattern(4)


def test_a_map_may_have_several_results():
    """One range for each."""
    i = index("i", 0, 64)
    text = (
        "index i in [0, 64)\nmap f (i) -> (i mod 4, i floordiv 4) onto [0, 4), [0, 16)"
    )
    names = read_pel(text, indices={"i": i}).names

    assert names["f"] == RingMap([i], [i % 4, i // 4], [(0, 4), (0, 16)])


def test_claims_are_records():
    """Each kind of claim, of the values that the names have."""
    made = {
        text: claim(f"check {text}")
        for text in (
            "e in [0, 8192)",
            "p in [0, 8192)",
            "e == 4*i",
            "distinct e for i, i + 2",
            "disjoint p, p",
            "disjoint p, p[i -> i - 1]",
            "injective p",
            "injective f",
            "bijective f",
        )
    }
    expected = [
        lambda n: InRange(n["e"], 0, 8192),
        lambda n: InBounds(n["p"], 0, 8192),
        lambda n: Equal(n["e"], 4 * n["i"]),
        lambda n: Distinct(n["e"], n["i"], 2),
        lambda n: Disjoint(n["p"], n["p"]),
        lambda n: Disjoint(n["p"], n["p"], {n["i"]: n["i"] - 1}),
        lambda n: Injective(n["p"]),
        lambda n: Injective(n["f"]),
        lambda n: Bijective(n["f"]),
    ]

    assert [found for found, _ in made.values()] == [
        make(names) for make, (_, names) in zip(expected, made.values(), strict=True)
    ]


def test_a_claim_has_its_text_and_place():
    """On one line, as it is written, without comments."""
    document = read("index i\n\ncheck (i +  # one\n  1)%4 in [0,4)\n")
    (question,) = document.questions

    assert (question.text, question.line) == ("(i + 1) mod 4 in [0, 4)", 3)


def test_facts_hold_for_the_claims_below_them():
    """A claim has the facts above it; they do not simplify it."""
    text = "index x\ncheck x in [0, 4)\nassume x >= 1\ncheck x + 0 in [0, 4)\n"
    document = read(text)
    first, second = document.questions

    assert [len(check.given) for check in (first, second)] == [0, 1]
    assert str(second.given[0]) == "x - 1 >= 0"


def test_a_fact_that_is_plain_is_dropped():
    """It holds anyway."""
    assert read("index i in [0, 4)\nassume i >= 0").assumed == ()


def test_a_claim_below_a_broken_fact_is_left_out():
    """It is not answered under fewer facts than it was written for."""
    document = read_pel("index i\ncheck i == i\nassume j >= 1\ncheck i == 4\n")

    assert [question.text for question in document.questions] == ["i == i"]
    assert len(document.errors) == 1


def test_values_are_shown():
    """An expression, a pattern, a map, an inverse and a composition."""
    text = f"{HEAD}show e\nshow p\nshow f\nshow inverse f\nshow f . f\n"
    document = read(text)
    values = [show.value for show in document.questions if isinstance(show, Show)]
    f = document.names["f"]

    assert values[:3] == [document.names[name] for name in ("e", "p", "f")]
    assert str(values[3]) == "(y) -> ((y + 63) mod 64) onto [0, 64)"
    assert values[4] == f.after(f)


def test_a_given_index_is_taken():
    """A declaration stands for the index of its name that the caller has."""
    i = index("i", 0, 64)

    assert read_pel("index i in [0, 64)", indices={"i": i}).names["i"] is i


def test_a_given_index_must_have_the_declared_values():
    """Else the file would speak of something else."""
    (error,) = read_pel("index i in [0, 8)", indices={"i": index("i", 0, 64)}).errors

    assert "i in [0, 8) is given as i in [0, 64)" in error.message


def test_a_name_of_a_broken_statement_is_no_mistake_of_its_users():
    """One mistake is one message, however often the name is used."""
    text = "let a = 4 +\nlet b = a\nlet c = b\ncheck c in [0, 4)\nshow a\n"

    assert [error.line for error in read_pel(text).errors] == [1]


def test_the_rest_of_a_hopeless_file_is_not_read():
    """After so many mistakes one more message says so."""
    errors = read_pel("let\n" * 10_000).errors

    assert len(errors) == MAX_ERRORS + 1
    assert "more than 50 mistakes" in errors[-1].message


ANY_FILES = [
    "",
    "#",
    "\x00",
    "\r",
    "let a = \ud800",
    "check é in [0, 4)",
    ")" * 1000,
    "[" * 1000,
    "let a = " + "(" * 5000,
    "let a = " + "9" * 5000,
    "index i in [0, 4) step",
    "map f (",
    "pattern p = acc at 0 free [1",
    "show . .",
    "check",
]


@pytest.mark.parametrize("text", ANY_FILES, ids=range(len(ANY_FILES)))
def test_no_text_ends_in_a_traceback(text: str):
    """Whatever it is, it is read or has mistakes with their places."""
    errors = read_pel(text).errors

    assert all(error.span is not None and str(error) for error in errors)


def test_brackets_may_be_deep():
    """Reading uses no recursion."""
    text = f"let a = {'(' * 3_000}1{')' * 3_000}"

    assert read(text).names["a"] == 1
