"""Dumps: text that reads back after every pass, JSON lines when it is large."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from pelican.errors import LocatedError, Source
from rotation.errors import KernelError
from rotation.passes.base import State
from rotation.running import dump as dumps
from rotation.running.dump import dump, load_placed, read_placed
from rotation.running.pipeline import PASSES, run_passes, unrotated
from rotation.text.parse import parse
from tests.rotation.finished import finished
from tests.rotation.kernels import legal_kernel_texts
from tests.rotation.pinned import PINNED
from tests.rotation.programs import COPY, MATMUL, PLANNING, kernel

GOLDEN = Path(__file__).parents[2] / "golden/dump"
Golden = Callable[[Path, str], None]


def states(text: str) -> dict[str, State]:
    """Return the state after each pass, by its name."""
    found: dict[str, State] = {}
    run_passes(PASSES, State(kernel(text), PLANNING), [found.__setitem__])
    return found


def again(state: State, text: str) -> str:
    """Return the dump of what a dump of a placed state reads back to."""
    placed = read_placed(Source("dump", text))
    return dump(
        State(
            placed.function,
            state.machine,
            program=placed.program,
            placement=placed.placement,
            edges=None if state.edges is None else placed.edges,
            schedule=placed.schedule,
        )
    )


@pytest.mark.parametrize("text", [MATMUL, PINNED], ids=["matmul", "pinned"])
def test_every_dump_of_a_placed_program_reads_back(text: str):
    """Half-placed, unscheduled and finished states: text to text, and no hazard."""
    for name, state in states(text).items():
        if state.placement is not None:
            written = dump(state)

            assert again(state, written) == written, name
    assert read_placed(Source("dump", written)).hazards() == ()


@given(legal_kernel_texts())
@settings(max_examples=8)
def test_the_dump_of_a_random_kernel_reads_back(text: str):
    """Rotated and packed: the tables that come back are the tables."""
    try:
        after = finished(text)
    except LocatedError:
        return
    for state in (after, unrotated(after)):
        placed = read_placed(Source("dump", dump(state)))

        assert placed.placement.byte.tolist() == state.placement.byte.tolist()
        assert placed.placement.slot.tolist() == state.placement.slot.tolist()
        assert placed.edges.kind.tolist() == state.edges.kind.tolist()
        assert placed.schedule.start_ps.tolist() == state.schedule.start_ps.tolist()
        assert placed.hazards() == ()


def test_the_dump_of_a_plan_asks_for_its_rings():
    """Read as a kernel, it gets the rings that were planned."""
    state = states(COPY.replace("RING", ""))["plan_rings"]
    (function,) = parse(dump(state))

    planned = {t.name: slots for t, slots in state.plan.slots().items()}
    assert {t.name: t.ring_slots for t in function.tensors if t.on_chip} == planned


def test_the_dump_of_a_plan_leaves_pins_alone():
    """Their place says how many slots they have."""
    text = dump(states(PINNED)["plan_rings"])

    assert "psum a [128, 512] fp32 bank i mod 2\n" in text


def test_a_dump_names_the_machine_of_the_run():
    """Not that of the text, which another one was used instead of."""
    state = states(MATMUL)["perf_sim"]
    other = replace(state, machine=replace(state.machine, name="trn2"))

    assert dump(other).startswith("kernel matmul on trn2 {")


def test_a_large_program_is_dumped_as_lines(monkeypatch: pytest.MonkeyPatch):
    """They read back like the text."""
    state = states(MATMUL)["perf_sim"]
    monkeypatch.setattr(dumps, "LARGE_DUMP", 30)
    written = dump(state)

    assert written.startswith('{"schema": "rotation-placed/1", "name": "matmul"')
    assert len(state.program) > 30
    assert again(state, written) == written


@pytest.mark.parametrize("name", ["coloring_allocator_sb", "perf_sim"])
def test_the_dump_of_a_small_kernel_is_the_golden(name: str, golden: Golden):
    """Small enough to review by eye: before the edges, and finished."""
    golden(
        GOLDEN / f"{name}.kernel", dump(states(COPY.replace("RING", "ring 2"))[name])
    )


def test_a_file_of_several_needs_a_name(tmp_path: Path):
    """As for kernels; a wrong name suggests the nearest."""
    state = states(COPY.replace("RING", ""))["perf_sim"]
    file = tmp_path / "two.placed"
    file.write_text(dump(state) + dump(state).replace(" copy ", " coil "))

    assert load_placed(file, "coil").function.name == "coil"
    with pytest.raises(KernelError, match="holds 2 placed programs: copy, coil"):
        load_placed(file)
    with pytest.raises(KernelError) as caught:
        load_placed(file, "coyp")
    assert caught.value.hint == "did you mean copy?"


def test_a_kernel_alone_is_not_placed(tmp_path: Path):
    """How to get a placed program is told."""
    file = tmp_path / "k.kernel"
    file.write_text(COPY.replace("RING", ""))
    with pytest.raises(KernelError) as caught:
        load_placed(file)

    assert "holds no placed program" in caught.value.message
    assert "--print-after perf_sim" in (caught.value.hint or "")


def test_a_mistake_of_a_file_of_lines_names_the_file(tmp_path: Path):
    """The document and the pointer."""
    file = tmp_path / "p.jsonl"
    file.write_text("{}\n")
    with pytest.raises(LocatedError) as caught:
        load_placed(file)

    assert str(caught.value).startswith(f"{file}: /1: ")
