"""Random integer expressions, and their values by Python's own integers.

Nothing here imports pelican: what the fuzz compares pelican with shares no code with
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final, NamedTuple

POINTS: Final = 6
"""Points at which each expression is evaluated; the first two are corners."""

_MOVES: Final = (1, 1, 2, 2, 2, 3)
"""How many groups of operations an expression has."""

FAR: Final = 10**6
"""How far from 0 an unbounded index is drawn."""


class Leaf(NamedTuple):
    """One index of a program: its kind, and the values ``lo, lo + step, ... < hi``."""

    kind: str
    lo: int | None = None
    hi: int | None = None
    step: int = 1


class Instruction(NamedTuple):
    """One part of a program.

    `left` is the number of an earlier part, or of a leaf; `right` is the number of
    an earlier part, or a literal. Which of them, the operation says.
    """

    op: str
    left: int
    right: int = 0


@dataclass(frozen=True, slots=True)
class Program:
    """An expression as a list of parts; the last one is the whole.

    Attributes:
        leaves: Its indices, at most three.
        parts: The leaves and operations.
        by_operators: True if operators build it, False if it is a simplified tree.
    """

    leaves: tuple[Leaf, ...]
    parts: tuple[Instruction, ...]
    by_operators: bool


TAKES_PARTS: Final = frozenset({"+", "-", ">=", "=="})
LEAF_OPS: Final = frozenset({"leaf", "tile", "ap"})
_DIVISIONS: Final = frozenset({"mod", "floordiv", "cc_div", "cc_mod"})


def drawn(seed: int, number: int) -> Program:
    """Return expression `number` of a seed."""
    random = Random(seed * 1_000_003 + number)
    literals = _literals(random)
    count = random.choice((1, 2, 2, 3))
    # Shards of one number of shards are one value, so each leaf stands there once.
    leaves = tuple(dict.fromkeys(_leaf(random, literals) for _ in range(count)))
    parts = _Parts(random, literals, leaves)
    for _ in range(random.choice(_MOVES)):
        parts.move()
    return Program(leaves, tuple(parts.made), number % 2 == 0)


def _literals(random: Random) -> tuple[int, ...]:
    """Return positive numbers that divide each other, or just fail to."""
    first = random.choice((2, 2, 3, 4, 4, 5, 7, 8, 12, 16, 128))
    second = random.choice((2, 3, 4, 5, 6, 8, 16))
    near = first * second + random.choice((-1, 1))
    other = random.choice((random.randint(1, 40), 2**31, 2**63, 10**20))
    rare = other if other < 41 or random.random() < 0.1 else random.randint(1, 9)
    return (first, first, second, second, first * second, 2 * first, near, rare)


def _leaf(random: Random, literals: tuple[int, ...]) -> Leaf:
    kind = random.choice(("index",) * 6 + ("runtime", "symbol", "shard"))
    if kind == "shard":
        return Leaf(kind, 0, random.choice(literals))
    step = random.choice((1, 1, 1, *literals)) if kind != "runtime" else 1
    low = random.choice((0, 0, 0, 1, *literals, -random.choice(literals)))
    trips = random.choice((1, 2, 3, *literals))
    high = low + step * trips - random.randrange(step)
    ends = random.random()
    if kind == "symbol" or ends < 0.7:
        return Leaf(kind, low, high, step)
    if ends < 0.85:
        return Leaf(kind)
    return Leaf(kind, low, None, step) if ends < 0.93 else Leaf(kind, None, high)


def _factors(leaf: Leaf) -> list[int]:
    trips = _trips(leaf)
    return [k for k in range(1, min(trips, 200) + 1) if trips % k == 0]


def _trips(leaf: Leaf) -> int:
    if leaf.lo is None or leaf.hi is None:
        raise ValueError(f"{leaf} has no known number of trips")
    return -(-(leaf.hi - leaf.lo) // leaf.step)


class _Parts:
    """The parts of a program while it is drawn, the newest last."""

    def __init__(
        self, random: Random, literals: tuple[int, ...], leaves: tuple[Leaf, ...]
    ) -> None:
        self.random = random
        self.literals = literals
        self.made = [Instruction("leaf", k) for k in range(len(leaves))]
        for k, leaf in enumerate(leaves):
            if random.random() < 0.05:
                self.made.append(self.access(k, leaf))

    def access(self, k: int, leaf: Leaf) -> Instruction:
        """Return an index of an access pattern: a tile or a step."""
        if leaf.lo is None or leaf.hi is None or self.random.random() < 0.5:
            return Instruction("ap", k, self.literal())
        return Instruction("tile", k, self.random.choice(_factors(leaf)))

    def literal(self) -> int:
        return self.random.choice(self.literals)

    def any(self) -> int:
        """Return the number of a part, often the newest."""
        newest = len(self.made) - 1
        return newest if self.random.random() < 0.6 else self.random.randint(0, newest)

    def add(self, op: str, left: int, right: int = 0) -> int:
        self.made.append(Instruction(op, left, right))
        return len(self.made) - 1

    def move(self) -> None:
        """Add a few parts that often stand together in index arithmetic."""
        chance = self.random.random()
        if chance < 0.3:
            self.combination()
        elif chance < 0.6:
            self.add(
                self.random.choice(("mod", "floordiv")), self.any(), self.literal()
            )
        elif chance < 0.85:
            self.split()
        elif chance < 0.91:
            self.add(self.random.choice(("+", "-")), self.any(), self.any())
        elif chance < 0.94:
            self.carry()
        else:
            self.rare()

    def combination(self) -> None:
        """Add ``a*x + b*y + c``."""
        total = self.scaled(self.any())
        if self.random.random() < 0.7:
            total = self.add("+", total, self.scaled(self.any()))
        if self.random.random() < 0.6:
            self.offset(total)

    def scaled(self, part: int) -> int:
        c = self.literal()
        factor = self.random.choice((1, 1, c, c, c, -c, -1, c + 1, c - 1))
        return part if factor == 1 else self.add("*", part, factor)

    def offset(self, part: int) -> None:
        c = self.literal()
        offset = self.random.choice((c, c - 1, -c, 1, -1, 7 * c + 3))
        self.add("offset", part, offset)

    def split(self) -> None:
        """Add ``a*(x floordiv n) + b*(y mod m)``, often digits of one number."""
        x, n = self.any(), self.literal()
        same = self.random.random() < 0.7
        y, m = (x, n) if same else (self.any(), self.literal())
        high = self.add("floordiv", x, n)
        if self.random.random() < 0.3:
            high = self.add("mod", high, self.literal())
        low = self.add("mod", y, m)
        if self.random.random() < 0.7:
            high = self.add(
                "*", high, self.random.choice((m, m, m, -m, self.literal()))
            )
        if self.random.random() < 0.3:
            low = self.scaled(low)
        self.add(self.random.choice("++-"), low, high)

    def carry(self) -> None:
        """Add ``(x mod (t*d) + r) floordiv d + t*(x floordiv (t*d))``."""
        x, d, t = self.any(), self.literal(), self.literal()
        within = self.add("mod", x, t * d)
        if self.random.random() < 0.7:
            self.offset(within)
            within = len(self.made) - 1
        whole = self.add("*", self.add("floordiv", x, t * d), t)
        self.add("+", self.add("floordiv", within, d), whole)

    def rare(self) -> None:
        op = self.random.choice((">=", "==", "cc_div", "cc_mod", "neg"))
        right = self.literal() if op in _DIVISIONS else self.any()
        self.add(op, self.any(), 0 if op == "neg" else right)


def points(program: Program, seed: int, number: int) -> list[list[int]]:
    """Return values of the leaves, one list of `POINTS` values for each leaf."""
    random = Random(seed * 1_000_003 + number + 500_000_003)
    return [_leaf_values(random, leaf) for leaf in program.leaves]


def _leaf_values(random: Random, leaf: Leaf) -> list[int]:
    corners: tuple[int, ...]
    if leaf.lo is None:
        last = FAR if leaf.hi is None else leaf.hi - 1
        first = last - 2 * FAR
        corners = (first, last, last - 1, min(last, 0), min(last, -1), min(last, 1))
        middle = [random.randint(first, last) for _ in range(POINTS)]
    else:
        trips = FAR if leaf.hi is None else _trips(leaf)
        first, last = leaf.lo, leaf.lo + leaf.step * (trips - 1)
        corners = (first, last, first + leaf.step * min(1, trips - 1))
        middle = [first + leaf.step * random.randrange(trips) for _ in range(POINTS)]
    mixed = [random.choice((v, v, random.choice(corners))) for v in middle[2:]]
    return [first, last, *mixed]


def computed(program: Program, at: list[list[int]]) -> list[list[int]]:
    """Return the value of each part at each point, by Python's integers."""
    values: list[list[int]] = []
    for op, left, right in program.parts:
        if op in LEAF_OPS:
            values.append(_leaf_part(op, program.leaves[left], at[left], right))
        elif op in TAKES_PARTS:
            values.append(_pairwise(op, values[left], values[right]))
        else:
            values.append(_with_literal(op, values[left], right))
    return values


def _leaf_part(op: str, leaf: Leaf, values: list[int], field: int) -> list[int]:
    if op == "leaf":
        return values
    if op == "ap":
        return [field * v for v in values]
    return [(v - (leaf.lo or 0)) // (leaf.step * field) for v in values]


def _pairwise(op: str, left: list[int], right: list[int]) -> list[int]:
    pairs = zip(left, right, strict=True)
    if op == "+":
        return [a + b for a, b in pairs]
    if op == "-":
        return [a - b for a, b in pairs]
    if op == ">=":
        return [int(a >= b) for a, b in pairs]
    return [int(a == b) for a, b in pairs]


def _with_literal(op: str, values: list[int], literal: int) -> list[int]:
    if op == "offset":
        return [v + literal for v in values]
    if op == "*":
        return [v * literal for v in values]
    if op == "neg":
        return [-v for v in values]
    if op in {"mod", "cc_mod"}:
        return [v % literal for v in values]
    return [v // literal for v in values]


def smaller(program: Program) -> Iterator[Program]:
    """Yield programs that are a step smaller, the smallest first."""
    leaves, parts = program.leaves, program.parts
    for k in range(1, len(parts)):
        yield replace(program, parts=parts[:k])
    for k, part in enumerate(parts):
        if part.op not in LEAF_OPS:
            yield replace(program, parts=_replaced(parts, k))
        if part.op not in TAKES_PARTS | {"leaf", "tile"}:
            for literal in _nearer(part.right, 1 if part.op in _DIVISIONS else None):
                changed = part._replace(right=literal)
                yield replace(program, parts=(*parts[:k], changed, *parts[k + 1 :]))
    for k, leaf in enumerate(leaves):
        for plainer in _plainer(leaf):
            yield replace(program, leaves=(*leaves[:k], plainer, *leaves[k + 1 :]))


def _plainer(leaf: Leaf) -> Iterator[Leaf]:
    if leaf.kind != "index":
        yield leaf._replace(kind="index")
    if leaf.step > 1:
        yield leaf._replace(step=1)
    for low in _nearer(leaf.lo or 0, None):
        yield leaf._replace(lo=low)
    for high in _nearer(leaf.hi or 0, (leaf.lo or 0) + 1):
        yield leaf._replace(hi=high)


def _nearer(value: int, least: int | None) -> list[int]:
    """Return numbers nearer to 0, the nearest first."""
    sign = -1 if value < 0 else 1
    nearer = sorted({0, 1, 2, abs(value) // 2, abs(value) - 1})
    found = [sign * n for n in nearer if 0 <= n < abs(value)]
    return [n for n in found if least is None or n >= least]


def _replaced(parts: tuple[Instruction, ...], gone: int) -> tuple[Instruction, ...]:
    """Return the parts without one; its first operand stands in its place."""

    def moved(part: int) -> int:
        return parts[gone].left if part == gone else part - (part > gone)

    kept = []
    for k, (op, left, right) in enumerate(parts):
        if k == gone:
            continue
        first = left if op in LEAF_OPS else moved(left)
        kept.append(
            Instruction(op, first, moved(right) if op in TAKES_PARTS else right)
        )
    return tuple(kept)
