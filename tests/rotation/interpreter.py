"""A plain interpreter of the loop form: loops are loops, and nothing is vectorised."""

from collections.abc import Iterator
from typing import NamedTuple

from pelican.expr import AffineIdx
from rotation.kernel import (
    Function,
    Instruction,
    Loop,
    MemoryLocationSet,
    Region,
    Role,
    Statement,
)


class Access(NamedTuple):
    """One operand of one execution."""

    tensor: str
    instance: int
    is_write: bool
    starts: tuple[int, ...]
    extents: tuple[int, ...]

    def elements(self) -> set[tuple[int, ...]]:
        """Return the coordinates of all elements."""
        points: set[tuple[int, ...]] = {()}
        for start, extent in zip(self.starts, self.extents, strict=True):
            axis = range(start, start + extent)
            points = {(*point, at) for point in points for at in axis}
        return points


class Execution(NamedTuple):
    """One execution of one instruction."""

    name: str
    accesses: tuple[Access, ...]


def executions(function: Function) -> list[Execution]:
    """Return all executions in the order in which they happen."""
    started: dict[AffineIdx, int] = {}
    spans = {
        tensor: instance_span(function, tensor)
        for tensor in function.tensors
        if tensor.scope is not None
    }
    return list(_run(function.body, {}, Instances(started, spans)))


class Instances(NamedTuple):
    """How instances are numbered.

    `started` tells how often an iteration of each loop was started so far, `spans`
    the loop outside the scope loop of each buffer, and the first trip and the number
    of trips of the scope loop that have an instance.
    """

    started: dict[AffineIdx, int]
    spans: dict[MemoryLocationSet, tuple[AffineIdx | None, int, int]]

    def number(self, region: Region, at: dict[AffineIdx, int]) -> int:
        """Return the number of the instance that an operand means."""
        scope = region.tensor.scope
        if scope is None:
            return 0
        outside, _, width = self.spans[region.tensor]
        outer = 0 if outside is None else self.started[outside] - 1
        value = at.get(scope, 0)
        if region.instance is not None:
            value = int(region.instance.raw.eval(at))
        return outer * width + (value - scope.lo) // scope.step


def instance_span(
    function: Function, tensor: MemoryLocationSet
) -> tuple[AffineIdx | None, int, int]:
    """Return the loop outside the scope loop, first trip and number of instances."""
    scope = tensor.scope
    trips = set(range(scope.trip_count))

    def visit(body: tuple[Statement, ...], at: dict[AffineIdx, int]) -> None:
        for statement in body:
            if isinstance(statement, Loop):
                index = statement.index
                for value in range(index.lo, index.hi, index.step):
                    visit(statement.body, {**at, index: value})
            elif isinstance(statement, Instruction):
                for region in (*statement.reads, *statement.writes):
                    if region.tensor is tensor and region.instance is not None:
                        value = int(region.instance.raw.eval(at))
                        trips.add((value - scope.lo) // scope.step)

    visit(function.body, {})
    nest = function.nests[scope]
    outside = nest[-2].index if len(nest) > 1 else None
    return outside, min(trips), max(trips) - min(trips) + 1


def _run(
    body: tuple[Statement, ...], at: dict[AffineIdx, int], numbers: Instances
) -> Iterator[Execution]:
    """Yield the executions of a body.

    Args:
        body: What is done, in order.
        at: The value of each loop around it.
        numbers: How the instances are numbered.
    """
    started = numbers.started
    for statement in body:
        if isinstance(statement, Instruction):
            yield Execution(statement.name, tuple(_accesses(statement, at, numbers)))
        elif isinstance(statement, Loop):
            index = statement.index
            for value in range(index.lo or 0, index.hi or 0, index.step):
                started[index] = started.get(index, 0) + 1
                yield from _run(statement.body, {**at, index: value}, numbers)


def _accesses(
    instruction: Instruction, at: dict[AffineIdx, int], numbers: Instances
) -> Iterator[Access]:
    first = all(at[index] == index.lo for index in instruction.accumulates)
    reads = [*instruction.reads, *([] if first else instruction.writes)]
    for region in reads:
        yield _access(region, at, numbers, is_write=False)
    for region in instruction.writes:
        yield _access(region, at, numbers, is_write=True)


def _access(
    region: Region,
    at: dict[AffineIdx, int],
    numbers: Instances,
    *,
    is_write: bool,
) -> Access:
    return Access(
        tensor=region.tensor.name,
        instance=numbers.number(region, at),
        is_write=is_write,
        starts=tuple(int(start.raw.eval(at)) for start in region.starts),
        extents=region.extents,
    )


def reads_undefined(function: Function) -> bool:
    """Tell whether an element is read that nothing wrote before."""
    given = {
        tensor.name
        for tensor in function.tensors
        if tensor.role in {Role.INPUT, Role.CONST}
    }
    written: dict[tuple[str, int], set[tuple[int, ...]]] = {}
    for execution in executions(function):
        for access in execution.accesses:
            known = written.setdefault((access.tensor, access.instance), set())
            if access.is_write:
                known |= access.elements()
            elif access.tensor not in given and not access.elements() <= known:
                return True
    return False
