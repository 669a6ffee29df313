"""Calls of kernels: their windows, what is refused, and what the checks find."""

from dataclasses import replace

import numpy as np
import pytest

from pelican.errors import LocatedError
from rotation import run
from rotation.check import check_windows
from rotation.errors import CapacityError, KernelError, PlanError
from rotation.passes.base import State
from rotation.running.result import Result
from rotation.text.parse import parse
from rotation.text.print import print_function
from rotation.unrolled.unroll import unroll
from tests.rotation.finished import finished
from tests.rotation.interpreter import executions
from tests.rotation.programs import PLANNING

COPY = """
kernel copy on planning {
  dram a [512, 64] fp32 input
  dram b [512, 64] fp32 output
  for i in [0, 4) {
    sb t [128, 64] fp32
    ld: dma.load t <- a[128*i:+128, 0:+64]
    st: dma.store b[128*i:+128, 0:+64] <- t
  }
}
"""
TWICE = (
    COPY
    + """
kernel twice on planning {
  dram x [512, 64] fp32 input
  dram y [512, 64] fp32
  dram z [512, 64] fp32 output
  for k in [0, 2) {
    call copy(x, y) FIRST
    call copy(y, z) scope global
  }
}
"""
)
"""One tile takes 256 bytes of each partition."""


def twice(first: str):
    """Return the kernel that calls another one, the first time as is said."""
    return parse(TWICE.replace("FIRST", first))[1]


def ran(first: str) -> Result:
    """Return the result of that kernel, which is equivalent."""
    result = run(twice(first))
    assert (result.hazards, result.equivalent, result.failures) == ((), True, ())
    return result


def slots(result: Result) -> dict[str, int]:
    return {ring.tensor: ring.slots for ring in result.rings}


def test_a_call_is_the_kernel_in_its_place():
    """Two calls in two iterations: sixteen transfers of each kind, in order."""
    function = twice("scope global")
    program = unroll(function, PLANNING)
    names = [function.instructions[s].name for s in program.statement.tolist()]

    assert names[:2] == ["copy1_ld", "copy1_st"]
    assert names[8:10] == ["copy2_ld", "copy2_st"]
    assert names == [row.name for row in executions(function)]


@pytest.mark.parametrize(
    "first", ["scope global", "scope none", "scope kernel sb(128, 512) banks 0"]
)
def test_a_call_prints_as_it_is_read(first: str):
    """The body is that of the kernel, and is not printed again."""
    assert f"    call copy(x, y) {first}\n" in print_function(twice(first))


@pytest.mark.parametrize(("num_bytes", "most"), [(256, 1), (600, 2)])
def test_a_window_limits_the_rings_of_its_call(num_bytes: int, most: int):
    """Without it the plan gives more."""
    found = slots(ran(f"scope kernel sb(128, {num_bytes}) banks 0"))

    assert found["copy1_t"] == most
    assert slots(ran("scope global"))["copy1_t"] > 2


def test_a_call_of_scope_none_has_one_slot():
    """It opts out, which is said."""
    result = ran("scope none")

    assert slots(result)["copy1_t"] == 1
    assert result.verdict == "left"
    (refusal,) = result.refusals
    assert refusal.reason == "the call of copy has rotation scope none"


def test_a_window_without_a_size_is_skipped_with_a_line():
    """Nothing is divided by zero, and nobody else is stopped."""
    result = ran("scope kernel sb(0, 0) banks 0")

    assert slots(result)["copy1_t"] == 1
    assert result.refusals[0].reason == (
        "skipping kernel-scoped address rotation for copy: SB shape not set"
    )


@pytest.mark.parametrize(
    ("first", "kind", "message"),
    [
        ("scope kernel", KernelError, "a call of scope kernel has a window of its own"),
        ("scope global sb(1, 1) banks 1", KernelError, "scope global has no window"),
        ("scope some", KernelError, "no rotation scope some"),
        (
            "scope kernel sb(64, 512) banks 0",
            KernelError,
            "copy1_t has 128 partitions; the window of copy has 64",
        ),
        (
            "scope kernel sb(128, 128) banks 0",
            CapacityError,
            "one slot each of copy1_t needs 256 bytes/partition; the window of copy "
            "has 128",
        ),
        (
            "scope kernel sb(128, 180224) banks 0",
            PlanError,
            "the window of copy and the other buffers do not fit sb side by side",
        ),
    ],
)
def test_a_window_that_makes_no_sense_is_refused(first: str, kind, message: str):
    """At the call, with a remedy."""
    with pytest.raises(kind, match=message) as error:
        run(twice(first))

    assert error.value.line in {16, 17}
    assert error.value.hint


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("call copi(x, y) scope global", "no kernel copi is above this"),
        ("call copy(x) scope global", "copy takes 2 buffers, got 1"),
        ("call copy(x, w) scope global", "w is dram .64, 512. fp32, and b is dram"),
        ("call copy(x, q) scope global", "no buffer q"),
        ("call twice(x, y) scope global", "no kernel twice is above this"),
        ("call copy(y, x) scope global", "x is input and is written"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(call: str, message: str):
    """What is passed must be like what is taken."""
    text = TWICE.replace("call copy(x, y) FIRST", f"dram w [64, 512] fp32 {call}")

    with pytest.raises(LocatedError, match=message):
        run(parse(text)[1])


def test_a_called_kernel_may_have_a_loop_of_one_trip_and_a_step():
    """Its copy has the same values."""
    result = run(
        parse(
            TWICE.replace("FIRST", "scope global").replace("[0, 4)", "[0, 3) step 3")
        )[1]
    )

    assert (result.hazards, result.failures) == ((), ())


def compiled() -> State:
    function = twice("scope kernel sb(128, 600) banks 0")
    return finished(function)


def test_a_slot_outside_the_window_is_caught():
    """The first call gets a slot more than its window has room for."""
    state = compiled()
    names = [t.name for t in state.function.tensors]
    mine = state.program.location_tensor == names.index("copy1_t")
    byte = state.placement.byte.copy()
    byte[np.flatnonzero(mine)[-1]] += 4096
    faulty = replace(state.placement, byte=byte)

    assert check_windows(state.program, state.placement) == []
    hazards = check_windows(state.program, faulty)
    assert {hazard.check for hazard in hazards} == {"capacity"}
    assert "its window has 128 of 600" in hazards[0].message


def test_a_buffer_of_another_call_in_the_window_is_caught():
    """Even where both are never live together."""
    state = compiled()
    names = [t.name for t in state.function.tensors]
    one, other = (
        state.program.location_tensor == names.index(name)
        for name in ("copy1_t", "copy2_t")
    )
    byte = state.placement.byte.copy()
    byte[np.flatnonzero(other)[-1]] = byte[np.flatnonzero(one)[0]]
    hazards = check_windows(state.program, replace(state.placement, byte=byte))

    assert any("lies in the window of the call of copy" in h.message for h in hazards)
