"""Ring maps: functions between index spaces, their composition and their inverse."""

from __future__ import annotations

from functools import partial
from itertools import count
from math import gcd, prod

from pelican.access.inverse import in_trips, solve
from pelican.core.frozen import Frozen
from pelican.engine.simplify import modulo
from pelican.errors import OperandError, SubstitutionRangeError
from pelican.expr import index
from pelican.integers import brief, half_open, literal
from pelican.questions.substitute import rebuild, smart, substituted
from pelican.tree.arguments import as_expr, as_half_open, as_index, as_text, as_tuple
from pelican.tree.kinds import AFFINE_IV
from pelican.tree.printing import brief_text
from pelican.tree.traverse import indices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pelican.expr import AffineIdx, AffineIV
    from pelican.expr.node import Expr


class RingMap(Frozen):
    """A function from the values of some indices to tuples of integers.

    Attributes:
        inputs: The indices, all different.
        outputs: One expression for each integer of the result.
        onto: Half-open range of each output: the space that the map goes to.
        name: What text calls the map, or None; no part of equality.

    Raises:
        OperandError: If an input is no index or comes twice, an output uses a loop
            index that is no input, or the ranges are not one for each output.
        IndexRangeError: If a range of `onto` is empty.

    >>> from pelican import index
    >>> i, j = index("i", 0, 16), index("j", 0, 64)
    >>> f = RingMap([i, j], [64 * i + j], [(0, 1024)])
    >>> print(f)
    (i, j) -> (64*i + j) onto [0, 1024)
    >>> f({i: 2, j: 3})
    (131,)
    """

    __slots__ = ("inputs", "name", "onto", "outputs")

    inputs: tuple[AffineIdx, ...]
    outputs: tuple[Expr, ...]
    onto: tuple[tuple[int, int], ...]
    name: str | None

    def __init__(
        self,
        inputs: Iterable[AffineIdx],
        outputs: Iterable[Expr | int],
        onto: Iterable[tuple[int, int]],
        *,
        name: str | None = None,
    ) -> None:
        declare = "declare it: index('i', 0, 64)"
        indices_given = as_tuple(inputs, "the inputs of a map are a list of indices")
        given = tuple(
            as_index(idx, "an input of a map", declare) for idx in indices_given
        )
        if len(set(given)) < len(given):
            twice = next(idx for k, idx in enumerate(given) if idx in given[:k])
            raise OperandError(f"{twice} is an input of the map twice")
        results = as_tuple(outputs, "the outputs of a map are a list of expressions")
        made = tuple(as_expr(output) for output in results)
        pairs = as_tuple(onto, "the ranges of a map are a list of pairs (lo, hi)")
        ranges = tuple(as_half_open(pair, "a range of a map") for pair in pairs)
        if len(made) != len(ranges) or not made:
            raise OperandError(
                f"a map has a range for each output, got {len(made)} outputs and "
                f"{len(ranges)} ranges",
                hint="write onto [0, 16), [0, 64) for two outputs",
            )
        for output in made:
            _check_output(output, given)
        self._set("inputs", given)
        self._set("outputs", made)
        self._set("onto", ranges)
        self._set("name", None if name is None else as_text(name, "name"))

    @property
    def fields(self) -> tuple[Any, ...]:
        """What decides equality: all but the name."""
        return self.inputs, self.outputs, self.onto

    def __reduce__(self) -> tuple[Any, ...]:
        return (partial(RingMap, name=self.name), self.fields)

    def __repr__(self) -> str:
        ranges = "".join(f"({literal(lo)}, {literal(hi)}), " for lo, hi in self.onto)
        label = "" if self.name is None else f", name={self.name!r}"
        return f"RingMap({self.inputs!r}, {self.outputs!r}, ({ranges}){label})"

    def __str__(self) -> str:
        ends = (half_open(lo, hi) for lo, hi in self.onto)
        inputs = ", ".join(idx.name for idx in self.inputs)
        outputs = ", ".join(map(str, self.outputs))
        return f"({inputs}) -> ({outputs}) onto {', '.join(ends)}"

    def __call__(self, at: Mapping[AffineIdx, int]) -> tuple[int, ...]:
        """Return the integers of the outputs at a point.

        Raises:
            IndexRangeError: If a value is outside its index's range or off its step.
            UnboundIndexError: If an index has no value.
        """
        return tuple(int(output.eval(at)) for output in self.outputs)

    @property
    def is_identity(self) -> bool:
        """True if each output simplifies to the input in its place.

        Inputs are counted from their least value, in steps, which shows more folds.
        """
        if len(self.outputs) != len(self.inputs):
            return False
        _, values = in_trips(self.inputs)
        to: dict[Expr, Expr] = dict(values.items())
        outputs = (rebuild(output, smart, to) for output in self.outputs)
        return tuple(outputs) == tuple(values.values())

    def after(self, first: RingMap) -> RingMap:
        """Return the map that applies `first`, then this one.

        Raises:
            OperandError: If `first` has not one output for each input of this map.
            SubstitutionRangeError: If an output of `first` may be outside the range of
                the input that it becomes, or off its step.

        >>> from pelican import index
        >>> x, y = index("x", 0, 128), index("y", 0, 128)
        >>> turn = RingMap([x], [(x + 1) % 128], [(0, 128)])
        >>> back = RingMap([y], [(y + 127) % 128], [(0, 128)])
        >>> back.after(turn).is_identity
        True
        """
        if not isinstance(first, RingMap):
            raise OperandError(f"a map follows a map, got {brief_text(first)}")
        if len(first.outputs) != len(self.inputs):
            raise OperandError(
                f"a map of {len(self.inputs)} inputs cannot follow one of "
                f"{len(first.outputs)} outputs",
                hint="the outputs of the first become the inputs of the second",
            )
        to = dict(zip(self.inputs, first.outputs, strict=True))
        try:
            outputs = [substituted(output, to) for output in self.outputs]
        except SubstitutionRangeError as error:
            raise SubstitutionRangeError(
                f"{self} cannot follow {first}: {error.message}",
                hint="give the second map an input range that holds every output of "
                "the first",
            ) from error
        return RingMap(first.inputs, outputs, self.onto)

    def inverse(self) -> Inverse | None:
        """Return the map back, or None where structure does not give it.

        It is built of steps that each take back a part of this map, which their
        simplification shows; so it takes every result of this map to the inputs, and
        this map is injective. Points that it does not reach are reported, not guessed.

        >>> from pelican import index
        >>> x = index("x", 0, 128)
        >>> print(RingMap([x], [(x + 1) % 128], [(0, 128)]).inverse().map)
        (y) -> ((y + 127) mod 128) onto [0, 128)
        >>> i, j = index("i", 0, 10), index("j", 0, 64)
        >>> back = RingMap([i, j], [64 * i + j], [(0, 1024)]).inverse()
        >>> print(back.map, back.padding, sep="; ")
        (y) -> (y floordiv 64, y mod 64) onto [0, 10), [0, 64); 384 of 1024 points \
are not reached: y in [640, 1024)
        """
        if not all(map(_is_bounded, self.inputs)):
            return None
        spaces = _spaces(self)
        solution = spaces and solve(self.inputs, self.outputs, spaces)
        if not spaces or not solution:
            return None
        back = RingMap(spaces, solution.values.values(), map(_ends, self.inputs))
        return Inverse(back, solution.steps, *_padding(self, back))


class Inverse(Frozen):
    """The map back, and what it leaves out.

    Attributes:
        map: The inverse; its inputs are named y, or y0, y1, ... It takes each output
            of the map to the inputs that give it.
        derivation: The equations that lead to it, one a line.
        padding_points: Number of points of `onto` that the map does not reach.
        padding: How many they are and where, or None if there are none.
    """

    __slots__ = ("map", "derivation", "padding_points", "padding")  # noqa: RUF023

    map: RingMap
    derivation: tuple[str, ...]
    padding_points: int
    padding: str | None

    def __init__(
        self,
        map: RingMap,
        derivation: tuple[str, ...],
        padding_points: int = 0,
        padding: str | None = None,
    ) -> None:
        self._set("map", map)
        self._set("derivation", derivation)
        self._set("padding_points", padding_points)
        self._set("padding", padding)

    def __str__(self) -> str:
        return str(self.map) if self.padding is None else f"{self.map}; {self.padding}"


def _ends(idx: AffineIdx) -> tuple[int, int]:
    return idx.lo or 0, idx.hi or 0


def _is_bounded(idx: AffineIdx) -> bool:
    return idx.lo is not None and idx.hi is not None


def _spaces(of: RingMap) -> list[AffineIV] | None:
    """Return an index for each output that takes its values, if they are inside.

    An index has the step that the weights of its output have in common.
    """
    used = {leaf.name for output in of.outputs for leaf in indices(output)}
    many = len(of.outputs) > 1 or "y" in used
    names = (f"y{k}" if many else "y" for k in count())
    free = (name for name in names if name not in used)
    made: list[AffineIV] = []
    for output, (low, high) in zip(of.outputs, of.onto, strict=True):
        inside = output.range
        if inside.lo is None or inside.hi is None:
            return None
        if inside.lo < low or inside.hi >= high:
            return None
        terms, offset = output.flatten_terms()
        step = gcd(*(c for _, c in terms)) or 1
        first = inside.lo + (offset - inside.lo) % step
        made.append(index(next(free), first, inside.hi + 1, step))
    return made


def _padding(of: RingMap, back: RingMap) -> tuple[int, str | None]:
    """Return how many points of `onto` a map with an inverse leaves out, and where."""
    goal = prod(high - low for low, high in of.onto)
    missed = goal - prod(idx.trip_count for idx in of.inputs)
    if missed == 0:
        return 0, None
    where: list[str] = []
    for space, (low, high) in zip(back.inputs, of.onto, strict=True):
        first, end = space.lo or 0, (space.hi or 0)
        where += [f"{space.name} in {half_open(low, first)}"] * (low < first)
        where += [f"{space.name} in {half_open(end, high)}"] * (end < high)
        if space.step > 1:
            start = f"{brief(first)} plus a multiple of {brief(space.step)}"
            where.append(f"{space.name} is not {start}")
    to: dict[Expr, Expr] = dict(zip(of.inputs, back.outputs, strict=True))
    counted: dict[Expr, Expr] = dict(in_trips(back.inputs)[1].items())
    for space, output in zip(back.inputs, of.outputs, strict=True):
        returned = rebuild(output, smart, to)
        if rebuild(returned, smart, counted) != counted[space]:
            where.append(f"{returned} is not {space}")
    for idx, value in zip(of.inputs, back.outputs, strict=True):
        if not value.range.within(idx.range):
            where.append(f"{value} is outside {idx.describe()}")
        elif idx.step > 1 and modulo(value - (idx.lo or 0), idx.step) != 0:
            where.append(f"{value} is off the step of {idx.describe()}")
    text = f"{brief(missed)} of {brief(goal)} points are not reached: "
    return missed, text + ", or ".join(where)


def _check_output(output: Expr, inputs: tuple[AffineIdx, ...]) -> None:
    for leaf in indices(output):
        if leaf.kind == AFFINE_IV and leaf not in inputs:
            raise OperandError(
                f"{brief_text(output)} uses {leaf.name}, which is no input of the map",
                hint=f"add {leaf.name} to the inputs, or use a symbol",
            )
