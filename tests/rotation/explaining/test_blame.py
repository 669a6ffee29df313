from collections.abc import Iterable

from rotation.explaining.blame import Blame, Total, blamed, idle_ps
from rotation.explaining.waits import Cause
from rotation.loop_form.kernel import Engine
from rotation.passes.base import State
from rotation.running.pipeline import PASSES, run_passes
from tests.rotation.explaining.kernels import BANKS, FULL
from tests.rotation.explaining.placed import finished
from tests.rotation.programs import SPLIT, STREAM, TURNS, kernel


def largest(blames: dict[Blame, Total], engine: Engine, cause: Cause) -> Blame:
    """Return what most of an engine's idle time of one cause is about."""
    mine = [b for b in blames if b.engine is engine and b.cause is cause]
    return max(mine, key=lambda blame: blames[blame].idle_ps)


def names(tensors: Iterable) -> list[str]:
    return [tensor.name for tensor in tensors]


def test_a_ring_is_to_blame_with_its_edge():
    """The load waits for the add of the iteration before to leave its bytes."""
    state = finished(STREAM, plan=False)
    blame = largest(blamed(state), Engine.DMA, Cause.RING)
    operations = [each.name for each in state.function.instructions]

    assert (names(blame.tensors), blame.value, blame.distance) == (["xt"], False, 1)
    assert (operations[blame.source], operations[blame.sink]) == ("add", "ld_x")
    assert (operations[blame.blocked], blame.loop.index.name) == ("ld_x", "j")


READ_TWICE = """
kernel twice on planning {
  dram x [128, 512] fp32 input
  dram z [128, 4096] fp32 output
  sb t [128, 512] fp32
  ld: dma.load t <- x
  for i in [0, 8) {
    sb n [128, 512] fp32
    sb u [128, 512] fp32 ring 4
    mx: vector.max n <- t
    ex: scalar.exp u <- t, n
    st: dma.store z[0:+128, 512*i:+512] <- u
  }
}
"""


def test_a_buffer_that_both_ends_only_read_is_not_to_blame():
    """Both read `t` all the time; it is `n` that has one slot."""
    blame = largest(blamed(finished(READ_TWICE, plan=False)), Engine.VECTOR, Cause.RING)

    assert names(blame.tensors) == ["n"]


def test_a_ring_that_has_no_room_is_a_matter_of_capacity():
    """Another slot would help, but SB is full."""
    blame = largest(blamed(finished(FULL)), Engine.DMA, Cause.CAPACITY)

    assert names(blame.tensors) == ["t"]


def test_two_buffers_in_one_bank_are_to_blame_together():
    """The bytes that are waited for belong to another buffer."""
    blame = largest(blamed(finished(BANKS)), Engine.PE, Cause.BANK)

    assert {name[0] for name in names(blame.tensors)} == {"p"}
    assert len(set(names(blame.tensors))) == 2


def test_a_recurrence_names_what_carries_it():
    """The sum, from one iteration to the next."""
    blame = largest(blamed(finished(TURNS)), Engine.GPSIMD, Cause.RECURRENCE)

    assert (names(blame.tensors), blame.value) == (["total"], True)


def test_a_resource_names_the_engine_at_work():
    """The add of a stream waits for the dma, which works all the time."""
    blame = largest(blamed(finished(STREAM)), Engine.VECTOR, Cause.RESOURCE)

    assert blame.server is Engine.DMA


def test_equal_waits_are_added_up():
    """The 16 iterations of a stream make a handful of different waits."""
    blames = blamed(finished(STREAM, plan=False))

    assert len(blames) < 10
    assert max(total.count for total in blames.values()) >= 14


def test_idle_time_is_given_by_cause():
    """Every cause has a number, and their sum is what the engine does not work."""
    state = finished(STREAM)
    idle = idle_ps(blamed(state).items(), Engine.VECTOR)
    works = state.program.engine == Engine.VECTOR

    assert list(idle) == list(Cause)
    assert sum(idle.values()) == (
        state.schedule.makespan_ps - state.program.busy_ps[works].sum()
    )


def test_a_program_without_instructions_waits_for_nothing():
    """It has no engine."""
    assert blamed(finished("kernel k on planning { }")) == {}


IN_ONE_BANK = """
kernel one_bank on planning {
  dram x [128, 4096] fp32 input
  dram z [128, 4096] fp32 output
  sb t [128, 4096] fp32
  ld: dma.load t <- x
  for i in [0, 8) {
    psum acc [128, 512] fp32 bank 3
    sb u [128, 512] fp32
    mm: pe.f acc <- t[0:+128, 512*i:+512]
    ev: vector.copy u <- acc
    st: dma.store z[0:+128, 512*i:+512] <- u
  }
}
"""


def test_a_bank_map_is_to_blame_for_waits_of_its_buffer():
    """A tile that the user keeps in one bank waits for that bank."""
    blame = largest(blamed(finished(IN_ONE_BANK)), Engine.PE, Cause.BANK)

    assert names(blame.tensors) == ["acc"]


def test_a_resource_names_the_server_at_work():
    """With two servers of dma the add waits for the one that loads."""
    function = kernel(STREAM)
    state = run_passes(PASSES, State(function, SPLIT))[0]
    blame = largest(blamed(state), Engine.VECTOR, Cause.RESOURCE)

    assert blame.server is Engine.DMA_LOAD
