import pytest

from rotation.errors import InterchangeError
from rotation.interchange.json_form import convert
from tests.rotation.interchange.json_kernels import box, buffer, loop, operation, small

DYN = {"dim": 0, "index_buf": "t"}
INDEX = {"buf": "t", "full": True}
UNIQUE = DYN | {"unique": True}


def line_of(name: str, **changes: object) -> str:
    """Return the text of one operation of the small kernel, changed."""
    made = operation(name, "u", box("x"), **changes)
    document = small(
        buffers=[buffer(dtype="int32"), buffer(name="u")], body=[loop(made)]
    )
    lines = convert(document, "small").splitlines()
    return next(line.strip() for line in lines if line.strip().startswith(f"{name}:"))


def test_a_dynamic_source_is_a_gather():
    """Whether the index is listed or not, the text is the same."""
    gathered = box("x") | {"dyn": DYN}
    listed = line_of("g", kind="gather", reads=[gathered, INDEX])

    assert listed == "g: dma.gather u <- x[2*i:+2, 0:+4] index(t, dim 0)"
    assert line_of("g", kind="gather", reads=[gathered]) == listed


def test_a_dynamic_destination_is_a_scatter():
    """``unique`` is kept, and false says nothing."""
    source = {"buf": "u", "full": True}
    lines = [
        line_of("s", kind="scatter", writes=[box("y") | {"dyn": dyn}], reads=[source])
        for dyn in (UNIQUE, DYN | {"unique": False})
    ]

    assert lines == [
        "s: dma.scatter y[2*i:+2, 0:+4] <- u index(t, dim 0) unique",
        "s: dma.scatter y[2*i:+2, 0:+4] <- u index(t, dim 0)",
    ]


def test_a_whole_operand_may_be_dynamic():
    """``full`` and ``dyn`` go together."""
    whole = {"buf": "x", "full": True, "dyn": DYN}

    assert line_of("g", kind="gather", reads=[whole]) == (
        "g: dma.gather u <- x index(t, dim 0)"
    )


def test_an_access_is_a_view():
    """What it says is for people."""
    read = box("x") | {"access": "row s reads columns s..s+3"}

    assert line_of("l", kind="load", reads=[read]) == (
        'l: dma.load u <- x[2*i:+2, 0:+4] view "row s reads columns s..s+3"'
    )


@pytest.mark.parametrize(
    ("changes", "pointer", "message"),
    [
        (
            {"kind": "load", "reads": [box("x") | {"dyn": DYN}]},
            "/reads/0/dyn",
            "rows that a buffer names are read by a gather, not by load",
        ),
        (
            {"kind": "gather", "writes": [box("y") | {"dyn": DYN}]},
            "/writes/0/dyn",
            "rows that a buffer names are written by a scatter, not by gather",
        ),
        (
            {"kind": "gather", "reads": [box("x") | {"dyn": {"dim": 0}}]},
            "/reads/0/dyn",
            "the field index_buf is missing",
        ),
        (
            {"kind": "gather", "reads": [box("x") | {"dyn": DYN | {"dim": -1}}]},
            "/reads/0/dyn/dim",
            "an integer in [0, 9223372036854775807] is needed, got -1",
        ),
        (
            {"kind": "gather", "reads": [box("x") | {"dyn": DYN | {"unique": 1}}]},
            "/reads/0/dyn/unique",
            "true or false is needed, got 1",
        ),
        (
            {"kind": "gather", "reads": [box("y"), box("x") | {"dyn": DYN}]},
            "/reads/1/dyn",
            "dyn stands at the first operand that holds no row numbers",
        ),
        (
            {"kind": "gather", "reads": [box("x") | {"dyn": DYN}] * 2},
            "/reads/1/dyn",
            "another operand of the operation is dyn too",
        ),
        (
            {"writes": [box("y") | {"access": "by columns"}]},
            "/writes/0/access",
            "only a source is read through a map",
        ),
        (
            {"reads": [box("x"), box("x") | {"access": "by columns"}]},
            "/reads/1/access",
            "of several sources the text does not tell which is meant",
        ),
        (
            {"reads": [box("x") | {"access": 'a "b"'}]},
            "/reads/0/access",
            'a text on one line without " and \\ is needed',
        ),
    ],
)
def test_a_mark_that_the_text_cannot_say_is_refused(
    changes: dict[str, object], pointer: str, message: str
):
    """At its pointer; nothing is dropped or guessed."""
    with pytest.raises(InterchangeError) as caught:
        line_of("o", **changes)

    assert caught.value.pointer == f"/kernels/0/body/0/body/0{pointer}"
    assert caught.value.message == f"{caught.value.pointer}: {message}"
