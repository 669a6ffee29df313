"""MLIR's affine expressions: C++ behind the Python bindings of IREE."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from iree.compiler import ir

from benchmarks.peers.peer import Peer


class Adapter(Peer):
    """Dimensions without ranges; construction simplifies."""

    title = "MLIR AffineExpr (iree)"
    distribution = "iree-base-compiler"
    floordiv = "floordiv({0}, {1})"
    number = "number({0})"

    def __init__(self) -> None:
        self.context = ir.Context()
        self.context.__enter__()

    def names(self) -> dict[str, Any]:
        """Return the constructors that have no operator."""
        return {
            "floordiv": ir.AffineExpr.get_floor_div,
            "number": ir.AffineExpr.get_constant,
        }

    def variables(self, sizes: Mapping[str, int], _mark: str = "") -> dict[str, Any]:
        """Return dimensions; they know no range."""
        return {name: ir.AffineExpr.get_dim(at) for at, name in enumerate(sizes)}

    def value(
        self, built: Any, _variables: Mapping[str, Any], point: Mapping[str, int]
    ) -> int | None:
        """Compose with a map of constants."""
        numbers = [ir.AffineExpr.get_constant(at) for at in point.values()]
        constants = ir.AffineMap.get(0, 0, numbers)
        return int(ir.AffineConstantExpr(built.compose(constants)).value)
