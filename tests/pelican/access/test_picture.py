"""The picture of an access pattern."""

from __future__ import annotations

import sys
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import AccessPattern, NonAffineError, arg, index
from pelican.access.picture import MAX_ROWS, MAX_RUNS, iterations, picture, runs

I = index("i", 0, 64)  # noqa: E741 - the loop of every example
J = index("j", 0, 4)
SVG = "{http://www.w3.org/2000/svg}"


def _bars(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [bar[0].text or "" for bar in root.iter(f"{SVG}rect")]


def test_a_bar_says_its_iteration_and_its_addresses():
    """So that the colour is not the only sign."""
    svg = picture(AccessPattern(2048 * I % 4096, [(1, 512)]))

    assert _bars(svg)[:3] == [
        "i = 0: [0, 512)",
        "i = 1: [2048, 2560)",
        "i = 2: [0, 512)",
    ]


def test_the_picture_shows_the_first_iterations_only():
    """And says so."""
    svg = picture(AccessPattern(I))

    assert len(_bars(svg)) == MAX_ROWS
    assert f"the first {MAX_ROWS} iterations" in svg


def test_a_long_title_is_cut():
    """The picture stays small."""
    far = AccessPattern(sum(k * index(f"index_{k}", 0, 2) for k in range(1, 40)))

    assert "..." in picture(far)
    assert len(picture(far).split("</text>")[0]) < 300


def test_the_innermost_index_moves_fastest():
    """As the loops run."""
    points = iterations(AccessPattern(64 * I + J))

    assert [(at[I], at[J]) for at in points[:5]] == [
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 0),
    ]


def test_an_index_without_an_end_starts_where_it_starts():
    """Or at 0."""
    x, y = index("x"), index("y", 5)

    assert [at[x] for at in iterations(AccessPattern(x))][:2] == [0, 1]
    assert [at[y] for at in iterations(AccessPattern(y))][:2] == [5, 6]


def test_a_long_loop_costs_no_memory():
    """Only its first iterations are looked at."""
    assert len(iterations(AccessPattern(index("x", 0, 10**12)))) == MAX_ROWS


def test_a_shifted_pattern_has_the_iterations_that_exist():
    """The iteration before the first is none."""
    shifted = AccessPattern(64 * J).shifted({J: J - 1})

    assert [at[J] for at in iterations(shifted)] == [1, 2, 3]


def test_a_pattern_of_no_iteration_has_an_empty_picture():
    """It is drawn all the same."""
    assert _bars(picture(AccessPattern(J).shifted({J: J - 9}))) == []


def test_too_many_runs_are_one_bar():
    """From the first address to the last."""
    at = runs(AccessPattern(0, [(2, MAX_RUNS + 1)]), {})

    assert at == [(0, 2 * MAX_RUNS + 1)]


free_dims = st.lists(
    st.tuples(st.integers(-9, 9), st.integers(1, 5)), min_size=0, max_size=3
)


@given(free_dims, st.integers(-20, 20))
def test_runs_are_the_addresses_that_are_touched(
    free: list[tuple[int, int]], base: int
):
    """Each address in one run, and no other address."""
    touched = {base}
    for stride, size in free:
        touched = {at + stride * t for at in touched for t in range(size)}
    found = runs(AccessPattern(base, free), {})

    assert [at for low, high in found for at in range(low, high)] == sorted(touched)
    assert all(a[1] < b[0] for a, b in pairwise(found))


def test_a_value_that_only_the_machine_knows_has_no_picture():
    """The error names it; a notebook shows the text instead."""
    pattern = AccessPattern(64 * arg(0))

    with pytest.raises(NonAffineError, match=r"arg\(0\) is known to the machine"):
        picture(pattern)
    assert pattern._repr_svg_() is None


def test_a_notebook_shows_the_picture():
    """By the name that notebooks ask for."""
    pattern = AccessPattern(512 * (I % 2), [(1, 512)])

    assert pattern._repr_svg_() == picture(pattern)


def test_without_the_drawing_library_there_is_no_picture(
    monkeypatch: pytest.MonkeyPatch,
):
    """It is an extra."""
    monkeypatch.setitem(sys.modules, "drawsvg", None)
    monkeypatch.delitem(sys.modules, "pelican.access.picture", raising=False)

    assert AccessPattern(I)._repr_svg_() is None
