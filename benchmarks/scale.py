"""How time and memory grow with a program: up to a million unrolled instructions.

    python -m benchmarks.scale --sizes 10000 100000 1000000

Example kernels get more trips of their outermost loop, and nothing else. Each size
runs in an interpreter of its own, so that its peak of memory is its own: once from
the text to the schedule, and up to 100,000 instructions once more to the proved
result. The first table has instructions a second of each pass, by processor time; the
second has whole runs; the third the exponents of growth, by least squares over all
sizes. `plan_rings` unrolls and schedules again and again: it is no single pass. Last
come texts of more bytes, and sums of more ring terms.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Any, Final

import numpy as np

from benchmarks.peers import works
from pelican import Expr, index, sum_of
from pelican.expr import ModuloExpr, SumExpr
from rotation import run
from rotation.machine.machine import get_machine
from rotation.passes.base import State, built
from rotation.passes.build_dependences import BuildFdeps
from rotation.passes.unroll import Unroll
from rotation.running.pipeline import run_passes, selected
from rotation.text.parse import parse

EXAMPLES: Final = Path(__file__).parents[1] / "examples"
LEAST_SECONDS: Final = 1e-6
"""Time below which a pass has done nothing that can be measured."""

MOST_PROVED: Final = 200_000
"""Instructions up to which a program is checked and proved too."""

PARSED_BYTES: Final = (10_000, 100_000, 1_000_000)
"""Sizes of texts that are parsed, without comments."""

SIMPLIFIED_TERMS: Final = (100, 1_000, 10_000)
"""Ring terms of the sums that are simplified."""

WAYS: Final = ("of raw trees", "by sum_of", "by +")
"""How a sum is simplified."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How an example kernel gets more trips of its outermost loop.

    Attributes:
        each: Instructions of one trip.
        changes: What stands in its text, and what is written instead: ``{trips}``
            and ``{rows}``, which is 128 times as many.
    """

    each: int
    changes: tuple[tuple[str, str], ...]

    def text(self, name: str, instructions: int) -> str:
        """Return the text of a kernel with about so many instructions."""
        trips = max(1, instructions // self.each)
        text = (EXAMPLES / f"{name}.kernel").read_text("utf-8")
        for old, new in self.changes:
            if old not in text:
                raise SystemExit(f"{name}.kernel does not say {old!r} any more")
            text = text.replace(old, new.format(trips=trips, rows=128 * trips))
        return text


KERNELS: Final = {
    "stream_add": Growth(
        8, (("[4096, 4096]", "[{rows}, 4096]"), ("i in [0, 32)", "i in [0, {trips})"))
    ),
    "matmul_tiled": Growth(
        200,
        (
            ("lhsT [2048, 1024]", "lhsT [2048, {rows}]"),
            ("out [1024, 2048]", "out [{rows}, 2048]"),
            ("m in [0, 8)", "m in [0, {trips})"),
        ),
    ),
    "flash_attention_fwd": Growth(
        182,
        (
            ("q [4096, 128]", "q [{rows}, 128]"),
            ("o [4096, 128]", "o [{rows}, 128]"),
            ("i in [0, 32)", "i in [0, {trips})"),
        ),
    ),
}

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "colour": ("coloring_allocator",),
    "rotate": ("address_rotation",),
    "dependences": ("build_fdeps", "anti_dependency", "rebuild"),
    "schedule": ("post_sched", "perf_sim"),
}
"""Passes whose growth is one figure, by how their names begin."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables."""
    options = argparse.ArgumentParser(description="Measure growth.")
    options.add_argument("--kernels", nargs="*", default=list(KERNELS), help="which")
    options.add_argument(
        "--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000]
    )
    options.add_argument("--json", action="store_true", help="figures, no tables")
    options.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    chosen = options.parse_args(arguments)
    if chosen.one:
        kind, name, size = chosen.one
        sys.stdout.write(json.dumps(MEASURES[kind](name, int(size))))
        return 0
    figures = measured(chosen.kernels, chosen.sizes)
    if chosen.json:
        sys.stdout.write(json.dumps(figures, indent=1) + "\n")
        return 0
    lines = (*pass_table(figures), "", *run_table(figures), "", *growth_table(figures))
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0


def measured(kernels: Sequence[str], sizes: Sequence[int]) -> dict[str, Any]:
    """Return the figures of all sizes, each from a process of its own."""
    proved = [size for size in sizes if size <= MOST_PROVED]
    return {
        "scheduled": [_apart("scheduled", k, size) for k in kernels for size in sizes],
        "proved": [_apart("proved", k, size) for k in kernels for size in proved],
        "parsed": [_apart("parsed", "statements", size) for size in PARSED_BYTES],
        "simplified": [
            _apart("simplified", way, size) for way in WAYS for size in SIMPLIFIED_TERMS
        ],
    }


def _apart(kind: str, name: str, size: int) -> dict[str, Any]:
    """Return one measurement, made in an interpreter of its own."""
    command = [sys.executable, "-m", "benchmarks.scale", "--one", kind, name, str(size)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def scheduled(name: str, size: int) -> dict[str, Any]:
    """Measure a kernel of about so many instructions from its text to its schedule."""
    text = KERNELS[name].text(name, size)
    begin = process_time()
    (function,) = parse(text, name)
    passes: dict[str, float] = {}
    last = process_time()

    def clocked(name: str, _: State) -> None:
        nonlocal last
        now = process_time()
        passes[name] = passes.get(name, 0.0) + now - last
        last = now

    start = State(function, get_machine(function.machine))
    state, _ = run_passes(selected(()), start, [clocked])
    seconds, peak_bytes = process_time() - begin, _peak_bytes()
    # The plan has made what these passes make: that is done again, to be clocked.
    again = replace(state, program=None, cells=None, flow=None)
    last = process_time()
    run_passes((Unroll(), BuildFdeps()), again, [clocked])
    return {
        "kernel": name,
        "instructions": len(built(state.program, "unrolled program")),
        "seconds": seconds,
        "passes": passes,
        "peak_bytes": peak_bytes,
    }


def proved(name: str, size: int) -> dict[str, Any]:
    """Measure a kernel of about so many instructions from its text to its proofs."""
    text = KERNELS[name].text(name, size)
    begin = process_time()
    (function,) = parse(text, name)
    result = run(function)
    seconds = process_time() - begin
    if result.hazards or not result.equivalent or result.failures:
        raise SystemExit(f"{name} of {size} instructions is not proved")
    return {
        "kernel": name,
        "instructions": len(
            built(built(result.after, "final state").program, "unrolled program")
        ),
        "seconds": seconds,
        "proof_seconds": built(result.proofs, "proofs").seconds,
        "peak_bytes": _peak_bytes(),
    }


def parsed(name: str, size: int) -> dict[str, Any]:
    """Measure the reading of a text of about so many bytes."""
    head = (
        f"kernel {name} on planning {{\n  dram x [128, 4096] fp32 input\n"
        "  dram z [128, 4096] fp32 output\n  sb t [128, 512] fp32\n"
    )
    pair = (
        "  for i in [0, 8) { dma.load t <- x[0:+128, 512*i:+512] }\n"
        "  for j in [0, 8) { dma.store z[0:+128, 512*j:+512] <- t }\n"
    )
    text = head + pair * max(1, (size - len(head)) // len(pair)) + "}\n"
    begin = process_time()
    parse(text, name)
    return {"bytes": len(text), "seconds": process_time() - begin}


def simplified(way: str, size: int) -> dict[str, Any]:
    """Measure the simplification of a sum of so many ring terms, in one of `WAYS`."""
    indices = {name: index(name, 0, ends) for name, ends in works.SUM_SIZES.items()}
    parts: list[Expr] = []
    for at in range(size):
        name, step, base, period = works.sum_term(at)
        parts.append(ModuloExpr(step * indices[name] + base, period))
    if way != WAYS[0]:
        parts = [part.simplify() for part in parts]
    begin = process_time()
    if way == WAYS[0]:
        SumExpr(parts).simplify()
    elif way == WAYS[1]:
        sum_of(parts)
    else:
        sum(parts[1:], parts[0])
    return {"way": way, "terms": size, "seconds": process_time() - begin}


MEASURES: Final[dict[str, Callable[[str, int], dict[str, Any]]]] = {
    "scheduled": scheduled,
    "proved": proved,
    "parsed": parsed,
    "simplified": simplified,
}


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def pass_table(figures: dict[str, Any]) -> Iterable[str]:
    """Yield the lines of the instructions a second of each pass."""
    for kernel, runs in _by_kernel(figures["scheduled"]).items():
        sizes = [f"{one['instructions']:,}" for one in runs]
        yield f"| {kernel} | " + " | ".join(sizes) + " |"
        yield "|---|" + "---|" * len(sizes)
        for name in runs[0]["passes"]:
            rates = [
                one["instructions"] / max(one["passes"][name], LEAST_SECONDS)
                for one in runs
            ]
            yield f"| `{name}` | " + " | ".join(map(_rate, rates)) + " |"
        yield ""


def run_table(figures: dict[str, Any]) -> Iterable[str]:
    """Yield the lines of whole runs."""
    proofs = {(one["kernel"], one["instructions"]): one for one in figures["proved"]}
    yield (
        "| kernel | instructions | to schedule | peak | to proved result | peak | "
        "of it proofs |"
    )
    yield "|---|---|---|---|---|---|---|"
    for one in figures["scheduled"]:
        cells = [
            one["kernel"],
            f"{one['instructions']:,}",
            f"{one['seconds']:.1f} s",
            _mebibytes(one["peak_bytes"]),
        ]
        found = proofs.get((one["kernel"], one["instructions"]))
        if found is None:
            cells += ["", "", ""]
        else:
            cells += [
                f"{found['seconds']:.1f} s",
                _mebibytes(found["peak_bytes"]),
                f"{found['proof_seconds']:.2f} s",
            ]
        yield "| " + " | ".join(cells) + " |"


def growth_table(figures: dict[str, Any]) -> Iterable[str]:
    """Yield the lines of the exponents of growth, and of memory."""
    kernels = _by_kernel(figures["scheduled"])
    yield "| growth | " + " | ".join(kernels) + " |"
    yield "|---|" + "---|" * len(kernels)
    whole = [_exponent(runs, "seconds") for runs in kernels.values()]
    yield "| text to schedule | " + " | ".join(whole) + " |"
    for group, begins in GROUPS.items():
        cells = [_group_exponent(runs, begins) for runs in kernels.values()]
        yield f"| {group} | " + " | ".join(cells) + " |"
    cells = [_bytes_each(runs) for runs in kernels.values()]
    yield "| memory of an instruction | " + " | ".join(cells) + " |"
    yield ""
    points = [(one["bytes"], one["seconds"]) for one in figures["parsed"]]
    rates = ", ".join(f"{size / taken / 1000:.0f} kB/s" for size, taken in points)
    yield f"Parsing grows with exponent {_fitted(points)} in bytes: {rates}."
    yield ""
    yield "| simplifying sums | exponent in terms | a term, us |"
    yield "|---|---|---|"
    for way in WAYS:
        runs = [one for one in figures["simplified"] if one["way"] == way]
        points = [(one["terms"], one["seconds"]) for one in runs]
        each = ", ".join(f"{taken / size * 1e6:,.0f}" for size, taken in points)
        yield f"| {way} | {_fitted(points)} | {each} |"


def _by_kernel(runs: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for one in runs:
        found.setdefault(one["kernel"], []).append(one)
    return found


def _exponent(runs: Sequence[dict[str, Any]], key: str) -> str:
    return _fitted([(one["instructions"], one[key]) for one in runs])


def _group_exponent(runs: Sequence[dict[str, Any]], begins: tuple[str, ...]) -> str:
    points = []
    for one in runs:
        seconds = (s for name, s in one["passes"].items() if name.startswith(begins))
        points.append((one["instructions"], sum(seconds)))
    return _fitted(points)


def _fitted(points: Sequence[tuple[float, float]]) -> str:
    """Return the exponent of growth by least squares of the logarithms."""
    if len(points) < 2:
        return ""
    size, seconds = np.log(np.array(points)).T
    return f"{np.polyfit(size, seconds, 1)[0]:.2f}"


def _bytes_each(runs: Sequence[dict[str, Any]]) -> str:
    """Return what one more instruction takes, from the smallest to the largest."""
    first, last = runs[0], runs[-1]
    more = last["instructions"] - first["instructions"]
    if not more:
        return ""
    return f"{(last['peak_bytes'] - first['peak_bytes']) / more:.0f} bytes"


def _rate(rate: float) -> str:
    return f"{rate / 1e6:,.1f} M/s" if rate >= 1e6 else f"{rate / 1e3:,.0f} k/s"


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:,.0f} MiB"


if __name__ == "__main__":
    sys.exit(main())
