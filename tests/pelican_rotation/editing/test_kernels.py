"""Files of kernels in an editor."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican.errors import Source
from pelican_rotation.editing.kernels import definition, hover, mistakes
from pelican_rotation.editing.plans import planned
from rotation import load

ROOT = Path(__file__).parents[3]
TEXT = """kernel inner on planning {
  dram a [128, 64] fp32 input
  sb one [128, 64] fp32
  dma.load one <- a
}
kernel outer on planning {
  dram x [512, 64] fp32 input
  dram y [512, 64] fp32 output
  for i in [0, 4) step 1 {  # rows
    sb t [128, 64] fp32 ring 2
    ld: dma.load t <- x[128*(4*i + i) mod 512:+128, 0:+64]
    st: dma.store y[128*i:+128, 0:+64] <- t
  }
}
"""
SOURCE = Source("two.kernel", TEXT)
OUTER = TEXT.index("kernel outer")


def at(text: str) -> int:
    """Return where a text begins in the outer kernel."""
    return TEXT.index(text, OUTER)


def test_a_buffer_has_its_ring():
    """Its declaration, its instances, and the slots of the plan."""
    found = hover(SOURCE, at("t <- x"))

    assert found is not None
    assert found.lines == (
        "```kernel\nsb t [128, 64] fp32 ring 2\n```",
        "One instance for each `i`.",
        "Ring plan: 2 slots of 256 bytes in each partition, limited by user; "
        "the current one is `i mod 2`.",
    )


def test_a_loop_has_its_values():
    """And the expression that it stands in its simplest form."""
    head, inside = hover(SOURCE, at("i in")), hover(SOURCE, at("i) mod"))

    assert head is not None
    assert head.lines == ("`i in [0, 4)`: 4 trips",)
    assert inside is not None
    assert inside.lines[1] == ("`128*i`: range [0, 384], always 0 modulo 128")


def test_a_loop_without_trips_takes_no_value():
    """It is read, and does nothing."""
    found = hover(Source("none.kernel", TEXT.replace("[0, 4)", "[4, 4)")), at("i in"))

    assert found is not None
    assert found.lines == ("`i` takes no value: no trips",)


@pytest.mark.parametrize(
    ("use", "place"), [("t\n  }", (10, 8)), ("i:+128", (9, 7)), ("x[", (7, 8))]
)
def test_a_name_leads_to_its_declaration(use: str, place: tuple[int, int]):
    """Buffers and loops, of the kernel that the place is in."""
    found = definition(SOURCE, at(use))

    assert found is not None
    assert (found.line, found.column) == place


@pytest.mark.parametrize("text", ["rows", "ld", "planning"])
def test_other_words_have_no_definition(text: str):
    """Comments, names of operations, machines."""
    assert definition(SOURCE, at(text)) is None


def test_a_call_leads_to_its_kernel():
    """Which stands above it."""
    text = TEXT.replace("    ld:", "    call inner(x) scope none\n    ld:")
    found = definition(Source("k", text), text.index("inner(x)"))

    assert found is not None
    assert (found.text, found.line, found.column) == ("inner", 1, 8)


def test_a_text_without_mistakes_has_none():
    """Every example, placed programs too."""
    for file in (*ROOT.glob("examples/*.kernel"), *ROOT.glob("examples/*.placed")):
        assert mistakes(Source(file.name, file.read_text("utf-8"))) == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("step 1", "step", "unexpected '{', expected a number"),
        ("<- t", "<- tt", "no buffer tt"),
        ("dram y", "dram z", "no buffer y"),
        ("y[128*i", "y[512*i", "dimension 0 of y has 512 elements, and 512 to 639"),
    ],
)
def test_each_kind_of_mistake_is_told(old: str, new: str, message: str):
    """Words, names, and what makes no sense."""
    error, *_ = mistakes(Source("k.kernel", TEXT.replace(old, new)))

    assert error.message.startswith(message)


def test_a_placed_program_is_held_against_its_kernel():
    """Its lines are checked as soon as the kernel is right."""
    text = (ROOT / "examples/two_slots.placed").read_text("utf-8")
    (error,) = mistakes(Source("p", text.replace("distance 2", "distance 1", 1)))

    assert error.message == "edge 6 -> 2 has the distance 2, not 1"


def test_a_run_time_loop_is_read_for_one_trip():
    """Its number of trips is not known while somebody types."""
    function = load(ROOT / "examples/ragged_matmul.kernel")
    plan = planned(function)

    assert plan == "Its loops run to a register: `rotation run` plans their rings."


def test_a_kernel_that_does_not_fit_has_no_plan():
    """The reason is what the run would say."""
    text = TEXT.replace("t [128, 64] fp32 ring 2", "t [128, 640000] fp32")
    found = hover(Source("k", text), text.index("t [128, 640000]"))

    assert found is not None
    assert found.lines[2].startswith("No ring plan: ")


@settings(max_examples=25)
@given(st.data())
def test_a_half_written_text_is_answered(data: st.DataObject):
    """With a part of it gone, at every place there is an answer or none."""
    first, last, offset = sorted(data.draw(st.integers(0, len(TEXT))) for _ in range(3))
    source = Source("half", TEXT[:first] + TEXT[last:])
    place = min(offset, len(source.text))

    hover(source, place)
    definition(source, place)
    assert all(error.message for error in mistakes(source))
