import copy
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from rotation.interchange.json_form import convert, read_kernel
from rotation.loading import load
from rotation.loop_form.kernel import Engine
from rotation.machine.cost import transfer_region
from rotation.machine.machine import get_machine
from rotation.text.parse import parse
from rotation.text.print import print_function
from rotation.unrolled.program import Program
from rotation.unrolled.unroll import unroll
from rotation.verify.verify import verify
from tests.rotation.interchange.json_kernels import (
    box,
    buffer,
    loop,
    operation,
    refused,
    small,
)

ROOT = Path(__file__).parents[3]
DOCUMENT = json.loads((Path(__file__).parents[1] / "data/kernels.json").read_text())
KERNELS = {kernel["name"]: kernel for kernel in DOCUMENT["kernels"]}

READABLE = (
    "stream_add",
    "matmul_tiled",
    "softmax_rows",
    "rmsnorm",
    "flash_attention_fwd",
    "allreduce_ring_dram",
    "if_else_block_mask",
    "depthwise_conv1d",
    "embedding_gather",
    "moe_token_shuffle",
    "attention_hand_banks",
    "consume_then_load",
    "short_loop",
)


TRANSFERS = (Engine.DMA, Engine.CC)


def program_of(name: str) -> Program:
    """Return the verified and unrolled kernel of the set."""
    function, machine = read_kernel(DOCUMENT, name), get_machine("planning")
    verify(function, machine)
    return unroll(function, machine)


@pytest.mark.parametrize("name", READABLE)
def test_a_converted_kernel_is_its_own_text(name: str):
    """The text of a converted kernel reads back to the same text."""
    text = convert(DOCUMENT, name)
    (function,) = parse(text)

    assert print_function(function) == text


EXAMPLES = (
    "stream_add",
    "matmul_tiled",
    "softmax_rows",
    "rmsnorm",
    "flash_attention_fwd",
    "depthwise_conv1d",
    "embedding_gather",
    "allreduce_ring_dram",
    "moe_token_shuffle",
    "consume_then_load",
    "short_loop",
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_the_kernel_of_the_set(name: str):
    """The example files say what the set says."""
    example = load(ROOT / "examples" / f"{name}.kernel")

    assert print_function(example) == convert(DOCUMENT, name)


def test_every_kernel_of_the_set_is_in_one_list():
    """No kernel of the set is left out of these tests."""
    assert set(READABLE) == set(KERNELS)


@pytest.mark.parametrize("name", READABLE)
def test_the_number_of_operations_is_that_of_the_set(name: str):
    """Each opcode is executed as often as the set counted."""
    program = program_of(name)
    counts: Counter[str] = Counter()
    for statement, number in zip(
        *np.unique(program.statement, return_counts=True), strict=True
    ):
        counts[program.function.instructions[statement].opcode] += int(number)

    assert counts == KERNELS[name]["derived"]["op_counts"]
    assert len(program) == KERNELS[name]["derived"]["instructions"]


@pytest.mark.parametrize("name", READABLE)
def test_the_busy_time_of_each_engine_is_that_of_the_set(name: str):
    """Busy times agree to the nanosecond to which the set rounds."""
    program = program_of(name)
    busy_ns = {
        engine.text: int(program.busy_ps[program.engine == engine].sum()) / 1000
        for engine in Engine
        if (program.engine == engine).any()
    }

    assert busy_ns == pytest.approx(KERNELS[name]["derived"]["engine_busy_ns"], abs=1)


@pytest.mark.parametrize("name", READABLE)
def test_the_serial_time_is_that_of_the_set(name: str):
    """The sum of busy and latency agrees, less than 1 ps above for each operation."""
    program = program_of(name)
    serial_ns = int((program.busy_ps + program.latency_ps).sum()) / 1000
    rounded_up_ns = len(program) / 1000

    above_ns = serial_ns - KERNELS[name]["derived"]["serial_ns"]
    assert -1 <= above_ns <= 1 + rounded_up_ns


@pytest.mark.parametrize("name", READABLE)
def test_the_moved_bytes_are_those_of_the_set(name: str):
    """Transfers move what the set counted."""
    program = program_of(name)
    instructions = program.function.instructions
    moved = sum(
        transfer_region(instructions[statement]).size_bytes
        for statement in program.statement[np.isin(program.engine, TRANSFERS)]
    )

    assert moved == KERNELS[name]["derived"]["dma_bytes"]


def test_the_text_of_a_small_kernel():
    """Every field has its form, and each buffer stands in its scope loop."""
    document = small(
        buffers=[
            buffer(rotate=False),
            buffer(name="p", space="psum", scope="top", rotate=False),
        ],
        body=[
            loop(
                operation("ld", "t", box("x"), transpose=True, why="a note"),
                operation("mm", "p", "t", engine="pe", accumulate_over=["i"], fn="a+b"),
                operation("st", box("y"), "t", inplace=False),
                lo=-1,
                hi=7,
                step=2,
                carried=["p"],
            )
        ],
    )

    assert convert(document, "small") == (
        "kernel small on planning {\n"
        "  dram x [8, 4] fp32 input\n"
        "  dram y [8, 4] fp32\n"
        "  psum p [2, 4] fp32\n"
        "  for i in [-1, 7) step 2 {\n"
        "    sb t [2, 4] fp32 ring 1\n"
        "    ld: dma.copy t <- x[2*i:+2, 0:+4] transpose\n"
        '    mm: pe.copy p <- t over(i) fn "a+b"\n'
        "    st: dma.copy y[2*i:+2, 0:+4] <- t\n"
        "  }\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("start", "text"),
    [
        ({}, "0"),
        ({"_": 3}, "3"),
        ({"i": 1, "_": 0}, "i"),
        ({"i": 0, "_": -3}, "-3"),
        ({"_": 5, "i": 2}, "5 + 2*i"),
    ],
)
def test_a_start_is_written_as_a_sum(start: dict[str, int], text: str):
    """Coefficients of 0 are dropped, and the order is kept."""
    place = {"buf": "x", "idx": [start, {}], "ext": [2, 4]}

    assert f"x[{text}:+2, 0:+4]" in convert(
        small(body=[loop(operation("ld", "t", place))]), "small"
    )


def test_an_unknown_kernel_suggests_the_nearest():
    """The names of the document are looked at."""
    error = refused(DOCUMENT, "matmul_tield")

    assert error.hint == "did you mean matmul_tiled?"


HUGE = 10**30

BAD_VALUES = (
    ({"tensors": None}, "/kernels/0/tensors"),
    ({"tensors": [None]}, "/kernels/0/tensors/0"),
    ({"body": [[]]}, "/kernels/0/body/0"),
    ({"body": [loop(hi=None)]}, "/kernels/0/body/0/hi"),
    ({"body": [loop(hi=True)]}, "/kernels/0/body/0/hi"),
    ({"body": [loop(hi=4.0)]}, "/kernels/0/body/0/hi"),
    ({"body": [loop(hi=HUGE)]}, "/kernels/0/body/0/hi"),
    ({"body": [loop(hi="n")]}, "/kernels/0/body/0/hi"),
    ({"body": [loop(step=0)]}, "/kernels/0/body/0/step"),
    ({"body": [loop(**{"for": "a b"})]}, "/kernels/0/body/0/for"),
    ({"body": [loop(carried=["u"])]}, "/kernels/0/body/0/carried/0"),
    ({"body": [loop(carried=["t"])]}, "/kernels/0/body/0/carried/0"),
    ({"buffers": [buffer(space="sb")]}, "/kernels/0/buffers/0/space"),
    ({"buffers": [buffer(dtype="fp23")]}, "/kernels/0/buffers/0/dtype"),
    ({"buffers": [buffer(partitions=0)]}, "/kernels/0/buffers/0/partitions"),
    ({"buffers": [buffer(rotate=1)]}, "/kernels/0/buffers/0/rotate"),
    ({"buffers": [buffer(scope="j")]}, "/kernels/0/buffers/0/scope"),
    ({"buffers": [buffer(scope="top")]}, "/kernels/0/buffers/0/rotate"),
    (
        {"buffers": [buffer(bytes_per_partition=15)]},
        "/kernels/0/buffers/0/bytes_per_partition",
    ),
    ({"name": "small", "if/~": 1}, "/kernels/0/if~1~0"),
)


@pytest.mark.parametrize(("changes", "pointer"), BAD_VALUES)
def test_a_wrong_value_is_named(changes: dict[str, object], pointer: str):
    """null, booleans, floats, huge integers, strings: each at its pointer."""
    assert refused(small(**changes)).pointer == pointer


BAD_OPERATIONS = (
    ({"engine": "gpu"}, "/engine"),
    ({"writes": []}, "/writes"),
    ({"writes": [{"buf": "t"}]}, "/writes/0"),
    ({"writes": [{"buf": "t", "full": False}]}, "/writes/0/full"),
    ({"writes": [box("y") | {"full": True}]}, "/writes/0"),
    ({"writes": [box("y") | {"ext": [2]}]}, "/writes/0/ext"),
    ({"writes": [box("y") | {"ext": [2, 0]}]}, "/writes/0/ext/1"),
    ({"writes": [box("y") | {"idx": [{"i": "2"}, {}]}]}, "/writes/0/idx/0/i"),
    ({"writes": [box("y") | {"idx": [{"i i": 2}, {}]}]}, "/writes/0/idx/0/i i"),
    ({"writes": [box("y") | {"slot": "s"}]}, "/writes/0/slot"),
    ({"fn": 'a" b'}, "/fn"),
    ({"fn": "a\nb"}, "/fn"),
    ({"op": "x: dma.load"}, "/op"),
    ({"op": None}, "/op"),
    ({"inplace": None}, "/inplace"),
)


@pytest.mark.parametrize(("changes", "pointer"), BAD_OPERATIONS)
def test_a_wrong_value_of_an_operation_is_named(
    changes: dict[str, object], pointer: str
):
    """Nothing of an operation is guessed or dropped."""
    document = small(body=[loop(operation("st", box("y"), "t", **changes))])

    assert refused(document).pointer == f"/kernels/0/body/0/body/0{pointer}"


@pytest.mark.parametrize(
    ("name", "message"), [("u", "no buffer u"), ("mod", "unexpected 'mod'")]
)
def test_a_mistake_of_the_text_is_reported_at_its_statement(name: str, message: str):
    """What only the parser can see has the pointer of the operation."""
    error = refused(small(body=[loop(operation("st", box("y"), name))]))

    assert error.pointer == "/kernels/0/body/0/body/0"
    assert message in error.message


@pytest.mark.parametrize(
    "document",
    [
        None,
        3,
        "x",
        [],
        {},
        {"schema": "rotation-kernels/2", "kernels": []},
        {"schema": 1},
    ],
)
def test_a_document_of_another_kind_is_refused(document: object):
    """No document ends in another exception."""
    refused(document)


def test_a_deep_nest_is_refused():
    """A document that is nested without end is an error, not a crash."""
    body: list[dict[str, object]] = []
    for _ in range(150):
        body = [loop(*body)]

    assert "inside one another" in refused(small(body=body)).message


def test_reading_leaves_the_document_alone():
    """A document can be read again."""
    document = small()
    before = copy.deepcopy(document)
    convert(document, "small")

    assert document == before
