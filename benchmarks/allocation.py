"""How tightly and how fast the allocator places buffers.

    python -m benchmarks.allocation --counts 1000 10000 100000 --seed 1

Of each trace of the public set, and of random tables (starts uniform in [0, n),
lengths geometric with mean 64, sizes log-uniform from 64 to 65,536 bytes), one line
says: buffers, max live, peak / max live in the fast mode and after a search, and
buffers a second in the fast mode, by processor time. Every placement is checked. The
ratios depend on the arguments alone, the rate on the machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from time import process_time

from rotation.allocation import FAST_STEPS, SEARCH_STEPS, Buffers, allocate, faults
from tests.rotation.allocation.tables import NAMES, random_table, trace


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table; return 1 if a placement has a fault."""
    options = argparse.ArgumentParser(description="Measure the allocator.")
    options.add_argument("--traces", nargs="*", default=list(NAMES), help="which")
    options.add_argument("--counts", type=int, nargs="*", default=[1_000, 10_000])
    options.add_argument("--seed", type=int, default=1, help="which random tables")
    options.add_argument("--search-steps", type=int, default=SEARCH_STEPS)
    chosen = options.parse_args(arguments)
    sys.stdout.write("table    buffers   max live    fast  search  buffers/s\n")
    ratios = [
        measured(f"trace {name}", trace(name), chosen.search_steps)
        for name in chosen.traces
    ]
    if ratios:
        fast, search = (
            sum(column) / len(ratios) for column in zip(*ratios, strict=True)
        )
        sys.stdout.write(f"mean of the traces            {fast:7.4f} {search:7.4f}\n")
    for count in chosen.counts:
        measured("random", random_table(count, chosen.seed), chosen.search_steps)
    return 0


def measured(name: str, table: Buffers, search_steps: int) -> tuple[float, float]:
    """Write one line, and return peak / max live of both modes."""
    begin = process_time()
    fast = allocate(table, steps=FAST_STEPS)
    seconds = process_time() - begin
    search = allocate(table, steps=search_steps)
    for found in (fast, search):
        if wrong := faults(table, found.offset):
            raise SystemExit(f"{name}: {wrong[0].message}")
    ratios = fast.peak / fast.max_live, search.peak / search.max_live
    sys.stdout.write(
        f"{name:8} {len(table):7} {fast.max_live:10} {ratios[0]:7.4f} {ratios[1]:7.4f} "
        f"{len(table) / seconds:10.0f}\n"
    )
    sys.stdout.flush()
    return ratios


if __name__ == "__main__":
    sys.exit(main())
