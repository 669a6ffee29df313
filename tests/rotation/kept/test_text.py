import pytest

from pelican.errors import ParseError
from rotation.errors import InterchangeError
from rotation.interchange.json_form import convert, read_kernel
from rotation.text.parse import parse
from rotation.text.print import print_function
from tests.rotation.kept.programs import NEST, ROWS
from tests.rotation.programs import kernel


@pytest.mark.parametrize("text", [ROWS, NEST])
def test_a_run_time_bound_prints_as_it_is_read(text: str):
    """Printing is the exact inverse of reading."""
    printed = print_function(kernel(text))

    assert "%n) step 1" in printed
    assert print_function(kernel(printed)) == printed


def test_a_register_has_a_name_space_of_its_own():
    """It may be called what a loop or a buffer is called."""
    function = kernel(ROWS.replace("%n", "%i"))

    assert function.registers == ("i",)


def test_registers_come_in_the_order_of_the_text():
    """Each once, however many loops run to it."""
    text = NEST.replace("for m in [0, 4)", "for m in [0, %rows)")
    twice = text.replace("for k in [0, %n)", "for k in [0, %rows)")

    assert kernel(text).registers == ("rows", "n")
    assert kernel(twice).registers == ("rows",)


@pytest.mark.parametrize(
    ("header", "hint"),
    [
        ("[%n, 4)", "a loop starts at a number: write for i in [0, %n) { ... }"),
        (
            "[0, n)",
            "a loop ends at a number or a register: write for i in [0, %n) { ... }",
        ),
    ],
)
def test_a_register_elsewhere_has_a_remedy(header: str, hint: str):
    """Only the upper bound may be one."""
    with pytest.raises(ParseError) as error:
        parse(ROWS.replace("[0, %n)", header))

    assert error.value.hint == hint


def document(hi: object) -> dict[str, object]:
    """Return a document of one kernel whose loop ends at `hi`."""
    whole = {"buf": "t", "full": True}
    rows = {"buf": "x", "idx": [{"i": 128}, {"_": 0}], "ext": [128, 8]}
    load = {
        "op": "ld",
        "kind": "load",
        "engine": "dma",
        "reads": [rows],
        "writes": [whole],
    }
    small = {
        "name": "small",
        "tensors": [
            {
                "name": "x",
                "space": "dram",
                "shape": [1024, 8],
                "dtype": "fp32",
                "role": "input",
            }
        ],
        "buffers": [
            {
                "name": "t",
                "space": "sbuf",
                "scope": "i",
                "partitions": 128,
                "free_elems": 8,
                "dtype": "fp32",
                "rotate": True,
            }
        ],
        "body": [{"for": "i", "lo": 0, "hi": hi, "body": [load]}],
    }
    return {"schema": "rotation-kernels/1", "kernels": [small]}


def test_a_document_may_name_a_register():
    """By a text that starts with a percent sign."""
    assert read_kernel(document("%n"), "small").registers == ("n",)
    assert "for i in [0, %n) step 1 {" in convert(document("%n"), "small")


@pytest.mark.parametrize("hi", ["%", "% n", "%1", "n"])
def test_another_text_is_no_bound(hi: str):
    """With the pointer of the value."""
    with pytest.raises(InterchangeError) as error:
        read_kernel(document(hi), "small")

    assert error.value.pointer == "/kernels/0/body/0/hi"
