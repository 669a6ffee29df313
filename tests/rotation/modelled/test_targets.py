import pytest

from rotation.loop_form.kernel import Engine
from rotation.modelled.targets import Traffic, target_of, traffic_of
from tests.rotation.programs import MATMUL, SPLIT, STREAM, unrolled

DMA, PE, VECTOR, SCALAR, GPSIMD = (
    Engine.DMA,
    Engine.PE,
    Engine.VECTOR,
    Engine.SCALAR,
    Engine.GPSIMD,
)


@pytest.mark.parametrize(
    ("writers", "readers", "target"),
    [
        ({DMA}, {PE}, 1),
        ({DMA}, {PE, VECTOR}, 1),
        ({DMA}, {VECTOR}, 2),
        ({VECTOR}, {SCALAR}, 3),
        ({VECTOR}, {VECTOR}, 4),
        ({GPSIMD}, set(), 4),
        ({VECTOR}, {DMA}, 5),
        ({VECTOR}, {SCALAR, DMA}, 5),
        ({DMA}, {DMA}, 4),
    ],
)
def test_the_target_follows_from_who_writes_and_reads(writers, readers, target):
    """The first class that matches counts."""
    assert target_of(Traffic(frozenset(writers), frozenset(readers))) == target


def test_a_tile_that_is_read_again_is_in_target_7():
    """Before what its engines say."""
    traffic = Traffic(frozenset({DMA}), frozenset({PE}), again=True)

    assert target_of(traffic) == 7


def test_a_tile_of_a_call_with_a_window_is_in_target_12():
    """Before everything else."""
    traffic = Traffic(frozenset({DMA}), frozenset({PE}), again=True, in_kernel=True)

    assert target_of(traffic) == 12


def targets(text: str) -> dict[str, set[int]]:
    """Return the targets of the instances of each buffer of a kernel."""
    program = unrolled(text)
    found: dict[str, set[int]] = {}
    owners = program.location_tensor.tolist()
    for owner, traffic in zip(owners, traffic_of(program), strict=True):
        tensor = program.function.tensors[owner]
        if tensor.on_chip:
            found.setdefault(tensor.name, set()).add(int(target_of(traffic)))
    return found


def test_the_buffers_of_a_stream():
    """Loads to vector, and what vector makes for a store."""
    assert targets(STREAM) == {"xt": {2}, "yt": {2}, "zt": {5}}


def test_the_buffers_of_a_matmul():
    """An accumulator is not read again by what adds to it."""
    assert targets(MATMUL) == {"acc": {3}, "ot": {5}, "lt": {1}, "rt": {1}}


def test_a_tile_outside_an_inner_loop_is_read_again():
    """One statement reads one box of it in every iteration."""
    text = STREAM.replace("sb xt [128, 2048] fp32", "sb xt [128, 2048] fp32 at i")

    assert targets(text.replace("2048*j:+2048]\n    ld_y", "0:+2048]\n    ld_y"))[
        "xt"
    ] == {7}


@pytest.mark.parametrize("text", [STREAM, MATMUL])
def test_servers_of_dma_make_no_other_targets(text: str):
    """The modelled system knows one dma, on whatever machine."""
    assert traffic_of(unrolled(text, SPLIT)) == traffic_of(unrolled(text))
