import pytest

from pelican.errors import LocatedError
from rotation.loop_form.kernel import Instruction
from rotation.text.parse import parse
from rotation.text.print import print_function

DECLARATIONS = (
    "dram h [9, 8] fp32 sb t [8, 8] fp32 sb it [8, 1] int32 sb unique [8, 8] fp32"
)


def text(body: str) -> str:
    """Return a kernel of that body, which stands on line 2."""
    return f"kernel k on planning {{ {DECLARATIONS}\n{body}\n}}"


def operation(body: str) -> Instruction:
    """Return the first operation of a body."""
    (function,) = parse(text(body))
    return function.instructions[0]


def printed(body: str) -> str:
    """Return the line of the first operation of a body, as it is printed."""
    (function,) = parse(text(body))
    lines = print_function(function).splitlines()
    return next(line.strip() for line in lines if line.strip().startswith("g:"))


def mistake(body: str) -> tuple[str, int, str | None]:
    """Return message, column and remedy of the one mistake of a body."""
    with pytest.raises(LocatedError) as caught:
        parse(text(body))
    assert caught.value.line == 2
    return caught.value.message, caught.value.column, caught.value.hint


def test_an_index_is_a_source_whether_it_is_listed_or_not():
    """The operation reads it, behind the others unless it says where."""
    sources = [
        [region.tensor.name for region in operation(f"dma.gather t <- {body}").reads]
        for body in (
            "h index(it, dim 0)",
            "h, it index(it, dim 0)",
            "it, h index(it, dim 0)",
            "h, it[0:+4, 0:+1] index(it, dim 0)",
        )
    ]

    assert sources == [["h", "it"], ["h", "it"], ["it", "h"], ["h", "it"]]


def test_a_gather_reaches_into_its_source_and_a_scatter_into_its_destination():
    """The other operand is a plain tile."""
    gather = operation("dma.gather t <- it, h index(it, dim 0)")
    scatter = operation("dma.scatter h <- t index(it, dim 1) unique")

    assert gather.reached_region is gather.reads[1]
    assert scatter.reached_region is scatter.writes[0]
    assert (gather.is_scatter, scatter.is_scatter) == (False, True)
    assert scatter.indexed is not None
    assert (scatter.indexed.dimension, scatter.indexed.unique) == (1, True)


def test_without_an_index_nothing_is_reached():
    """Every operand is touched where it says."""
    plain = operation("dma.gather t <- h, it")

    assert (plain.indexed, plain.index_region, plain.reached_region) == (None,) * 3
    assert plain.data_reads == plain.reads


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (
            "g: dma.gather t <- h, it unique index(it, dim 0)",
            "g: dma.gather t <- h index(it, dim 0) unique",
        ),
        (
            "g: dma.gather t <- it, h index ( it , dim 0 )",
            "g: dma.gather t <- it, h index(it, dim 0)",
        ),
        (
            "g: dma.gather t <- h, it[0:+8, 0:+1] index(it, dim 0)",
            "g: dma.gather t <- h, it[0:+8, 0:+1] index(it, dim 0)",
        ),
        (
            'g: dma.load t <- h view "row s + 1" transpose fn "f"',
            'g: dma.load t <- h fn "f" transpose view "row s + 1"',
        ),
        ("g: vector.f t <- t, it", "g: vector.f t <- t, it"),
    ],
)
def test_attributes_are_printed_in_one_order(body: str, line: str):
    """An index that goes without saying is not listed; printing twice adds nothing."""
    assert printed(body) == line
    assert printed(line) == line


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ("index(itt, dim 0)", ("no buffer itt", 31, "did you mean it?")),
        (
            "unique",
            (
                "unique says of an index that its rows are distinct",
                25,
                "write index(BUFFER, dim 0) unique",
            ),
        ),
        (
            "index(it, dim 0) index(it, dim 0)",
            ("index is given twice", 42, "keep one of them"),
        ),
        ('view "a" view "b"', ("view is given twice", 34, "keep one of them")),
        (
            "index(it)",
            ("unexpected ')', expected ','", 33, "write index(BUFFER, dim 0)"),
        ),
        (
            "index(it, 0)",
            ("unexpected '0', expected 'dim'", 35, "write index(BUFFER, dim 0)"),
        ),
        ("index it", ("unexpected 'index'", 25, "write index(BUFFER, dim 0)")),
        ("view it", ("unexpected 'view'", 25, 'write view "text"')),
        (
            "index(it, dim 0",
            (
                "unexpected '}', expected ')'",
                1,
                "close the '(' that was opened at <text>:2:30",
            ),
        ),
    ],
)
def test_a_mistake_has_its_place_and_remedy(
    attribute: str, expected: tuple[str, int, str]
):
    """The column is that of the word that is wrong."""
    body = f"g: vector.gather t <- t {attribute}"
    if attribute == "index(it, dim 0":
        with pytest.raises(LocatedError) as caught:
            parse(text(body))
        found = caught.value.message, caught.value.column, caught.value.hint
        assert (caught.value.line, found) == (3, expected)
    else:
        assert mistake(body) == (expected[0], expected[1], expected[2])


def test_a_buffer_may_have_the_name_of_an_attribute():
    """As a destination; as a source the word is the attribute, like `inplace`."""
    assert operation("g: vector.f unique <- t").writes[0].tensor.name == "unique"
