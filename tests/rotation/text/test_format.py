"""Formatting kernels: the same words and comments, laid out as they are printed."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican.errors import ParseError, Source
from rotation.text.format import format_kernels
from rotation.text.parse import parse, words
from rotation.text.print import print_function
from tests.rotation.kernels import kernel_texts

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = sorted([*EXAMPLES.glob("*.kernel"), *EXAMPLES.glob("*.placed")])
LOOSE = """

# above
kernel a on trn2{ # head
dram x[4,8]fp32 input sb u[4,8]bf16 byte(2)*-3%4


  # own
  for i in[-3,%n)# bound
  {dma.load x[ i- -1:+min( 2 ,3-i ),0:+8]<-u over(i)# load
  if loaded(x)"?"{}# then
  else{ call b(x , u)scope kernel sb(1,2)banks 3 }
}}
kernel b on trn2 { if i//2==1 and(i)<2{pe.iota x<-}}  # end

# last

"""
NEAT = """\
# above
kernel a on trn2 {  # head
  dram x [4, 8] fp32 input
  sb u [4, 8] bf16 byte (2)*-3 mod 4

  # own
  # bound
  for i in [-3, %n) {
    dma.load x[i - -1:+min(2, 3 - i), 0:+8] <- u over(i)  # load
    if loaded(x) "?" {
      # then
    } else {
      call b(x, u) scope kernel sb(1, 2) banks 3
    }
  }
}
kernel b on trn2 {
  if i floordiv 2 == 1 and (i) < 2 {
    pe.iota x <-
  }
}  # end

# last
"""


def test_a_text_is_laid_out():
    """Every kind of statement, and comments in every kind of place."""
    assert format_kernels(LOOSE) == NEAT


def test_a_neat_text_stays():
    """Formatting twice is formatting once."""
    assert format_kernels(NEAT) == NEAT


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_examples_are_neat(file: Path):
    """They are laid out as they would be."""
    text = file.read_text(encoding="utf-8")

    assert format_kernels(text) == text


@settings(max_examples=15)
@given(kernel_texts())
def test_a_printed_kernel_is_neat(text: str):
    """The layout is that of the printer."""
    (function,) = parse(text)
    printed = print_function(function)

    assert format_kernels(printed) == printed


@settings(max_examples=15)
@given(kernel_texts(), st.randoms(use_true_random=False))
def test_words_comments_and_meaning_stay(text: str, rng: random.Random):
    """However a text is spread over lines; formatting twice is formatting once."""
    gaps = (" ", "\n", "\n\n \n", "\t\r\n", " # {x} : .\n", "#\n#:\n")
    spread = "".join(w + rng.choice(gaps) for w in words(Source("text", text)))
    neat = format_kernels(spread)

    assert format_kernels(neat) == neat
    for comment in ("# {x} : .\n", "#:\n", "#\n"):
        assert neat.count(comment) == spread.count(comment)
    assert [*map(print_function, parse(neat))] == [*map(print_function, parse(text))]


@pytest.mark.parametrize("text", ["", "kernel", "kernel k on trn2 { for }"])
def test_a_text_that_is_not_in_the_language_is_refused(text: str):
    """The mistake has its place."""
    with pytest.raises(ParseError) as caught:
        format_kernels(text, "k.kernel")

    assert caught.value.span is not None
