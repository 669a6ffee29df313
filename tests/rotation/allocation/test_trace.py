import pytest

from rotation.allocation import read_trace
from rotation.errors import AllocationError
from tests.rotation.allocation.tables import TRACES, trace


def test_upper_is_exclusive_and_end_is_inclusive():
    """The two forms of the public set."""
    upper = read_trace("id,lower,upper,size\na,0,3,4\n")
    end = read_trace("id,lower,end,size\na,0,2,4\n")

    assert upper.end.tolist() == end.end.tolist() == [3]


def test_alignment_and_place_may_be_given():
    """An empty field has the default."""
    table = read_trace("lower,upper,size,alignment,offset\n0,3,4,8,16\n0,3,4,,\n")

    assert table.alignment.tolist() == [8, 1]
    assert table.pinned.tolist() == [16, -1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lower,size\n0,4\n", "the trace has no column upper or end"),
        ("upper,size\n3,4\n", "the trace has no column lower"),
        (
            "lower,upper,size\n0,3,4\n0,x,4\n",
            "line 3 of the trace: upper is 'x', not a whole number",
        ),
        ("lower,upper,size\n0,3\n", "line 2 of the trace: size is None, not a whole"),
    ],
)
def test_a_trace_without_sense_is_refused(text: str, message: str):
    """The message names the column or the line."""
    with pytest.raises(AllocationError, match=message):
        read_trace(text)


def test_the_traces_are_those_of_the_public_set():
    """Their number of buffers is known."""
    small = read_trace((TRACES / "input.12.csv").read_text(encoding="utf-8"))

    assert [len(trace(name)) for name in "ADK"] == [154, 213, 454]
    assert len(small) == 5
