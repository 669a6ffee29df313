import pytest

from rotation.modelled.preconditions import Path, unmet
from rotation.passes.attributes import FunctionAttribute as A

NEEDED = {
    Path.PSUM: {A.PSUM_ALLOCATED},
    Path.SB: {A.SB_ALLOCATED},
    Path.PSUM_POST_SCHEDULE: {A.PSUM_ALLOCATED, A.POST_SCHEDULED},
    Path.SB_POST_SCHEDULE: {A.SB_ALLOCATED, A.POST_SCHEDULED},
}


@pytest.mark.parametrize("path", NEEDED)
def test_a_path_runs_where_its_attributes_are_true(path):
    """And nothing more is asked."""
    assert unmet(path, dict.fromkeys(NEEDED[path], True)) is None


@pytest.mark.parametrize(
    ("path", "attribute"),
    [(p, a) for p, needs in NEEDED.items() for a in sorted(needs)],
)
def test_an_attribute_that_is_there_and_false_is_not_enough(path, attribute):
    """It is the truth that counts."""
    attributes = {**dict.fromkeys(NEEDED[path], True), attribute: False}

    assert f"attribute {attribute.value} " in unmet(path, attributes)


def test_psum_does_not_rotate_once_sb_is_allocated():
    """The first pass of PSUM comes before."""
    attributes = {A.PSUM_ALLOCATED: True, A.SB_ALLOCATED: True}

    assert unmet(Path.PSUM, attributes) == (
        "attribute 10 (sb_allocated) is true already"
    )


def test_the_numbers_are_those_of_the_modelled_system():
    """9, 10, 11 and 12."""
    assert [a.value for a in A] == [9, 10, 11, 12]
