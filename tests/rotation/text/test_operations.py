import pytest

from pelican.errors import LocatedError
from rotation.loop_form.kernel import Engine, Instruction
from rotation.text.operations import ENGINES
from rotation.text.parse import parse

DECLARATIONS = "sb t [8, 8] bf16 sb u [8, 8] bf16"


def operations(body: str) -> tuple[Instruction, ...]:
    """Return the operations of a body, which stands on line 2 inside loop i."""
    (function,) = parse(
        f"kernel k on planning {{ {DECLARATIONS} for i in [0, 8) {{\n{body}\n}} }}",
        "k.kernel",
    )
    return function.instructions


def mistakes(body: str) -> list[tuple[str, int, str | None]]:
    """Return message, column and remedy of the mistakes of a body."""
    with pytest.raises(LocatedError) as caught:
        operations(body)
    errors = getattr(caught.value, "errors", (caught.value,))
    assert all(error.line == 2 for error in errors)
    return [(error.message, error.column, error.hint) for error in errors]


@pytest.mark.parametrize(
    ("word", "engine"),
    [
        ("PE", Engine.PE),
        ("Tensor", Engine.PE),
        ("DVE", Engine.VECTOR),
        ("Activation", Engine.SCALAR),
        ("Pool", Engine.GPSIMD),
        ("SyncDMA", Engine.DMA),
        ("SP", Engine.SYNC),
    ],
)
def test_hardware_names_are_read(word: str, engine: Engine):
    """An engine has a name of its own and one of the hardware."""
    assert operations(f"{word}.f t <- u")[0].engine is engine


def test_every_engine_has_its_name():
    """All engines can be written, and the servers of one are not engines."""
    issuers = {engine.issuer for engine in Engine}

    assert {ENGINES[engine.text] for engine in issuers} == set(ENGINES.values())
    assert set(ENGINES.values()) == issuers


def test_the_server_of_an_operation_is_not_written():
    """The machine knows it."""
    with pytest.raises(LocatedError, match="no engine dma_load") as caught:
        operations("dma_load.f t <- u")

    hint = "write dma: the machine and the operands tell its server"
    assert caught.value.hint == hint


def test_an_operation_without_id_gets_one():
    """It is the opcode with the first number that is free in the whole kernel."""
    body = "vector.f t <- vector.f t <- f3: vector.g t <- vector.f t <- vector.g t <-"

    assert [o.name for o in operations(body)] == ["f1", "f2", "f3", "f4", "g1"]


def test_ids_that_are_made_do_not_meet():
    """Opcodes that end in a digit make other ids."""
    body = "vector.f1 t <- " + "vector.f t <- " * 12
    names = [operation.name for operation in operations(body)]

    assert len(set(names)) == 13


def test_several_destinations_and_sources():
    """Operands come in the order of the text."""
    (operation,) = operations("vector.f t, u <- u, t")

    assert [r.tensor.name for r in operation.writes] == ["t", "u"]
    assert [r.tensor.name for r in operation.reads] == ["u", "t"]


def test_attributes_in_any_order():
    """What is not said is false, empty or None."""
    plain, full = operations(
        'vector.f t <- u vector.f t <- t transpose fn "a, b" over(i) inplace'
    )

    assert (plain.transpose, plain.inplace, plain.fn) == (False, False, None)
    assert (full.transpose, full.inplace, full.fn) == (True, True, "a, b")
    assert [index.name for index in full.accumulates] == ["i"]


def test_a_whole_buffer_is_its_full_box():
    """Without brackets, starts are 0 and extents the shape."""
    (operation,) = operations("vector.f t <- u")

    assert [start.expr for start in operation.writes[0].starts] == [0, 0]
    assert operation.writes[0].extents == (8, 8)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("vektor.f t <- u", ("no engine vektor", 1, "did you mean vector?")),
        ("vector.f tt <- u", ("no buffer tt", 10, "did you mean t?")),
        (
            "vector.f t <- q",
            ("no buffer q", 15, "declare it above: sb NAME [128, 512] bf16"),
        ),
        (
            "vector.f t <- u over(j)",
            ("no loop j is around this", 22, "loops around this: i"),
        ),
        (
            "vector.f t <- u over(i, i)",
            ("loop i is given twice", 25, "keep one of them"),
        ),
        ('vector.f t <- u fn "" fn ""', ("fn is given twice", 23, "keep one of them")),
        (
            "f: vector.f t <- u f: vector.f t <- u",
            (
                "operation f is there twice, first at k.kernel:2:1",
                20,
                "give each operation its own id",
            ),
        ),
        ("vector.f t <- u[0:+1, j:+1]", ("unknown name 'j'", 23, "known names: i")),
        (
            "vector.f t <- v sb v [1, 1] bf16",
            (
                "buffer v is not visible here; it is declared at k.kernel:2:20",
                15,
                "declare it above its first use, in a block that holds all its uses",
            ),
        ),
        (
            "for j in [0, 2) { sb w [1, 1] bf16 } vector.f w <-",
            (
                "buffer w is not visible here; it is declared at k.kernel:2:22",
                47,
                "declare it above its first use, in a block that holds all its uses",
            ),
        ),
    ],
)
def test_an_operation_that_makes_no_sense(body: str, found: tuple[str, int, str]):
    """The error stands at the word that is wrong, with what to do."""
    assert mistakes(body) == [found]


def test_every_operand_is_looked_at():
    """Two unknown buffers of one operation are two mistakes."""
    found = mistakes("vector.f t, xx <- yy, u")

    assert [message for message, _, _ in found] == ["no buffer xx", "no buffer yy"]


@pytest.mark.parametrize(
    ("start", "word", "column"),
    [("tile(i, 1)", "tile", 17), ("(i >= 0)", ">=", 18), ("rank(0, 1)", "rank", 17)],
)
def test_calls_and_comparisons_are_no_starts(start: str, word: str, column: int):
    """A box starts at an expression of loops; other kinds are refused in place."""
    hint = "only names, integers and + - * mod floordiv may"
    found = mistakes(f"vector.f t <- u[{start}:+1]")

    assert found[0] == (f"{word} does not stand here", column, hint)
