from rotation import run
from rotation.kept.data import Sequential, Straight
from rotation.kept.form import MAX_BODY, tree_of
from tests.rotation.kept.programs import NEST, ROWS, straight
from tests.rotation.programs import kernel


def test_a_loop_with_a_small_body_is_straight():
    """Its operations in source order."""
    (node,) = tree_of(kernel(ROWS)).nodes

    assert isinstance(node, Straight)
    assert [op.name for op in node.ops] == ["ld", "cp", "st"]


def test_a_static_loop_around_a_run_time_loop_is_kept():
    """Its nodes follow one another in each trip."""
    (node,) = tree_of(kernel(NEST)).nodes

    assert isinstance(node, Sequential)
    assert [[op.name for op in n.ops] for n in tree_of(kernel(NEST)).straights] == [
        ["clear"],
        ["ld", "ad"],
        ["st"],
    ]


def test_a_static_loop_inside_is_unrolled():
    """Operations have the trips of it, and instances their number in a trip."""
    inner = "for j in [0, 3) { sb t [128, 8] fp32 at j\n vector.memset t <- }\n"
    node = straight(ROWS.replace("    sb xt", f"{inner}    sb xt"), "i")
    clears = [op for op in node.ops if op.trips]

    assert [op.name for op in clears] == ["memset1[0]", "memset1[1]", "memset1[2]"]
    assert [a.offset for op in clears for a in op.accesses] == [0, 1, 2]
    assert {a.per_trip for op in clears for a in op.accesses} == {3}


def test_a_loop_with_a_large_static_body_is_sequential():
    """The static loop inside is kept, too."""
    inner = f"for j in [0, {MAX_BODY + 1}) {{ vector.memset xt <- }}\n"
    text = ROWS.replace("    ld:", f"{inner}    ld:")
    (node,) = tree_of(kernel(text)).nodes

    assert isinstance(node, Sequential)
    assert [n.loop and n.loop.index.name for n in tree_of(kernel(text)).straights] == [
        "j",
        None,
    ]


def test_a_loop_without_operations_is_left_out():
    """It does nothing, whatever its register holds."""
    text = ROWS.replace("  for i", "  for e in [0, %m) { }\n  for i")

    assert len(tree_of(kernel(text)).nodes) == 1


def test_a_buffer_of_an_outer_scope_is_one_instance():
    """The sum is the same in all trips of the inner loop."""
    node = straight(NEST, "k")
    sums = [a for op in node.ops for a in op.accesses if a.tensor.name == "s"]

    assert {(a.per_trip, a.offset, a.own) for a in sums} == {(0, 0, False)}


def test_an_accumulation_reads_where_it_may_not_be_the_first():
    """At the first trip of a static loop it overwrites, unless another one goes on."""
    text = """
    kernel k on planning {
      dram x [128, 8] fp32 input
      for i in [0, %n) {
        psum acc [128, 8] fp32
        sb t [128, 8] fp32
        dma.load t <- x
        for j in [0, 2) { mm: pe.matmul acc <- t over(j) }
      }
    }"""
    node = straight(text, "i")
    reads = {op.name: sum(not a.is_write for a in op.accesses) for op in node.ops}

    assert reads == {"load1": 1, "mm[0]": 1, "mm[1]": 2}


RAGGED = """
kernel ragged on planning {
  dram x [8192, 1000] fp32 input
  dram z [8192, 1000] fp32 output
  for i in [0, %n) {
    for j in [0, 4) {
      sb t [128, 256] fp32
      ld: dma.load t[0:+128, 0:+EXTENT] <- x[128*i:+128, 256*j:+EXTENT]
      if j != 3 {
        f: vector.f t <- t
      } else {
        g: scalar.g t[0:+128, 0:+232] <- t[0:+128, 0:+232]
      }
      st: dma.store z[128*i:+128, 256*j:+EXTENT] <- t[0:+128, 0:+EXTENT]
    }
  }
}
""".replace("EXTENT", "min(256, 1000 - 256*j)")
"""Rows of four tiles, of which the last is smaller and computed in another way."""


def test_an_if_over_unrolled_loops_leaves_one_arm():
    """The operations of the other are not there."""
    names = [op.name for op in straight(RAGGED, "i").ops]

    assert [name for name in names if name[0] in "fg"] == [
        "f[0]",
        "f[1]",
        "f[2]",
        "g[3]",
    ]


def test_a_least_extent_is_that_of_its_trip():
    """A number, once loops are unrolled."""
    loads = [op for op in straight(RAGGED, "i").ops if op.name.startswith("ld")]
    written = [a.region.extents for op in loads for a in op.accesses if a.is_write]

    assert written == [(128, 256)] * 3 + [(128, 232)]


def test_ifs_and_least_extents_are_proved_for_all_trips():
    """The tensor's rows limit the register, its ragged columns do not."""
    result = run(kernel(RAGGED), assume={"n": 5})

    assert (result.hazards, result.failures, result.equivalent) == ((), (), True)
    assert [register.most for register in result.registers or ()] == [64]


def test_a_loop_of_which_no_arm_is_ever_done_is_left_out():
    """What it holds is not there at any trip."""
    text = RAGGED.replace(
        "  for i in [0, %n) {", "  for i in [0, %n) {\n    if 1 < 0 {"
    )
    text = text.replace("  }\n}\n", "  } }\n}\n")

    assert tree_of(kernel(text)).nodes == ()
    assert run(kernel(text)).hazards == ()
