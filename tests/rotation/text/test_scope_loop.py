from rotation.text.parse import parse
from rotation.text.print import print_function

TEXT = """kernel k on planning {
  dram a [4, 2] fp32 at i
  sb b [4, 2] fp32 at j ring 3
  f: vector.f b@(0) <-
  for i in [0, 4) step 1 {
    sb c [4, 2] fp32
    for k in [0, 2) step 1 {
      dram d [4, 2] fp32 at i
      g: dma.g a[i:+1, 0:+2] <- a@(2*k - 1)[0:+1, 0:+2], d
    }
  }
  for j in [0, 4) step 2 {
    h: vector.h b <- b@(j - 2)
  }
}
"""


def test_a_declaration_may_name_a_loop_below_it():
    """Text and loop form are inverse, with instances, boxes and rings."""
    (function,) = parse(TEXT)
    scopes = {t.name: t.scope.name for t in function.tensors}

    assert print_function(function) == TEXT
    assert scopes == {"a": "i", "b": "j", "c": "i", "d": "i"}


def test_the_loop_is_the_one_that_follows():
    """Its index is the identity that the loop has, however deep it stands."""
    (function,) = parse(TEXT)
    loops = {index.name: index for index in function.nests}
    tensors = {tensor.name: tensor for tensor in function.tensors}

    assert tensors["a"].scope is loops["i"]
    assert tensors["b"].scope is loops["j"]


def test_a_loop_without_trips_keeps_its_instances_apart():
    """It is one trip that does nothing, and prints as it was written."""
    (function,) = parse(
        "kernel k on planning { sb b [4, 2] fp32 at j vector.f b@(0), b@(1) <-\n"
        "for j in [5, 5) { vector.g b <- b@(j - 1) } for i in [0, 0) { } }"
    )

    assert function.tensors[0].scope in function.nests
    assert print_function(function).splitlines()[3:] == [
        "  for j in [5, 5) step 1 {",
        "    g1: vector.g b <- b@(j - 1)",
        "  }",
        "  for i in [0, 0) step 1 {",
        "  }",
        "}",
    ]


def test_an_inner_dram_buffer_is_new_in_each_iteration():
    """What the outside sees is one, wherever it is declared."""
    (function,) = parse(
        "kernel k on planning { for i in [0, 2) { dram a [1] fp32\n"
        "dram b [1] fp32 input } dram c [1] fp32 }"
    )

    assert [t.scope is None for t in function.tensors] == [False, True, True]
