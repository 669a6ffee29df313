"""What can be named at one place of a kernel."""

from __future__ import annotations

from dataclasses import dataclass, field

from lark import Token

from pelican.errors import nearest
from pelican.expr import AffineIV
from rotation.errors import KernelError
from rotation.loop_form.kernel import MemoryLocationSet
from rotation.text.reading import Reading


@dataclass(frozen=True, slots=True)
class Scope:
    """The loops around a place, and the buffers declared above it.

    Attributes:
        loops: Indices of the loops, from the outermost in.
        tensors: The buffers by name; a declaration adds its own.
        depth: Number of blocks around the place, that of the kernel not counted.
    """

    loops: tuple[AffineIV, ...] = ()
    tensors: dict[str, MemoryLocationSet] = field(default_factory=dict)
    depth: int = 0

    def inside(self, index: AffineIV) -> Scope:
        """Return the scope of the body of a loop."""
        return Scope((*self.loops, index), dict(self.tensors), self.depth + 1)

    def arm(self) -> Scope:
        """Return the scope of an arm of an ``if``."""
        return Scope(self.loops, dict(self.tensors), self.depth + 1)

    def loop(self, name: str) -> AffineIV | None:
        """Return the index of the loop of that name, or None."""
        return next((index for index in self.loops if index.name == name), None)

    def enclosing_loop(self, reading: Reading, name: Token) -> AffineIV:
        """Return the index of the loop of that name.

        Raises:
            KernelError: If no loop of that name is around the place.
        """
        index = self.loop(name)
        if index is None:
            around = [loop.name for loop in self.loops]
            known = ", ".join(around) or "none"
            hint = nearest(name, around) or f"loops around this: {known}"
            raise reading.error(f"no loop {name} is around this", name, hint)
        return index

    def tensor(self, reading: Reading, name: Token) -> MemoryLocationSet:
        """Return the buffer of that name.

        Raises:
            KernelError: If no buffer of that name is visible.
        """
        if name in self.tensors:
            return self.tensors[name]
        if name in reading.declared:
            raise self._out_of_sight(reading, name)
        hint = (
            nearest(name, self.tensors) or "declare it above: sb NAME [128, 512] bf16"
        )
        raise reading.error(f"no buffer {name}", name, hint)

    def _out_of_sight(self, reading: Reading, name: Token) -> KernelError:
        place = reading.span(reading.declared[name]).place
        message = f"buffer {name} is not visible here; it is declared at {place}"
        hint = "declare it above its first use, in a block that holds all its uses"
        return reading.error(message, name, hint)
