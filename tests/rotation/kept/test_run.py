import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings

from pelican.errors import LocatedError
from rotation import load, run
from rotation.errors import ArgumentError, CapacityError, KernelError
from rotation.interchange.document import read_document
from rotation.interchange.json_form import convert
from rotation.running.pipeline import selected
from rotation.running.result import Result, to_json
from rotation.text.source import read_source
from tests.rotation.kept.kernels import RunTime, run_time_kernels
from tests.rotation.kept.programs import NEST, ROWS
from tests.rotation.programs import COPY, kernel

EXAMPLES = Path(__file__).parents[3] / "examples"
DATA = Path(__file__).parents[1] / "data"


@cache
def rows() -> Result:
    """Return the run of load, copy, store for 16 trips."""
    return run(kernel(ROWS), assume={"n": 16})


@settings(max_examples=3)
@given(run_time_kernels())
def test_a_random_kernel_is_the_same_program_for_every_trip_count(drawn: RunTime):
    """All claims are proved, and the checkers find nothing at few trips."""
    try:
        done = run(kernel(drawn.text))
    except LocatedError:
        return

    assert done.hazards == ()
    assert done.failures == ()
    assert done.equivalent


def test_an_example_comes_near_its_bound():
    """Rows are added as fast as the transfers allow, proved for all trip counts."""
    done = run(load(EXAMPLES / "add_rows.kernel"), assume={"tiles": 40})

    assert (done.verdict, done.hazards, done.equivalent) == ("accepted", (), True)
    assert done.schedule.ratio <= 1.05
    assert done.schedule.before_ns / done.schedule.after_ns >= 1.5
    assert done.proofs.proved == done.proofs.total
    assert max(ring.slots for ring in done.rings) >= 2


PUBLIC = [("softmax_rows", 32), ("rmsnorm", 64), ("embedding_gather", 32)]


@pytest.mark.parametrize(("name", "trips"), PUBLIC)
def test_a_public_kernel_of_run_time_rows_comes_near_its_bound(name: str, trips: int):
    """Its outer loop runs to a register; all is proved, 0 and 1 rows included."""
    text = convert(read_document(read_source(DATA / "kernels.json")), name)
    header = f"in [0, {trips})"
    done = run(kernel(text.replace(header, "in [0, %rows)")), assume={"rows": trips})

    assert header in text
    assert (done.hazards, done.failures, done.equivalent) == ((), (), True)
    assert done.schedule.ratio <= 1.05
    assert done.registers[0].most == trips


def test_a_run_time_inner_loop_overlaps_too():
    """Each run of it is a pipeline of its own."""
    done = run(load(EXAMPLES / "ragged_matmul.kernel"), assume={"tiles": 12})
    (loop,) = done.kept_loops

    assert (done.verdict, done.hazards, done.equivalent) == ("accepted", (), True)
    assert done.schedule.before_ns / done.schedule.after_ns >= 2.5
    assert (loop.loop, loop.register, loop.stages > 1) == ("k", "tiles", True)


def test_totals_are_those_of_the_assumed_number():
    """Twice the trips take nearly twice the time; the proofs are the same."""
    few, many = rows(), run(kernel(ROWS), assume={"n": 32})

    assert 1.8 < many.schedule.after_ns / few.schedule.after_ns < 2.0
    assert few.proofs.total == many.proofs.total
    assert (few.registers[0].assumed, few.registers[0].most) == (16, 64)


def test_edges_are_few():
    """Below 3 for each instruction, before and after."""
    done = rows()
    for edges in (done.edges.before, done.edges.after):
        total = edges.flow + edges.anti + edges.output + edges.ordered

        assert total < 3 * len(done.after.program)


def test_a_run_without_trips_has_no_time():
    """The totals of nothing; the proofs hold all the same."""
    done = run(kernel(ROWS), assume={"n": 0})

    assert (done.schedule.after_ns, done.schedule.bound_ns) == (0, 0)
    assert done.proofs.proved == done.proofs.total


def test_passes_are_those_of_the_pipeline():
    """By name and order; one that is skipped does not run."""
    names = [step.name for step in selected(())]
    skipped = [n for n in names if n != "rebuild_dependences"]

    assert [p.name for p in rows().passes] == names
    done = run(kernel(NEST), skip_passes=["rebuild_dependences"])
    assert [p.name for p in done.passes] == skipped
    assert done.hazards == ()


@pytest.mark.parametrize(
    "skipped", [["plan_rings", "perf_sim"], ["address_rotation_sb", "verify"]]
)
def test_a_program_without_an_optional_pass_is_still_right(skipped: list[str]):
    """Rotation and simulation may be left out."""
    done = run(kernel(ROWS), skip_passes=skipped)

    assert (done.hazards, done.equivalent) == ((), True)


def test_the_json_says_what_is_assumed_and_kept():
    """Registers and kept loops; null for a kernel without."""
    document = json.loads(json.dumps(to_json(rows())))

    assert document["registers"] == [
        {
            "name": "n",
            "assumed": 16,
            "most": 64,
            "limit": "n: at most 64, by x[128*i, 0]",
        }
    ]
    (loop,) = document["kept_loops"]
    assert sorted(loop["order"]) == ["cp", "ld", "st"]


def test_a_static_kernel_has_no_register_to_assume():
    """The name is refused, not ignored."""
    text = ROWS.replace("%n", "4")

    with pytest.raises(ArgumentError, match="kernel rows has no register 'n'"):
        run(kernel(text), assume={"n": 4})
    assert run(kernel(text)).registers is None


def test_what_is_assumed_is_a_mapping():
    """With the remedy."""
    with pytest.raises(ArgumentError) as error:
        run(kernel(ROWS), assume=64)  # type: ignore[arg-type]

    assert error.value.hint == 'write assume={"n": 64}'


def test_a_region_outside_its_tensor_at_the_first_trip_is_a_mistake():
    """No number of the register would keep it inside."""
    text = ROWS.replace("x[128*i:+128", "x[128*i + 8100:+128")

    with pytest.raises(KernelError, match="dimension 0 of x has 8192 elements"):
        run(kernel(text))


def test_a_kernel_that_does_not_fit_is_refused():
    """As one with static loops."""
    text = ROWS.replace("[128, 512]", "[128, 40000]").replace("512]", "40000]")
    text = text.replace("0:+512", "0:+40000")

    with pytest.raises(CapacityError):
        run(kernel(text))


@pytest.mark.parametrize(
    "shown", [{"after_pass": lambda name, state: None}, {"verify_each": True}]
)
def test_passes_of_run_time_loops_are_not_shown(shown):
    """There is no text of them, and none is better than an empty file."""
    text = COPY.replace("RING", "").replace("[0, 4)", "[0, %n)")

    with pytest.raises(ArgumentError, match="copy has run-time loops"):
        run(kernel(text), **shown)


TWO_TRIPS = """
kernel two on planning {
  dram x [1280, 64] fp32 input
  dram y [1280, 64] fp32 output
  for i in [0, %n) { for j in [0, %m) {
    sb t [128, 64] fp32
    ld: dma.load t <- x[128*i + 128*j:+128, 0:+64]
    st: dma.store y[128*i + 128*j:+128, 0:+64] <- t
  } }
}
"""
"""Ten tiles: neither loop may have ten trips while the other has two."""


def test_trips_that_registers_cannot_have_together_are_not_tried():
    """They would leave the tensor, which is no fault of the program."""
    result = run(kernel(TWO_TRIPS), assume={"n": 2, "m": 9})

    assert (result.hazards, result.failures, result.equivalent) == ((), (), True)
