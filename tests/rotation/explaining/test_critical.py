import numpy as np

from rotation.explaining.critical import (
    Constraint,
    Critical,
    Link,
    behind_barriers,
)
from rotation.loop_form.kernel import EdgeKind, Engine
from rotation.unrolled.program import Edges
from tests.rotation.explaining.placed import in_rings, ran
from tests.rotation.programs import COPY, Access, Op, program_of, tile, unrolled


def of(text: str, slots: int) -> Critical:
    """Return the constraints of a kernel with that many slots for each buffer."""
    program = unrolled(text)
    return ran(program, in_rings(program, slots))[0]


def test_a_value_is_a_firm_constraint():
    """The copy waits for its load, however many slots there are."""
    assert of(COPY.replace("RING", ""), 4).constraint(1) == Constraint(Link.FIRM, 0, 1)


def test_bytes_of_another_instance_are_a_loose_constraint():
    """With one slot the second load waits for the first copy."""
    one, four = (of(COPY.replace("RING", ""), slots) for slots in (1, 4))

    assert (one.loose.source[3], one.loose.ready_ps[3]) == (1, one.done_ps[1])
    assert (four.loose.source[3], four.loose.ready_ps[3]) == (-1, 0)


def test_the_later_of_two_constraints_counts():
    """A load that would find its bytes free stands behind a store."""
    found = of(COPY.replace("RING", ""), 1)

    assert found.constraint(3) == Constraint(Link.ENGINE, 2, 3)


def test_of_two_constraints_that_end_together_the_firm_one_counts():
    """Another slot alone would win nothing."""
    value = Access(0, 0, (0,), (1,), is_write=True)
    old = Access(1, 0, (0,), (1,), is_write=True)
    program = program_of(
        [tile("s", (1,)), tile("t", (1,))],
        [
            Op(Engine.CC, 1, 0, (old,)),
            Op(Engine.VECTOR, 5, 0, (value,)),
            Op(Engine.PE, 4, 0, (old._replace(is_write=False),)),
            Op(
                *(Engine.DMA, 1, 0),
                (value._replace(is_write=False), old._replace(instance=1)),
            ),
        ],
    )
    found = ran(program, in_rings(program, 1))[0]

    assert (found.firm.ready_ps[3], found.loose.ready_ps[3]) == (5, 5)
    assert found.constraint(3) == Constraint(Link.FIRM, 1, 3)


def test_an_engine_at_work_is_a_constraint():
    """With a slot for each, the loads follow each other."""
    found = of(COPY.replace("RING", ""), 4)

    assert found.constraint(3) == Constraint(Link.ENGINE, 0, 3)


def test_bytes_written_again_in_one_instance_are_firm():
    """No ring parts two writes of one instance."""
    text = COPY.replace("RING", "scalar.fill t <-")
    found = of(text, 4)

    assert (found.firm.source[1], found.loose.source[1]) == (0, -1)


def test_nothing_constrains_the_first():
    """It starts at once."""
    assert of(COPY.replace("RING", ""), 1).constraint(0) is None


def test_a_run_goes_back_to_the_last_break_of_its_engine():
    """Four loads in a row are one run."""
    found = of(COPY.replace("RING", ""), 4)

    assert [found.run[row] for row in (0, 3, 6, 9)] == [0, 0, 0, 0]


def barriers_behind(*pairs: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the barriers of a copy of four tiles: load, copy, store by tile."""
    program = unrolled(COPY.replace("RING", ""))
    _, schedule = ran(program, in_rings(program, 1), "source-order")
    source, sink = np.array(pairs, np.int64).reshape(-1, 2).T
    kind = np.full(len(source), EdgeKind.ORDERED, np.int64)
    found = behind_barriers(program, schedule, Edges(source, sink, kind))
    return list(zip(found.source.tolist(), found.sink.tolist(), strict=True))


def test_what_stands_behind_a_barrier_waits_for_it():
    """Row 6 loads; the transfers behind it wait for row 1, the copies do not."""
    assert sorted(barriers_behind((1, 6))) == [(1, 6), (1, 8), (1, 9), (1, 11)]


def test_the_last_of_two_barriers_is_that_of_what_stands_behind_both():
    """From row 9 on it is row 4 that is complete last."""
    found = barriers_behind((1, 6), (4, 9))

    assert sorted(found) == [(1, 6), (1, 8), (4, 9), (4, 11)]


def test_a_program_without_barriers_has_none():
    """No edge is made."""
    assert barriers_behind() == []
