"""Several kernels of a file, and what of each may be rotated."""

import pytest

from rotation import load, run
from rotation.errors import KernelError
from rotation.running.functions import run_all
from rotation.text.parse import parse
from rotation.text.print import print_function
from tests.rotation.programs import COPY, STREAM, kernel

COPIED = COPY.replace(" RING", "")
NONE = COPIED.replace("on planning", "on planning scope none")


def test_a_kernel_of_scope_none_is_left():
    """It opts out: one slot each, and the reason."""
    result = run(kernel(NONE))

    assert (result.verdict, result.hazards, result.equivalent) == ("left", (), True)
    assert [r.reason for r in result.refusals] == [
        "kernel copy has rotation scope none"
    ]
    assert result.refusals[0].where == "<text>:2:1"
    assert {ring.slots for ring in result.rings} == {1}


def test_a_kernel_of_scope_none_is_what_skipping_the_rotation_leaves():
    """Nothing else differs."""
    result = run(kernel(NONE))

    assert result.schedule.after_ns == result.schedule.before_ns
    assert result.memory["sb"].after == result.memory["sb"].before


@pytest.mark.parametrize("scope", ["kernel", "global"])
def test_a_kernel_that_stands_alone_has_the_whole_machine(scope: str):
    """Both scopes rotate it alike."""
    text = COPIED.replace("on planning", f"on planning scope {scope}")

    assert run(kernel(text)).rings == run(kernel(COPIED)).rings


@pytest.mark.parametrize("scope", ["none", "kernel"])
def test_the_scope_prints_as_it_is_read(scope: str):
    """The default, global, is left out."""
    (function,) = parse(COPIED.replace("on planning", f"on planning scope {scope}"))
    (default,) = parse(COPIED.replace("on planning", "on planning scope global"))

    assert print_function(function).startswith(
        f"kernel copy on planning scope {scope} {{"
    )
    assert print_function(default).startswith("kernel copy on planning {")


def test_an_unknown_scope_suggests_the_nearest():
    """The place is the word."""
    with pytest.raises(KernelError, match="no rotation scope nine") as error:
        parse("kernel k on planning scope nine { }")

    assert (error.value.column, error.value.hint) == (28, "did you mean none?")


def test_each_kernel_of_a_file_has_its_result(tmp_path):
    """They are in the order of the file, and each is what it is alone."""
    path = tmp_path / "both.kernel"
    path.write_text(NONE + STREAM, encoding="utf-8")
    result = run_all(parse(NONE + STREAM))
    left, rotated = result.functions

    assert (result.kernel, result.verdict) == ("copy", "left")
    assert (left.verdict, rotated.verdict) == ("left", "accepted")
    assert rotated.rings == run(load(path, "stream")).rings
    assert result.proofs.total == left.proofs.total + rotated.proofs.total
    assert (result.schedule, result.equivalent) == (None, True)
