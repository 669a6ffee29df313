from rotation.dependence.carried import Accesses, Iterations
from tests.rotation.programs import MATMUL, STREAM, SUM, unrolled


def names(tensors) -> list[str]:
    return [tensor.name for tensor in tensors]


def test_an_edge_inside_an_iteration_is_not_carried():
    """The add of a stream reads what its own iteration loaded."""
    program = unrolled(STREAM)
    step = Iterations(program).step(0, 2)

    assert (step.loop, step.distance, step.inside.index.name) == (None, 0, "j")


def test_an_edge_to_a_later_iteration_counts_the_loops_outside():
    """Two trips of j make one of i: from row 0 to row 8 it is two iterations."""
    program = unrolled(STREAM)
    step = Iterations(program).step(0, 8)

    assert (step.loop.index.name, step.distance) == ("i", 2)


def test_operations_of_different_depth_share_the_outer_loops():
    """The copy of a matmul comes after its k loop, in the same iteration of n."""
    program = unrolled(MATMUL)
    iterations = Iterations(program)
    copy = int((program.statement == 3).argmax())
    step = iterations.step(copy - 1, copy)

    assert (step.loop, step.inside.index.name) == (None, "n")
    assert iterations.common_depth(copy - 1, copy) == 2


def test_operations_without_a_common_loop_have_no_distance():
    """One before the loop, one in it."""
    step = Iterations(unrolled(SUM)).step(0, 2)

    assert (step.loop, step.inside, step.distance) == (None, None, 0)


def test_operations_of_different_loops_have_no_distance():
    """Only loops around both count, the same loop and not one that is like it."""
    text = (
        "kernel k on planning { sb t [1] fp32 for i in [0, 4) { vector.f t <- } "
        "for j in [0, 4) { vector.g t <- t } }"
    )
    iterations = Iterations(unrolled(text))

    assert iterations.step(3, 7).distance == 0
    assert iterations.step(5, 7).distance == 2


def test_a_value_comes_before_bytes_in_the_shared_buffers():
    """What the sink reads of the source is named first."""
    program = unrolled(STREAM)
    accesses = Accesses(program)

    assert names(accesses.shared_tensors(0, 2)) == ["xt"]
    assert names(accesses.shared_tensors(2, 3)) == ["zt"]
    assert names(accesses.shared_tensors(0, 1)) == []


def test_two_readers_share_nothing_that_orders_them():
    """Both matmuls of a loop read their own tiles; their sum is what they share."""
    program = unrolled(MATMUL)

    assert names(Accesses(program).shared_tensors(2, 5)) == ["acc"]
