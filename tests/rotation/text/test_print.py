import pytest
from hypothesis import given

from rotation.text.parse import parse
from rotation.text.print import print_function, print_kernels
from tests.rotation.interpreter import executions
from tests.rotation.kernels import kernel_texts

KERNEL = """\
kernel all on trn2 {
  dram x [64, 8, 2] fp32 input
  dram c [8] int8 const
  dram y [64, 8, 2] fp32 output
  dram z [1] fp32
  sb s [4, 8, 2] fp32
  for i in [-3, 9) step 4 {
    psum acc [4, 16] fp32 ring 2
    for j in [0, 4) step 1 {
      sb t [4, 8, 2] fp32 at i
      sb u [4, 16] fp32 at i ring 1
      ld: dma.load t <- x[-(0 - i) + 3 + 0:+4, 2*j mod 4:+4, 0:+2] transpose
      nop: gpsimd.iota t, u <-
      mm: pe.matmul acc <- t, u[(i + j) floordiv 100 + 1:+1, 0:+16] over(i, j) fn ":#"
      up: vector.f t <- t, s inplace
    }
  }
}
"""


def printed(text: str) -> str:
    """Return the printed form of the kernel of a text."""
    (function,) = parse(text)
    return print_function(function)


def test_every_form_prints_as_it_is_read():
    """Printing is the exact inverse of reading."""
    assert printed(KERNEL) == KERNEL


@given(kernel_texts())
def test_a_printed_kernel_reads_back(text: str):
    """Printing twice is printing once, and the kernel does the same."""
    (function,) = parse(text)
    (again,) = parse(print_function(function))

    assert print_function(again) == print_function(function)
    assert executions(again) == executions(function)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("sb t [1, 1] bf16 ring auto", "sb t [1, 1] bf16"),
        ("for i in [0, 007) { }", "for i in [0, 7) step 1 {"),
        (
            "sb t [1, 1] bf16 DVE.f t[(0):+1,0%3:+1]<-",
            "f1: vector.f t[0:+1, 0 mod 3:+1] <-",
        ),
    ],
)
def test_other_spellings_print_in_one_way(written: str, shown: str):
    """Defaults, numbers, engines and operators have one printed form."""
    assert shown in [
        line.strip()
        for line in printed(f"kernel k on planning {{{written}}}").splitlines()
    ]


def test_a_kernel_is_printed_below_those_that_it_calls():
    """Each once, a called one above its callers, so that the text can be read alone."""
    text = """
kernel a on planning { dram x [2, 2] fp32 output vector.iota x <- }
kernel b on planning { dram y [2, 2] fp32 output call a(y) scope global }
kernel c on trn2 {
  dram z [2, 2] fp32 output
  call b(z) scope global
  call a(z) scope global
}
"""
    printed = print_kernels(parse(text)[-1])

    assert [line for line in printed.splitlines() if line.startswith("kernel")] == [
        f"kernel {name} on trn2 {{" for name in "abc"
    ]
    assert print_kernels(parse(printed)[-1]) == printed
