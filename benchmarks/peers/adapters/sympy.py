"""SymPy: `Mod` and `floor`, simplified as they are built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy

from benchmarks.peers.peer import Peer


class Adapter(Peer):
    """Symbols that are integers from 0; they know no end."""

    title = "SymPy"
    distribution = "sympy"
    mod = "Mod({0}, {1})"
    floordiv = "floor(({0})/{1})"
    number = "Integer({0})"

    def names(self) -> dict[str, Any]:
        """Return the functions of the templates."""
        return {"Mod": sympy.Mod, "floor": sympy.floor, "Integer": sympy.Integer}

    def variables(self, sizes: Mapping[str, int], mark: str = "") -> dict[str, Any]:
        """Return symbols with what can be assumed."""
        return {
            name: sympy.Symbol(name + mark, integer=True, nonnegative=True)
            for name in sizes
        }

    def total(self, terms: Sequence[Any]) -> Any:
        """Add all at once."""
        return sympy.Add(*terms)

    def value(
        self, built: Any, variables: Mapping[str, Any], point: Mapping[str, int]
    ) -> int | None:
        """Replace each symbol."""
        values = {variables[name]: sympy.Integer(at) for name, at in point.items()}
        return int(built.xreplace(values))

    def compiled(
        self, built: Any, variables: Mapping[str, Any]
    ) -> Callable[..., int] | None:
        """Write Python with the functions of `math`."""
        made: Callable[..., int] = sympy.lambdify(
            list(variables.values()), built, modules="math"
        )
        return made

    def bulk(
        self, built: Any, variables: Mapping[str, Any]
    ) -> Callable[..., Any] | None:
        """Write Python with the functions of numpy."""
        made: Callable[..., Any] = sympy.lambdify(
            list(variables.values()), built, modules="numpy"
        )
        return made
