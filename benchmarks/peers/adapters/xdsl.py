"""xDSL: affine expressions in pure Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from xdsl.ir.affine import AffineExpr

from benchmarks.peers.peer import Peer


class Adapter(Peer):
    """Built without simplification, then `simplify`."""

    title = "xDSL AffineExpr"
    distribution = "xdsl"
    number = "number({0})"
    dimensions = 0

    def names(self) -> dict[str, Any]:
        """Return what makes numbers."""
        return {"number": AffineExpr.constant}

    def variables(self, sizes: Mapping[str, int], _mark: str = "") -> dict[str, Any]:
        """Return dimensions; they know no range."""
        self.dimensions = len(sizes)
        return {name: AffineExpr.dimension(at) for at, name in enumerate(sizes)}

    def simplified(self, built: Any) -> Any:
        """Simplify as an affine expression of so many dimensions."""
        return built.simplify(self.dimensions, 0)

    def value(
        self, built: Any, _variables: Mapping[str, Any], point: Mapping[str, int]
    ) -> int | None:
        """Evaluate by a walk."""
        return int(built.eval(list(point.values()), []))

    def bulk(
        self, built: Any, _variables: Mapping[str, Any]
    ) -> Callable[..., Any] | None:
        """Evaluate by a walk over arrays."""
        return lambda *columns: built.eval(list(columns), [])
