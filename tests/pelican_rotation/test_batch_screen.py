"""What is printed of a batch: a line for each kernel, and the sum."""

import io

import pytest
from rich.console import Console

from pelican_rotation.batch.run import Batch
from pelican_rotation.batch.task import Outcome
from pelican_rotation.batch_screen import show_batch

SCHEDULE = {"before_ns": 3000.5, "after_ns": 1500, "bound_ns": 1000}
RESULT = {"schedule": SCHEDULE, "hazards": [], "refusals": []}
REFUSAL = {"function": "k", "reason": "too large", "where": "a.kernel:1:2"}
NOTE = {"text": "loop i (line 3) has no iterations", "where": "a.kernel:3:5"}
HAZARD = {"check": "race", "message": "two writes", "instructions": []}
ERROR = {"message": "no such word", "file": "a.kernel", "line": 1, "column": 2}


def shown(*outcomes: Outcome) -> list[str]:
    """Return the lines of a batch."""
    stream = io.StringIO()
    show_batch(Batch(outcomes), Console(file=stream, width=120))
    return stream.getvalue().splitlines()


@pytest.mark.parametrize(
    ("outcome", "cells"),
    [
        (Outcome("a", "k", "", 0, 1, (), RESULT), "k holds 3,000 1,500 1.500"),
        (
            Outcome("a", "k", "", 0, 1, (), {**RESULT, "refusals": [REFUSAL]}),
            "k holds 3,000 1,500 1.500 a.kernel:1:2: too large",
        ),
        (
            Outcome("a", "k", "", 0, 1, (), {**RESULT, "notes": [NOTE]}),
            "k holds 3,000 1,500 1.500 a.kernel:3:5: loop i (line 3) has no iterations",
        ),
        (
            Outcome("a", "k", "", 1, 1, (), {**RESULT, "hazards": [HAZARD]}),
            "k hazard or refuted 3,000 1,500 1.500 race: two writes",
        ),
        (
            Outcome("a.kernel", None, None, 2, 0, (ERROR,)),
            "a.kernel wrong or refused - - - a.kernel:1:2: no such word",
        ),
        (
            Outcome("a", "k", "", 0, 1, (), {**RESULT, "schedule": None}),
            "k holds - - -",
        ),
    ],
)
def test_a_line_says_what_came_of_a_kernel(outcome: Outcome, cells: str):
    """Its makespans, and the first thing that is to be said of it."""
    assert cells == " ".join(shown(outcome)[1].split())


def test_a_bound_of_nothing_is_reached():
    """As the ratio of a result is 1 then."""
    nothing = dict.fromkeys(SCHEDULE, 0)
    line = shown(Outcome("a", "k", "", 0, 1, (), {**RESULT, "schedule": nothing}))[1]

    assert line.split() == ["k", "holds", "0", "0", "1.000"]


def test_the_sum_counts_each_answer():
    """Those that hold first."""
    codes = [3, 0, 2, 0, 1]
    outcomes = [Outcome("a", "k", "", code, 0, (), RESULT) for code in codes]

    assert shown(*outcomes)[-1] == (
        "5 kernels; holds: 2, hazard or refuted: 1, wrong or refused: 1, not decided: 1"
    )


def test_a_name_that_stands_twice_has_its_file_beside_it():
    """Names that stand once do not."""
    outcomes = [
        Outcome(file, name, "", 0, 0, (), RESULT)
        for file, name in (("a.kernel", "k"), ("b.kernel", "k"), ("b.kernel", "m"))
    ]
    names = [line.split("  ")[0] for line in shown(*outcomes)[1:4]]

    assert names == ["k (a.kernel)", "k (b.kernel)", "m"]


def test_one_kernel_is_one():
    """Not many."""
    assert shown(Outcome("a", "k", "", 0, 0, (), RESULT))[-1] == "1 kernel; holds: 1"
