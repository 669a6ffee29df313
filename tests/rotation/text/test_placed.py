"""Text of placed programs: one form of each record, and the mistakes in them."""

import pytest

from pelican.errors import LocatedError, Source
from rotation.placed.layout import layout_of
from rotation.running.dump import read_placed
from rotation.text.placed import print_layout
from tests.rotation.programs import SPLIT

KERNEL = """kernel k on planning {
  dram x [4, 64] fp32 input
  dram y [4, 64] fp32 output
  for i in [0, 4) step 1 {
    sb t [1, 64] fp32
    ld: dma.load t <- x[i:+1, 0:+64]
    st: dma.store y[i:+1, 0:+64] <- t
  }
}
"""
PLACES = (
    "place x = dram byte 0 place y = dram byte 4096 "
    "place t[k mod 2] = sb part 0 byte 0 step 256 "
)
ORDER = "order dma: 0 2 1 4 3 6 5 7 "
EDGES = (
    "edge 1 -> 0 flow edge 3 -> 2 flow edge 5 -> 4 flow edge 7 -> 6 flow "
    "edge 4 -> 1 anti distance 2 edge 6 -> 3 anti "
)
GOOD = PLACES + ORDER + EDGES


def placed(block: str, name: str = "k"):
    """Return what the placed block of the kernel says; it is on line 10."""
    return read_placed(Source("k.placed", f"{KERNEL}placed {name} {{ {block} }}\n"))


def on_split(block: str):
    """Return what the placed block says of the kernel on two servers of dma."""
    text = KERNEL.replace("planning", "split-dma")
    return read_placed(Source("k.placed", f"{text}placed k {{ {block} }}\n"))


def mistake(block: str, name: str = "k") -> LocatedError:
    """Return the first mistake of a placed block."""
    with pytest.raises(LocatedError) as caught:
        placed(block, name).hazards()
    return caught.value


def test_a_program_that_is_right_has_no_hazard():
    """All three checkers agree."""
    found = placed(GOOD)

    assert found.hazards() == ()
    assert found.placement.slot.tolist()[2:] == [0, 1, 0, 1]
    assert found.schedule.order.tolist() == [0, 2, 1, 4, 3, 6, 5, 7]


def test_an_instance_may_be_placed_alone():
    """Each instance gets a place and a slot."""
    alone = " ".join(
        f"place t@({i}) = sb byte {256 * (i % 2)} slot {i % 2}" for i in range(4)
    )
    found = placed(f"{alone} {ORDER}{EDGES}" + PLACES.partition("place t")[0])

    assert found.placement.slot.tolist() == placed(GOOD).placement.slot.tolist()
    assert found.hazards() == ()


@pytest.mark.parametrize(
    ("found", "instead", "check"),
    [
        ("step 256", "step 128", "overlap"),
        ("k mod 2", "k mod 1", "race"),
        ("edge 4 -> 1 anti distance 2", "", "race"),
        ("edge 3 -> 2 flow", "", "race"),
        ("byte 4096", "byte 512", "overlap"),
        ("byte 0 step", "byte 180000 step", "capacity"),
    ],
)
def test_a_fault_that_is_written_is_found(found: str, instead: str, check: str):
    """A changed line is caught by the check that is meant for it."""
    assert found in GOOD
    hazards = placed(GOOD.replace(found, instead)).hazards()

    assert check in {hazard.check for hazard in hazards}


@pytest.mark.parametrize(
    ("found", "instead", "message", "hint"),
    [
        ("place t[", "place tt[", "no buffer tt", "mean t?"),
        ("= sb part", "= psum part", "t lives in sb, not psum", "one place"),
        ("byte 0 step", "bank 0 step", "sb has no banks", "write byte N"),
        ("dram byte 0", "dram part 32 byte 0", "x is at partition 32", "`part` out"),
        ("dram byte 0", "dram slot 0 byte 0", "unexpected 'slot'", "t = dram byte 0"),
        ("step 256", "", "a ring of slots has a step", "step 8192"),
        ("[k mod 2]", "", "a ring of slots has a step", "step 8192"),
        ("step 256", "step 256 slot 1", "a slot belongs to one", "leave the `slot`"),
        ("place y", "place x", "x is placed twice", "one place"),
        ("dma: 0 2", "dma: 0 0 2", "instruction 0 is in the order twice", "once"),
        ("dma: 0 2", "dma: 0", "instruction 2 of dma is in no order", "order dma: 2"),
        ("dma: 0 2", "dma: 0 2 9", "there is no instruction 9", "once"),
        ("order dma", "order pe", "instruction 0 is of dma, not pe", "own engine"),
        ("order dma", "order dmx", "no engine dmx", "mean dma?"),
        ("edge 1 -> 0", "edge 1 -> 1", "1 -> 1 waits for itself", "two"),
        ("edge 1 -> 0", "edge 9 -> 0", "there is no instruction 9", "0 to 7"),
        ("edge 3 -> 2", "edge 1 -> 0", "edge 1 -> 0 is given twice", "keep one"),
        ("distance 2", "distance 1", "has the distance 2, not 1", "distance 2"),
        ("edge 1 -> 0", "edge 0 -> 1", "instruction 0 waits for 1", "change the order"),
        (ORDER, "", "k is placed and has no order", "order dma:"),
        (
            "place t[k mod 2] = sb part 0 byte 0 step 256 ",
            "",
            "t, at i = 0 has no",
            "t =",
        ),
    ],
)
def test_a_line_that_makes_no_sense_is_told(
    found: str, instead: str, message: str, hint: str
):
    """The message, where it stands, and what to do."""
    assert found in GOOD
    error = mistake(GOOD.replace(found, instead, 1))

    assert message in error.message
    assert hint in (error.hint or "")
    assert error.line in {5, 10, None}


def test_a_tensor_without_a_place_is_shown_one_of_its_space():
    """Dram has no partitions; partition 0 was always read, and still is."""
    error = mistake(GOOD.replace("place x = dram byte 0", ""))

    assert error.message == "x has no place"
    assert error.hint == "add one, as in: place x = dram byte 0"
    assert placed(GOOD.replace("dram byte", "dram part 0 byte")).hazards() == ()


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ("place t@(4) = sb byte 0", "t has no instance at [4]"),
        ("place t@(0, 0) = sb byte 0", "an instance of t is named by 1 loops, not 2"),
        ("place t@(-1) = sb byte 0", "t has no instance at [-1]"),
        ("place t@(0) = sb byte 0 place t = sb byte 0", "t is placed twice"),
    ],
)
def test_an_instance_must_be_there(places: str, message: str):
    """Values that the loops do not have are refused."""
    assert mistake(places).message == message


def test_a_block_needs_its_kernel():
    """The nearest name is suggested; one kernel is placed once."""
    assert mistake(GOOD, "kk").hint == "did you mean k?"
    assert mistake(f"{GOOD} }} placed k {{").message == "k is placed twice"


def test_a_wait_in_a_circle_is_told_at_its_edge():
    """Edges alone may wait for one another, too."""
    error = mistake(GOOD + "edge 1 -> 4 anti")

    assert "waits for" in error.message
    assert error.span.text.startswith("edge ")


def test_every_mistake_is_told_at_once():
    """One run reports them all."""
    error = mistake("place u = sb byte 0 order dma: 99 edge 0 -> 0 flow")

    assert len(error.errors) == 3


@pytest.mark.parametrize(
    ("block", "hint"),
    [
        ("plaice t = sb byte 0", "write place t[k mod 3] ="),
        ("place t = sb", "write place t[k mod 3] ="),
        ("place t = sb byte i", "write place t[k mod 3] ="),
        ("place t[j] = sb byte 0", "write place t[k mod 3] ="),
        ("order dma 0 1", "write order dma: 0 1 4 2"),
        ("order dma: 0, 1", "write order dma: 0 1 4 2"),
        ("edge 1 0 flow", "write edge 12 -> 7 anti"),
        ("edge 1 -> 0 war", "write edge 12 -> 7 anti"),
    ],
)
def test_a_line_of_another_form_shows_the_form(block: str, hint: str):
    """What is written instead depends on the kind of line."""
    error = mistake(block)

    assert "unexpected" in error.message
    assert hint in (error.hint or "")


def test_each_server_of_dma_has_an_order():
    """Loads and stores are told apart by the machine of the kernel."""
    orders = "order dma_load: 0 2 4 6 order DMA_STORE: 1 3 5 7 "
    found = on_split(GOOD.replace(ORDER, orders))

    assert found.hazards() == ()
    assert "order dma_store: 1 3 5 7" in print_layout(
        layout_of(found.program, found.placement, found.schedule), SPLIT
    )


@pytest.mark.parametrize(
    ("order", "message", "hint"),
    [
        (ORDER, "instruction 0 is of dma_load, not dma", "its own engine"),
        ("order dma_stor: 1 ", "no engine dma_stor", "mean dma_store?"),
        ("order qqqqqqqq: 1 ", "no engine qqqqqqqq", "pe, dma_load, dma_store, vec"),
        ("", "k is placed and has no order", "order dma_load:"),
    ],
)
def test_an_order_of_no_server_is_told(order: str, message: str, hint: str):
    """The names are those of the machine."""
    with pytest.raises(LocatedError) as caught:
        on_split(GOOD.replace(ORDER, order)).hazards()

    assert message in caught.value.message
    assert hint in caught.value.hint
