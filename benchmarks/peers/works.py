"""The work that is measured, as data: Python texts over indices with known sizes.

An index ``n`` of size ``s`` has ``0 <= n < s``; `//` and `%` are Python's, with a
positive number on the right. What is built of a text is the peer's affair: see
`benchmarks.peers.peer`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Fold:
    """An expression that has a smaller form.

    Attributes:
        name: Short name, in the table.
        sizes: How many values each index has, from 0.
        text: What is built and simplified.
        least: The form that is hoped for; a peer makes the fold if it gives what it
            makes of this text.
    """

    name: str
    sizes: Mapping[str, int]
    text: str
    least: str


RING: Final = "(base + step*i + 64*j + k) % 4096"
"""An address in a ring; ``base`` and ``step`` are other numbers each time."""
RING_SIZES: Final = {"i": 1000, "j": 1000, "k": 64}

_X, _LONG_X = {"x": 4096}, {"x": 100_000}
_TILE = {"i": 16, "j": 64}

FOLDS: Final = (
    Fold("nested-mod-three", _LONG_X, "x % 4096 % 8192 % 1024", "x % 1024"),
    Fold("nested-mod-divides", _LONG_X, "x % 24 % 8", "x % 8"),
    Fold("nested-mod-larger", _LONG_X, "x % 8 % 12", "x % 8"),
    Fold("mod-floordiv-zero", _LONG_X, "x % 8 // 16", "0"),
    Fold("mod-floordiv-edge", _LONG_X, "x % 8 // 8", "0"),
    Fold(
        "distribute",
        {"i": 16, "j": 10_000},
        "(4096*i + 5000 + 8193*j) % 4096",
        "(904 + j) % 4096",
    ),
    Fold(
        "distribute-short",
        {"i": 16, "j": 3192},
        "(4096*i + 5000 + 8193*j) % 4096",
        "904 + j",
    ),
    Fold("delinearise-row", _TILE, "(64*i + j) // 64", "i"),
    Fold("delinearise-column", _TILE, "(64*i + j) % 64", "j"),
    Fold(
        "recompose-tile",
        _TILE,
        "64*((64*i + j) // 64) + (64*i + j) % 64",
        "64*i + j",
    ),
    Fold("recompose", _X, "64*(x // 64) + x % 64", "x"),
    Fold("nested-floordiv", _X, "x // 8 // 16", "x // 128"),
    Fold("mod-of-range", _X, "x // 8 % 512", "x // 8"),
    Fold("exchange", _LONG_X, "x % 64 // 8", "x // 8 % 8"),
    Fold(
        "stride-below-period",
        {"i": 16, "j": 4},
        "(8*i + 2*j + 1) % 8",
        "2*j + 1",
    ),
    Fold("carry", {"i": 16, "j": 8}, "(8*i + j + 8) // 8", "i + 1"),
    Fold("cancel", {"x": 100, "y": 100}, "x + y + -1*x", "y"),
    Fold("negative-scale", {"x": 100}, "(-1*x + 7) % 8", "(7*x + 7) % 8"),
)

POINT_SIZES: Final = {"i": 1000, "j": 1000, "k": 1000}
POINT: Final = (
    "(4096*((64*((i + 5) % 7) + 3*j + 11) % 513) + 64*(j // 8) + k + 777) % 65536"
)
"""Three rings, whose sizes do not divide each other, to be evaluated."""
BULK_POINTS: Final = 1_000_000

PAIR_SIZES: Final = {"i": 1000, "j": 1000, "k": 1000, "t": 1000}
PAIR: Final = " + ".join(
    f"{scale}*(({step}*{first} + {second} + {shift}) % {period})"
    for scale, step, first, second, shift, period in (
        (2, 3, "i", "j", 1, 7),
        (3, 5, "j", "k", 2, 11),
        (4, 9, "k", "t", 3, 13),
        (5, 2, "t", "i", 4, 17),
        (6, 4, "i", "j", 5, 19),
    )
)
"""Some 50 nodes, built twice and compared."""

SUM_INDICES: Final = 16
SUM_SIZES: Final = {f"v{at}": 1000 for at in range(SUM_INDICES)}
SUM_COUNTS: Final = (100, 1_000, 10_000)
SUM_PERIODS: Final = (64, 96, 128, 100)


def sum_term(at: int) -> tuple[str, int, int, int]:
    """Return index, scale, shift and period of one ring term of a long sum."""
    return f"v{at % SUM_INDICES}", 1 + at * 37 % 50, at * 13, SUM_PERIODS[at % 4]


def ring_numbers(at: int) -> tuple[int, int]:
    """Return base and step of the ring address that is built at a time.

    No two of the first 100,000 are alike.
    """
    return at * 7919 % 100_003 + 1, at * 31 % 9973 + 3
