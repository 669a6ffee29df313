"""What is said of loops without trips."""

import pytest

from rotation.loop_form.notes import notes_of
from tests.rotation.programs import kernel


def notes(body: str) -> list[str]:
    """Return the notes of a kernel with two outputs, from the third line on."""
    text = f"""kernel k on planning {{
  dram y [128, 512] fp32 output  dram z [128, 512] fp32 output
  {body}
}}"""
    return [note.text for note in notes_of(kernel(text))]


TILE = "sb t [128, 512] fp32 a: vector.zero t <-"


def test_a_loop_with_trips_has_no_note():
    """All its operations are done."""
    assert notes(f"for i in [0, 1) {{ {TILE} b: dma.store y <- t }}") == []


def test_an_output_that_nothing_writes_is_named():
    """It stays as it came."""
    assert notes(f"for i in [4, 4) {{ {TILE} b: dma.store y <- t }}") == [
        "loop i (line 3) has no iterations: a, b do nothing, and y stays as it came"
    ]


def test_an_output_that_something_else_writes_is_not_named():
    """The other loop writes it."""
    body = f"{TILE} b: dma.store y <- t for i in [0, 0) {{ c: dma.store y <- t }}"

    assert notes(body) == ["loop i (line 3) has no iterations: c does nothing"]


def test_two_outputs_that_nothing_writes_are_named():
    """In the order of the text."""
    inner = f"{TILE} b: dma.store z <- t c: dma.store y <- t"

    assert notes(f"for i in [0, 0) {{ {inner} }}") == [
        "loop i (line 3) has no iterations: a, b, c do nothing, and z, y stay as they "
        "came"
    ]


def test_the_outermost_loop_without_trips_has_the_note():
    """The inner one would not run either."""
    body = f"for i in [0, 0) {{ for j in [0, 0) {{ {TILE} }} }}"

    assert notes(body) == ["loop i (line 3) has no iterations: a does nothing"]


def test_a_loop_inside_one_with_trips_has_a_note():
    """The outer one runs for nothing."""
    body = f"for i in [0, 2) {{ for j in [0, 0) {{ {TILE} }} }}"

    assert notes(body) == ["loop j (line 3) has no iterations: a does nothing"]


def test_many_operations_are_counted():
    """Four are named."""
    inner = " ".join(f"m{k}: vector.zero t <-" for k in range(5))

    assert notes(f"for i in [0, 0) {{ {TILE} {inner} }}") == [
        "loop i (line 3) has no iterations: a, m0, m1, m2 and 2 more do nothing"
    ]


def test_an_empty_loop_without_trips_has_no_note():
    """Nothing is left out."""
    assert notes("for i in [0, 0) { }") == []


def test_a_note_has_the_place_of_the_loop():
    """File, line and column."""
    (note,) = notes_of(
        kernel(f"kernel k on planning {{ for i in [0, 0) {{ {TILE} }} }}")
    )

    assert note.where == "<text>:1:24"


UNSEEN = """kernel k on planning {
  dram x [128, 512] fp32 input
  dram z [128, 512] fp32
  sb t [128, 512] fp32
  ld: dma.load t <- x
  BODY
}"""


@pytest.mark.parametrize("body", ["", "st: dma.store z <- t"])
def test_a_kernel_without_an_output_has_a_note(body: str):
    """What it writes to a buffer of its own is not seen, in dram either."""
    (note,) = notes_of(kernel(UNSEEN.replace("BODY", body)))

    assert note.text == "k has no output: nothing of it can be seen from outside"
    assert note.where is not None
    assert note.where.endswith(":1:1")


@pytest.mark.parametrize(
    "body",
    [
        "dram y [128, 512] fp32 output st: dma.store y <- t",
        "st: cc.remote_copy z <- t",
    ],
)
def test_a_kernel_that_reaches_the_outside_has_no_note(body: str):
    """By an output, or by a transfer to another core."""
    assert notes_of(kernel(UNSEEN.replace("BODY", body))) == ()


def test_a_kernel_without_operations_has_no_note():
    """It says itself that it does nothing."""
    assert notes_of(kernel("kernel k on planning { }")) == ()
