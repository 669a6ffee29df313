from collections import Counter

import pytest

from rotation import ArgumentError, load, run
from rotation.passes.separate_load_and_compute import (
    APART,
    BARRIERS,
    REMOVED,
    SeparateLoadAndCompute,
)
from rotation.running.result import Result
from tests.rotation.passes.states import until
from tests.rotation.programs import COPY, MATMUL, STREAM, kernel

NAME = "separate_load_and_compute"


def measured(text: str, policy: str = "ring") -> Result:
    """Return the run of a kernel with its loads set apart."""
    return run(kernel(text), policy=policy, separate_load_and_compute=True)


def checks(result: Result) -> Counter[str]:
    return Counter(hazard.check for hazard in result.hazards)


def test_the_pass_is_off():
    """No run has it, and as it stands in the pipeline it changes nothing."""
    state = until(NAME)

    assert NAME not in [each.name for each in run(kernel(STREAM)).passes]
    assert SeparateLoadAndCompute().run(state).state is state


def test_it_counts_loads_waits_and_the_barrier():
    """Of 16 iterations with two loads each, in rings of two slots and of one."""
    result = SeparateLoadAndCompute("direct").run(until(NAME))

    assert result.statistics == {APART: 32, REMOVED: 29, BARRIERS: 1}


def test_every_load_starts_before_anything_else():
    """And everything else starts when all loads are complete."""
    after = measured(MATMUL).after
    loads = after.separation.loads
    done_ps = after.schedule.start_ps + after.program.busy_ps + after.program.latency_ps
    others = [row for row in range(len(after.program)) if row not in set(loads)]

    assert done_ps[loads].max() <= after.schedule.start_ps[others].min()


@pytest.mark.parametrize("policy", ["ring", "modelled"])
def test_a_slot_that_is_loaded_twice_is_a_hazard_of_all_three_checks(policy):
    """Two instances are open at a time, nothing orders them, and one is lost."""
    result = measured(STREAM, policy)

    assert set(checks(result)) == {"measurement", "overlap", "race", "equivalence"}
    assert result.equivalent is False


def test_what_is_not_harmed_is_a_measurement_all_the_same():
    """As many slots as instances: the checkers find nothing, and it is said anyway."""
    result = measured(COPY.replace(" RING", " ring 4"))

    assert checks(result) == {"measurement": 1}
    assert (result.verdict, result.equivalent) == ("accepted", False)
    assert "for analysis only" in result.hazards[0].message


def test_a_measurement_is_kept_though_it_is_slower():
    """The run shows what was asked for, not the program without rings."""
    function = load("examples/allreduce_ring_dram.kernel")
    result = run(function, separate_load_and_compute=True)

    assert result.schedule.after_ns > result.schedule.before_ns
    assert result.refusals == ()
    assert result.after.separation is not None


def test_a_function_with_a_join_is_left_and_stays_the_same_program():
    """Nothing was broken, so it is no measurement."""
    function = load("examples/if_else_block_mask.kernel")
    result = run(function, separate_load_and_compute=True)

    assert "not separated in a function with a join" in result.refusals[-1].reason
    assert (result.hazards, result.equivalent) == ((), True)


def test_run_time_loops_are_refused():
    """Their waits are those of all trip counts."""
    function = load("examples/add_rows.kernel")
    with pytest.raises(ArgumentError, match="loads are not separated") as error:
        run(function, separate_load_and_compute=True)

    assert error.value.hint.startswith("leave out --separate-load-and-compute")


def test_each_pass_is_checked_without_the_order_that_is_gone():
    """Hazards are those of schedules; the bare edges of the pass are none."""
    harmless = kernel(COPY.replace(" RING", " ring 4"))
    result = run(harmless, separate_load_and_compute=True, verify_each=True)

    assert checks(result) == {"measurement": 1}
