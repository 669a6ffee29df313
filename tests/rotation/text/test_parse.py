import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican.errors import DivisorError, LocatedError, NonAffineError, ParseError
from rotation.errors import KernelError
from rotation.loop_form.kernel import Engine, Loop, MemorySpace, Role
from rotation.text.parse import parse
from rotation.text.print import print_function
from tests.rotation.kernels import kernel_texts

ROOT = Path(__file__).parents[3]
MATMUL = (ROOT / "examples/matmul_tiled.kernel").read_text(encoding="utf-8")

WORD = re.compile(r'"[^"]*"|:\+|<-|[<>=!]=|\w+|[^\s\w]')


def test_the_loops_of_a_kernel_are_read():
    """Bounds, steps and nesting are those of the text."""
    (function,) = parse(MATMUL)
    nest = max(function.nests.values(), key=len)

    assert [loop.index.describe() for loop in nest] == [
        "m in [0, 8)",
        "n in [0, 4)",
        "k in [0, 16)",
    ]
    assert [loop.index.depth for loop in nest] == [0, 1, 2]


def test_the_buffers_of_a_kernel_are_read():
    """Space, shape, type and role are those of the text."""
    (function,) = parse(MATMUL)
    lhs, _, out, acc, *_ = function.tensors

    assert (lhs.space, lhs.shape, lhs.role) == (
        MemorySpace.DRAM,
        (2048, 1024),
        Role.INPUT,
    )
    assert (out.dtype, out.role) == ("bf16", Role.OUTPUT)
    assert (acc.space, acc.role, acc.ring_slots) == (
        MemorySpace.PSUM,
        Role.INTERNAL,
        None,
    )


def test_a_buffer_belongs_to_the_loop_around_its_declaration():
    """Accumulators are new for each n, the operands for each k, dram never."""
    (function,) = parse(MATMUL)
    scopes = {
        tensor.name: None if tensor.scope is None else tensor.scope.name
        for tensor in function.tensors
    }

    assert scopes == {
        "lhsT": None,
        "rhs": None,
        "out": None,
        "acc": "n",
        "ot": "n",
        "lt": "k",
        "rt": "k",
    }


def test_the_operations_of_a_kernel_are_read():
    """Engine, opcode, operands and attributes are those of the text."""
    (function,) = parse(MATMUL)
    product = function.instructions[2]

    assert (product.name, product.engine, product.opcode) == ("mm", Engine.PE, "matmul")
    assert [region.tensor.name for region in product.reads] == ["lt", "rt"]
    assert [index.name for index in product.accumulates] == ["k"]
    assert product.writes[0].whole


def test_the_regions_of_a_kernel_are_read():
    """Starts are kept as written and simplified, with their places."""
    (function,) = parse(MATMUL.replace("128*k:+128, 128*m", "0 + 128*k:+128, 128*m"))
    source = function.instructions[0].reads[0]
    (k,) = function.instructions[2].accumulates

    assert source.extents == (128, 128)
    assert str(source.starts[0].raw) == "0 + 128*k"
    assert source.starts[0].expr == 128 * k
    assert source.starts[0].span is not None
    assert source.starts[0].span.text == "0 + 128*k"


def test_statements_know_their_places():
    """A declaration, a loop header and an operation span their text."""
    (function,) = parse(MATMUL, "matmul")
    loop = next(s for s in function.body if isinstance(s, Loop))
    spans = [function.tensors[0].span, loop.span, function.instructions[2].span]

    assert [span and span.text for span in spans] == [
        "dram lhsT [2048, 1024] bf16 input",
        "for m in [0, 8) step 1",
        "mm: pe.matmul acc <- lt, rt over(k)",
    ]


def test_a_text_holds_several_kernels():
    """They come in the order of the text."""
    functions = parse("kernel a on planning { } kernel b on trn2 { }")

    assert [(f.name, f.machine) for f in functions] == [
        ("a", "planning"),
        ("b", "trn2"),
    ]


def test_two_kernels_have_two_names():
    """The second of a name is the mistake."""
    with pytest.raises(KernelError, match="two kernels named a") as caught:
        parse("kernel a on planning { }\nkernel a on planning { }")

    assert caught.value.line == 2


@given(kernel_texts(), st.randoms(use_true_random=False))
def test_white_space_and_comments_mean_nothing(text: str, rng: random.Random):
    """Between any two words may stand spaces, lines and comments."""
    (function,) = parse(text)
    printed = print_function(function)
    gaps = (" ", "\n", "\t \r\n", ' # for x in [ " : .\n', "#\n#:\n")
    spread = "".join(word + rng.choice(gaps) for word in WORD.findall(printed))
    (again,) = parse(spread)

    assert print_function(again) == printed


def test_several_statements_may_share_a_line():
    """Line ends are not needed anywhere."""
    (function,) = parse(" ".join(re.sub("#.*", "", MATMUL).split()))
    (usual,) = parse(MATMUL)

    assert print_function(function) == print_function(usual)


def assert_read_or_located(text: str) -> None:
    """Fail unless a text is read, or refused with a place."""
    located = True
    try:
        parse(text)
    except LocatedError as error:
        located = error.span is not None
    assert located


@given(st.text(max_size=60))
def test_no_text_ends_in_another_exception(text: str):
    """Whatever the text, it is read or the error is located."""
    assert_read_or_located(text)


@given(st.integers(0, len(MATMUL)), st.integers(0, 12), st.text(max_size=3))
def test_no_edit_of_a_kernel_ends_in_another_exception(at: int, cut: int, new: str):
    """A damaged kernel is read or the error is located."""
    assert_read_or_located(MATMUL[:at] + new + MATMUL[at + cut :])


def test_every_mistake_of_a_run_is_reported():
    """Names are looked up everywhere, and the first mistake leads."""
    text = MATMUL.replace("<- lt, rt over(k)", "<- lq, rq over(q)").replace(
        "on pl", "on x"
    )

    with pytest.raises(KernelError) as caught:
        parse(text, "mm.kernel")

    assert [error.line for error in caught.value.errors] == [10, 23, 23, 23]
    assert str(caught.value) == str(caught.value.errors[0])


@pytest.mark.parametrize(
    ("start", "kind"),
    [("128*k mod 0", DivisorError), ("k*m", NonAffineError), ("128*q", ParseError)],
)
def test_a_mistake_in_an_expression_keeps_its_kind(start: str, kind: type[Exception]):
    """One mistake is raised as it is, at its place in the kernel."""
    with pytest.raises(kind) as caught:
        parse(MATMUL.replace("128*k", start, 1))

    assert isinstance(caught.value, LocatedError)
    assert caught.value.line == 21
