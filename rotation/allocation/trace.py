"""Traces: tables of buffers as CSV, one buffer a line."""

from __future__ import annotations

import csv
from io import StringIO

from rotation.allocation.buffers import Buffers, buffers
from rotation.errors import AllocationError

END_COLUMNS = {"upper": 0, "end": 1}
"""Columns that may say when a buffer ends, and how far from its end in `Buffers`.

``upper`` is exclusive, as here; ``end`` is inclusive.

Source: the two forms of the public benchmark set of MiniMalloc.
"""


def read_trace(text: str) -> Buffers:
    r"""Return the buffers of a trace.

    Its header names the columns: ``lower``, ``upper`` or ``end``, ``size``, and where
    they are needed ``alignment`` and ``offset``, the place of a pinned buffer. Other
    columns, such as ``id``, say nothing here.

    Args:
        text: The trace; an empty field has the default of its column.

    Raises:
        AllocationError: If a column or a number is missing, with the line.

    >>> table = read_trace("id,lower,upper,size\nb1,0,3,4\nb2,3,9,8\n")
    >>> table.start.tolist(), table.end.tolist(), table.size.tolist()
    ([0, 3], [3, 9], [4, 8])
    """
    reader = csv.DictReader(StringIO(text))
    names = reader.fieldnames or ()
    ending = next((name for name in END_COLUMNS if name in names), None)
    missing = [name for name in ("lower", "size") if name not in names]
    if missing or ending is None:
        lacking = ", ".join(missing or ["upper or end"])
        raise AllocationError(f"the trace has no column {lacking}")
    defaults = {"lower": None, ending: None, "size": None}
    columns: dict[str, list[int]] = {name: [] for name in defaults}
    columns |= {"alignment": [], "offset": []}
    optional = {"alignment": 1, "offset": -1}
    for line in reader:
        for name, column in columns.items():
            column.append(
                _number(line.get(name), name, reader.line_num, optional.get(name))
            )
    return buffers(
        columns["lower"],
        [end + END_COLUMNS[ending] for end in columns[ending]],
        columns["size"],
        alignment=columns["alignment"],
        pinned=columns["offset"],
    )


def _number(field: str | None, name: str, line: int, default: int | None) -> int:
    if not field and default is not None:
        return default
    try:
        return int(field or "")
    except ValueError:
        raise AllocationError(
            f"line {line} of the trace: {name} is {field!r}, not a whole number"
        ) from None
