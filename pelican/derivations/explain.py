"""Telling how: the derivation of a whole expression, and the steps of operators."""

from __future__ import annotations

from pelican.derivations.derivation import (
    Derivation,
    DerivationStep,
    common_path,
    moves,
    place_of,
    step_of,
    steps_of,
)
from pelican.engine.listening import Recorder
from pelican.engine.modelled import check_rules
from pelican.engine.simplify import simplify
from pelican.errors import OperandError, TooLargeError
from pelican.integers import brief
from pelican.laws.equations import builder_equation
from pelican.tree.build import plain
from pelican.tree.kinds import (
    MODULO,
    is_collective,
    is_comparison,
    is_divlike,
    is_expr,
    is_index,
)
from pelican.tree.printing import brief_text
from pelican.tree.traverse import postorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

    from pelican.derivations.derivation import Values
    from pelican.engine.listening import Application
    from pelican.expr.node import Expr
    from pelican.laws.step import Step

MAX_COPIED_NODES: Final = 2_000_000
"""Most nodes that the whole expressions of one derivation may have of their own: a
step copies the nodes from the root to the part that it rewrites, and shares the rest.
"""


def explain(
    expression: Expr | str,
    indices: Mapping[str, Expr] | None = None,
    *,
    rules: str = "default",
) -> Derivation:
    """Return the steps that simplify a raw tree or a text.

    Operators simplify at once: what they built has no steps left. Give the text, build
    a raw tree of the classes of the kinds, or listen to the operators by `trace`.

    A part that several wholes of a raw tree share is simplified in all of them at
    once; the path then ends at the node that holds them all.

    Args:
        expression: A raw tree, or a text, which is read without simplifying.
        indices: What each name of a text stands for.
        rules: ``default`` or ``modelled``, as in `pelican.simplify`.

    Raises:
        OperandError: If `expression` or `rules` is something else.
        ParseError: If the text is no expression, or names something unknown.
        TooLargeError: If the steps need more than `MAX_COPIED_NODES` nodes, or an
            expression is too large to print.

    >>> from pelican import index
    >>> print(explain("((x mod 24) mod 8 + 16) floordiv 8", {"x": index("x")}))
    (x mod 24 mod 8 + 16) floordiv 8
      nested-mod-divides at 0.0: x mod 24 mod 8 -> x mod 8
      period-fold-floordiv: (x mod 8 + 16) floordiv 8 -> 2
    2
    """
    check_rules(rules)
    if isinstance(expression, str):
        from pelican.text.expressions import parse_expression  # noqa: PLC0415 - loads the parser

        root = parse_expression(
            expression, indices or {}, simplify=False, name="<expression>"
        )
    elif is_expr(expression):
        root = expression
    else:
        raise OperandError(
            f"explain needs an expression or a text, got {brief_text(expression)}"
        )
    told = _Explainer(root)
    with told.recorder:
        output = simplify(root, rules=rules)
    return told.derivation(output)


def trace() -> Trace:
    """Return a ``with`` block's listener to operators and smart constructors.

    The block gets a list. Each step in it holds the part that was rewritten, before
    and after; paths start at that part. The steps of one operation are added when it
    has found them. A sum that is only added up has none. Only this thread is listened
    to. A long sum is joined anew at each ``+`` inside the block, so that it costs much
    more there than outside: give its terms to `pelican.sum_of`.

    Raises:
        OperandError: If its block is entered once more while it is open.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> with trace() as steps:
    ...     slot = (i + 64) % 64
    >>> print(*steps)
    period-fold-mod: (i + 64) mod 64 -> i
    """
    return Trace()


class Trace:
    """A listener; inside its ``with`` block the steps are added to a list."""

    __slots__ = ("_recorder", "_steps")

    def __init__(self) -> None:
        self._steps: list[DerivationStep] = []
        self._recorder = Recorder(self._take)

    def __enter__(self) -> list[DerivationStep]:
        self._recorder.__enter__()
        return self._steps

    def __exit__(self, *error: object) -> None:
        self._recorder.__exit__()

    def _take(self, used: Sequence[Application]) -> None:
        self._steps.extend(steps_of(used))


class _Explainer:
    """The derivation of a raw tree while it is simplified, parts before wholes.

    Each node is shown as it stands at the time: a part that was simplified as its
    last step left it, if only its text is canonical too.
    """

    def __init__(self, root: Expr) -> None:
        self.root = root
        self.steps: list[DerivationStep] = []
        self.recorder = Recorder(self._take)
        self.recorder.visited = self._visited
        self._used: list[Application] = []
        self._result: dict[int, Expr] = {}
        self._shown: dict[int, Expr] = {}
        self._number: dict[int, int] = {}
        self._users: dict[int, list[Expr]] = {}
        self._copied = 0
        for number, node in enumerate(postorder(root)):
            self._number[id(node)] = number
            for part in node.parts:
                self._users.setdefault(id(part), []).append(node)

    def derivation(self, output: Expr) -> Derivation:
        if self.steps:
            # The last whole has the text of the output, but may be another tree.
            last = self.steps[-1]
            last.path = common_path(last.path, last.before, output)
            last.after = output
        return Derivation(self.root, output, tuple(self.steps))

    def _take(self, used: Sequence[Application]) -> None:
        self._used.extend(used)

    def _visited(self, node: Expr, result: Expr) -> None:
        used, self._used = self._used, []
        self._result[id(node)] = result
        if is_index(node):
            return
        if is_comparison(node) or is_collective(node):
            self._rebuilt(node, used, result)
            return
        if is_divlike(node):
            op = "%" if node.kind == MODULO else "//"
            numer = self._result[id(node.numer)]
            start = plain(op, numer, node.denom)
        else:
            start = used[0].before if used else result
            self._added_up(node, start)
        exact = self._now(node) == start
        for use, before, after in moves(used, start, lambda part: part):
            if before != after:
                inner = place_of(before, after, use.before) if exact else []
                self._show(node, use.step, inner, after)
                exact = True
        self._added_up(node, result)

    def _rebuilt(self, node: Expr, used: list[Application], result: Expr) -> None:
        """Add the step of a comparison, or of a rank's division that folds."""
        before = self._now(node)
        if str(before) == str(result):
            return
        if is_collective(node) and used:
            self._show(node, used[-1].step, [], result)
        else:
            self._show(node, "comparison", [], result)

    def _added_up(self, node: Expr, total: Expr) -> None:
        """Add the step of the builder, if its pass changes the text."""
        before = self._now(node)
        if before != total and str(before) != str(total):
            name, values = builder_equation(before)
            self._show(node, name, [], total, values)

    def _now(self, node: Expr) -> Expr:
        return self._shown.get(id(node), node)

    def _show(
        self,
        node: Expr,
        step: Step | str,
        inner: Sequence[int],
        after: Expr,
        values: Values | None = None,
    ) -> None:
        """Put what a node became into the whole, and add the step."""
        above = self._above(node)
        whole = self._now(self.root)
        self._shown[id(node)] = after
        for user in sorted(above.values(), key=lambda n: self._number[id(n)]):
            parts = tuple(self._now(part) for part in user.parts)
            self._shown[id(user)] = user.built(user.own, parts)
        path, found = self._path(node, above)
        path += inner if found else []
        new = self._now(self.root)
        if isinstance(step, str):
            self.steps.append(DerivationStep(step, path, values or {}, whole, new))
        else:
            self.steps.append(step_of(step, path, whole, new))

    def _above(self, node: Expr) -> dict[int, Expr]:
        """Return the nodes that hold a node, by `id`."""
        above: dict[int, Expr] = {}
        stack = [node]
        while stack:
            for user in self._users.get(id(stack.pop()), ()):
                if id(user) not in above:
                    above[id(user)] = user
                    stack.append(user)
        self._copied += 1 + sum(1 + len(user.parts) for user in above.values())
        if self._copied > MAX_COPIED_NODES:
            raise TooLargeError(
                f"the derivation of an expression of {brief(self.root.nodes)} nodes "
                f"needs more than {MAX_COPIED_NODES} nodes for its steps",
                hint="explain a part of it, or simplify it inside trace()",
            )
        return above

    def _path(self, node: Expr, above: dict[int, Expr]) -> tuple[list[int], bool]:
        """Return the way to a node, and whether it is the only one."""
        path: list[int] = []
        here = self.root
        while here is not node:
            ways = [
                k
                for k, part in enumerate(here.parts)
                if part is node or id(part) in above
            ]
            if len(ways) != 1:
                return path, False
            path.append(ways[0])
            here = here.parts[ways[0]]
        return path, True
