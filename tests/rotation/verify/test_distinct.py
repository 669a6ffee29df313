import pytest

from rotation.errors import KernelError
from tests.rotation.programs import unrolled


def check(body: str, rows: int = 16) -> None:
    """Unroll a kernel of that body, which checks its promises."""
    unrolled(
        "kernel k on planning {\n dram ids [64, 1] int32 input\n"
        f" dram out [{rows}, 4] fp32 output\n sb t [4, 4] fp32\n"
        f" vector.clear t <-\n{body}\n}}"
    )


SCATTER = "s: dma.scatter out <- t index(i, dim 0) unique"
INDEX = "sb i [4, 1] int32 dma.load i <-"


def test_row_numbers_of_different_elements_may_be_distinct():
    """Nothing contradicts it."""
    check(f"for b in [0, 4) {{ {INDEX} ids[4*b:+4, 0:+1] {SCATTER} }}")


def test_more_rows_than_there_are_cannot_be_distinct():
    """Twenty rows do not fit into sixteen."""
    with pytest.raises(KernelError) as caught:
        check(f"for b in [0, 5) {{ {INDEX} ids[4*b:+4, 0:+1] {SCATTER} }}")

    assert caught.value.message == "s is unique, writes 20 rows, and out has 16"
    assert caught.value.hint == "leave `unique` out: rows are written more than once"
    assert caught.value.line == 6


def test_the_same_row_numbers_in_two_iterations_are_not_distinct():
    """The second loop runs over the same tile again."""
    with pytest.raises(KernelError) as caught:
        check(
            "for r in [0, 2) { for b in [0, 2) {"
            f"{INDEX} ids[4*b:+4, 0:+1] {SCATTER} }} }}"
        )

    assert caught.value.message == (
        "s is unique, and takes the same elements of ids twice, at r = 0, b = 0 and at "
        "r = 1, b = 0"
    )


def test_row_numbers_that_overlap_are_not_distinct():
    """Tiles of four that begin at every third element share one."""
    with pytest.raises(KernelError, match="twice, at b = 0 and at b = 1"):
        check(f"for b in [0, 4) {{ {INDEX} ids[3*b:+4, 0:+1] {SCATTER} }}")


def test_row_numbers_that_were_loaded_once_are_used_once():
    """The tile stays the same over the loop."""
    with pytest.raises(KernelError, match="twice, at b = 0 and at b = 1"):
        check(f"{INDEX} ids[0:+4, 0:+1] for b in [0, 2) {{ {SCATTER} }}")


def test_the_last_load_before_the_scatter_counts():
    """One tile outside the loop is filled anew in each iteration."""
    check(
        "sb i [4, 1] int32 for b in [0, 4) {"
        f"dma.load i <- ids[4*b:+4, 0:+1] {SCATTER} }}"
    )


def test_parts_of_one_tile_may_be_distinct():
    """Which elements they hold is not followed, so the promise stands."""
    check(
        "sb i [16, 1] int32 dma.load i <- ids[0:+16, 0:+1] for b in [0, 4) {"
        "s: dma.scatter out <- t, i[4*b:+4, 0:+1] index(i, dim 0) unique }"
    )


def test_row_numbers_in_dram_are_looked_at_where_they_are_used():
    """Without a tile, the operand itself is what must differ."""
    scatter = "s: dma.scatter out <- t, ids[{}:+4, 0:+1] index(ids, dim 0) unique"
    check("for b in [0, 4) {" + scatter.format("4*b") + "}")

    with pytest.raises(KernelError, match="takes the same elements of ids twice"):
        check("for b in [0, 4) {" + scatter.format("4*(b // 2)") + "}")


def test_row_numbers_that_were_never_loaded_are_an_undefined_read():
    """The promise is not what is wrong then."""
    with pytest.raises(KernelError, match="reads elements of i that nothing wrote"):
        check(f"sb i [4, 1] int32 {SCATTER}")
