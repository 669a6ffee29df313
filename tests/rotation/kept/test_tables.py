from collections import Counter

import pytest

from rotation.check import check_equivalence, check_overlap, check_races
from rotation.kept.tables import tables_of
from tests.rotation.kept.programs import NEST, ROWS, kept_program
from tests.rotation.programs import kernel

KEPT = {
    "rows": kept_program(kernel(ROWS), {"xt": 3, "zt": 3}, {"n": 64}),
    "nest": kept_program(kernel(NEST), {"s": 2, "t": 3}, {"n": 8}),
}
SIZES = [0, 1, 2, 3, 5, 8]


@pytest.mark.parametrize("name", ["rows", "nest"])
@pytest.mark.parametrize("n", SIZES)
def test_the_three_checkers_find_nothing(name: str, n: int):
    """At trip counts below, at and above the ring and the stages."""
    tables = tables_of(KEPT[name], {"n": n})
    program, placement = tables.program, tables.placement

    assert check_overlap(program, placement, tables.schedule) == []
    assert check_races(program, placement, tables.edges, tables.schedule) == []
    assert check_equivalence(program, placement, tables.schedule) == []


@pytest.mark.parametrize("n", SIZES)
def test_each_operation_runs_once_at_each_trip(n: int):
    """Prologue, body and epilogue together; nothing before the first trip."""
    program = tables_of(KEPT["rows"], {"n": n}).program
    ran = Counter(
        zip(program.statement.tolist(), program.iteration.tolist(), strict=True)
    )

    assert ran == Counter((s, k) for s in range(3) for k in range(n))


def test_the_rounds_overlap():
    """The load of a later trip starts before the store of an earlier one."""
    tables = tables_of(KEPT["rows"], {"n": 5})
    order = tables.schedule.order
    names = list(
        zip(
            tables.program.statement[order].tolist(),
            tables.program.iteration[order].tolist(),
            strict=True,
        )
    )

    assert names.index((0, 1)) < names.index((2, 0))


def test_a_counter_runs_on_over_the_nest():
    """Five trips for each of four outer ones: slots 0, 1, 2, 0, 1, 2, ... all along."""
    tables = tables_of(KEPT["nest"], {"n": 5})
    tensors = [t.name for t in tables.program.function.tensors]
    mine = tables.program.location_tensor == tensors.index("t")

    assert tables.placement.slot[mine].tolist() == [k % 3 for k in range(20)]


def test_a_run_of_a_node_waits_for_all_before_it():
    """Every operation of a run starts when everything of the run before is complete."""
    tables = tables_of(KEPT["nest"], {"n": 3})
    program, start = tables.program, tables.schedule.start_ps
    done = start + program.busy_ps + program.latency_ps
    names = [i.name for i in program.function.instructions]
    for m in range(4):
        clear = (program.statement == names.index("clear")) & (program.iteration == m)
        loads = (program.statement == names.index("ld")) & (program.iteration // 3 == m)
        stores = (program.statement == names.index("st")) & (program.iteration == m)
        adds = (program.statement == names.index("ad")) & (program.iteration // 3 == m)

        assert start[loads].min() >= done[clear].max()
        assert start[stores].min() >= done[adds].max()


def test_edges_have_their_distance():
    """A ring of three: the copy waits for the store three trips before."""
    tables = tables_of(KEPT["rows"], {"n": 6})
    program, edges = tables.program, tables.edges
    anti = {
        (int(program.iteration[a]), int(program.iteration[b]))
        for a, b in zip(edges.source, edges.sink, strict=True)
        if program.statement[a] == 2 and program.statement[b] == 1
    }

    assert anti == {(0, 3), (1, 4), (2, 5)}
