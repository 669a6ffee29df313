import pytest

from pelican.errors import LocatedError
from rotation.errors import KernelError, MachineError
from rotation.loop_form.kernel import Function, Loop
from rotation.text.parse import parse
from rotation.text.print import print_function
from rotation.text.resolve import MAX_LOOPS_DEEP


def kernel(body: str, machine: str = "planning") -> Function:
    """Return a kernel of that body, which stands on line 2."""
    (function,) = parse(f"kernel k on {machine} {{\n{body}\n}}", "k.kernel")
    return function


def mistake(body: str, machine: str = "planning") -> LocatedError:
    """Return the one mistake of a kernel of that body."""
    with pytest.raises(LocatedError) as caught:
        kernel(body, machine)
    assert getattr(caught.value, "errors", (caught.value,)) == (caught.value,)
    return caught.value


def test_a_machine_must_be_known():
    """The error stands at the name, with the nearest one."""
    error = mistake("", "planing")

    assert isinstance(error, MachineError)
    assert (error.line, error.column, error.hint) == (
        1,
        13,
        "did you mean planning? --machine FILE.toml reads one of your own",
    )


@pytest.mark.parametrize(
    ("body", "message", "column"),
    [
        (
            "sb t [1] bf16 sb t [1] bf16",
            "buffer t is declared twice, first at k.kernel:2:4",
            18,
        ),
        ("for i in [0, 2) { sb i [1] bf16 }", "buffer i has the name of a loop", 22),
        ("sb i [1] bf16 for i in [0, 2) { }", "loop i has the name of a buffer", 19),
        (
            "for i in [0, 2) { for i in [0, 2) { } }",
            "loop i is inside another loop i",
            23,
        ),
        ("for i in [0, 2) step 0 { }", "the step of a loop must be >= 1, got 0", 22),
        ("sb t [0] bf16", "an extent must be >= 1, got 0", 7),
        ("sb t [1] bf61", "no element type bf61", 10),
        ("sb t [1] bf16 ring 0", "the number of slots must be >= 1, got 0", 20),
        ("sb t [1] bf16 at i", "no loop i is around this", 18),
        (
            "dram t [1] bf16 output ring 1",
            "output is one instance that the outside sees, and has no ring",
            24,
        ),
        (
            "for i in [0, 2) { dram t [1] bf16 input at i }",
            "input is one instance, which the outside sees",
            41,
        ),
        (
            "sb t [1] bf16 at i for i in [0, 2) { } for i in [0, 2) { }",
            "2 loops i follow in this block",
            18,
        ),
        (
            "sb t [1] bf16 vector.f t@(1) <-",
            "t has one instance in the whole kernel",
            25,
        ),
        (
            "sb t [1] bf16 at i vector.f t <- for i in [0, 2) { }",
            "t has an instance for each i, and none here",
            29,
        ),
    ],
)
def test_a_declaration_or_loop_that_makes_no_sense(
    body: str, message: str, column: int
):
    """The error stands at the word that is wrong."""
    error = mistake(body)

    assert (error.message, error.line, error.column) == (message, 2, column)
    assert error.hint is not None


@pytest.mark.parametrize(
    "body",
    [
        "sb t [9223372036854775808] bf16",
        f"sb t [{'9' * 5000}] bf16",
        "for i in [0, 9223372036854775808) { }",
        "for i in [-9223372036854775808, 0) { }",
        "for i in [0, 1) step 9223372036854775808 { }",
        "sb t [1] bf16 ring 9223372036854775808",
        "sb t [1] bf16 vector.f t[0:+9223372036854775808] <- t",
    ],
)
def test_numbers_fit_in_64_bits(body: str):
    """No number is too long to be refused."""
    assert "is too large" in mistake(body).message


def test_the_largest_number_is_read():
    """2**63 - 1 fits, whatever zeros stand before it."""
    function = kernel("dram t [0009223372036854775807] int8")

    assert function.tensors[0].shape == (2**63 - 1,)


def test_loops_beside_each_other_may_share_a_name():
    """They are two loops, and two indices."""
    function = kernel("for i in [0, 2) { } for i in [0, 2) { }")
    first, second = function.body

    assert isinstance(first, Loop)
    assert isinstance(second, Loop)
    assert first.index != second.index


def test_what_is_in_a_loop_without_trips_is_left_out():
    """It is kept beside the body, where no pass sees it."""
    function = kernel("for i in [3, 3) { sb t [1] bf16 vector.f t <- } sb u [1] bf16")
    (loop,) = (each for each in function.body if isinstance(each, Loop))

    assert [tensor.name for tensor in function.tensors] == ["u"]
    assert function.instructions == loop.body == ()
    assert [each.name for each in function.skipped] == ["f1"]


def test_a_mistake_in_a_loop_without_trips_is_reported():
    """What is never done must make sense too."""
    assert mistake("for i in [3, 3) { vector.f t <- }").message == "no buffer t"


def test_a_loop_that_would_count_down_is_a_mistake():
    """Its ends are the wrong way round; with equal ends it has no trip."""
    error = mistake("for i in [3, 0) { }")

    assert error.message == "loop i starts at 3 and ends below it, at 0"
    assert error.hint == "a loop counts up: write for i in [0, 3)"


def test_bounds_may_be_negative():
    """The index runs from below 0."""
    function = kernel("for i in [-7, -1) step 2 { }")
    (loop,) = function.body

    assert isinstance(loop, Loop)
    assert loop.index.describe() == "i in [-7, -1) step 2"


def test_a_buffer_may_belong_to_an_outer_loop():
    """`at` names a loop around the declaration."""
    function = kernel("for i in [0, 2) { for j in [0, 2) { sb t [1] bf16 at i } }")
    (tensor,) = function.tensors

    assert tensor.scope is not None
    assert tensor.scope.name == "i"


def test_a_ring_is_a_number_or_left_to_the_planner():
    """`ring auto` is what no ring says too."""
    function = kernel("sb t [1] bf16 ring 3 sb u [1] bf16 ring auto sb v [1] bf16")

    assert [tensor.ring_slots for tensor in function.tensors] == [3, None, None]


def test_words_of_the_language_may_be_names():
    """A word is a keyword only where one can stand."""
    body = (
        "for for in [0, 2) { sb sb [1, 1] bf16 at for sb ring [1, 1] bf16\n"
        "sb: vector.input sb, ring[for:+1, 0:+1] <-\n"
        "over: vector.on sb <- sb, sb fn: vector.at sb <- psum.sb\n sb <- }"
    )
    with pytest.raises(KernelError, match="no engine psum"):
        kernel(body)

    function = kernel(body.replace("psum.sb", "vector.sb"))
    assert [i.name for i in function.instructions] == ["sb", "over", "fn", "sb1"]


def test_a_wrong_declaration_declares_its_buffer():
    """Uses of a buffer whose type is wrong are not reported as well."""
    assert mistake("sb t [1] bf61 vector.f t <- t").message == "no element type bf61"


@pytest.mark.parametrize("extra", [0, 1])
def test_loops_nest_to_a_limit(extra: int):
    """Passes walk a nest by recursion, so that its depth has a bound."""
    depth = MAX_LOOPS_DEEP + extra
    body = "".join(f"for i{k} in [0, 1) {{ " for k in range(depth)) + "}" * depth
    if not extra:
        assert len(kernel(body).nests) == depth
    else:
        assert "are inside one another" in mistake(body).message


def test_a_very_deep_nest_is_an_error():
    """The parser has no limit of its own."""
    body = "".join(f"for i{k} in [0, 1) {{ " for k in range(2_000)) + "}" * 2_000

    assert "are inside one another" in mistake(body).message


def test_a_function_without_its_mistakes_can_be_printed():
    """Resolving leaves out what is wrong and keeps the rest."""
    function = kernel("sb t [1, 1] bf16\nf: vector.f t <-")

    assert print_function(function).splitlines()[1:3] == [
        "  sb t [1, 1] bf16",
        "  f: vector.f t <-",
    ]


def test_the_name_of_a_machine_may_hold_a_hyphen():
    """It is read whole, so that the message names what was written."""
    assert mistake("", "two-dma").message == "no machine 'two-dma'"
