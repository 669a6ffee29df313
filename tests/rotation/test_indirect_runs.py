"""Kernels with gathers and scatters, run on numbers and through all checkers."""

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rotation.running.pipeline import check, unrotated
from rotation.text.parse import parse
from rotation.text.print import print_function
from tests.rotation.concrete import run_placed, run_source
from tests.rotation.finished import finished
from tests.rotation.indirect_kernels import IndirectKernel, indirect_kernels
from tests.rotation.programs import kernel


@settings(max_examples=30)
@given(indirect_kernels(), st.integers(0, 2**32))
def test_every_run_of_a_placed_kernel_gives_the_data_of_its_source(
    drawn: IndirectKernel, seed: int
):
    """Rows are really read and written, at the speeds that the test draws."""
    random, state = Random(seed), finished(drawn.text)
    inputs = drawn.inputs(random)
    expected = run_source(state.program, inputs)

    for built, runs in ((state, 2), (unrotated(state), 1)):
        assert check(built) == ()
        for _ in range(runs):
            actual = run_placed(built, inputs, random)
            assert actual.keys() == expected.keys()
            for name, value in expected.items():
                assert np.array_equal(actual[name], value), name


@settings(max_examples=20)
@given(indirect_kernels())
def test_a_kernel_with_row_numbers_is_its_own_text(drawn: IndirectKernel):
    """What is printed reads back to the same text."""
    text = print_function(kernel(drawn.text))
    (function,) = parse(text)

    assert print_function(function) == text
