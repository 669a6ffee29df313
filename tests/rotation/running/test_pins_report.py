"""What a run says of the places of the user."""

from rotation.running.pins_report import pins_report
from rotation.running.pipeline import run
from rotation.running.result import PinnedPlaceReport, PinReport
from tests.rotation.finished import finished
from tests.rotation.pinned import PINNED
from tests.rotation.programs import COPY, kernel

STATE = finished(PINNED)


def test_a_kernel_without_pins_has_no_report():
    """Nothing is said of it, and nothing is run twice."""
    assert run(kernel(COPY.replace("RING", ""))).pins is None


def test_each_pinned_buffer_is_listed_with_its_place():
    """In the words of its declaration."""
    assert pins_report(STATE, None).tensors == (
        PinReport("t", "byte 4096*(i mod 2) part 0", 2),
        PinReport("a", "bank i mod 2", 2),
        PinReport("b", "bank 1 - i mod 2", 2),
    )


def test_each_bank_is_listed_with_its_buffers_and_edges():
    """Two buffers in one bank wait for one another; bytes of SB are ranges."""
    report = pins_report(STATE, 5_000)
    banks = {place.place: place for place in report.places}

    assert list(banks) == [
        "psum bank 0",
        "psum bank 1",
        "sb bytes [0, 2048)",
        "sb bytes [4096, 6144)",
    ]
    assert banks["psum bank 0"].tensors == ("a", "b")
    assert banks["psum bank 0"].anti > 0
    assert banks["sb bytes [0, 2048)"] == PinnedPlaceReport(
        "sb bytes [0, 2048)", ("t",), 3
    )
    assert report.automatic_ns == 5


def test_without_a_plan_there_is_nothing_to_compare():
    """The passes would give each buffer one place."""
    text = COPY.replace("RING", "byte 2048*(i mod 4) part 0")

    assert run(kernel(text), skip_passes=["plan_rings"]).pins.automatic_ns is None


def test_places_that_cost_time_are_compared_with_those_of_the_passes():
    """One place for all instances serialises; the passes would give several."""
    result = run(kernel(COPY.replace("RING", "byte 0 part 0")))

    assert result.verdict == "accepted"
    assert result.pins.automatic_ns < result.schedule.after_ns
