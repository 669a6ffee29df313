import pytest

from rotation.kept.edges import Conflicts, kind_of
from rotation.loop_form.kernel import EdgeKind
from tests.rotation.kept.programs import ROWS, straight


def distances(text: str, loop: str, slots: int) -> dict[tuple[str, str], int]:
    """Return the distance between each two operations that wait for one another."""
    node = straight(text, loop)
    tensors = {a.tensor for op in node.ops for a in op.accesses if a.tensor.on_chip}
    edges = Conflicts(node).edges(dict.fromkeys(tensors, slots))
    names = [op.name for op in node.ops]
    return {(names[e.source], names[e.sink]): e.distance for e in edges}


@pytest.mark.parametrize("slots", [1, 2, 3, 7])
def test_a_ring_of_n_has_distance_n(slots: int):
    """Neither 1, which would stop the overlap, nor none, which would be a race."""
    found = distances(ROWS, "i", slots)

    assert found == {
        ("ld", "ld"): slots,
        ("cp", "ld"): slots,
        ("ld", "cp"): 0,
        ("cp", "cp"): slots,
        ("st", "cp"): slots,
        ("cp", "st"): 0,
    }


def test_instances_of_a_static_loop_inside_share_a_ring():
    """Three instances in a trip, five slots: two trips later, or one."""
    inner = "for j in [0, 3) { sb u [128, 8] fp32 w: vector.memset u <- }"
    text = ROWS.replace("    ld:", f"    {inner}\n    ld:")
    found = distances(text, "i", 5)
    writes = {pair: d for pair, d in found.items() if pair[0][0] == pair[1][0] == "w"}

    assert writes == {
        ("w[0]", "w[2]"): 1,
        ("w[1]", "w[0]"): 2,
        ("w[2]", "w[1]"): 2,
        ("w[0]", "w[0]"): 5,
        ("w[0]", "w[1]"): 3,
        ("w[1]", "w[1]"): 5,
        ("w[1]", "w[2]"): 3,
        ("w[2]", "w[2]"): 5,
        ("w[2]", "w[0]"): 4,
    }


BLUR = """
kernel blur on planning {
  dram x [8192, 8] fp32 input
  dram z [8192, 8] fp32 output
  sb s [128, 4096] fp32
  vector.memset s <-
  for i in [0, %n) {
    ld: dma.load s[0:+128, 8*i + 24:+8] <- x[128*i:+128, 0:+8]
    st: dma.store z[128*i:+128, 0:+8] <- s[0:+128, 8*i:+8]
  }
}
"""


def test_places_that_move_meet_at_their_distance():
    """What one trip writes is read three trips later."""
    assert distances(BLUR, "i", 1) == {("ld", "st"): 3}


def test_places_that_only_ranges_tell_apart_meet_at_once():
    """A remainder may come round at any distance."""
    text = BLUR.replace("8*i + 24:", "8*(i mod 16):")

    assert distances(text, "i", 1)["ld", "ld"] == 1


def test_a_recurrence_through_a_plain_buffer_is_kept():
    """Edges through single buffers constrain the rounds too."""
    text = ROWS.replace(
        "  for i", "  sb c [128, 512] fp32\n  vector.memset c <-\n  for i"
    )
    text = text.replace("cp: vector.copy zt <- xt", "cp: vector.add zt <- xt, c")
    text = text.replace("    st:", "    up: scalar.copy c <- zt\n    st:")

    assert distances(text, "i", 3)["up", "cp"] == 1


@pytest.mark.parametrize(
    ("writes", "kind"),
    [
        ((True, False), EdgeKind.FLOW),
        ((False, True), EdgeKind.ANTI),
        ((True, True), EdgeKind.OUTPUT),
    ],
)
def test_the_kind_is_what_the_two_do(writes: tuple[bool, bool], kind: EdgeKind):
    """Read after write, write after read, write after write."""
    assert kind_of(*writes) is kind
