from rotation.running.pass_list import pass_list
from rotation.running.pipeline import NEEDED, OFF, PASSES


def test_the_list_has_every_pass_in_order():
    """Names, which of them cannot be skipped, and which are off."""
    passes = pass_list()

    assert [each["name"] for each in passes] == [step.name for step in PASSES]
    assert {each["name"] for each in passes if each["needed"]} == NEEDED
    assert {each["name"] for each in passes if not each["on"]} == OFF


def test_a_pass_shows_its_options_as_they_are_set():
    """The colouring of the pipeline is the one with private arenas."""
    (psum,) = (e for e in pass_list() if e["name"] == "coloring_allocator_psum")

    assert psum["options"] == {"objective": "rotated"}


def test_a_pass_says_what_it_does_and_counts():
    """One sentence, and the statistics of its reports."""
    for each, step in zip(pass_list(), PASSES, strict=True):
        assert each["summary"].endswith(".")
        assert [s["name"] for s in each["statistics"]] == [
            statistic.name for statistic in step.statistics
        ]
