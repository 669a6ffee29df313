"""Where each instruction stands in a total order."""

from __future__ import annotations

import numpy as np

from rotation.errors import InternalError
from rotation.unrolled.program import Ints, Program


def positions(program: Program, order: Ints) -> Ints:
    """Return the position of each instruction in a total order, (n,).

    Raises:
        InternalError: If the order does not name each instruction exactly once.
    """
    num_rows = len(program)
    if not np.array_equal(np.sort(order), np.arange(num_rows)):
        msg = (
            f"an order of {len(order)} entries does not name {num_rows} rows once each"
        )
        raise InternalError(msg)
    position = np.empty(num_rows, np.int64)
    position[order] = np.arange(num_rows)
    return position


def completions_ps(program: Program, start_ps: Ints) -> Ints:
    """Return when each instruction is complete, (n,) [ps]."""
    return start_ps + program.busy_ps + program.latency_ps
