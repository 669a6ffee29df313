"""tinygrad: the symbolic rewriter of its kernel indices."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

os.environ.setdefault("DEV", "PYTHON")  # it looks for a device when it is imported

from tinygrad.uop.ops import UOp, sym_infer

from benchmarks.peers.peer import Peer


class Adapter(Peer):
    """Built without simplification, then `simplify`."""

    title = "tinygrad UOp.simplify"
    distribution = "tinygrad"
    number = "number({0})"

    def names(self) -> dict[str, Any]:
        """Return what makes numbers."""
        return {"number": UOp.const}

    def variables(self, sizes: Mapping[str, int], mark: str = "") -> dict[str, Any]:
        """Return variables with their ranges, both ends included."""
        return {
            name: UOp.variable(name + mark, 0, size - 1) for name, size in sizes.items()
        }

    def simplified(self, built: Any) -> Any:
        """Rewrite until nothing matches."""
        return built.simplify()

    def total(self, terms: Sequence[Any]) -> Any:
        """Add all at once."""
        return UOp.usum(*terms)

    def equal(self, one: Any, other: Any) -> bool:
        """Compare by identity: nodes are interned."""
        return one is other

    def text(self, built: Any) -> str:
        """Write without simplifying again."""
        return str(built.render(simplify=False))

    def value(
        self, built: Any, variables: Mapping[str, Any], point: Mapping[str, int]
    ) -> int | None:
        """Substitute, and infer."""
        values = {variables[name].expr: at for name, at in point.items()}
        return int(sym_infer(built, values))
