from dataclasses import replace

import numpy as np

from pelican.errors import Source, Span
from pelican.expr import AffineIV
from rotation.check.names import (
    access_clause,
    access_name,
    instruction_name,
    location_name,
    place_name,
)
from rotation.loop_form.kernel import Engine, Function, Loop, Role
from tests.rotation.check.builder import (
    LOOP,
    Op,
    Touch,
    build,
    dram,
    moved,
    private,
    psum,
    sb,
)

A, S = psum("acc", (64, 16)), sb("s", (32, 8))
X = dram("x", (4, 4), Role.INPUT)


def program():
    """Return one operation in iteration 7 on instances 7 of two buffers."""
    reads = (Touch(A, 7), Touch(X))
    return build([Op("ev", Engine.VECTOR, (Touch(S, 7),), reads, 7)])


def test_an_instruction_is_named_with_its_iteration():
    """The values of all loops around it stand in brackets."""
    assert instruction_name(program(), 0) == "ev[i = 7]"


def test_an_instruction_from_a_text_is_named_with_its_line():
    """The line is that of the statement."""
    made = program()
    span = Span(Source("k.kernel", "\n\nev: vector.copy"), 2, 4)
    ev = replace(made.function.instructions[0], span=span)
    function = Function("test", "planning", (Loop(LOOP, (A, S, ev)),))
    located = replace(made, function=function)

    assert instruction_name(located, 0) == "ev[i = 7] (line 3)"


def test_loops_are_named_from_the_outermost_with_their_values():
    """Linear trip 7 of 4 x 3 trips is trip 2 of the outer and 1 of the inner loop."""
    made = program()
    m, k = AffineIV("m", 0, 4), AffineIV("k", 10, 16, 2)
    nest = Loop(m, (Loop(k, made.function.instructions),))
    nested = replace(made, function=Function("test", "planning", (nest,)))

    assert instruction_name(nested, 0) == "ev[m = 2, k = 12]"


def test_a_location_is_named_with_its_instance():
    """A buffer outside all loops has no brackets."""
    names = [location_name(program(), location) for location in range(3)]

    assert sorted(names) == ["acc[i = 7]", "s[i = 7]", "x"]


def test_an_access_is_named_with_what_it_does():
    """Reads come before writes."""
    made = program()
    names = [access_name(made, access) for access in range(3)]

    assert names == [
        "ev[i = 7] reads acc[i = 7]",
        "ev[i = 7] reads x",
        "ev[i = 7] writes s[i = 7]",
    ]


def test_an_access_in_a_sentence_is_a_clause():
    """It reads on after the comma."""
    assert access_clause(program(), 1) == "ev[i = 7], which reads x,"


def test_a_place_is_named_in_units_of_its_space():
    """SB by bytes, PSUM by banks, DRAM by the first byte."""
    made = program()
    to = {("acc", 7): (64, 3 * 2048 + 512), ("s", 7): (32, 8192)}
    placement = moved(made, private(made), to)
    places = {
        location_name(made, row): place_name(made, placement, row)
        for row in np.arange(3).tolist()
    }

    assert places == {
        "x": "dram byte 0",
        "acc[i = 7]": "psum partitions [64, 128) bank 3 byte 512",
        "s[i = 7]": "sb partitions [32, 64) bytes [8192, 8224)",
    }
