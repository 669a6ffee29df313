"""What the core of pelican costs: one command, one line for each row.

``python -m benchmarks.pelican_core`` prints the least processor time of many runs, in
microseconds. Compare numbers of one machine and one hour only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from pelican import Expr, index, sum_of
from pelican.pointwise import point_function

RUNS = 30
"""Runs of each row, of which the least counts: the others were disturbed."""


def least_us(work: Callable[[], object], repeats: int) -> float:
    """Return the least processor time of one piece of work [us]."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        for _ in range(repeats):
            work()
        best = min(best, (time.process_time() - start) / repeats)
    return 1e6 * best


def ring_addresses() -> Callable[[], Expr]:
    """Return what builds a ring address, with other constants each time."""
    i, j, k = index("i", 0, 1000), index("j", 0, 1000), index("k", 0, 64)
    seed = 0

    def build() -> Expr:
        nonlocal seed
        seed += 1
        base, step = seed * 7919 % 100_003 + 1, seed * 31 % 9973 + 3
        return (base + step * i + 64 * j + k) % 4096

    return build


def nested_rings() -> Expr:
    """Return three rings, one inside the other, of moduli that share no factor."""
    i, j, k = (index(name, 0, 1000) for name in "ijk")
    inner = (64 * ((i + 5) % 7) + 3 * j + 11) % 513
    return (4096 * inner + 64 * (j // 8) + k + 777) % 65_536


def ring_terms(count: int) -> list[Expr]:
    """Return ring terms over sixteen indices."""
    over = [index(f"v{k}", 0, 1000) for k in range(16)]
    moduli = (64, 96, 128, 100)
    return [
        ((1 + q * 37 % 50) * over[q % 16] + 13 * q) % moduli[q % 4]
        for q in range(count)
    ]


def rows() -> Iterator[tuple[str, float]]:
    """Yield the name and the time of each row."""
    yield "ring address, fresh constants", least_us(ring_addresses(), 100)
    yield "x mod 24 mod 8", least_us(lambda: index("x", 0, 10**5) % 24 % 8, 100)
    yield "64*(x floordiv 64) + x mod 64", least_us(recomposed, 20)
    expr = nested_rings()
    at = dict(zip(expr.indices, (123, 456, 789), strict=True))
    yield "eval at one point", least_us(lambda: expr.eval(at), 1000)
    function = point_function(expr)
    yield "compiled for one point", least_us(lambda: function(123, 456, 789), 1000)
    yield "compiling", least_us(lambda: point_function(expr), 20)
    one, two = equal_pair()
    yield "equality, compared before", least_us(lambda: one == two, 1000)
    yield "hash", least_us(lambda: hash(one), 1000)
    terms = ring_terms(100)
    yield "sum of 100 ring terms, a term", least_us(lambda: sum_of(terms), 1) / 100


def recomposed() -> Expr:
    """Return quotient and remainder of a new index put together again."""
    x = index("x", 0, 4096)
    return 64 * (x // 64) + x % 64


def equal_pair() -> tuple[Expr, Expr]:
    """Return two equal expressions of some 50 nodes that were built apart."""
    over = [index(name, 0, 1000) for name in "ijkt"]
    shapes = ((7, 3), (11, 5), (13, 9), (17, 2), (19, 4))
    one, two = (
        sum_of(
            (q + 2) * ((a * over[q % 4] + over[(q + 1) % 4] + q + 1) % m)
            for q, (m, a) in enumerate(shapes)
        )
        for _ in range(2)
    )
    return one, two


if __name__ == "__main__":
    for name, us in rows():
        print(f"{name:32} {us:9.2f} us")  # noqa: T201 - the result
