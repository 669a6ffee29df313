"""Tables and lines for people: fitted to a terminal, whole lines everywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

Cell = str | Text

LINE_COLUMNS: Final = 10_000
"""Columns of a line that no terminal shows: nothing is folded."""

MIN_PROSE_COLUMNS: Final = 30
"""Columns below which a sentence is not folded beside its row, but stands below it."""

_GAP_COLUMNS: Final = 2

_WORDS: Final = frozenset(
    {
        *("memory", "unit", "ring", "space", "loop", "limited by"),
        *("placed by hand", "tensors"),
        *("makespan", "note", "engine", "kept loop", "runs to", "a round"),
        *("binds", "one more slot of", "cost", "other remedy", "machine", "timing"),
        *("pass", "runs", "options", "does"),
        *("law", "verdict", "by", "second"),
        *("kernel", "answer", "remark"),
    }
)
"""Columns of words stand at the left, columns of numbers at the right."""


def people(*, stderr: bool = False) -> Console:
    """Return where to print for people: a line of a pipe or a file is never folded."""
    console = Console(stderr=stderr)
    if not console.is_terminal:
        console.width = LINE_COLUMNS
    return console


def print_blocks(blocks: Iterable[RenderableType], console: Console) -> None:
    """Print blocks, an empty line after each; a long line is folded, never cut."""
    for block in blocks:
        print_block(block, console)
        print_block("", console)


def print_block(block: RenderableType, console: Console) -> None:
    """Print a block; outside a terminal its lines end with their last letter."""
    if console.is_terminal:
        console.print(block, crop=False)
        return
    with console.capture() as captured:
        console.print(block, crop=False)
    lines = captured.get().splitlines()
    console.file.write("".join(f"{line.rstrip()}\n" for line in lines))


def table_of(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Table:
    """Return a table of whole cells; only those of the last column may fold."""
    table = Table(box=None, pad_edge=False, padding=(0, _GAP_COLUMNS, 0, 0))
    for column, name in enumerate(header):
        cells = [name, *(str(row[column]) for row in rows)]
        last = column == len(header) - 1
        # The least width keeps the library from cutting what does not fit.
        pieces = [piece for cell in cells for piece in cell.split()] if last else cells
        table.add_column(
            name,
            justify="left" if name in _WORDS else "right",
            no_wrap=not last,
            min_width=max(map(len, pieces), default=0),
        )
    for row in rows:
        table.add_row(*row)
    return table


def listing_of(
    header: Sequence[str], rows: Sequence[Sequence[str]], width_columns: int
) -> RenderableType:
    """Return a table of which the last column is a sentence.

    Where the other columns leave it too little room, each sentence stands in a line of
    its own below the rest of its row.

    Args:
        header: Names of the columns.
        rows: Cells of each row.
        width_columns: Columns of the terminal.
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    *others, longest = widths
    room = width_columns - sum(others) - _GAP_COLUMNS * len(others)
    if room >= min(longest, MIN_PROSE_COLUMNS):
        return table_of(header, rows)
    gap = " " * _GAP_COLUMNS
    lines: list[RenderableType] = []
    for *cells, sentence in (header, *rows):
        padded = (cell.ljust(n) for cell, n in zip(cells, others, strict=True))
        below = Padding(sentence, (0, 0, 0, 2 * _GAP_COLUMNS))
        lines += [Text(gap.join(padded).rstrip()), below]
    return Group(*lines)
