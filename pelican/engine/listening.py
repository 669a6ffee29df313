"""The hook: what the kernel tells of its rewrites to whoever listens.

When nobody listens, a rewrite costs one look at an empty list, and nothing is kept.
Each thread has a hook of its own, which takes longer to look at.
"""

from __future__ import annotations

from pelican.engine.hook import HOOK
from pelican.errors import OperandError
from pelican.tree.build import plain
from pelican.tree.kinds import is_expr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final

    from pelican.expr.node import Expr
    from pelican.laws.step import Make, Step
    from pelican.tree.divmod import DivMod

    Build = Callable[[Make], Expr | DivMod]
    Take = Callable[[Sequence["Application"]], None]


class Call:
    """A mod or floordiv that the right side of a law asked for, and what came of it.

    Attributes:
        start: The plain node.
        used: The laws that simplified it, in order.
        result: The simplified expression.
    """

    __slots__ = ("result", "start", "used")

    def __init__(self, start: Expr, used: list[Application], result: Expr) -> None:
        self.start = start
        self.used = used
        self.result = result


class Application:
    """One use of a law or of an equation of the builder.

    Attributes:
        step: The law and its bindings.
        before: The expression that was rewritten.
        after: What it became, its own mods and floordivs simplified.
        calls: The mods and floordivs inside the right side, in the order in which
            `built` asks for them.
    """

    __slots__ = ("_build", "after", "before", "calls", "step")

    def __init__(self, step: Step, before: Expr, build: Build) -> None:
        self.step = step
        self.before = before
        self.after = before
        self.calls: list[Call] = []
        self._build = build

    def built(self, make: Make) -> Expr:
        """Return the right side, its mods and floordivs built by `make`."""
        return _node(self._build(make))

    def made(self, make: Make) -> Expr | DivMod:
        """Return what the kernel makes, and keep it as `after`."""
        outcome = self._build(make)
        self.after = _node(outcome)
        return outcome


def _node(outcome: Any) -> Expr:  # noqa: ANN401 - the kernel's classes come later
    node: Expr = outcome if is_expr(outcome) else outcome.node
    return node


class Recorder:
    """What is kept while somebody listens.

    Attributes:
        take: Gets the uses of laws that the engine kept, those inside right sides as
            `Application.calls` of the enclosing one.
        outer: The recorder that was there before; it is told everything too.
        visited: Told of each node of a raw tree that was simplified, or None.
    """

    __slots__ = ("_frames", "outer", "take", "visited")

    def __init__(self, take: Take) -> None:
        self.take = take
        self.outer: Recorder | None = None
        self.visited: Callable[[Expr, Expr], None] | None = None
        self._frames: list[list[Application]] = []

    def __enter__(self) -> Recorder:
        if self in LISTENING:
            raise OperandError(
                "it listens already, and cannot begin once more",
                hint="make another one for the block inside",
            )
        LISTENING.append(self)
        self.outer, HOOK.recorder = HOOK.recorder, self
        return self

    def __exit__(self, *error: object) -> None:
        LISTENING.remove(self)
        if HOOK.recorder is self:
            HOOK.recorder = self.outer
            return
        inner = HOOK.recorder  # it is not the last that came: generators may do that
        while inner is not None and inner.outer is not self:
            inner = inner.outer
        if inner is not None:
            inner.outer = self.outer

    def report(self, used: Sequence[Application]) -> None:
        """Keep the uses of laws that lead from one problem to the next."""
        if self._frames:
            self._frames[-1].extend(used)
            return
        listener: Recorder | None = self
        HOOK.recorder = None  # whoever is told may use the engine
        try:
            while listener is not None:
                listener.take(used)
                listener = listener.outer
        finally:
            HOOK.recorder = self

    def made(self, application: Application, make: Make) -> Expr | DivMod:
        """Return a right side, and keep what its mods and floordivs went through."""

        def watched(op: str, numer: Expr, denom: int) -> Expr:
            used: list[Application] = []
            self._frames.append(used)
            try:
                result = make(op, numer, denom)
            finally:
                self._frames.pop()
            application.calls.append(Call(plain(op, numer, denom), used, result))
            return result

        return application.made(watched)


LISTENING: Final[list[Recorder]] = []
"""Who listens, in any thread: without one, no thread needs to look at its hook."""


def listener() -> Recorder | None:
    """Return who listens in this thread, or None."""
    return HOOK.recorder if LISTENING else None


def quiet(make: Make) -> Make:
    """Return a maker whose rewrites are not told: it serves a question, no result."""
    recorder = listener()
    if recorder is None:
        return make

    def muted(op: str, numer: Expr, denom: int) -> Expr:
        HOOK.recorder = None
        try:
            return make(op, numer, denom)
        finally:
            HOOK.recorder = recorder

    return muted
