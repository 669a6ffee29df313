"""pelican itself, through its public names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pelican
from benchmarks.peers.peer import Peer


class Adapter(Peer):
    """Operators that simplify at once."""

    title = "pelican"
    distribution = "pelican-rotation"

    def variables(self, sizes: Mapping[str, int], mark: str = "") -> dict[str, Any]:
        """Return indices with their ranges."""
        return {
            name: pelican.index(name + mark, 0, size) for name, size in sizes.items()
        }

    def total(self, terms: Sequence[Any]) -> Any:
        """Join all terms at once."""
        return pelican.sum_of(terms)

    def value(
        self, built: Any, variables: Mapping[str, Any], point: Mapping[str, int]
    ) -> int | None:
        """Evaluate by a walk."""
        return int(built.eval({variables[name]: at for name, at in point.items()}))

    def compiled(
        self, built: Any, variables: Mapping[str, Any]
    ) -> Callable[..., int] | None:
        """Compile to a Python function."""
        return pelican.point_function(built, *variables.values())

    def bulk(
        self, built: Any, variables: Mapping[str, Any]
    ) -> Callable[..., Any] | None:
        """Compile for arrays, by numpy."""
        return _over_arrays(pelican.compile(built, engine="numpy"), variables)

    def machine(
        self, built: Any, variables: Mapping[str, Any]
    ) -> Callable[..., Any] | None:
        """Compile for arrays, by numba if it is installed."""
        try:
            return _over_arrays(pelican.compile(built, engine="numba"), variables)
        except ImportError:
            return None


def _over_arrays(compiled: Any, variables: Mapping[str, Any]) -> Callable[..., Any]:
    indices = tuple(variables.values())
    return lambda *columns: compiled(dict(zip(indices, columns, strict=True)))
