"""`verify`: refuses a function that makes no sense on the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rotation.passes.base import PassResult, State, Statistic
from rotation.verify.verify import verify


@dataclass(frozen=True, slots=True)
class Verify:
    """Refuse a function that makes no sense on the machine."""

    name: ClassVar[str] = "verify"
    statistics: ClassVar[tuple[Statistic, ...]] = ()

    def run(self, state: State) -> PassResult:
        """Return the same state.

        Raises:
            CapacityError: If a tile is larger than its space, and nothing else is
                wrong.
            KernelError: With every mistake that was found.
        """
        verify(state.function, state.machine)
        return PassResult(state, {})
