"""How much work the engine does: nodes that it builds, and laws that it tries."""

import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType

import pytest

from pelican import Expr, index, parse
from pelican.engine import rewrite
from pelican.expr import compound

pytestmark = pytest.mark.nobody_listens  # a check adds work of its own

TRIES = rewrite._facts_hold.__code__
NODES = compound.__file__


def work_of(build: Callable[[], Expr]) -> tuple[int, int, int]:
    """Return the nodes built, the laws tried and the Python calls of some work."""
    calls: Counter[CodeType] = Counter()

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_code] += 1

    build()  # what the first call of all keeps is no work of this one
    sys.setprofile(watch)
    try:
        build()
    finally:
        sys.setprofile(None)
    nodes = sum(
        count
        for code, count in calls.items()
        if code.co_filename == NODES and code.co_name in {"of", "__init__"}
    )
    return nodes, calls[TRIES], sum(calls.values())


def ring_address() -> Expr:
    """Return a ring address by operators, over new indices."""
    i, j, k = index("i", 0, 1000), index("j", 0, 1000), index("k", 0, 64)
    return (7920 + 34 * i + 64 * j + k) % 4096


def x(ends: int = 100_000) -> Expr:
    """Return a new index."""
    return index("x", 0, ends)


def recomposed() -> Expr:
    """Return quotient and remainder of an index put together again."""
    idx = x(4096)
    return 64 * (idx // 64) + idx % 64


def delinearised() -> Expr:
    """Return the inner part of an address of two indices."""
    return (64 * index("i", 0, 16) + index("j", 0, 64)) % 64


CASES = [
    (ring_address, "(34*i + 64*j + k + 3824) mod 4096", (0, 0)),
    (lambda: x() % 24 % 8, "x mod 8", (0, 0)),
    (lambda: x() % 8 // 16, "0", (0, 0)),
    (lambda: x() % 64 // 8, "x floordiv 8 mod 8", (0, 0)),
    (delinearised, "j", (0, 0)),
    (recomposed, "x", (3, 0)),
]


@pytest.mark.parametrize(("build", "text", "most"), CASES)
def test_a_fold_takes_little_work(build, text: str, most: tuple[int, int]):
    """Nodes and tries of laws are no more than when this was written."""
    assert str(build()) == text
    assert all(now <= then for now, then in zip(work_of(build), most, strict=False))


def test_a_sum_of_plain_indices_tries_no_law():
    """Nothing is asked of the kernel where no mod or floordiv is built."""
    i, j = index("i", 0, 64), index("j")

    assert work_of(lambda: 3 * i + 5 + 2 * j - i)[1] == 0


def test_asking_for_equality_again_is_one_call():
    """Equal expressions that were compared remember it."""
    i, j = index("i", 0, 64), index("j", 0, 64)
    one, two = ((5 * i + j) % 7 + (i + 3 * j) % 11 for _ in range(2))

    assert one is not two
    assert one == two
    assert work_of(lambda: one == two)[2] <= 2 + 1


def calls_of_one_more(count: int) -> int:
    """Return the Python calls of one term more than some, added by ``+``."""
    total = sum((7 * index(f"r{k}") + 5 * k) % 64 for k in range(count))
    grown = [total]
    parts = [(3 * index(name) + 1) % 64 for name in ("q", "s")]

    def add() -> Expr:
        grown.append(grown[-1] + parts.pop())
        return grown[-1]

    return work_of(add)[2]


def test_a_term_costs_the_same_in_a_longer_sum():
    """Ten times the terms cost a few more steps of the search for its place."""
    few, many = (calls_of_one_more(count) for count in (40, 400))

    assert many <= 1.5 * few


def calls_of_text(count: int) -> int:
    """Return the Python calls of reading a sum of so many ring terms."""
    indices = {f"r{k}": index(f"r{k}", 0, 100) for k in range(count)}
    text = " + ".join(f"(7*r{k} + {k}) mod 64" for k in range(count))
    return work_of(lambda: parse(text, indices))[2]


def test_a_term_costs_the_same_in_a_longer_text():
    """What is read is added up as operators add it up."""
    few, many = (calls_of_text(count) for count in (40, 160))

    assert many <= 1.5 * 4 * few
