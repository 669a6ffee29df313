"""Straight-line programs: an expression as a list of single operations.

A program evaluates each distinct part once, in the order in which the text is
written: the products and partial sums of a sum are steps of their own, a factor that
is written multiplies, and a minus before a number belongs to it. Every step knows the
interval of its value, so that a program tells which machine integers hold all its
intermediate values; `proofs.prove_fits` asks about the values of the same steps.
Compiled functions and the C and Python texts are made from programs.
"""

from __future__ import annotations

from pelican.errors import NonAffineError, OperandError
from pelican.expr import APIndex, TiledAPIndex
from pelican.integers import brief
from pelican.known.interval import Interval, half_open_text
from pelican.known.ranges import range_of
from pelican.tree.arguments import as_expr, as_int
from pelican.tree.kinds import (
    CC_MOD,
    MODULO,
    is_affine,
    is_ap_index,
    is_collective,
    is_constant,
    is_divlike,
    is_index,
    is_mult,
    is_sum,
)
from pelican.tree.printing import brief_text, written_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from pelican.expr import AffineIdx
    from pelican.expr.node import Expr

SHOWN_NODES: Final = 40
"""A message shows an expression of at most so many nodes."""


class Step:
    """One operation of a program.

    | op | value |
    |---|---|
    | index | the value of an index |
    | constant | literal |
    | neg | -a |
    | mul | literal * a |
    | add, sub | a + b, a - b |
    | floordiv, mod | a // literal, a % literal |
    | and, shift | a & literal, a >> literal |

    Attributes:
        op: What it does.
        args: Numbers of the steps whose values it takes.
        literal: The integer of the operation, or None.
        index: The index of an index step, or None.
        source: The expression whose value it helps to find.
        interval: Holds every value of the step.
        value: Its integer if it depends on no index, or None.
    """

    __slots__ = ("args", "index", "interval", "literal", "op", "source", "value")

    def __init__(
        self, op: str, args: tuple[int, ...], literal: int | None, source: Expr
    ) -> None:
        self.op = op
        self.args = args
        self.literal = literal
        self.source = source
        self.index: AffineIdx | None = source if op == "index" else None  # type: ignore[assignment]
        self.interval = Interval(None, None)
        self.value: int | None = None


class Program:
    """The steps of an expression; the last one needed is its value.

    Attributes:
        steps: Operations, each after those whose values it takes.
        result: Number of the step that is the value.
    """

    __slots__ = ("_known", "result", "steps")

    steps: list[Step]
    result: int

    def __init__(self) -> None:
        self.steps = []
        self.result = 0
        self._known: dict[tuple[str, tuple[int, ...], int | None, Expr | None], int]
        self._known = {}

    @property
    def indices(self) -> tuple[AffineIdx, ...]:
        """The indices that the program reads, in term order."""
        found = [step.index for step in self.steps if step.index is not None]
        return tuple(sorted(found, key=lambda idx: idx.order_key))

    def emit(
        self,
        op: str,
        args: tuple[int, ...],
        source: Expr,
        literal: int | None = None,
        *,
        within: Interval | None = None,
    ) -> int:
        """Return the number of the step that does this; an equal one is taken again.

        Args:
            op: What to do.
            args: Numbers of the steps whose values are taken.
            source: The expression whose value it helps to find.
            literal: The integer of the operation.
            within: Holds the value; None takes it from the operands' intervals.
        """
        key = (op, args, literal, source if op == "index" else None)
        known = self._known.get(key)
        if known is not None:
            return known
        step = Step(op, args, literal, source)
        parts = [self.steps[k] for k in args]
        step.interval = within or _interval(step, [part.interval for part in parts])
        values = [part.value for part in parts if part.value is not None]
        if op == "constant" or (values and len(values) == len(parts)):
            step.value = apply(op, values, literal)
            step.interval = Interval(step.value, step.value)
        self.steps.append(step)
        self._known[key] = len(self.steps) - 1
        return len(self.steps) - 1

    def misfit(self, bits: int) -> str | None:
        """Return why integers of so many bits do not do; None if they do.

        Args:
            bits: Width of signed integers, with the sign.
        """
        for step in self.steps:
            ends = step.interval.lo, step.interval.hi
            if not all(_is_held(end, bits) for end in ends):
                return f"{_described(step)}, which {bits} bits do not hold"
            if step.literal is not None and not _is_held(step.literal, bits):
                return (
                    f"the literal {brief(step.literal)} does not fit {bits} bits, "
                    f"in {_shown(step.source)}"
                )
        return None


def _is_held(end: int | None, bits: int) -> bool:
    """Tell whether an end is there, and a signed integer of so many bits."""
    return end is not None and (~end if end < 0 else end).bit_length() < bits


def fits(expr: Expr, bits: int) -> bool:
    """Tell whether signed integers of a width hold every intermediate value.

    Every node counts, and every product and partial sum in the order in which the
    text is written: ``i + j - j`` may not fit although its value does.

    Args:
        expr: Any expression over indices.
        bits: Width with the sign, >= 1.

    Raises:
        OperandError: If the width is no integer or below 1.
        NonAffineError: If a part is no integer arithmetic over indices.

    >>> from pelican import index
    >>> i = index("i", 0, 1 << 20)
    >>> fits(2048 * i % 4096, 32), fits(4096 * i - (1 << 31), 32)
    (True, False)
    """
    width = as_int(bits, "a width in bits")
    if width < 1:
        raise OperandError(f"an integer has at least 1 bit, got {brief(width)}")
    return lower(as_expr(expr)).misfit(width) is None


def lower(expr: Expr, *, look: Callable[[], None] | None = None) -> Program:
    """Return the program of an expression.

    Args:
        expr: Any expression over indices.
        look: Called at each part; what it raises ends the walk.

    Raises:
        NonAffineError: If a part is no integer arithmetic over indices.
    """
    range_of(expr)
    program = Program()
    number: dict[int, int] = {}
    plans: dict[int, list[tuple[int, int, Expr]]] = {}
    stack = [expr]
    while stack:
        if look is not None:
            look()
        node = stack[-1]
        if id(node) in number:
            stack.pop()
            continue
        if id(node) not in plans:
            plans[id(node)] = _plan(node)
            waiting = [part for _, _, part in plans[id(node)] if not is_constant(part)]
            stack.extend(reversed(waiting))
            continue
        stack.pop()
        number[id(node)] = _emit_node(program, node, plans[id(node)], number)
    program.result = number[id(expr)]
    return program


def _plan(node: Expr) -> list[tuple[int, int, Expr]]:
    """Return sign, magnitude and operand of what a node adds up."""
    if is_ap_index(node):
        return [(1, 1, node.child)]
    if is_index(node) or is_constant(node):
        return []
    if is_affine(node) or is_sum(node):
        return [(sign, size, _only(part)) for sign, size, part in written_terms(node)]
    if is_mult(node):
        return [(1, 1, _only(node.operand))]
    if is_divlike(node) or is_collective(node):
        return [(1, 1, _only(node.numer))]
    raise NonAffineError(f"{_shown(node)} is no integer arithmetic over indices")


def _only(part: Expr) -> Expr:
    """Return the operand of a sum of one, which is written as that operand is."""
    while is_sum(part) and len(part.operands) == 1:
        (part,) = part.operands
    return part


def _emit_node(
    program: Program,
    node: Expr,
    plan: list[tuple[int, int, Expr]],
    number: dict[int, int],
) -> int:
    """Emit the steps of a node; the last of them has the node's range."""
    if is_ap_index(node):
        return _emit_ap_index(program, node, number[id(node.child)])
    if is_index(node):
        return program.emit("index", (), node)
    if is_constant(node):
        return program.emit("constant", (), node, node.constant)

    def product(factor: int, part: Expr, within: Interval | None) -> int:
        if not is_constant(part):
            return _scaled(program, node, number[id(part)], factor, within)
        if factor == -1 and part.constant >= 0:  # the minus belongs to the literal
            return program.emit("constant", (), node, -part.constant)
        known = program.emit("constant", (), node, part.constant)
        return _scaled(program, node, known, factor, within)

    if is_affine(node) or is_sum(node):
        return _emit_sum(program, node, plan, product)
    operand, whole = plan[0][2], range_of(node)
    if is_divlike(node) or is_collective(node):
        op = "mod" if node.kind in {MODULO, CC_MOD} else "floordiv"
        numer = product(1, operand, None)
        return program.emit(op, (numer,), node, node.denom, within=whole)
    if is_mult(node) and node.scale != 1:
        return product(node.scale, operand, whole)
    # A factor of 1 is written, unlike in a sum.
    return program.emit("mul", (product(1, operand, None),), node, 1, within=whole)


def _emit_ap_index(program: Program, node: APIndex | TiledAPIndex, child: int) -> int:
    """Emit what an index of an access pattern makes of its child."""
    whole = range_of(node)
    if isinstance(node, APIndex):
        return _scaled(program, node, child, node.coefficient, whole)
    first = node.child.lo or 0
    if first:
        start = program.emit("constant", (), node, first)
        child = program.emit("sub", (child, start), node)
    trips = node.child.step * node.tile_size
    return program.emit("floordiv", (child,), node, trips, within=whole)


def _emit_sum(
    program: Program,
    node: Expr,
    plan: list[tuple[int, int, Expr]],
    product: Callable[[int, Expr, Interval | None], int],
) -> int:
    whole = range_of(node)
    last = len(plan) - 1
    sign, magnitude, first = plan[0]
    total = product(sign * magnitude, first, None if last else whole)
    for k, (sign, magnitude, part) in enumerate(plan[1:], 1):
        term = product(magnitude, part, None)
        op = "add" if sign > 0 else "sub"
        within = whole if k == last else None
        total = program.emit(op, (total, term), node, within=within)
    return total


def _scaled(
    program: Program, node: Expr, part: int, factor: int, within: Interval | None = None
) -> int:
    if factor == 1:
        return part
    if factor == -1:
        return program.emit("neg", (part,), node, within=within)
    return program.emit("mul", (part,), node, factor, within=within)


def apply(op: str, values: list[int], literal: int | None) -> int:
    """Return the value of one operation on integers."""
    number = literal or 0
    if op == "constant":
        return number
    first = values[0]
    if op == "neg":
        return -first
    if op == "mul":
        return number * first
    if op == "add":
        return first + values[1]
    if op == "sub":
        return first - values[1]
    if op == "floordiv":
        return first // number
    if op == "mod":
        return first % number
    return first & number if op == "and" else first >> number


def _interval(step: Step, args: list[Interval]) -> Interval:
    if step.index is not None:
        return range_of(step.index)
    number = step.literal or 0
    if step.op == "constant":
        return Interval(number, number)
    if step.op == "neg":
        return -1 * args[0]
    if step.op == "mul":
        return number * args[0]
    if step.op == "add":
        return args[0] + args[1]
    if step.op == "sub":
        return args[0] - args[1]
    if step.op in {"floordiv", "shift"}:
        return args[0] // (number if step.op == "floordiv" else 1 << number)
    return args[0] % (number if step.op == "mod" else number + 1)


WORDS: Final = {
    "mul": "a product",
    "add": "a partial sum",
    "sub": "a partial sum",
    "neg": "a negation",
    "floordiv": "a quotient",
    "mod": "a remainder",
}
"""What messages call the value of an operation."""


def _described(step: Step) -> str:
    if step.op == "constant":
        return f"the literal is {brief(step.literal or 0)}"
    within = half_open_text(step.interval)
    if step.index is not None:
        return f"the index {step.index.name} is in {within}"
    word = WORDS.get(step.op, "a value")
    return f"{word} in {_shown(step.source)} is in {within}"


def _shown(expr: Expr) -> str:
    if is_index(expr) or expr.nodes <= SHOWN_NODES:
        return brief_text(expr)
    return f"an expression of {brief(expr.nodes)} nodes"
