"""The first iterations of a program."""

import numpy as np
import pytest
from hypothesis import given, settings

from rotation.rings.window import leading_iterations
from rotation.unrolled.program import Program
from rotation.unrolled.unroll import unroll
from tests.rotation.kernels import legal_kernel_texts
from tests.rotation.programs import PLANNING, STREAM, kernel, matmul


def program(text: str) -> Program:
    return unroll(kernel(text), PLANNING)


def longer(trips: int) -> str:
    """Return a stream of that many outer iterations of eight operations."""
    return STREAM.replace("[1024,", f"[{128 * trips},").replace(
        "[0, 8)", f"[0, {trips})"
    )


def test_a_short_program_is_its_own_window():
    """Below a thousand instructions nothing is cut."""
    whole = program(STREAM)

    assert leading_iterations(whole) is whole


@pytest.mark.parametrize(("doubled", "iterations"), [(0, 125), (1, 250), (2, 300)])
def test_a_window_has_whole_outer_iterations(doubled, iterations):
    """A thousand instructions of eight a trip, then twice as many, then all."""
    window = leading_iterations(program(longer(300)), doubled)

    assert len(window) == 8 * iterations


def test_a_window_is_the_beginning_of_the_program():
    """Rows, accesses and locations are those of the kernel cut short."""
    window = leading_iterations(program(longer(300)))
    short = program(longer(125))

    for column in ("statement", "engine", "busy_ps", "access_start", "location_tensor"):
        assert np.array_equal(getattr(window, column), getattr(short, column)), column
    for column in ("access_instruction", "access_location", "location_instance"):
        assert np.array_equal(getattr(window, column), getattr(short, column)), column


def test_long_iterations_are_cut_inside():
    """Eight rows of 8 columns of 333 steps, where 8 whole rows are above 20,000."""
    window = leading_iterations(program(matmul(9, 9, 400)))

    assert len(window) == 8 * 8 * (400 * 3 + 2)


@settings(max_examples=30, deadline=None)
@given(legal_kernel_texts())
def test_any_window_is_a_program(text):
    """Whatever is cut, rows are numbered anew without gaps."""
    whole = program(text)
    window = leading_iterations(whole)

    assert set(window.access_instruction.tolist()) <= set(range(len(window)))
    touched = np.unique(window.access_location)
    assert np.array_equal(touched, np.arange(len(window.location_tensor)))
