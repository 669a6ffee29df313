"""A plain interpreter of the loop form: loops are loops, and nothing is vectorised."""

from collections.abc import Iterator, Mapping
from itertools import product
from operator import eq, ge, gt, le, lt, ne
from typing import NamedTuple

from pelican.expr import AffineIdx
from rotation.loop_form.kernel import (
    Call,
    Compare,
    Function,
    If,
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
    """One execution of one instruction.

    `when` says which arms of ifs on loaded values it is in: (the if, its execution),
    and the arm.
    """

    name: str
    accesses: tuple[Access, ...]
    when: tuple[tuple[tuple[int, int], bool], ...] = ()


SIGNS = {
    Compare.LESS: lt,
    Compare.AT_MOST: le,
    Compare.MORE: gt,
    Compare.AT_LEAST: ge,
    Compare.EQUAL: eq,
    Compare.UNEQUAL: ne,
}


def executions(function: Function) -> list[Execution]:
    """Return all executions in the order in which they happen.

    Both arms of an if on loaded values happen, one after the other.
    """
    run = _Run(function)
    return list(run.body(function.body, {}, ()))


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
    trips = {*range(scope.trip_count)}
    for instruction, at in _visits(function.body, {}):
        for region in (*instruction.reads, *instruction.writes):
            if region.tensor is tensor and region.instance is not None:
                value = int(region.instance.raw.eval(at))
                trips.add((value - scope.lo) // scope.step)
    nest = function.nests[scope]
    outside = nest[-2].index if len(nest) > 1 else None
    return outside, min(trips), max(trips) - min(trips) + 1


def _visits(
    body: tuple[Statement, ...], at: dict[AffineIdx, int]
) -> Iterator[tuple[Instruction, dict[AffineIdx, int]]]:
    """Yield each execution of an instruction: the values of the loops around it."""
    for statement in body:
        if isinstance(statement, Loop):
            index = statement.index
            for value in range(index.lo, index.hi, index.step):
                yield from _visits(statement.body, {**at, index: value})
        elif isinstance(statement, If):
            for arm in _done(statement, at):
                yield from _visits(arm, at)
        elif isinstance(statement, Call):
            yield from _visits(statement.body, at)
        elif isinstance(statement, Instruction):
            yield statement, at


def _done(choice: If, at: dict[AffineIdx, int]) -> tuple[tuple[Statement, ...], ...]:
    """Return the arm that is done at the values of the loops, or both."""
    if choice.loaded:
        return choice.then, choice.otherwise
    holds = all(
        SIGNS[c.compare](int(c.left.raw.eval(at)), int(c.right.raw.eval(at)))
        for c in choice.comparisons
    )
    return (choice.then if holds else choice.otherwise,)


class _Run:
    """A run of the loops: how often an iteration of each loop was started so far."""

    def __init__(self, function: Function) -> None:
        spans = {
            tensor: instance_span(function, tensor)
            for tensor in function.tensors
            if tensor.scope is not None
        }
        self.numbers = Instances({}, spans)
        self.ordinal = {choice: k for k, choice in enumerate(function.choices)}
        self.count: dict[If, int] = {}

    def body(
        self,
        body: tuple[Statement, ...],
        at: dict[AffineIdx, int],
        arms: tuple[tuple[If, tuple[tuple[int, int], bool]], ...],
    ) -> Iterator[Execution]:
        """Yield the executions of a body, at the values of the loops around it."""
        for statement in body:
            if isinstance(statement, Instruction):
                regions = [r for choice, _ in arms for r in choice.loaded]
                deciding = {region.tensor: region for region in regions}
                accesses = _accesses(
                    statement, at, self.numbers, list(deciding.values())
                )
                when = tuple(arm for _, arm in arms)
                yield Execution(statement.name, tuple(accesses), when)
            elif isinstance(statement, Loop):
                index = statement.index
                for value in range(index.lo or 0, index.hi or 0, index.step):
                    started = self.numbers.started
                    started[index] = started.get(index, 0) + 1
                    yield from self.body(statement.body, {**at, index: value}, arms)
            elif isinstance(statement, Call):
                yield from self.body(statement.body, at, arms)
            elif isinstance(statement, If):
                yield from self.choice(statement, at, arms)

    def choice(
        self,
        choice: If,
        at: dict[AffineIdx, int],
        arms: tuple[tuple[If, tuple[tuple[int, int], bool]], ...],
    ) -> Iterator[Execution]:
        """Yield the executions of the arm that is done, or of both."""
        if choice.loaded:
            execution = self.count.get(choice, -1) + 1
            self.count[choice] = execution
            key = (self.ordinal[choice], execution)
            yield from self.body(choice.then, at, (*arms, (choice, (key, True))))
            yield from self.body(choice.otherwise, at, (*arms, (choice, (key, False))))
            return
        (arm,) = _done(choice, at)
        yield from self.body(arm, at, arms)


def _accesses(
    instruction: Instruction,
    at: dict[AffineIdx, int],
    numbers: Instances,
    deciding: list[Region],
) -> Iterator[Access]:
    first = all(at[index] == index.lo for index in instruction.accumulates)
    added = [] if first else instruction.writes
    reads = [*instruction.reads, *added, *deciding]
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
        extents=tuple(
            min([int(t.raw.eval(at)) for t in region.terms(d)], default=extent)
            for d, extent in enumerate(region.extents)
        ),
    )


def reads_undefined(function: Function) -> bool:
    """Tell whether an element is read that nothing wrote before.

    Every choice of arms is tried, so there must be few ifs on loaded values.
    """
    rows = executions(function)
    keys = sorted({key for row in rows for key, _ in row.when})
    choices = product((True, False), repeat=len(keys))
    return any(
        _reads_undefined(function, rows, dict(zip(keys, choice, strict=True)))
        for choice in choices
    )


def happens(execution: Execution, choice: Mapping[tuple[int, int], bool]) -> bool:
    """Tell whether an execution happens, given the arm of each if."""
    return all(choice[key] == arm for key, arm in execution.when)


def _reads_undefined(
    function: Function,
    rows: list[Execution],
    choice: Mapping[tuple[int, int], bool],
) -> bool:
    given = {
        tensor.name
        for tensor in function.tensors
        if tensor.role in {Role.INPUT, Role.CONST}
    }
    written: dict[tuple[str, int], set[tuple[int, ...]]] = {}
    for execution in rows:
        if not happens(execution, choice):
            continue
        for access in execution.accesses:
            known = written.setdefault((access.tensor, access.instance), set())
            if access.is_write:
                known |= access.elements()
            elif access.tensor not in given and not access.elements() <= known:
                return True
    return False
