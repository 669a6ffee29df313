import pytest

from rotation.errors import KernelError
from rotation.passes.verify import Verify
from tests.rotation.programs import STREAM, state_of


def test_a_kernel_that_makes_sense_passes_unchanged():
    """The pass adds nothing and counts nothing."""
    state = state_of(STREAM)
    result = Verify().run(state)

    assert (result.state, result.statistics) == (state, {})


def test_a_kernel_that_makes_no_sense_does_not_pass():
    """The pass is where the mistakes are raised."""
    with pytest.raises(KernelError, match="is input and is written"):
        Verify().run(state_of(STREAM.replace("fp32 output", "fp32 input")))
