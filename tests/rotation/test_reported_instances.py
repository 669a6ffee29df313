"""Faults that users of other systems reported, as kernels with selected instances.

Each is named by its case in the set of public reports. The equivalence check holds a
run against the source, so the right answer is what the source says.
"""

import numpy as np
import pytest

from rotation import run
from rotation.errors import PlanError
from rotation.passes.base import built
from rotation.running.result import Result
from tests.rotation.programs import kernel

TILES = "dram x [64, 8] fp32 input\n dram y [64, 8] fp32 output\n sb z [64, 8] fp32\n"
CLEARED = "vector.memset z <- dma.store y <- z\n"
"""`y` is written, however few trips a loop has."""


def ran(body: str) -> Result:
    """Return the run of a kernel, which is right."""
    result = run(kernel(f"kernel k on planning {{ {TILES}{CLEARED}{body} }}"))

    assert (result.hazards, result.equivalent, result.failures) == ((), True, ())
    return result


def slots(result: Result, name: str) -> int:
    """Return the slots of a buffer."""
    return next(ring.slots for ring in result.rings if ring.tensor == name)


def sources(result: Result, reader: str, trip: int) -> set[str]:
    """Return which operations wrote what one execution reads, as NAME[trip]."""
    program = built(built(result.after, "state").program, "program")
    flow = built(built(result.after, "state").flow, "flow")
    names = [operation.name for operation in program.function.instructions]
    row = np.flatnonzero(program.statement == names.index(reader))[trip]
    return {
        f"{names[program.statement[source]]}[{program.iteration[source]}]"
        for source in flow.source[flow.sink == row].tolist()
    }


TRIPS = pytest.mark.parametrize("trips", [0, 1, 2, 5])
RINGS = pytest.mark.parametrize("ring", ["", "ring 3"])


@pytest.mark.parametrize(("lo", "hi", "step"), [(0, 8, 2), (3, 23, 5)])
def test_g11_a_slot_goes_by_the_trip_and_not_by_the_value(lo, hi, step):
    """A loop of step 2 uses both slots in turn, and so does one of step 5."""
    result = ran(
        f"for i in [{lo}, {hi}) step {step} {{ sb t [2, 8] fp32 ring 2\n"
        "dma.load t <- x[2*i:+2, 0:+8] dma.store y[2*i:+2, 0:+8] <- t }"
    )
    program, placement = result.after.program, result.after.placement
    tensor = [t.name for t in program.function.tensors].index("t")

    assert placement.slot[program.location_tensor == tensor].tolist() == [0, 1, 0, 1]


@TRIPS
def test_g14_a_value_that_is_read_before_it_is_written_is_carried(trips):
    """The sum takes what the iteration before has loaded."""
    result = ran(
        "sb acc [2, 8] fp32 sb s [2, 8] fp32 at k\n"
        "vector.memset acc <- init: vector.memset s@(-1) <-\n"
        f"for k in [0, {trips}) {{\n"
        "add: vector.add acc <- acc, s@(k - 1) inplace\n"
        "ld: dma.load s <- x[2*k:+2, 0:+8] }\n"
        "dma.store y[0:+2, 0:+8] <- acc"
    )
    if trips:
        assert "init[0]" in sources(result, "add", 0)
    for k in range(1, trips):
        assert sources(result, "add", k) >= {f"ld[{k - 1}]", f"add[{k - 1}]"}


@RINGS
@TRIPS
def test_g32_a_row_and_the_row_before_it_need_two_slots(trips, ring):
    """One slot is refused, and more are as right as two."""
    text = (
        f"sb c [2, 8] fp32 at i RING\nvector.memset c@(-1) <-\n"
        f"for i in [0, {trips}) {{ sb t [2, 8] fp32 f: dma.load c <- "
        "x[2*i:+2, 0:+8]\n g: vector.add t <- c, c@(i - 1)\n"
        "dma.store y[2*i:+2, 0:+8] <- t }"
    )
    result = ran(text.replace("RING", ring if trips > 1 else ""))

    assert slots(result, "c") >= (2 if trips else 1)
    if trips:
        with pytest.raises(PlanError, match="f needs c@"):
            ran(text.replace("RING", "ring 1"))


@TRIPS
def test_g34_two_carried_values_are_updated_at_once(trips):
    """After the loop, lag 2 is what lag 1 was an iteration ago."""
    result = ran(
        "sb lag1 [2, 8] fp32 at t sb lag2 [2, 8] fp32 at t sb s [2, 8] fp32\n"
        'ten: vector.memset lag1@(-1) <- fn "10"\n'
        'twenty: vector.memset lag2@(-1) <- fn "20"\n'
        f"for t in [0, {trips}) {{ move: vector.copy lag2 <- lag1@(t - 1)\n"
        "new: dma.load lag1 <- x[2*t:+2, 0:+8] }\n"
        f"out: vector.both s <- lag1@({trips - 1}), lag2@({trips - 1})\n"
        "dma.store y[0:+2, 0:+8] <- s"
    )
    expected = {"ten[0]", "twenty[0]"}
    if trips:
        expected = {f"new[{trips - 1}]", f"move[{trips - 1}]"}
        before = "ten[0]" if trips == 1 else f"new[{trips - 2}]"
        assert before in sources(result, "move", trips - 1)

    assert sources(result, "out", 0) == expected


@TRIPS
def test_g10_a_carried_sum_is_there_after_the_loop(trips):
    """It is the first value if no iteration ran, whatever ran ahead."""
    result = ran(
        "sb acc [2, 8] fp32 at i five: vector.memset acc@(-1) <-\n"
        f"for i in [0, {trips}) {{ sb t [2, 8] fp32\n"
        "dma.load t <- x[2*i:+2, 0:+8]\n"
        "sum: vector.add acc <- acc@(i - 1), t }\n"
        f"end: dma.store y[0:+2, 0:+8] <- acc@({trips - 1})"
    )

    last = f"sum[{trips - 1}]" if trips else "five[0]"
    assert last in sources(result, "end", 0)


def test_g29_a_slot_is_free_after_its_last_reader():
    """What reads a row and the next one needs both; one slot is refused."""
    chain = (
        "sb p [1, 8] fp32 at i RING\n vector.memset p@(0) <-\n"
        "for i in [0, 8) { sb q [1, 8] fp32\n"
        "ahead: dma.load p@(i + 1) <- x[i:+1, 0:+8]\n"
        "vector.add q <- p, p@(i + 1) dma.store y[i:+1, 0:+8] <- q }"
    )

    assert slots(ran(chain.replace("RING", "")), "p") >= 2
    with pytest.raises(PlanError, match=r"ahead needs p@\(1\)"):
        ran(chain.replace("RING", "ring 1"))
