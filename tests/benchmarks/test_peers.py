"""The works that peers are measured on, and the table that compares them."""

import random
import subprocess
import sys
from typing import Any

import pytest

from benchmarks.peers import compare, works
from benchmarks.peers.compare import Row, rows, table
from benchmarks.peers.measure import WORKS, folded, load
from benchmarks.peers.peer import Peer, builder

HERE = ("pelican", "python", "sympy", "xdsl", "isl")
"""Adapters whose libraries the tests install."""

FOLDS = pytest.mark.parametrize("fold", works.FOLDS, ids=lambda fold: fold.name)


@FOLDS
def test_the_least_form_of_a_fold_has_its_values(fold: works.Fold):
    """By Python's own integers, at random points of the ranges."""
    draw = random.Random(fold.name)
    points = [
        {name: draw.randrange(size) for name, size in fold.sizes.items()}
        for _ in range(200)
    ]

    assert [eval(fold.text, dict(at)) for at in points] == [
        eval(fold.least, dict(at)) for at in points
    ]


@FOLDS
def test_pelican_makes_every_fold(fold: works.Fold):
    """The least form comes out, as built by pelican itself."""
    peer = load("pelican")
    names = list(fold.sizes)
    variables = list(peer.variables(fold.sizes).values())
    built, least = (
        builder(peer, text, names)(*variables) for text in (fold.text, fold.least)
    )

    assert str(built) == str(least)


@pytest.mark.parametrize("name", HERE)
def test_an_adapter_builds_what_the_text_says(name: str):
    """Templates and operators give the value of Python's own integers at a point."""
    peer = load(name)
    variables = peer.variables(works.POINT_SIZES)
    built = builder(peer, works.POINT, list(works.POINT_SIZES))(*variables.values())
    point = {"i": 123, "j": 456, "k": 789}

    assert value(peer, built, variables, point) == eval(works.POINT, dict(point))


def value(peer: Peer, built: object, variables: dict[str, Any], point: dict[str, int]):
    """Return the value by a walk, or by compilation where there is no walk."""
    walked = peer.value(built, variables, point)
    if walked is not None:
        return walked
    compiled = peer.compiled(built, variables)
    assert compiled is not None
    return compiled(*point.values())


def test_a_text_without_a_template_is_refused():
    """A work that peers cannot all build is no work."""
    with pytest.raises(ValueError, match="no template for x - y"):
        builder(load("python"), "x - y", ["x", "y"])


def test_fresh_variables_have_names_of_their_own():
    """So that no cache of a library answers."""
    peer = load("sympy")

    assert peer.variables({"x": 8}, "_1") != peer.variables({"x": 8}, "_2")


def test_a_fold_that_is_not_made_is_told():
    """Plain text is never folded."""
    assert folded(load("python"), works.FOLDS[0])["folded"] is False


def figures(ring: float) -> dict[str, Any]:
    """Return figures as a round gives them."""
    fold = {"folded": True, "text": "", "us": ring}
    return {
        **dict.fromkeys(WORKS, "over 60 s"),
        "ring": ring,
        "folds": {each.name: fold for each in works.FOLDS},
    }


def test_the_table_has_medians_and_ratios():
    """A figure is the median of the rounds; words stand as they are."""
    rounds = [
        {"pelican": figures(ring), "mlir": figures(2 * ring)} for ring in (1, 4, 3)
    ]
    lines = table(rows(rounds), ["pelican", "mlir"]).splitlines()

    assert lines[:5] == [
        "| work | pelican | mlir |",
        "|---|---|---|",
        "| ring address, us | 3 | 6 (ratio 0.5) |",
        "| folds made, of 18 | 18 | 18 |",
        "| fold, median, us | 3 | 6 (ratio 0.5) |",
    ]
    assert lines[5].endswith("| over 60 s | over 60 s |")


@pytest.mark.parametrize(
    ("rings", "cell"),
    [
        ((1, "over 60 s", 3), "| 3 |"),
        ((1, "over 60 s", "over 60 s"), "| over 60 s |"),
        (("over 60 s", 1), "| over 60 s |"),
    ],
)
def test_a_round_that_was_ended_is_the_longest(rings, cell: str):
    """It takes nothing from the figures of the others, and says so where it rules."""
    rounds = [{"pelican": figures(ring)} for ring in rings]

    assert cell in table(rows(rounds), ["pelican"]).splitlines()[2]


def test_a_work_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch):
    """By the time of the processor that it took, not by the load of the machine."""
    monkeypatch.setattr(compare, "LIMIT_SECONDS", 0)

    assert compare.measured("python", "point") == compare.SLOW


def test_the_clock_tells_short_works_apart_under_the_limit():
    """That of the process would give one number for all of a thousand readings."""
    code = (
        "from benchmarks.peers import compare, measure\n"
        "compare._limit()\n"
        "print(len({measure.clock() for _ in range(1000)}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )

    assert int(done.stdout) > 500


def test_a_peer_that_has_no_figure_has_a_dash():
    """What no library has is no number."""
    assert table([Row("hash, us", {"mlir": "-"})], ["mlir"]).endswith("| - |\n")
