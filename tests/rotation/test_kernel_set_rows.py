"""The kernels softmax_rows and rmsnorm of the public set: all checks and traps."""

from functools import cache

import numpy as np
import pytest

from rotation import load, run
from rotation.errors import LocatedError
from rotation.running.result import Result
from rotation.text.parse import parse
from tests.rotation.ringed import example, with_rings

LOWER_BOUND_NS = {"softmax_rows": ("dma", 182_361), "rmsnorm": ("gpsimd", 440_320)}
"""The engine that the public set names, and its busy time."""

BOUND_NS = {"softmax_rows": ("vector", 187_515), "rmsnorm": ("gpsimd", 455_540)}
"""The engine that binds with what comes before and after its work, and the bound."""

NAMES = tuple(LOWER_BOUND_NS)
EACH_TILE = {
    "softmax_rows": ("xt", "nmax", "ex", "sm", "inv", "ot"),
    "rmsnorm": ("xt", "sq", "ss", "rs", "nm", "ot"),
}
"""The buffers of the loop."""


@cache
def result_of(name: str) -> Result:
    """Return the result of a kernel."""
    return run(load(f"examples/{name}.kernel"))


def run_with(name: str, **slots: int) -> Result:
    """Return the result with rings that the user asks for."""
    (function,) = parse(with_rings(example(name), **slots))
    return run(function)


def uniform(name: str, slots: int) -> Result:
    """Return the result with so many slots of each buffer of the loop."""
    return run_with(name, **dict.fromkeys(EACH_TILE[name], slots))


def slots_of(result: Result) -> dict[str, int]:
    """Return the slots of each buffer."""
    return {ring.tensor: ring.slots for ring in result.rings or ()}


def overlapping(result: Result, one: str, other: str) -> int:
    """Count the executions of two statements that are worked on at the same time."""
    program, schedule = result.after.program, result.after.schedule
    names = [each.name for each in program.function.instructions]
    rows = [np.flatnonzero(program.statement == names.index(n)) for n in (one, other)]
    starts = [schedule.start_ps[mine] for mine in rows]
    ends = [s + program.busy_ps[mine] for s, mine in zip(starts, rows, strict=True)]
    first = starts[0][:, None] < ends[1][None, :]
    second = starts[1][None, :] < ends[0][:, None]
    return int(np.count_nonzero(first & second))


@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_is_accepted_near_its_bound(name: str):
    """All checks hold, and the makespan is within 5 percent."""
    result = result_of(name)

    assert (result.verdict, result.hazards, result.equivalent) == ("accepted", (), True)
    assert result.proofs.proved == result.proofs.total > 0
    assert result.schedule.ratio <= 1.05


@pytest.mark.parametrize("name", NAMES)
def test_the_bound_is_that_of_the_set(name: str):
    """The busy time of its engine agrees within 1 percent, and bounds the bound."""
    (engine, lower_ns), result = LOWER_BOUND_NS[name], result_of(name)
    bound = result.schedule.bound.name, round(result.schedule.bound_ns)

    assert result.engines[engine].busy_ns == pytest.approx(lower_ns, rel=0.01)
    assert bound == BOUND_NS[name]
    assert result.schedule.bound_ns >= lower_ns


@pytest.mark.parametrize("name", NAMES)
def test_fewer_than_three_edges_an_operation_are_left(name: str):
    """The reduced dependences are few, before and after."""
    result = result_of(name)

    for edges in (result.edges.before, result.edges.after):
        total = edges.flow + edges.anti + edges.output + edges.ordered
        assert total < 3 * len(result.after.program)


def test_softmax_needs_three_slots_for_its_input_and_two_for_the_exponentials():
    """The small buffers and the output stay at one slot."""
    expected = {"xt": 3, "nmax": 1, "ex": 2, "sm": 1, "inv": 1, "ot": 1}

    assert slots_of(result_of("softmax_rows")) == expected


def test_two_slots_of_everything_are_not_enough_for_softmax():
    """The second slot of each buffer leaves it above 1.05."""
    assert uniform("softmax_rows", 2).schedule.ratio == pytest.approx(1.119, abs=0.01)


def test_with_one_slot_of_exponentials_the_two_engines_take_turns():
    """The exponential of a tile waits until the one before was scaled."""
    alone = run_with("softmax_rows", xt=3, ex=1)
    two = run_with("softmax_rows", xt=2, nmax=2, ex=2, sm=2, inv=2, ot=2)

    assert overlapping(alone, "exp", "sum") == overlapping(alone, "exp", "mul") == 0
    assert overlapping(two, "exp", "sum") + overlapping(two, "exp", "mul") > 0


def test_rmsnorm_keeps_gamma_in_one_slot():
    """It is loaded once: another slot of it would never be written."""
    assert slots_of(result_of("rmsnorm"))["g"] == 1


def test_both_writes_of_the_sum_of_squares_go_to_one_slot():
    """The second is in place, so it belongs to the same instance."""
    result = uniform("rmsnorm", 3)
    program, placement = result.after.program, result.after.placement
    names = [each.name for each in program.function.instructions]
    places = []
    for statement in ("red", "sc"):
        mine = program.statement[program.access_instruction] == names.index(statement)
        writes = np.flatnonzero(mine & program.access_is_write)
        places.append(placement.byte[program.access_location[writes]].tolist())

    assert places[0] == places[1]
    assert len(set(places[0])) == 3


@pytest.mark.parametrize(("slots", "used_bytes"), [(2, 106_512), (3, 155_672)])
def test_rmsnorm_takes_the_bytes_of_its_rings(slots: int, used_bytes: int):
    """Two and three slots of each buffer fit, as the set says."""
    # Slots of ss and rs are 8 bytes apart, 4 are used; the last one ends the memory.
    small = (2 * slots - 1) * (8 - 4)

    assert uniform("rmsnorm", slots).memory["sb"].after == used_bytes + small


def test_four_slots_of_everything_do_not_fit():
    """They are refused, and not made smaller."""
    with pytest.raises(LocatedError, match="ring 4"):
        uniform("rmsnorm", 4)
