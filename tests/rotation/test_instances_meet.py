"""Instances where other features meet them: ifs, places, calls and run-time loops."""

import pytest

from rotation.errors import KernelError
from rotation.running.pipeline import run
from rotation.text.parse import parse
from rotation.text.print import print_function
from rotation.unrolled.unroll import unroll
from tests.rotation.interpreter import executions
from tests.rotation.programs import PLANNING, kernel

SCAN = """
kernel scan on planning {
  dram x [1024, 64] fp32 input
  dram y [1024, 64] fp32 output
  sb c [128, 64] fp32 at i PLACE
  z: vector.memset c@(-1) <-
  for i in [0, 8) {
    sb t [128, 64] fp32
    ld: dma.load t <- x[128*i:+128, 0:+64]
    nx: vector.add c <- t, c@(i - 1)
    st: dma.store y[128*i:+128, 0:+64] <- c
  }
}
"""
"""Each iteration takes the value of the one before."""

TWO_PLACES = "byte 4096 + 256*(i mod 2)"

FREE = SCAN.replace(" PLACE", "")

IN_ARM = FREE.replace("  z: vector.memset c@(-1) <-\n", "").replace(
    "    nx: vector.add c <- t, c@(i - 1)\n",
    "    if i > 0 {\n"
    "      nx: vector.add c <- t, c@(i - 1)\n"
    "    } else {\n"
    "      cp: vector.copy c <- t\n"
    "    }\n",
)
"""No iteration before the first is meant."""

CALLS = (
    FREE
    + """
kernel top on planning {
  dram a [1024, 64] fp32 input
  dram b [1024, 64] fp32 output
  dram d [1024, 64] fp32 output
  call scan(a, b) scope kernel sb(128, 8192) banks 0
  for k in [0, 2) {
    call scan(b, d) scope global
  }
}
"""
)


def clean(text: str) -> bool:
    """Return whether the last kernel of a text runs without a hazard or a failure."""
    result = run(parse(text, "<test>")[-1])
    return result.verdict == "accepted" and result.hazards == result.failures == ()


@pytest.mark.parametrize(
    "text", [FREE, IN_ARM, CALLS, SCAN.replace("PLACE", TWO_PLACES)]
)
def test_a_carried_value_goes_through_the_whole_pipeline(text: str):
    """Alone, in an arm, in a call with a window and in a loop, and placed by hand."""
    assert clean(text)


def test_an_arm_selects_only_where_it_is_done():
    """Eight instances, and none before the loop; one more where nothing guards it."""
    spans = [
        function.instance_spans[tensor]
        for function in (kernel(IN_ARM), kernel(FREE))
        for tensor in function.tensors
        if tensor.name == "c"
    ]

    assert [(span.first, span.width) for span in spans] == [(0, 8), (-1, 9)]


@pytest.mark.parametrize("text", [FREE, IN_ARM])
def test_instances_are_those_of_the_interpreter(text: str):
    """The tables name the instances that a run of the loops reaches."""
    function = kernel(text)
    program = unroll(function, PLANNING)
    reached = {
        (access.tensor, access.instance)
        for execution in executions(function)
        for access in execution.accesses
    }

    names = [function.tensors[row].name for row in program.location_tensor]
    assert set(zip(names, program.location_instance.tolist(), strict=True)) == reached


def test_an_instance_before_the_loop_has_its_place_by_the_text():
    """The remainder of -1 by 2 is 1, whatever holds inside the loop."""
    text = SCAN.replace("PLACE", TWO_PLACES).replace("[0, 8)", "[0, 2)")
    after = run(kernel(text.replace("1024", "256"))).after
    mine = [
        int(after.placement.byte[row])
        for row, tensor in enumerate(after.program.location_tensor)
        if after.function.tensors[tensor].name == "c"
    ]

    assert mine == [4096 + 256, 4096, 4096 + 256]


def test_a_place_is_one_for_the_instances_before_the_loop_too():
    """Byte 256*i would be below 0 for the instance that is filled before the loop."""
    with pytest.raises(KernelError, match="byte of c is -256 at i = -1"):
        run(kernel(SCAN.replace("PLACE", "byte 256*i")))


def test_neighbours_that_are_in_use_need_two_places():
    """One place for all is refused, with the two instances."""
    with pytest.raises(KernelError, match="c at i = 0 is put on c at i = -1"):
        run(kernel(SCAN.replace("PLACE", "byte 4096")))


def test_an_if_on_loaded_values_keeps_the_fewest_slots():
    """The function is left, and what one arm takes from the iteration before stays."""
    text = FREE.replace(
        "    nx: vector.add c <- t, c@(i - 1)\n",
        "    if loaded(t) {\n"
        "      nx: vector.add c <- t, c@(i - 1)\n"
        "    } else {\n"
        "      cp: vector.copy c <- c@(i - 1)\n"
        "    }\n",
    )
    result = run(kernel(text))

    assert (result.verdict, result.hazards, result.failures) == ("left", (), ())
    assert [ring.slots for ring in result.rings] == [2, 1]


def test_an_if_cannot_ask_an_instance_that_nobody_named():
    """Outside the loop no instance is the current one."""
    asked = "  if loaded(c) {\n    vector.memset c@(0) <-\n  }\n  for"
    text = FREE.replace("  for", asked)

    with pytest.raises(KernelError, match="instance for each i, and none here"):
        kernel(text)


def test_a_declaration_may_stand_above_a_loop_in_an_arm():
    """The loop is looked for in the arms below the declaration."""
    text = FREE.replace("  for i", "  if 0 < 1 {\n  for i")
    text = text.replace("<- c\n  }", "<- c\n  }\n  }")

    assert "at i" in print_function(kernel(text))
    assert clean(text)


def test_run_time_loops_do_not_carry_instances_yet():
    """They are refused with the place, as their proofs do not cover them."""
    text = FREE.replace("[0, 8)", "[0, %n)")

    with pytest.raises(KernelError, match="declaration of c above its loop"):
        run(kernel(text))


PLACED_CALLS = SCAN.replace("PLACE", TWO_PLACES) + CALLS[len(FREE) :]


def test_a_place_goes_with_a_called_kernel():
    """It ranges over the loops of the call, and the report on places says so too."""
    text = PLACED_CALLS.replace("scope kernel sb(128, 8192) banks 0", "scope global")
    result = run(parse(text, "<test>")[-1])

    assert (result.verdict, result.hazards, result.failures) == ("accepted", (), ())
    assert [pin.tensor for pin in result.pins.tensors] == ["scan1_c", "scan2_c"]


def test_a_place_does_not_go_into_a_window():
    """The window lies where the passes put it, the buffer where its user does."""
    with pytest.raises(KernelError, match="scan puts c at a place, and where the win"):
        parse(PLACED_CALLS, "<test>")


UNROTATED = CALLS.replace("scope kernel sb(128, 8192) banks 0", "scope none")


def test_a_call_that_is_not_rotated_keeps_the_slots_that_instances_need():
    """Two for a value that is handed on, one for all else."""
    result = run(parse(UNROTATED, "<test>")[-1])
    slots = {ring.tensor: ring.slots for ring in result.rings}

    assert (result.hazards, result.failures) == ((), ())
    assert (slots["scan1_c"], slots["scan1_t"]) == (2, 1)


def test_a_call_that_is_not_rotated_keeps_its_places():
    """There are as many slots as places, and none is asked for."""
    text = PLACED_CALLS.replace("scope kernel sb(128, 8192) banks 0", "scope none")
    result = run(parse(text, "<test>")[-1])

    assert (result.hazards, result.failures) == ((), ())
    assert {r.tensor: r.slots for r in result.rings}["scan1_c"] == 2


def test_an_arm_that_is_never_done_needs_no_slots():
    """Its operation on two instances is not there, and nothing is claimed of it."""
    text = FREE.replace("  z: vector", "  if 0 == 1 {\n  z: vector")
    text = text.replace(
        "<- c\n  }",
        "<- c\n  }\n  }\n  sb u [128, 64] fp32\n"
        "  vector.memset u <-\n  dma.store y[0:+128, 0:+64] <- u",
    )
    text = text.replace("  sb c [128, 64] fp32 at i\n", "").replace(
        "  if 0 == 1 {\n", "  if 0 == 1 {\n  sb c [128, 64] fp32 at i\n"
    )

    assert clean(text)
