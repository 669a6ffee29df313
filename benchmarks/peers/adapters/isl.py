"""isl: quasi-affine expressions, simplified in the context of their domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import islpy as isl

from benchmarks.peers.peer import Peer


class Adapter(Peer):
    """Built on a local space, then `gist` of the box of the ranges."""

    title = "isl Aff and gist (islpy)"
    distribution = "islpy"
    add = "({0}).add({1})"
    scale = "({1}).scale_val(value({0}))"
    mod = "({0}).mod_val(value({1}))"
    floordiv = "({0}).scale_down_val(value({1})).floor()"
    number = "number({0})"

    def names(self) -> dict[str, Any]:
        """Return what makes numbers."""
        return {"value": _value, "number": self.constant}

    def constant(self, value: int) -> Any:
        """Return a number on the space of the last variables."""
        return isl.Aff.val_on_domain(self.space, isl.Val(value))

    def variables(self, sizes: Mapping[str, int], mark: str = "") -> dict[str, Any]:
        """Return the dimensions of a new domain."""
        names = ", ".join(name + mark for name in sizes)
        box = " and ".join(
            f"0 <= {name}{mark} < {size}" for name, size in sizes.items()
        )
        self.domain = isl.Set(f"{{ [{names}] : {box} }}")
        self.space = isl.LocalSpace.from_space(self.domain.get_space())
        kind = isl.dim_type.set
        return {
            name: isl.Aff.var_on_domain(self.space, kind, at)
            for at, name in enumerate(sizes)
        }

    def simplified(self, built: Any) -> Any:
        """Simplify in the context of the domain."""
        return built.gist(self.domain)

    def total(self, terms: Sequence[Any]) -> Any:
        """Add one after the other: there is no sum of many."""
        return reduce(lambda one, other: one.add(other), terms)

    def equal(self, one: Any, other: Any) -> bool:
        """Compare by structure."""
        return bool(one.plain_is_equal(other))

    def value(
        self, built: Any, _variables: Mapping[str, Any], point: Mapping[str, int]
    ) -> int | None:
        """Evaluate at a point of the domain."""
        spot = isl.Point.zero(self.domain.get_space())
        for at, value in enumerate(point.values()):
            spot = spot.add_ui(isl.dim_type.set, at, value)
        return int(built.eval(spot).to_python())


def _value(number: Any) -> Any:
    """Return a value of isl; a number that was made an expression gives its own."""
    return number.get_constant_val() if isinstance(number, isl.Aff) else isl.Val(number)
