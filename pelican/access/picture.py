"""A small picture of an access pattern: which iteration touches which addresses.

One row an iteration, one bar for each run of neighbouring addresses; the first
iterations of the loop nest only, in the order in which they run.
"""

from __future__ import annotations

from itertools import islice, pairwise, product
from typing import Final

import drawsvg

from pelican.access.patterns import AccessPattern
from pelican.errors import NonAffineError
from pelican.integers import brief
from pelican.kinds import is_index
from pelican.points import point_text
from pelican.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pelican.expr import AffineIdx

    Point = Mapping[AffineIdx, int]
    Run = tuple[int, int]

MAX_ROWS: Final = 16
"""A picture shows at most so many iterations."""

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


def picture(pattern: AccessPattern) -> str:
    """Return the SVG text of an access pattern's first iterations.

    Args:
        pattern: An access pattern over loop indices. Addresses are in its own unit
            [elements].

    Raises:
        NonAffineError: If an address depends on what only the machine knows.

    >>> from pelican import index
    >>> i = index("i", 0, 8)
    >>> svg = picture(AccessPattern(512 * (i % 2), [(1, 512)]))
    >>> svg.count("<rect"), "i = 7: [512, 1024)" in svg
    (8, True)
    """
    rows = [(point, runs(pattern, point)) for point in iterations(pattern)]
    low = min((found[0][0] for _, found in rows), default=0)
    high = max((found[-1][1] for _, found in rows), default=1)
    drawing = drawsvg.Drawing(
        LABEL_WIDTH + PLOT_WIDTH + FONT_SIZE, ROW_HEIGHT * (len(rows) + 3)
    )
    drawing.append(_text(_title(pattern, len(rows)), 0, 0))
    scale = PLOT_WIDTH / (high - low)
    for number, (point, found) in enumerate(rows, start=1):
        drawing.append(_text(point_text(point), 0, number))
        for first, end in found:
            drawing.append(_bar(point, (first, end), number, low, scale))
    if not rows:
        return str(drawing.as_svg(header=""))
    drawing.append(_text(brief(low), LABEL_WIDTH, len(rows) + 1))
    last = _text(brief(high), LABEL_WIDTH + PLOT_WIDTH, len(rows) + 1)
    last.args["text-anchor"] = "end"
    drawing.append(last)
    return str(drawing.as_svg(header=""))


def iterations(pattern: AccessPattern) -> list[Point]:
    """Return the first iterations of the loop nest, the innermost index fastest.

    An index without a lower bound starts at 0.

    Raises:
        NonAffineError: If a value is none of a loop's.

    >>> from pelican import index
    >>> i = index("i", 4, 100, 4)
    >>> [point[i] for point in iterations(AccessPattern(i))][:3]
    [4, 8, 12]
    """
    loops: list[AffineIdx] = []
    axes: list[range] = []
    for idx in pattern.indices:
        if not is_index(idx):
            raise NonAffineError(
                f"{brief_text(idx)} is known to the machine only: it has no picture",
                hint="substitute a value for it first",
            )
        first = idx.lo or 0
        end = first + idx.step * MAX_ROWS if idx.hi is None else idx.hi
        loops.append(idx)
        axes.append(range(first, end, idx.step)[:MAX_TRIPS])
    points = (dict(zip(loops, at, strict=True)) for at in product(*axes))
    inside = (point for point in points if _exists(pattern, point))
    return list(islice(inside, MAX_ROWS))


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
    length, apart = 1, []
    for stride, size in sorted((abs(stride), size) for stride, size in pattern.free):
        if stride <= length:
            length += stride * (size - 1)
        else:
            apart.append(range(0, stride * size, stride))
    count = 1
    for dim in apart:
        count *= len(dim)
    if count > MAX_RUNS:
        return [(start, start + sum(dim[-1] for dim in apart) + length)]
    firsts = sorted(start + sum(at) for at in product(*apart))
    return list(_merged([(first, first + length) for first in firsts]))


def _merged(found: list[Run]) -> Iterator[Run]:
    """Yield sorted runs with those that touch made one."""
    first, end = found[0]
    for _, (low, high) in pairwise(found):
        if low > end:
            yield first, end
            first = low
        end = max(end, high)
    yield first, end


def _title(pattern: AccessPattern, rows: int) -> str:
    shown = f" (the first {rows} iterations)" if rows == MAX_ROWS else ""
    words = str(pattern)
    if len(words) > MAX_TITLE:
        words = f"{words[:MAX_TITLE]}..."
    return f"{words}{shown}"


def _text(words: str, x: float, row: int) -> drawsvg.Text:
    # The colour of the page's own text: readable on light and on dark.
    y = ROW_HEIGHT * row + BAR_HEIGHT
    return drawsvg.Text(words, FONT_SIZE, x, y, fill="currentColor")


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
