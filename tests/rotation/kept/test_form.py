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
