import numpy as np

from rotation.loop_form.joins import arm_mask, join_reason, joins
from tests.rotation.programs import kernel

ONE_ARM = """
kernel join on planning {
  dram c [1, 1] int32 input
  sb f [1, 1] int32
  sb u [128, 64] fp32
  ld_c: dma.load f <- c
  if loaded(f) "f > 0" { set: vector.memset u <- }
}
"""


def test_the_reason_tells_that_one_arm_writes():
    """An if without else is a join too: its other predecessor is the if itself."""
    (choice,) = joins(kernel(ONE_ARM))

    reason = join_reason(choice)
    assert "the then arm and the if itself" in reason
    assert reason.endswith("buffers written in one arm only: u")


def test_a_mask_is_the_conjunction_of_its_arms():
    """The else arm of `a and b` is done where one of them fails."""
    function = kernel(
        """kernel k on planning { sb t [4] fp32 for i in [0, 6) {
        if i > 1 and i < 4 { a: vector.a t <- } else { b: vector.b t <- } } }"""
    )
    (loop,) = function.nests

    def values(expr):
        return np.array([int(expr.eval({loop: k})) for k in range(6)])

    masks = [
        arm_mask(function.arms_of[i], values, 6).tolist() for i in function.instructions
    ]

    assert masks[0] == [False, False, True, True, False, False]
    assert masks[1] == [not m for m in masks[0]]
