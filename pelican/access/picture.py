"""A picture of an access pattern: which iteration touches which addresses.

One row an iteration, in the order in which they run, and one bar for each run of
neighbouring addresses. Where iterations come back to the same addresses, a line with
its number marks each slot.
"""

from __future__ import annotations

from itertools import islice, pairwise, product
from math import prod
from typing import Final

import drawsvg

from pelican.access.patterns import AccessPattern
from pelican.errors import NonAffineError, TooLargeError
from pelican.integers import brief
from pelican.tree.kinds import is_index
from pelican.tree.points import point_text
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pelican.expr import SimpleExpr

    Point = Mapping[SimpleExpr, int]
    Run = tuple[int, int]

MAX_ROWS: Final = 16
"""A picture in a notebook shows at most so many iterations."""

MOST_ROWS: Final = 256
"""So many iterations fit a picture that is asked for."""

MAX_SLOTS: Final = 32
"""At most so many slots are numbered."""

SLOT_WIDTH: Final = 40
"""The number of a slot needs so much room."""

MAX_RUNS: Final = 256
"""A row shows at most so many runs; beyond, one bar from its first to its last."""

MAX_TRIPS: Final = 4096
"""The iterations are looked for among so many of each index."""

MAX_TITLE: Final = 64
"""So many characters of the pattern's text stand above the picture."""

LABEL_WIDTH: Final = 96
PLOT_WIDTH: Final = 480
ROW_HEIGHT: Final = 18
BAR_HEIGHT: Final = 12
FONT_SIZE: Final = 11
BAR: Final = "#4c78a8"


def picture(
    pattern: AccessPattern, at: Point | None = None, rows: int = MAX_ROWS
) -> str:
    """Return the SVG text of an access pattern's first iterations.

    Args:
        pattern: An access pattern. Addresses are in its own unit [elements].
        at: Leaves of its address that keep one value, and which.
        rows: At most so many iterations are shown, >= 1.

    Raises:
        NonAffineError: If an address depends on what only the machine knows, and `at`
            does not say it.
        IndexRangeError: If a value of `at` is none of its index.

    >>> from pelican import index
    >>> i = index("i", 0, 8)
    >>> svg = picture(AccessPattern(512 * (i % 2), [(1, 512)]))
    >>> svg.count("<rect"), "i = 7: [512, 1024)" in svg, "slot 1" in svg
    (8, True, True)
    """
    shown = [(p, runs(pattern, p)) for p in iterations(pattern, at or {}, rows)]
    low = min((found[0][0] for _, found in shown), default=0)
    high = max((found[-1][1] for _, found in shown), default=1)
    scale = PLOT_WIDTH / (high - low)
    slots = _slots([found for _, found in shown], scale)
    top = 2 if slots else 1
    height = ROW_HEIGHT * (len(shown) + top + 2)
    drawing = drawsvg.Drawing(LABEL_WIDTH + PLOT_WIDTH + FONT_SIZE, height)
    drawing.append(_text(_title(pattern, len(shown), rows), 0, 0))
    for number, first in enumerate(slots):
        x = round(LABEL_WIDTH + (first - low) * scale, 2)
        drawing.append(_text(f"slot {number}", x, 1))
        drawing.append(_line(x, len(shown) + top))
    for number, (point, found) in enumerate(shown, start=top):
        drawing.append(_text(point_text(point), 0, number))
        for first, end in found:
            drawing.append(_bar(point, (first, end), number, low, scale))
    if not shown:
        return str(drawing.as_svg(header=""))
    drawing.append(_text(brief(low), LABEL_WIDTH, len(shown) + top))
    last = _text(brief(high), LABEL_WIDTH + PLOT_WIDTH, len(shown) + top)
    last.args["text-anchor"] = "end"
    drawing.append(last)
    return str(drawing.as_svg(header=""))


def whole_picture(pattern: AccessPattern, at: Point | None = None) -> str:
    """Return the SVG text of all iterations of an access pattern.

    Args:
        pattern: An access pattern.
        at: Leaves of its address that keep one value, and which.

    Raises:
        TooLargeError: If it has more than `MOST_ROWS` iterations, or one of them has
            more than `MAX_RUNS` runs of addresses.
        NonAffineError: As `picture`.
        IndexRangeError: As `picture`.

    >>> from pelican import index
    >>> i, j = index("i", 0, 100), index("j", 0, 100)
    >>> whole_picture(AccessPattern(100 * i + j), {i: 3}).count("<rect")
    100
    """
    found = iterations(pattern, at or {}, MOST_ROWS + 1)
    if len(found) > MOST_ROWS:
        raise TooLargeError(
            f"the pattern has more iterations than the {MOST_ROWS} that fit a picture",
            hint="show the first of them, or give an index a value",
        )
    apart = _apart(pattern)[1]
    if _count(apart) > MAX_RUNS:
        raise TooLargeError(
            f"an iteration has {brief(_count(apart))} runs of addresses, more than the "
            f"{MAX_RUNS} that fit a row",
            hint="make a free dim smaller, or ask for the footprint",
        )
    return picture(pattern, at, MOST_ROWS)


def iterations(
    pattern: AccessPattern, at: Point | None = None, most: int = MAX_ROWS
) -> list[Point]:
    """Return the first iterations of the loop nest, the innermost index fastest.

    An index without a lower bound starts at 0.

    Args:
        pattern: An access pattern.
        at: Leaves of its address that keep one value, and which.
        most: So many iterations at most.

    Raises:
        NonAffineError: If a value is none of a loop's, and `at` does not say it.

    >>> from pelican import index
    >>> i = index("i", 4, 100, 4)
    >>> [point[i] for point in iterations(AccessPattern(i))][:3]
    [4, 8, 12]
    """
    given = at or {}
    axes: list[range] = []
    for idx in pattern.indices:
        if idx in given:
            axes.append(range(given[idx], given[idx] + 1))
            continue
        if not is_index(idx):
            raise NonAffineError(
                f"{brief_text(idx)} is known to the machine only: it has no picture",
                hint="substitute a value for it first",
            )
        first = idx.lo or 0
        end = first + idx.step * most if idx.hi is None else idx.hi
        axes.append(range(first, end, idx.step)[:MAX_TRIPS])
    points = (dict(zip(pattern.indices, p, strict=True)) for p in product(*axes))
    inside = (point for point in points if _exists(pattern, point))
    return list(islice(inside, most))


def _exists(pattern: AccessPattern, point: Point) -> bool:
    return all(idx.takes(int(value.eval(point))) for value, idx in pattern.inside)


def runs(pattern: AccessPattern, point: Point) -> list[Run]:
    """Return the addresses of one iteration as half-open runs, apart and ascending.

    >>> from pelican import index
    >>> i = index("i", 0, 8)
    >>> runs(AccessPattern(64 * i, [(32, 2), (1, 8)]), {i: 1})
    [(64, 72), (96, 104)]
    """
    start = int(pattern.address.eval(point)) + (pattern.offsets.lo or 0)
    length, apart = _apart(pattern)
    if _count(apart) > MAX_RUNS:
        return [(start, start + sum(dim[-1] for dim in apart) + length)]
    firsts = sorted(start + sum(at) for at in product(*apart))
    return list(_merged([(first, first + length) for first in firsts]))


def _apart(pattern: AccessPattern) -> tuple[int, list[range]]:
    """Return the length of a run, and where the runs are from the first one on."""
    length, apart = 1, []
    for stride, size in sorted((abs(stride), size) for stride, size in pattern.free):
        if stride <= length:
            length += stride * (size - 1)
        else:
            apart.append(range(0, stride * size, stride))
    return length, apart


def _count(apart: list[range]) -> int:
    return prod(len(dim) for dim in apart)


def _slots(shown: list[list[Run]], scale: float) -> list[int]:
    """Return the first address of each slot, if iterations come back and there is room.

    A slot is where a run of several iterations begins.
    """
    firsts = sorted({found[0][0] for found in shown})
    near = any((b - a) * scale < SLOT_WIDTH for a, b in pairwise(firsts))
    few = len(firsts) <= MAX_SLOTS and len(firsts) < len(shown)
    return firsts if few and not near else []


def _merged(found: list[Run]) -> Iterator[Run]:
    """Yield sorted runs with those that touch made one."""
    first, end = found[0]
    for _, (low, high) in pairwise(found):
        if low > end:
            yield first, end
            first = low
        end = max(end, high)
    yield first, end


def _title(pattern: AccessPattern, rows: int, most: int) -> str:
    shown = f" (the first {rows} iterations)" if rows == most else ""
    words = str(pattern)
    if len(words) > MAX_TITLE:
        words = f"{words[:MAX_TITLE]}..."
    return f"{words}{shown}"


def _text(words: str, x: float, row: int) -> drawsvg.Text:
    # The colour of the page's own text: readable on light and on dark.
    y = ROW_HEIGHT * row + BAR_HEIGHT
    return drawsvg.Text(words, FONT_SIZE, x, y, fill="currentColor")


def _line(x: float, rows: int) -> drawsvg.Line:
    top, bottom = 2 * ROW_HEIGHT - 2, ROW_HEIGHT * rows
    return drawsvg.Line(
        x, top, x, bottom, stroke="currentColor", stroke_dasharray="2 3", opacity=0.6
    )


def _bar(point: Point, run: Run, row: int, low: int, scale: float) -> drawsvg.Rectangle:
    first, end = run
    bar = drawsvg.Rectangle(
        round(LABEL_WIDTH + (first - low) * scale, 2),
        ROW_HEIGHT * row + 2,
        round(max((end - first) * scale, 1), 2),
        BAR_HEIGHT,
        fill=BAR,
    )
    bar.append_title(f"{point_text(point)}: [{brief(first)}, {brief(end)})")
    return bar
