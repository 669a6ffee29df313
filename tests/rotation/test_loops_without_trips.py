"""Loops without trips at any place: they do nothing, and their text stays."""

import re
from random import Random

import pytest

from rotation import run
from rotation.errors import KernelError
from rotation.loop_form.kernel import Loop
from rotation.placed.layout import layout_of
from rotation.placed.reading import applied
from rotation.text.parse import parse
from rotation.text.print import print_kernels
from tests.rotation.finished import finished
from tests.rotation.random_kernels.kernel import seeded
from tests.rotation.ringed import example
from tests.rotation.whole_pipeline import Answers, wrong

DRAM = "dram x [512, 512] fp32 input\ndram y [512, 512] fp32 output\n"
LOAD = "sb t [128, 512] fp32\ndma.load t <- x[128*i:+128, 0:+512]\n"
STORE = "dma.store y[128*i:+128, 0:+512] <- t\n"
ABOVE = "sb b [128, 512] fp32 at j\ndma.load b@(0) <- x[0:+128, 0:+512]\n"

BODIES = {
    "alone": f"for i in [0, 0) {{ {LOAD} {STORE} }}",
    "elsewhere": f"for i in [5, 5) step 3 {{ {LOAD} {STORE} }}",
    "inside": f"for i in [0, 4) {{ {LOAD} for j in [0, 0) {{ {STORE} }} }}",
    "around": f"for i in [0, 0) {{ {LOAD} for j in [0, 2) {{ {STORE} }} }}",
    "twice": f"for i in [0, 0) {{ {LOAD} for j in [1, 1) {{ {STORE} }} }}",
    "in an arm": f"for i in [0, 4) {{ if i > 9 {{ for j in [0, 0) {{ {LOAD} {STORE} }} "
    "} }",
    "an arm": f"for i in [0, 0) {{ {LOAD} if i < 3 {{ {STORE} }} else {{ {STORE} }} }}",
    "below": f"{ABOVE} for j in [0, 0) {{ dma.store y[0:+128, 0:+512] <- b@(j - 1) }}",
    "with nothing": f"for i in [0, 0) {{ {LOAD} {STORE} }} for j in [0, 0) {{ }}",
}
"""Kernels of which no operation ever writes y."""

CALLED = (
    f"kernel inner on planning {{ {DRAM} {BODIES['alone']} }}\n"
    f"kernel k on planning {{ {DRAM} call inner(x, y) scope global }}"
)
CALLING = (
    f"kernel inner on planning {{ {DRAM} {BODIES['alone']} }}\n"
    f"kernel k on planning {{ {DRAM} for j in [0, 0) "
    "{ call inner(x, y) scope kernel sb(128, 4096) banks 1 } }"
)
DEEP_CALLING = (
    f"kernel inner on planning {{ {DRAM} for i in [0, 4) {{ {LOAD} {STORE} }} }}\n"
    f"kernel middle on planning {{ {DRAM} for i in [0, 0) "
    "{ call inner(x, y) scope global } }\n"
    f"kernel k on planning {{ {DRAM} call middle(x, y) scope global }}"
)
TEXTS = {
    **{
        name: f"kernel k on planning {{ {DRAM} {body} }}"
        for name, body in BODIES.items()
    },
    "called": CALLED,
    "calling": CALLING,
    "deep calling": DEEP_CALLING,
}
RUN_TIME = (
    f"kernel k on planning {{ {DRAM} for i in [0, %n) {{ {LOAD}"
    f"for j in [0, 0) {{ for k in [0, %m) {{ {STORE} }} }} }} }}"
)
HEADER = re.compile(r"for i\d+ in \[(-?\d+), \S+\)")


@pytest.mark.parametrize("name", TEXTS)
def test_an_output_may_stay_as_it_came(name: str):
    """The loop that would write it has no trip; all checks hold."""
    result = run(parse(TEXTS[name])[-1])

    assert (result.verdict, result.hazards, result.equivalent) == ("accepted", (), True)
    assert result.proofs.proved == result.proofs.total


def test_a_variant_of_the_public_set_does_nothing():
    """The short loop with no trips."""
    (function,) = parse(example("short_loop").replace("[0, 2)", "[0, 0)"))
    result = run(function)

    assert (result.verdict, result.equivalent) == ("accepted", True)
    assert len(result.after.program) == 0
    assert result.schedule.after_ns == 0


@pytest.mark.parametrize("name", TEXTS)
def test_the_text_stays(name: str):
    """What is printed has the loop and its body, and prints as itself."""
    function = parse(TEXTS[name])[-1]
    text = print_kernels(function)
    again = parse(text)[-1]

    assert [each.name for each in again.skipped] == [
        each.name for each in function.skipped
    ]
    assert print_kernels(again) == text


@pytest.mark.parametrize("name", TEXTS)
def test_a_placed_program_is_read_back(name: str):
    """Its kernel, its places and its order, and nothing is wrong with them."""
    state = finished(parse(TEXTS[name])[-1])
    layout = layout_of(state.program, state.placement, state.schedule, state.edges)
    placed = applied(parse(print_kernels(state.function))[-1], layout)

    assert len(placed.program) == len(state.program)
    assert placed.hazards() == ()


def test_a_call_has_its_own_copy_of_what_is_left_out():
    """Loops, buffers and operations of the call, under its names."""
    function = parse(CALLED)[-1]
    (call,) = function.calls
    (loop,) = (each for each in call.body if isinstance(each, Loop))

    assert [each.name for each in function.skipped] == ["inner1_load1", "inner1_store1"]
    assert function.skipped[1].writes[0].tensor is call.arguments[1]
    assert loop.body == ()


def test_a_static_loop_without_trips_stands_in_a_run_time_loop():
    """It is left out for every number, and the registers in it are nobody's."""
    (function,) = parse(RUN_TIME)
    result = run(function, assume={"n": 3})

    assert function.registers == ("n",)
    assert (result.hazards, result.equivalent) == ((), True)


def test_a_loop_that_counts_down_is_no_loop_without_trips():
    """Its ends are the wrong way round."""
    with pytest.raises(KernelError) as error:
        parse(f"kernel k on planning {{ {DRAM} for i in [8, 3) {{ {LOAD} {STORE} }} }}")

    assert error.value.message == "loop i starts at 8 and ends below it, at 3"


def test_any_loop_may_lose_its_trips():
    """Random kernels stay right; or they miss a value that the loop has made."""
    answers, done = Answers(), 0
    for text in map(without_trips, range(60)):
        if text is None:
            continue
        faults = wrong(text, answers, before=False)
        missing = bool(faults) and faults[0].startswith("refused: ")
        done += not missing
        printed = print_kernels(parse(text)[-1])

        assert print_kernels(parse(printed)[-1]) == printed
        assert missing or not faults
    assert done > 20


def without_trips(seed: int) -> str | None:
    """Return a random kernel of which one loop lost its trips; None without loops."""
    text = seeded(seed)
    headers = list(HEADER.finditer(text))
    if not headers:
        return None
    header = Random(seed).choice(headers)
    empty = re.sub(r", \S+\)$", f", {header[1]})", header[0])
    return text[: header.start()] + empty + text[header.end() :]
