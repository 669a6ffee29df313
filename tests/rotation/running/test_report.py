from collections.abc import Collection

from rotation.running.pipeline import run
from tests.rotation.programs import COPY, MATMUL, STREAM, TURNS, kernel, unrolled


def result(text: str, skip_passes: Collection[str] = ()):
    return run(kernel(text), skip_passes=skip_passes)


def test_memory_is_measured_before_and_after():
    """SB in bytes of a partition, PSUM in banks, DRAM in bytes without a limit."""
    memory = result(MATMUL).memory
    sb, psum, dram = memory["sb"], memory["psum"], memory["dram"]

    assert 1 == psum.before <= psum.after <= psum.capacity == 8
    assert sb.before == 256 + 1024
    assert sb.before < sb.after <= sb.capacity == 180_224
    assert (dram.before, dram.capacity) == (
        (512 * 256 + 512 * 1024 + 256 * 1024) * 2,
        None,
    )


def test_a_bank_in_use_counts_whole():
    """A PSUM tile of half a bank takes one bank."""
    text = MATMUL.replace("[0, 2)", "[0, 1)").replace("512*n:+512", "512*n:+256")

    assert result(text.replace("[128, 512]", "[128, 256]")).memory["psum"].after == 1


def test_serial_time_is_the_sum_of_all_costs():
    """Busy and latency of every instruction, one after the other."""
    report = result(STREAM)
    program = report.after.program

    total_ps = int((program.busy_ps + program.latency_ps).sum())
    assert report.schedule.serial_ns == total_ps / 1000


def test_an_engine_is_busy_or_idle():
    """Both add up to the makespan."""
    report = result(STREAM)

    for engine in report.engines.values():
        together = engine.busy_ns + sum(engine.idle_ns.values())
        assert abs(together - report.schedule.after_ns) < 0.001


def test_a_recurrence_gives_the_steady_interval():
    """The loop that the value goes round in, whatever engine works there."""
    schedule = result(TURNS).schedule
    program = unrolled(TURNS)

    assert (schedule.bound.kind, schedule.bound.tensors) == ("recurrence", ("total",))
    assert schedule.steady_interval_ns == program.busy_ps[2:4].sum() / 1000


def test_a_ring_that_was_not_rotated_has_one_slot():
    """The slots in use are reported, not the slots of the plan."""
    (ring, *_) = result(STREAM, skip_passes=["address_rotation_sb"]).rings

    assert (ring.tensor, ring.slots, ring.wanted) == ("xt", 1, 2)


def test_a_ring_names_its_loop_and_its_bytes():
    """The loop by name, the bytes that one slot takes of a partition."""
    (ring, *_) = result(STREAM).rings

    assert (ring.space, ring.loop, ring.slot_bytes) == ("sb", "j", 8192)


def test_a_buffer_outside_loops_has_no_loop():
    """Its ring is reported with loop null."""
    text = COPY.replace("RING", "").replace("sb t [128, 512] fp32", "")
    text = text.replace("for i", "sb t [128, 512] fp32\n  for i")

    assert [ring.loop for ring in result(text).rings] == [None, "i"]


def test_the_bound_is_the_same_without_a_plan():
    """Skipping the plan changes the schedule, not what no schedule can beat."""
    planned, plain = result(STREAM), result(STREAM, skip_passes=["plan_rings"])

    assert plain.schedule.bound_ns == planned.schedule.bound_ns
    assert plain.schedule.after_ns > planned.schedule.after_ns
