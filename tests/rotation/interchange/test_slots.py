import pytest

from rotation.errors import InterchangeError
from rotation.interchange.json_form import convert
from tests.rotation.interchange.json_kernels import buffer, loop, operation, small


def selecting(slot: object, before: object = "i=0", **changes: object):
    """Return a document that fills an instance before a loop and reads others in it."""
    new = {"buf": "t", "full": True}
    body = [
        operation("fill", new | {"slot": before}, "z"),
        loop(operation("next", new, new | {"slot": slot}), **changes),
    ]
    zeros = buffer(name="z", scope="top", rotate=False)
    return small(buffers=[buffer(space="dram"), zeros], body=body)


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        ("i", "t"),
        ("i=i", "t"),
        ("i-1", "t@(i - 1)"),
        (" i = 3 ", "t@(3)"),
        ("i=2*i-1", "t@(2*i - 1)"),
    ],
)
def test_a_slot_selects_an_instance(slot: str, text: str):
    """The loop that is named is the scope loop; the current instance has no `@`."""
    assert f"next: dma.copy t <- {text}\n" in convert(selecting(slot), "small")


def test_a_buffer_that_is_used_before_its_loop_is_declared_above_it():
    """Its declaration names the loop; one that is fixed keeps its single slot."""
    document = selecting("i", carried=["t"])
    document["kernels"][0]["buffers"][0]["rotate"] = False

    assert convert(document, "small") == (
        "kernel small on planning {\n"
        "  dram x [8, 4] fp32 input\n"
        "  dram y [8, 4] fp32\n"
        "  sb z [2, 4] fp32\n"
        "  dram t [2, 4] fp32 at i ring 1\n"
        "  fill: dma.copy t@(0) <- z\n"
        "  for i in [0, 4) step 1 {\n"
        "    next: dma.copy t <- t\n"
        "  }\n"
        "}\n"
    )


@pytest.mark.parametrize("slot", [None, 3, "", "i=", "j=0", "i==0", "i/2", "i)", "i\n"])
def test_a_wrong_slot_is_named(slot: object):
    """Only an index expression of the scope loop selects an instance."""
    with pytest.raises(InterchangeError) as caught:
        convert(selecting(slot), "small")

    assert caught.value.pointer == "/kernels/0/body/1/body/0/reads/0/slot"


def test_a_buffer_with_one_instance_has_no_slots():
    """Neither has a tensor, nor a buffer outside all loops."""
    document = selecting("i")
    document["kernels"][0]["body"][0]["reads"][0]["slot"] = "i"
    with pytest.raises(InterchangeError) as caught:
        convert(document, "small")

    assert caught.value.pointer == "/kernels/0/body/0/reads/0/slot"
    assert "z has one instance" in caught.value.message


def test_a_buffer_is_carried_by_its_own_loop_only_if_it_reaches_others():
    """Without a slot, no value of it crosses an iteration."""
    document = small(body=[loop(operation("st", "t", "t"), carried=["t"])])
    with pytest.raises(InterchangeError, match="t is carried by a loop"):
        convert(document, "small")
