"""TVM: integer expressions simplified by the arithmetic analyser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import tvm_ffi
from tvm import sym, tirx
from tvm.ir import Range

from benchmarks.peers.peer import Peer

MAX_BOUND: Final = 5_000
"""Indices that one analyser is told of before a new one: its tables only grow."""


def number(value: int) -> Any:
    """Return a constant of 64 bits."""
    return tirx.IntImm("int64", value)


class Adapter(Peer):
    """Built without simplification, then `Analyzer.simplify`."""

    title = "TVM Analyzer.simplify"
    distribution = "apache-tvm"
    mod = "floormod({0}, number({1}))"
    floordiv = "floordiv({0}, number({1}))"
    number = "number({0})"

    def __init__(self) -> None:
        self.analyzer = sym.Analyzer()
        self.bound = 0

    def names(self) -> dict[str, Any]:
        """Return the constructors that have no operator."""
        return {
            "floormod": tirx.floormod,
            "floordiv": tirx.floordiv,
            "number": number,
        }

    def variables(self, sizes: Mapping[str, int], mark: str = "") -> dict[str, Any]:
        """Return variables that the analyser knows the ranges of."""
        self.bound += len(sizes)
        if self.bound > MAX_BOUND:
            self.analyzer, self.bound = sym.Analyzer(), 0
        made = {name: tirx.Var(name + mark, "int64") for name in sizes}
        for name, size in sizes.items():
            extent = Range.from_min_extent(number(0), number(size))
            self.analyzer.bind(made[name], extent)
        return made

    def simplified(self, built: Any) -> Any:
        """Ask the analyser."""
        return self.analyzer.simplify(built)

    def equal(self, one: Any, other: Any) -> bool:
        """Compare by structure."""
        return bool(tvm_ffi.structural_equal(one, other))

    def value(
        self, built: Any, variables: Mapping[str, Any], point: Mapping[str, int]
    ) -> int | None:
        """Bind each index to its value, and simplify."""
        analyzer = sym.Analyzer()
        for name, at in point.items():
            analyzer.bind(variables[name], number(at))
        return int(analyzer.simplify(built))
