"""Ring maps: functions between index spaces."""

from __future__ import annotations

from pelican.build import as_expr, as_int
from pelican.errors import IndexRangeError, OperandError, SubstitutionRangeError
from pelican.frozen import Frozen
from pelican.integers import brief, literal
from pelican.kinds import AFFINE_IV, is_expr, is_index, is_leaf
from pelican.printing import brief_text
from pelican.substitute import substituted
from pelican.traverse import indices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pelican.expr import AffineIdx
    from pelican.node import Expr


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
        given = tuple(inputs)
        for idx in given:
            _check_input(idx)
        if len(set(given)) < len(given):
            twice = next(idx for k, idx in enumerate(given) if idx in given[:k])
            raise OperandError(f"{twice} is an input of the map twice")
        made = tuple(as_expr(output) for output in outputs)
        ranges = tuple(_half_open(pair) for pair in onto)
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
        self._set("name", name)

    @property
    def fields(self) -> tuple[Any, ...]:
        """What decides equality: all but the name."""
        return self.inputs, self.outputs, self.onto

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (*self.fields, self.name))

    def __repr__(self) -> str:
        ranges = "".join(f"({literal(lo)}, {literal(hi)}), " for lo, hi in self.onto)
        label = "" if self.name is None else f", name={self.name!r}"
        return f"RingMap({self.inputs!r}, {self.outputs!r}, ({ranges}){label})"

    def __str__(self) -> str:
        ends = (f"[{brief(lo)}, {brief(hi)})" for lo, hi in self.onto)
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
        """True if each output is the input in its place."""
        return self.outputs == self.inputs

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
            raise OperandError(f"a map follows a map, got {first!r}")
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


def _rebuilt(*fields: Any) -> RingMap:  # noqa: ANN401 - the fields of a pickle
    inputs, outputs, onto, name = fields
    return RingMap(inputs, outputs, onto, name=name)


def _check_input(idx: object) -> None:
    if not is_expr(idx) or not is_index(idx) or not is_leaf(idx):
        raise OperandError(
            f"an input of a map must be an index, got {brief_text(idx)}",
            hint="declare it: index('i', 0, 64)",
        )


def _check_output(output: Expr, inputs: tuple[AffineIdx, ...]) -> None:
    for leaf in indices(output):
        if leaf.kind == AFFINE_IV and leaf not in inputs:
            raise OperandError(
                f"{brief_text(output)} uses {leaf.name}, which is no input of the map",
                hint=f"add {leaf.name} to the inputs, or use a symbol",
            )


def _half_open(pair: object) -> tuple[int, int]:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise OperandError(
            f"a range of a map is a pair (lo, hi), got {pair!r}",
            hint="the end is exclusive: (0, 1024)",
        )
    low, high = as_int(pair[0]), as_int(pair[1])
    if high <= low:
        raise IndexRangeError(
            f"a range of a map needs lo < hi, got [{brief(low)}, {brief(high)})",
            hint="the end is exclusive: [0, 1024) has 1024 points",
        )
    return low, high
