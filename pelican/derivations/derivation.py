"""Derivations: how an expression became its simplified form, law by law.

A step replaces one part of an expression by an equal part, by one law or by one
equation of the builder. Where a right side holds mods and floordivs that are
simplified in their turn, the law comes first, with the plain right side, and each of
those rewrites is a step of its own after it; so every step can be checked alone.

The builder adds up a sum in one pass. That pass is one step, if it changes the text,
named by the first of its equations that was used: like terms, zero terms, scales,
brackets, order. A law that treats several terms of a sum in one pass is one step too.
"""

from __future__ import annotations

from pelican.tree.arguments import as_expr
from pelican.tree.build import plain
from pelican.tree.kinds import MODULO, is_divlike
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pelican.engine.listening import Application
    from pelican.expr.node import Expr
    from pelican.laws.step import Step

    Context = Callable[[Expr], Expr]
    Move = tuple[Application, Expr, Expr]
    Values = Mapping[str, Sequence[Expr | int]]


class DerivationStep:
    """One rewrite: `before` and `after` are equal, and differ at `path` only.

    Attributes:
        lemma: Name of the law, or of the builder's equation; ``comparison`` where a
            comparison was brought into the form ``e >= 0`` or ``e == 0``.
        path: Where: the position of a part at each node, from the root of `before`.
        before: The whole expression before the rewrite; of `trace`, the part.
        after: The same after it.

    >>> from pelican import explain, index
    >>> step = explain("j + i mod 8 mod 4", {"i": index("i"), "j": index("j")}).steps[0]
    >>> step.lemma, step.path
    ('nested-mod-divides', [1])
    >>> print(step)
    nested-mod-divides at 1: i mod 8 mod 4 -> i mod 4
    """

    __slots__ = ("_values", "after", "before", "lemma", "path")

    def __init__(
        self,
        lemma: str,
        path: Sequence[int],
        binding: Values,
        before: Expr,
        after: Expr,
    ) -> None:
        self.lemma = lemma
        self.path = list(path)
        self.before = before
        self.after = after
        self._values = binding

    @property
    def binding(self) -> dict[str, str]:
        """What each metavariable stands for, as text.

        Where one pass treats several terms, their different values in order, with
        commas.
        """
        return {
            name: ", ".join(dict.fromkeys(str(as_expr(value)) for value in values))
            for name, values in self._values.items()
        }

    @property
    def parts(self) -> tuple[Expr, Expr]:
        """The part at `path`, before and after."""
        before, after = self.before, self.after
        for position in self.path:
            before, after = before.parts[position], after.parts[position]
        return before, after

    def __repr__(self) -> str:
        return f"<DerivationStep {self}>"

    def __str__(self) -> str:
        where = f" at {'.'.join(map(str, self.path))}" if self.path else ""
        before, after = self.parts
        return f"{self.lemma}{where}: {before} -> {after}"


class Derivation:
    """The steps from an expression to its simplified form.

    Attributes:
        input: The expression as it was given.
        output: What `simplify` makes of it.
        steps: In order; the first starts at `input`, each other one where the one
            before it ended, the last ends at `output`. Empty where the texts of
            input and output are the same.

    >>> from pelican import explain, index
    >>> i = index("i", 0, 64)
    >>> derivation = explain("(i + 64) mod 64", {"i": i})
    >>> print(derivation.input, derivation.output, len(derivation.steps))
    (i + 64) mod 64 i 1
    """

    __slots__ = ("input", "output", "steps")

    def __init__(
        self, start: Expr, output: Expr, steps: tuple[DerivationStep, ...]
    ) -> None:
        self.input = start
        self.output = output
        self.steps = steps

    def __repr__(self) -> str:
        return f"<Derivation of {len(self.steps)} steps to {brief_text(self.output)}>"

    def __str__(self) -> str:
        lines = [str(self.input), *(f"  {step}" for step in self.steps)]
        return "\n".join([*lines, str(self.output)])


def steps_of(used: Sequence[Application]) -> Iterator[DerivationStep]:
    """Yield the steps of some uses of laws, over the parts that they rewrite."""
    for use in used:
        for inner, before, after in _unfolded(use, lambda part: part):
            if before != after:
                path = place_of(before, after, inner.before)
                yield step_of(inner.step, path, before, after)


def step_of(
    step: Step, path: Sequence[int], before: Expr, after: Expr
) -> DerivationStep:
    """Return the step that a use of a law is."""
    values: dict[str, list[Expr | int]] = {}
    for variable in step.lemma.metavariables:
        name = variable.args[0]
        if name == step.lemma.rest and step.rest is not None:
            values[name] = [step.rest]
        else:
            values[name] = [binding[name] for binding in step.bindings]
    return DerivationStep(step.lemma.name, path, values, before, after)


def moves(used: Sequence[Application], start: Expr, context: Context) -> Iterator[Move]:
    """Yield each rewrite that leads from one node on, inside its context."""
    state = start
    for use in used:
        # A sum between two rewrites of a mod or floordiv is its numerator.
        inside = use.before != state and is_divlike(state)
        around = _under(state, context) if inside else context
        yield from _unfolded(use, around)
        state = _under(state, lambda part: part)(use.after) if inside else use.after


def _under(division: Expr, context: Context) -> Context:
    """Return the context of the numerator of a mod or floordiv."""
    if not is_divlike(division):
        raise TypeError(division.kind)
    op, denom = ("%" if division.kind == MODULO else "//"), division.denom
    return lambda numer: context(plain(op, numer, denom))


def _unfolded(use: Application, around: Context) -> Iterator[Move]:
    """Yield a rewrite with its plain right side, then those inside the right side."""
    yield use, around(use.before), around(use.built(plain))
    done: list[Expr] = []
    for call in use.calls:
        yield from moves(call.used, call.start, _hole(use, tuple(done), around))
        done.append(call.result)


def _hole(use: Application, done: tuple[Expr, ...], around: Context) -> Context:
    """Return the context of the next division that a right side asks for."""
    return lambda part: around(use.built(_Replay((*done, part))))


class _Replay:
    """A maker that gives known results first, then plain nodes."""

    def __init__(self, results: tuple[Expr, ...]) -> None:
        self._results = iter(results)

    def __call__(self, op: str, numer: Expr, denom: int) -> Expr:
        known = next(self._results, None)
        return plain(op, numer, denom) if known is None else known


def place_of(before: Expr, after: Expr, focus: Expr) -> list[int]:
    """Return the path to the node that a rewrite changed.

    The path goes down while one part differs, and stops at `focus`. It ends at a sum
    where the rewritten part was merged with other terms.

    Args:
        before: The whole before the rewrite.
        after: The whole after it.
        focus: The left side that was rewritten.
    """
    path: list[int] = []
    while before != focus and _alike(before, after):
        pairs = zip(before.parts, after.parts, strict=True)
        changed = [k for k, (a, b) in enumerate(pairs) if a is not b and a != b]
        if len(changed) != 1:
            break
        path += changed
        before, after = before.parts[changed[0]], after.parts[changed[0]]
    return path


def common_path(path: Sequence[int], before: Expr, after: Expr) -> list[int]:
    """Return the part of a path on which two expressions have the same nodes.

    They differ in nothing but the part at the path, as texts.
    """
    common: list[int] = []
    for position in path:
        if not _alike(before, after):
            break
        common.append(position)
        before, after = before.parts[position], after.parts[position]
    return common


def _alike(a: Expr, b: Expr) -> bool:
    return (a.kind, len(a.parts)) == (b.kind, len(b.parts)) and a.own == b.own
