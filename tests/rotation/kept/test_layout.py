import pytest

from rotation.errors import CapacityError
from rotation.kept.form import tree_of
from rotation.kept.layout import laid_out, live_intervals
from tests.rotation.kept.kernels import SHARED
from tests.rotation.kept.programs import NEST, ROWS, slots_of
from tests.rotation.programs import PLANNING, kernel


def lives(text: str) -> dict[str, tuple[int, int]]:
    """Return the live interval of each buffer by name."""
    tree = tree_of(kernel(text))
    return {tensor.name: span for tensor, span in live_intervals(tree).items()}


def test_what_is_read_in_every_trip_is_live_around_the_back_edge():
    """So it shares bytes with nothing in the loop, however late that is written."""
    found = lives(SHARED)

    assert found["inv"] == (0, 4)
    assert (found["a"], found["b"], found["c"]) == ((1, 2), (2, 3), (3, 4))


def test_a_sum_is_live_in_the_whole_inner_loop():
    """Made in the outer loop, it may go round in that one."""
    assert lives(NEST)["s"] == (0, 3)
    assert lives(NEST)["t"] == (1, 2)


def test_packing_shares_what_is_free_strictly_after_the_last_use():
    """`c` gets the bytes of `a`; `b` is read where `c` is written."""
    tree = tree_of(kernel(SHARED))
    layout = laid_out(tree, PLANNING, {}, compact=True)
    byte = {t.name: arena.base_bytes for t, arena in layout.arenas.items()}
    pairs = {(a.name, b.name) for a, b in layout.sharing}

    assert byte["c"] == byte["a"]
    assert pairs == {("a", "c"), ("c", "a")}


def test_rings_have_arenas_of_their_own():
    """As many slots as are asked for."""
    tree = tree_of(kernel(ROWS))
    sizes = {t: 3 for t in tree.function.tensors if t.on_chip}
    layout = laid_out(tree, PLANNING, sizes)
    bases = sorted(a.base_bytes for t, a in layout.arenas.items() if t.on_chip)

    assert bases == [0, 3 * 2048]
    assert (layout.sharing, layout.packed) == (frozenset(), frozenset())
    assert slots_of(tree.function, 3) == {"xt": 3, "zt": 3}


def test_a_space_without_room_for_one_slot_each_is_packed():
    """Then each buffer has one slot."""
    text = SHARED.replace("512] fp32", "14000] fp32")
    text = text.replace("0:+512", "0:+14000")
    tree = tree_of(kernel(text))
    layout = laid_out(tree, PLANNING, {})

    assert [space.value for space in layout.packed] == ["sb"]


def test_what_does_not_fit_even_packed_is_refused():
    """With the buffers, the need and the capacity."""
    text = SHARED.replace("512] fp32", "32000] fp32").replace("0:+512", "0:+32000")

    with pytest.raises(CapacityError, match="sb is too small: inv 128000"):
        laid_out(tree_of(kernel(text)), PLANNING, {}, compact=True)
