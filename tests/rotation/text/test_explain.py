import re

import pytest

from pelican.errors import ParseError
from rotation.errors import KernelError
from rotation.text.parse import parse

DRAM = "dram NAME [4096, 4096] bf16 input"
KERNEL = """kernel k on planning {
  dram x [64, 8] bf16 input
  for i in [0, 8) step 1 {
    sb t [8, 8] bf16
    ld: dma.load t <- x[8*i:+8, 0:+8]
    f: vector.f t <- t inplace fn "f"
    s: vector.g t <- t over(i)
  }
}
"""


def mistake(old: str, new: str) -> ParseError:
    """Return the error of the kernel with one text replaced."""
    assert old in KERNEL
    with pytest.raises(ParseError) as caught:
        parse(KERNEL.replace(old, new, 1), "k.kernel")
    return caught.value


def test_the_kernel_of_these_tests_is_right():
    """Every error below comes from its edit."""
    assert len(parse(KERNEL)) == 1


@pytest.mark.parametrize(
    ("old", "new", "place", "hint"),
    [
        # A bracket that is not closed is noticed later; the remedy names its place.
        ("0:+8]", "0:+8", (6, 5), "close the '[' that was opened at k.kernel:5:24"),
        (
            "[64, 8]",
            "[64, 8",
            (2, 17),
            "close the '[' that was opened at k.kernel:2:10",
        ),
        (
            "dma.load t",
            "dma.load t@i",
            (5, 20),
            "an instance stands in brackets: write NAME@(i + 1)[0:+128, 0:+512]",
        ),
        (
            "dma.load t",
            "dma.load t@()",
            (5, 21),
            "say which instance: write NAME@(i + 1)[0:+128, 0:+512]",
        ),
        (
            "0:+8]\n",
            "0:+8]@(i)\n",
            (5, 38),
            "write NAME@(i + 1)[0:+128, 0:+512]",
        ),
        ("8*i", "(8*i", (5, 29), "close the '(' that was opened at k.kernel:5:25"),
        ("over(i)", "over(i", (8, 3), "close the '(' that was opened at k.kernel:7:28"),
        ("  }\n}", "  }\n", (8, 4), "close the '{' that was opened at k.kernel:1:22"),
        (
            "[0, 8)",
            "[0, 8]",
            (3, 17),
            "a loop runs over a half-open range: write for i in [0, 32) step 1 { ... }",
        ),
        (
            "  }\n}",
            "  }\n} }",
            (9, 3),
            "this bracket closes nothing",
        ),
        (
            "kernel k",
            "k",
            (1, 1),
            "a text holds kernels: write kernel NAME on planning { ... }",
        ),
        (
            "kernel k",
            "index k",
            (1, 1),
            "a text holds kernels: write kernel NAME on planning { ... }",
        ),
        (
            "kernel k",
            "kernel my-k",
            (1, 10),
            "a name is letters, digits and _, no digit first",
        ),
        (
            "kernel k",
            "kernel 3k",
            (1, 8),
            "a name is letters, digits and _, no digit first",
        ),
        (
            "[0, 8)",
            "[0..8)",
            (3, 14),
            "a range has a comma: write for i in [0, 32) step 1 { ... }",
        ),
        (
            "ld: dma",
            "ld dma",
            (5, 5),
            "a colon stands behind an ID: write ID: ENGINE.OPCODE DST <- SRC, SRC",
        ),
        ("dram x", "hbm x", (2, 3), f"memory off the chip is dram: write {DRAM}"),
        ("[64, 8]", "[-1, 8]", (2, 11), "an extent is 1 or more: write [128, 512]"),
        ("8)", "1e3)", (3, 17), "numbers are integers, written out: 1000 and not 1e3"),
        (
            "8*i",
            "8*f(i)",
            (5, 28),
            "there is no function f: an expression calls none; a product is f*(...)",
        ),
        ("bf16 input", "bf16 inptu", (2, 23), "did you mean input?"),
        ("inplace", "inplcae", (6, 24), "did you mean inplace?"),
        ("8) step 1", "8) setp 1", (3, 19), "did you mean step?"),
        ("i in", "i on", (3, 3), "write for i in [0, 32) step 1 { ... }"),
        ("t [8, 8]", "[8, 8]", (4, 5), "write sb NAME [128, 512] bf16 at LOOP ring 2"),
        ("over(i)", "over i", (7, 24), "write over(k)"),
        ('fn "f"', "fn f", (6, 32), 'write fn "text"'),
        ('fn "f"', 'fn "f', (6, 35), 'close the quote: write fn "text"'),
        (
            "8*i:+8",
            "8*i:1024",
            (5, 28),
            "a region is START:+EXTENT: write NAME[128*k:+128, 0:+512]",
        ),
        (
            "8*i:+8",
            "8*i:8*i+8",
            (5, 28),
            "a region is START:+EXTENT: write NAME[128*k:+128, 0:+512]",
        ),
        (
            "8*i:+8",
            "8*i",
            (5, 28),
            "a region is START:+EXTENT: write NAME[128*k:+128, 0:+512]",
        ),
        (
            "8*i:+8",
            "8*i:+i",
            (5, 30),
            "an extent is a number or a min(a, b): write NAME[128*k:+128, 0:+512]",
        ),
        ("i in [0, 8) step 1", "r in range(8)", (3, 12), "write for r in [0, 8)"),
        (
            "in [0, 8)",
            "in range(n)",
            (3, 12),
            "write for i in [0, 32) step 1 { ... }",
        ),
        ("in [0, 8)", "in 0..8", (3, 12), "write for i in [0, 8)"),
        ("<- t inplace", "<- t x inplace", (6, 24), "',' is missing before 'x'"),
        ("<- t inplace", "<- t in_place", (6, 24), "did you mean inplace?"),
        ("over(i)", "accumulate(i)", (7, 24), "write over(k)"),
        ("    sb", "    // tile\n    sb", (4, 5), "# starts a comment"),
        ("<- t inplace", "<- t // inplace", (6, 24), "# starts a comment"),
        ("8*i", "i & 3", (5, 27), "there are no bit operators: x & 3 is x mod 4"),
        ("8*i", "i MOD 4", (5, 27), "write mod in small letters, as in x mod 4"),
        (
            "<- t inplace",
            "= t inplace",
            (6, 19),
            "write ID: ENGINE.OPCODE DST <- SRC, SRC",
        ),
        ("vector.f t", "vector.", (6, 16), "write ID: ENGINE.OPCODE DST <- SRC, SRC"),
        (
            "s: vector",
            "if t { } s: vector",
            (7, 10),
            "an if compares: write if i + 1 < 8 and j == 0 { ... } else { ... }",
        ),
        (
            "s: vector",
            "if i < 3 { } else if i < 4 { } s: vector",
            (7, 23),
            "write else { if ... { ... } }",
        ),
        (
            "s: vector",
            "if loaded(t { } s: vector",
            (7, 17),
            "close the '(' that was opened at k.kernel:7:14",
        ),
        ("8*i", "8*i/2", (5, 28), "division rounds down and is written // or floordiv"),
        (
            "8*i",
            "8 i",
            (5, 27),
            "an operator is missing before 'i': write 5*i, not 5i or 5 i",
        ),
    ],
)
def test_a_mistake_has_its_place_and_a_remedy(
    old: str, new: str, place: tuple[int, int], hint: str
):
    """The remedy is for the mistake that was made."""
    error = mistake(old, new)

    assert ((error.line, error.column), error.hint) == (place, hint)


def test_the_message_leads_with_what_was_found():
    """What was found comes first, then the little that may stand there."""
    assert (
        mistake("[64, 8]", "[64, 8").message == "unexpected 'bf16', expected ',' or ']'"
    )


def test_brackets_in_comments_and_texts_are_not_open():
    """Only the brackets of the language count."""
    error = mistake('fn "f"', 'fn "}])}" # }]) "\n extra')

    assert error.hint == (
        "a block holds declarations, loops and operations: write "
        "ID: ENGINE.OPCODE DST <- SRC, SRC"
    )


def test_an_empty_text_asks_for_a_kernel():
    """There is nothing to point at but the start."""
    with pytest.raises(ParseError) as caught:
        parse("# nothing\n")

    assert caught.value.message == "unexpected end of the text, expected 'kernel'"


@pytest.mark.parametrize(
    ("old", "new", "place", "form"),
    [
        ("[8, 8] bf16", "[8, 8]", (4, 16), "sb NAME [128, 512] bf16 at LOOP ring 2"),
        (
            "[8, 8] bf16",
            "[8, 8] at i",
            (4, 16),
            "sb NAME [128, 512] bf16 at LOOP ring 2",
        ),
        ("[64, 8] bf16 input", "[64, 8]", (2, 17), "dram NAME [4096, 4096] bf16 input"),
        ("[64, 8] bf16", "[64, 8]", (2, 17), "dram NAME [4096, 4096] bf16 input"),
    ],
)
def test_a_missing_type_is_missed_after_the_shape(
    old: str, new: str, place: tuple[int, int], form: str
):
    """Whatever word follows: the place is the end of the shape."""
    error = mistake(old, new)

    assert error.message == "an element type is missing, such as fp32"
    assert ((error.line, error.column), error.hint) == (place, f"write {form}")


def test_a_wrong_type_is_not_a_missing_one():
    """A word that is no type is named, on the line of its shape."""
    assert mistake("bf16 input", "bf61 inptu").message != (
        "an element type is missing, such as fp32"
    )


def test_sync_is_never_suggested():
    """It runs no operations."""
    for engine in ("sinc", "engine"):
        with pytest.raises(KernelError) as caught:
            parse(KERNEL.replace("vector.f", f"{engine}.f"))

        assert caught.value.hint is not None
        assert "sync" not in re.findall(r"\w+", caught.value.hint)


def test_an_arrow_that_is_missing_is_asked_for():
    """Not a comma, though that could stand there too."""
    text = """kernel k on planning {
      dram x [128, 64] fp32 input
      sb t [128, 64] fp32
      dma.load t x
    }"""
    with pytest.raises(ParseError) as caught:
        parse(text)

    assert caught.value.hint.startswith("'<-' is missing before 'x'")


@pytest.mark.parametrize(
    ("old", "new", "place", "hint"),
    [
        (
            "<- t inplace",
            "-> t inplace",
            (6, 19),
            "the arrow points at the destination",
        ),
        ("kernel k on", "kernel on", (1, 11), "a kernel has a name"),
        ("[64, 8]", "[64.0, 8]", (2, 13), "numbers are integers"),
        ("step 1", "2", (3, 19), "a step is named"),
        ("step 1", "step", (3, 24), "give the step a number"),
        ("step 1", "step -1", (3, 24), "a step is 1 or more"),
        ("step 1 {", "step 1", (4, 5), "the body of a loop stands in braces"),
        ("step 1 {", ":", (3, 19), "the body of a loop stands in braces"),
        ("bf16\n    ld", "bf16 ring -1\n    ld", (4, 27), "a ring has 1 slot or more"),
        ("<- t inplace", "<- t;", (6, 23), "nothing ends a statement"),
        ("sb t", "SB t", (4, 5), "write sb in small letters"),
        ("<- t inplace", "<- t quickly", (6, 24), "operands are followed by over"),
        ("vector.f", "vector f", (6, 8), "an operation names its engine"),
        ("[8*i:+8, 0:+8]", "[]", (5, 25), "say which part"),
        ("t [8, 8]", "t []", (4, 11), "give each dimension its extent"),
        ("8*i", "i**2", (5, 27), "there are no powers"),
        ("i in [0, 8)", "i in range(2, 8)", (3, 12), "write for i in [2, 8)"),
        ("i in [0, 8)", "i = 0 to 8", (3, 3), "write for i in [0, 8)"),
    ],
)
def test_words_of_other_languages_are_known(
    old: str, new: str, place: tuple[int, int], hint: str
):
    """The remedy begins with what the language has instead."""
    error = mistake(old, new)

    assert (error.line, error.column) == place
    assert error.hint is not None
    assert error.hint.startswith(hint)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("[64, 8]", "[64, 8,]", (2, 16)),
        ("0:+8]", "0:+8,]", (5, 37)),
        ('<- t inplace fn "f"', "<- t, # and\n", (6, 23)),
        ("<- t over(i)", "<- t,", (7, 23)),
    ],
)
def test_a_comma_before_nothing_is_the_place(
    old: str, new: str, place: tuple[int, int]
):
    """Not the word behind it, which begins another statement."""
    error = mistake(old, new)

    assert error.message == "nothing follows this ','"
    assert (error.line, error.column) == place


def test_the_loop_of_another_line_is_no_remedy():
    """Only the line of the mistake is read for what was meant."""
    error = mistake("i in [0, 8) step 1 {", "i {\n for j in range(5) {")

    assert error.hint == "write for i in [0, 32) step 1 { ... }"


def test_a_long_gap_behind_a_comma_is_not_searched():
    """A text of any bytes gets its message at once."""
    with pytest.raises(ParseError) as caught:
        parse("kernel k on trn2 { sb t [1," + 50_000 * "\n" + "] bf16 }")

    assert caught.value.message.startswith("unexpected ']'")
