"""A plain interpreter of the loop form: loops are loops, and nothing is vectorised."""

from collections.abc import Iterator
from typing import NamedTuple

from pelican.expr import AffineIdx
from rotation.kernel import (
    Function,
    Instruction,
    Loop,
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
    return list(_run(function.body, {}, started))


def _run(
    body: tuple[Statement, ...], at: dict[AffineIdx, int], started: dict[AffineIdx, int]
) -> Iterator[Execution]:
    """Yield the executions of a body.

    Args:
        body: What is done, in order.
        at: The value of each loop around it.
        started: How often an iteration of each loop was started so far.
    """
    for statement in body:
        if isinstance(statement, Instruction):
            yield Execution(statement.name, tuple(_accesses(statement, at, started)))
        elif isinstance(statement, Loop):
            index = statement.index
            for value in range(index.lo or 0, index.hi or 0, index.step):
                started[index] = started.get(index, 0) + 1
                yield from _run(statement.body, {**at, index: value}, started)


def _accesses(
    instruction: Instruction, at: dict[AffineIdx, int], started: dict[AffineIdx, int]
) -> Iterator[Access]:
    first = all(at[index] == index.lo for index in instruction.accumulates)
    reads = [*instruction.reads, *([] if first else instruction.writes)]
    for region in reads:
        yield _access(region, at, started, is_write=False)
    for region in instruction.writes:
        yield _access(region, at, started, is_write=True)


def _access(
    region: Region,
    at: dict[AffineIdx, int],
    started: dict[AffineIdx, int],
    *,
    is_write: bool,
) -> Access:
    scope = region.tensor.scope
    return Access(
        tensor=region.tensor.name,
        instance=0 if scope is None else started[scope] - 1,
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
