"""Joins: guards, barriers, what they keep back, and the faults that checks find."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rotation.check import check_equivalence, check_overlap, check_races
from rotation.check.branches import Cover, conflict, covers
from rotation.dependence.reduction import reduced
from rotation.errors import KernelError
from rotation.loop_form.joins import joins
from rotation.passes.base import State
from rotation.running.pipeline import check, run
from rotation.unrolled.joins import barrier_edges, covered
from rotation.unrolled.program import Edges, Program, Schedule
from rotation.unrolled.unroll import unroll
from tests.rotation.finished import finished
from tests.rotation.kernels import joined_kernel_texts
from tests.rotation.programs import PLANNING, kernel, pairs, unrolled

JOIN = """
kernel join on planning {
  dram c [4, 1] int32 input
  dram x [512, 64] fp32 input
  dram y [512, 64] fp32 output
  for i in [0, 4) {
    sb f [1, 1] int32
    sb t [128, 64] fp32 RING
    sb u [128, 64] fp32
    ld_c: dma.load f <- c[i:+1, 0:+1]
    ld: dma.load t <- x[128*i:+128, 0:+64]
    if loaded(f) "f > 0" {
      dbl: vector.add u <- t, t
    } else {
      neg: scalar.negate u <- t
    }
    st: dma.store y[128*i:+128, 0:+64] <- u
  }
}
"""
"""Both arms write what is stored."""

PLAIN = JOIN.replace(" RING", "")


def test_a_buffer_that_one_arm_leaves_unwritten_is_refused():
    """Which arm runs is not known, so the other one must write it as well."""
    text = PLAIN.replace("      neg: scalar.negate u <- t\n", "")

    with pytest.raises(KernelError, match="u that nothing wrote before in every arm"):
        run(kernel(text))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("loaded(f)", "loaded(c)", "c is in dram and cannot decide an if"),
        (
            "add u <- t, t",
            "add f <- t",
            "dbl writes f, which decides the if of line 12",
        ),
        ("loaded(f)", "loaded(f, f)", "f is given twice"),
        ("ld_c: dma.load f <- c[i:+1, 0:+1]", "", "what decides the if reads elements"),
    ],
)
def test_a_mistake_in_what_decides_is_refused(old: str, new: str, message: str):
    """The place and a remedy come with it."""
    with pytest.raises(KernelError, match=message.replace("(", "[(]")) as error:
        run(kernel(PLAIN.replace(old, new)))

    assert error.value.line is not None
    assert error.value.hint


def test_a_ring_that_is_asked_for_beside_a_join_is_refused_with_the_reason():
    """It is not given, and not passed over in silence."""
    result = run(kernel(JOIN.replace("RING", "ring 2")))

    assert result.verdict == "left"
    assert [r.slots for r in result.rings] == [1, 1, 1]
    assert result.refusals[1].reason == (
        "ring 2 of t is not given, since the function is not rotated"
    )


def test_an_if_over_indices_is_no_join():
    """It is folded, and the function is rotated."""
    text = PLAIN.replace('loaded(f) "f > 0"', "i mod 2 == 0")
    result = run(kernel(text))

    assert (result.verdict, result.hazards, result.equivalent) == ("accepted", (), True)
    assert max(ring.slots for ring in result.rings) > 1


def test_ordered_edges_part_what_stands_before_and_after():
    """Rows before wait for none, the arms run one by one, rows after wait."""
    program = unrolled(PLAIN.replace("[0, 4)", "[0, 2)"))

    assert pairs(barrier_edges(program)) == {
        *((row, 2, 1) for row in (0, 1)),
        *((3, row, 1) for row in (4, 5, 6)),
        *((row, 7, 1) for row in (4, 5, 6)),
        *((2, 3, 1), (3, 7, 1), (7, 8, 1), (8, 9, 1)),
    }


literals = st.tuples(st.integers(0, 3), st.booleans())
small_guards = st.dictionaries(st.integers(0, 3), st.booleans(), max_size=3).map(
    lambda chosen: frozenset(chosen.items())
)


def holds(guard, choice: tuple[bool, ...]) -> bool:
    return all(choice[k] == taken for k, taken in guard)


@given(st.lists(small_guards, max_size=6), small_guards)
def test_guards_cover_if_one_holds_whatever_is_chosen(guards, under):
    """The pass and the check, each with code of its own, agree with the truth."""
    choices = [c for c in product((True, False), repeat=4) if holds(under, c)]
    truth = all(any(holds(guard, c) for guard in guards) for c in choices)

    def keyed(guard):
        return frozenset(((k, 0), taken) for k, taken in guard)

    cover = Cover()
    for guard in guards:
        cover.add(keyed(guard))
    assert covered(guards, under) == truth
    assert covers(map(keyed, guards), keyed(under)) == truth
    assert cover.holds(keyed(under)) == truth


def test_two_arms_of_one_execution_exclude_each_other():
    """Those of different executions do not."""
    then, other = frozenset({((0, 1), True)}), frozenset({((0, 1), False)})

    assert conflict(then, other)
    assert not conflict(then, frozenset({((0, 2), False)}))


NESTED = """
kernel nested on planning {
  dram c [1, 1] int32 input
  dram x [4, 4] fp32 input
  dram y [4, 4] fp32 output
  sb f [1, 1] int32
  sb g [1, 1] int32
  sb t [4, 4] fp32
  sb u [4, 4] fp32
  dma.load f <- c
  dma.load g <- c
  dma.load t <- x
  vector.memset u <-
  if loaded(f) {
    a: vector.a u[0:+4, 0:+2] <- t[0:+4, 0:+2]
    if loaded(g) { b: scalar.b t <- u } else { c: vector.c u <- t }
    d: vector.d u <- u, t
  } else {
    if loaded(g) { e: scalar.e u[1:+2, 0:+4] <- t[1:+2, 0:+4] }
  }
  if loaded(g) { f: vector.f u <- u }
  dma.store y <- u
}
"""


def final(program: Program, order: list[int], choice, numbers: dict) -> list[int]:
    """Return what y holds at the end, element by element, when rows run in an order.

    Args:
        program: A program without shared bytes.
        order: Its rows.
        choice: The arm of each if, by its text position.
        numbers: Numbers of terms so far: equal terms have one.
    """
    function = program.function
    ordinal = {c: k for k, c in enumerate(function.choices)}
    memory: dict[tuple[int, ...], int] = {}

    def number(term: object) -> int:
        return numbers.setdefault(term, len(numbers))

    for row in order:
        instruction = function.instructions[program.statement[row]]
        arms = function.arms_of[instruction]
        if any(choice[ordinal[arm.choice]] != arm.taken for arm in arms):
            continue
        reads: list[int] = []
        mine = np.flatnonzero(program.access_instruction == row)
        for access in sorted(mine, key=lambda a: program.access_is_write[a]):
            where = int(program.access_location[access])
            lo = program.access_start[access]
            for point in np.ndindex(*program.access_extent[access]):
                key = (where, *(lo + point).tolist())
                if program.access_is_write[access]:
                    memory[key] = number((instruction.name, tuple(reads), point))
                else:
                    reads.append(memory.get(key, number(key)))
    y = [t.name for t in function.tensors].index("y")
    place = int(np.flatnonzero(program.location_tensor == y)[0])
    return [memory.get((place, *p), -1) for p in np.ndindex(4, 4)]


@settings(max_examples=8)
@given(st.randoms(use_true_random=False))
def test_gated_values_are_equal_only_if_each_choice_of_arms_gives_equal_data(rng):
    """An order that the check accepts leaves the same data whichever arms are done."""
    program = unrolled(NESTED)
    order = list(range(len(program)))
    for _ in range(rng.randint(0, 2)):
        at = rng.randrange(len(order) - 1)
        order[at], order[at + 1] = order[at + 1], order[at]
    zeros = np.zeros(len(program.location_tensor), np.int64)
    byte = np.cumsum([0, *[64] * (len(zeros) - 1)])
    state = finished(NESTED)
    placement = replace(state.placement, partition=zeros, byte=byte)
    schedule = Schedule(np.array(order), np.arange(len(order)), 0, "by hand")

    numbers: dict[object, int] = {}
    same = all(
        final(program, order, choice, numbers)
        == final(program, sorted(order), choice, numbers)
        for choice in product((True, False), repeat=4)
    )
    accepted = not check_equivalence(program, placement, schedule)
    assert same or not accepted
    assert accepted or order != sorted(order)


def compiled(text: str = PLAIN) -> State:
    """Return a kernel after all passes."""
    return finished(text)


@pytest.mark.parametrize("text", [PLAIN, NESTED])
def test_without_a_fault_there_is_no_hazard(text: str):
    """Joins, nested ones too, come out clean."""
    assert check(compiled(text)) == ()


def test_a_missing_barrier_is_caught(monkeypatch: pytest.MonkeyPatch):
    """A load into bytes of its own runs past the if."""
    none = Edges(*np.zeros((3, 0), np.int64))
    monkeypatch.setattr(
        "rotation.passes.build_dependences.barrier_edges", lambda _: none
    )

    text = PLAIN.replace(
        "    st:",
        "    sb v [128, 256] fp32 byte 65536 dma.load v <- x[0:+512, 0:+64]\n    st:",
    )

    assert {"race", "dependence"} <= {h.check for h in check(compiled(text))}


def test_a_result_of_one_arm_that_is_lost_is_caught_by_the_validation(
    monkeypatch: pytest.MonkeyPatch,
):
    """Guards are what keeps the first arm alive: the second one writes it all again."""
    state = compiled()
    names = [i.name for i in state.function.instructions]
    first, second = (
        np.flatnonzero(state.program.statement == names.index(name))[0]
        for name in ("dbl", "neg")
    )
    order = state.schedule.order.tolist()
    # The arm that comes first in the text is done last: both wrote, one is lost.
    order.remove(first)
    order.insert(order.index(second) + 1, first)
    schedule = replace(state.schedule, order=np.array(order))
    hazards = check_equivalence(state.program, state.placement, schedule)

    assert hazards
    monkeypatch.setattr("rotation.check.equivalence.row_guards", lambda _: [])
    assert check_equivalence(state.program, state.placement, schedule)


def test_an_arm_that_does_not_wait_for_what_decides_is_caught():
    """It would be done, or not, by the flag of the iteration before."""
    state = compiled()
    names = [i.name for i in state.function.instructions]
    edges = state.edges
    kept = state.program.statement[edges.source] != names.index("ld_c")
    fewer = Edges(edges.source[kept], edges.sink[kept], edges.kind[kept])
    hazards = check_races(state.program, state.placement, fewer, state.schedule)

    assert any("dbl[i = 0] (line 13) reads f" in hazard.message for hazard in hazards)


def test_times_that_run_past_an_if_are_caught():
    """All start at once."""
    state = compiled()
    at_once = replace(state.schedule, start_ps=np.zeros_like(state.schedule.start_ps))
    hazards = check_overlap(state.program, state.placement, at_once)

    assert any("an if on loaded values parts them" in h.message for h in hazards)


def test_the_reduction_keeps_every_order_of_the_barrier():
    """Whatever is dropped follows from queues and other edges."""
    program = unrolled(PLAIN)
    order = np.arange(len(program))
    edges = reduced(program, barrier_edges(program), order)
    state = compiled()
    schedule = replace(state.schedule, order=order)
    hazards = check_races(program, state.placement, edges, schedule)

    assert not [h for h in hazards if "parts them" in h.message]


def test_unroll_keeps_every_execution_of_a_join():
    """Nothing is left out for values that nobody knows yet."""
    assert len(unroll(kernel(PLAIN), PLANNING)) == 4 * 5


@settings(max_examples=10)
@given(joined_kernel_texts())
def test_random_kernels_with_ifs_stay_equivalent(text: str):
    """Joins are left behind their barriers, other ifs are folded; both are proved."""
    function = kernel(text)
    result = run(function)

    assert (result.hazards, result.equivalent, result.failures) == ((), True, ())
    assert result.verdict in ({"left"} if joins(function) else {"accepted", "left"})
    assert all(ring.slots == 1 for ring in result.rings) or not joins(function)


def test_a_scatter_beside_a_join_is_checked():
    """It keeps rows that it does not name, under the guard of its own arm."""
    text = """kernel scattered on planning {
dram n [2, 1] int32 input
dram w [8, 4] fp32 output
sb f [2, 1] int32
sb t [2, 4] fp32
sb z [8, 4] fp32
vector.memset t <-
vector.memset z <-
dma.store w <- z
dma.load f <- n
dma.scatter w <- t index(f, dim 0)
if loaded(f) { dma.scatter w <- t index(f, dim 0) }
dma.scatter w <- t index(f, dim 0)
}
"""

    assert run(kernel(text)).hazards == ()
