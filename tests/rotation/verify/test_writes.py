from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation.errors import KernelError
from rotation.machine.machine import get_machine
from rotation.text.parse import parse
from rotation.unrolled.unroll import unroll


def check(body: str) -> None:
    """Unroll a kernel of that body, which checks its writes."""
    (function,) = parse(
        "kernel k on planning {\n dram x [4, 8] fp32 input\n"
        f" dram y [4, 8] fp32 output\n sb t [4, 8] fp32\n{body}\n}}"
    )
    unroll(function, get_machine("planning"))


def test_two_destinations_that_overlap_are_refused_at_the_second():
    """The error names the buffer, and which destinations."""
    with pytest.raises(KernelError) as caught:
        check("a: vector.f t[0:+2, 0:+8], t[1:+2, 0:+8] <-")

    message = "a writes elements of t twice, as destination 1 and 2"
    assert caught.value.message == message
    assert (caught.value.line, caught.value.column) == (5, 28)


def test_the_first_iteration_of_an_overlap_is_named():
    """Destinations that meet later only are found where they meet."""
    with pytest.raises(KernelError, match=r"1 and 2, at i = 2\n"):
        check("for i in [0, 4) { a: vector.f t[i:+1, 0:+1], t[2:+1, 0:+1] <- }")


def test_a_destination_may_not_be_named_twice():
    """The whole buffer overlaps itself."""
    with pytest.raises(KernelError, match="twice"):
        check("vector.f t, t <-")


def test_destinations_side_by_side_are_accepted():
    """They share no element, though they share rows or columns."""
    check("vector.f t[0:+2, 0:+8], t[2:+2, 0:+4], t[2:+2, 4:+4] <-")


def test_destinations_in_two_buffers_are_accepted():
    """Equal boxes of two buffers are not one place."""
    check("sb u [4, 8] fp32 vector.f t, u <-")


BOXES = st.tuples(
    st.integers(0, 3), st.integers(1, 3), st.integers(0, 5), st.integers(1, 3)
)


@given(BOXES, BOXES)
def test_exactly_the_boxes_with_a_common_element_are_refused(one, other):
    """Compared element by element."""
    boxes = [(r, min(n, 4 - r), c, min(m, 8 - c)) for r, n, c, m in (one, other)]
    first, second = (
        set(product(range(r, r + n), range(c, c + m))) for r, n, c, m in boxes
    )
    targets = ", ".join(f"t[{r}:+{n}, {c}:+{m}]" for r, n, c, m in boxes)

    refused = False
    try:
        check(f"vector.f {targets} <-")
    except KernelError:
        refused = True
    assert refused == bool(first & second)
