"""Calls: a kernel in the place of a statement, with loops and buffers of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pelican.expr import AffineIV
from pelican.questions.substitute import renamed, substituted
from rotation.loop_form.kernel import (
    Call,
    Comparison,
    Function,
    If,
    IndexExpr,
    Instruction,
    Loop,
    MemoryLocationSet,
    Pin,
    Region,
    Role,
    RotationScope,
    Statement,
    Window,
)


def parameters(callee: Function) -> tuple[MemoryLocationSet, ...]:
    """Return the buffers of a kernel that the world outside fills or reads."""
    return tuple(t for t in callee.tensors if t.role is not Role.INTERNAL)


def called(
    callee: Function,
    arguments: Sequence[MemoryLocationSet],
    loops: tuple[AffineIV, ...],
    prefix: str,
    scope: RotationScope,
    window: Window | None,
) -> tuple[Statement, ...]:
    """Return what a kernel does when it is called: its body with parts of its own.

    Args:
        callee: The kernel.
        arguments: What stands for its `parameters`, in their order.
        loops: The loops around the call; a buffer outside the loops of the kernel is
            new in every iteration of the innermost one.
        prefix: What its names get in front.
        scope: What of it may be rotated; ``none`` gives its buffers one slot each, and
            those of which ``@`` selects instances as few as are legal.
        window: What its buffers on chip must lie in.
    """
    to = dict(zip(parameters(callee), arguments, strict=True))
    regions = (r for one in callee.instructions for r in (*one.reads, *one.writes))
    selected = {region.tensor for region in regions if region.instance is not None}
    copy = _Copy(loops, prefix, scope, window, to, frozenset(selected))
    return tuple(copy.body(callee.body, loops))


def edited(
    function: Function,
    *,
    tensor: Callable[[MemoryLocationSet], MemoryLocationSet] = lambda same: same,
    instruction: Callable[[Instruction], Instruction] = lambda same: same,
) -> Function:
    """Return a copy of a kernel with other declarations or operations.

    Args:
        function: The kernel.
        tensor: Gives what is declared in place of a buffer, in terms of the kernel.
        instruction: Gives what is done in place of an operation, likewise.
    """
    copy = _Copy(
        (), "", RotationScope.GLOBAL, None, {}, declare=tensor, operate=instruction
    )
    return replace(function, body=tuple(copy.body(function.body, ())))


@dataclass(slots=True)
class _Copy:
    """Copies statements; what is declared on the way stands for what was there."""

    loops: tuple[AffineIV, ...]
    prefix: str
    scope: RotationScope
    window: Window | None
    tensors: dict[MemoryLocationSet, MemoryLocationSet]
    selected: frozenset[MemoryLocationSet] = frozenset()
    indices: dict[AffineIV, AffineIV] = field(default_factory=dict)
    declare: Callable[[MemoryLocationSet], MemoryLocationSet] = lambda same: same
    operate: Callable[[Instruction], Instruction] = lambda same: same

    def body(
        self, body: tuple[Statement, ...], loops: tuple[AffineIV, ...]
    ) -> Iterator[Statement]:
        """Yield the copies of statements that stand inside some loops."""
        for statement in body:
            match statement:
                case MemoryLocationSet():
                    if statement not in self.tensors:
                        made = self.tensor(self.declare(statement))
                        self.tensors[statement] = made
                        yield made
                case Instruction():
                    yield self.instruction(self.operate(statement))
                case Loop():
                    yield self.nest(statement, loops)
                case If():
                    yield self.choice(statement, loops)
                case Call():
                    inside = tuple(self.body(statement.body, loops))
                    passed = tuple(map(self.of, statement.arguments))
                    yield replace(statement, arguments=passed, body=inside)

    def nest(self, loop: Loop, loops: tuple[AffineIV, ...]) -> Loop:
        """Return the copy of a loop, with what it does and what it leaves out."""
        index = self.loop(loop.index)
        around, skipped = (*loops, index), loop.skipped
        return replace(
            loop,
            index=index,
            body=tuple(self.body(loop.body, around)),
            skipped=None if skipped is None else tuple(self.body(skipped, around)),
        )

    def of(self, tensor: MemoryLocationSet) -> MemoryLocationSet:
        """Return what stands for a buffer."""
        return self.tensors[tensor]

    def tensor(self, tensor: MemoryLocationSet) -> MemoryLocationSet:
        """Return the copy of a buffer that the kernel has for itself."""
        innermost = self.loops[-1] if self.loops else None
        scope = innermost if tensor.scope is None else self.loop(tensor.scope)
        pin = tensor.pin
        if pin is not None:
            places = (pin.bank, pin.byte, pin.part)
            pin = Pin(*(None if at is None else self.index(at) for at in places))
        once = self.scope is RotationScope.NONE
        asked = None if once else tensor.ring_slots
        single = once and pin is None and tensor not in self.selected
        return replace(
            tensor,
            name=self.prefix + tensor.name,
            scope=scope,
            # Instances that are needed together need a slot each, and what the user
            # places has as many as there are places.
            ring_slots=1 if single else asked,
            rotates=tensor.rotates and not once,
            window=(self.window or tensor.window) if tensor.on_chip else None,
            pin=pin,
        )

    def loop(self, index: AffineIV) -> AffineIV:
        """Return the copy of a loop, which a declaration above it may name first."""
        if index not in self.indices:
            depth = len(self.loops) + index.depth
            copy = AffineIV(index.name, index.lo, index.hi, index.step, depth)
            self.indices[index] = copy
        return self.indices[index]

    def instruction(self, one: Instruction) -> Instruction:
        return replace(
            one,
            name=self.prefix + one.name,
            writes=tuple(map(self.region, one.writes)),
            reads=tuple(map(self.region, one.reads)),
            accumulates=tuple(self.indices[index] for index in one.accumulates),
            indexed=None
            if one.indexed is None
            else replace(one.indexed, tensor=self.of(one.indexed.tensor)),
        )

    def choice(self, choice: If, loops: tuple[AffineIV, ...]) -> If:
        compared = (
            Comparison(self.index(c.left), c.compare, self.index(c.right), c.span)
            for c in choice.comparisons
        )
        return replace(
            choice,
            comparisons=tuple(compared),
            loaded=tuple(map(self.region, choice.loaded)),
            then=tuple(self.body(choice.then, loops)),
            otherwise=tuple(self.body(choice.otherwise, loops)),
        )

    def region(self, region: Region) -> Region:
        return replace(
            region,
            tensor=self.of(region.tensor),
            starts=tuple(map(self.index, region.starts)),
            least=tuple(tuple(map(self.index, terms)) for terms in region.least),
            instance=None if region.instance is None else self.index(region.instance),
        )

    def index(self, index: IndexExpr) -> IndexExpr:
        expr = substituted(index.expr, dict(self.indices))
        return IndexExpr(renamed(index.raw, self.indices), expr, index.span)
