"""A map as other tools write it: several expressions over dimensions and symbols."""

from __future__ import annotations

from pelican.errors import OperandError
from pelican.expr import index, symbol
from pelican.questions.query import index_leaves
from pelican.tree.arguments import as_expr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pelican.expr import AffineIdx
    from pelican.expr.node import Expr


class AffineMap:
    """What was read: ``(dims)[symbols] -> (results)``.

    Attributes:
        dims: What stands for each dimension, in order.
        symbols: What stands for each symbol, in order.
        results: The expressions, in order.
    """

    __slots__ = ("dims", "results", "symbols")

    def __init__(
        self, dims: Iterable[Expr], symbols: Iterable[Expr], results: Iterable[Expr]
    ) -> None:
        self.dims = tuple(dims)
        self.symbols = tuple(symbols)
        self.results = list(results)

    def __repr__(self) -> str:
        dims, symbols, results = (
            ", ".join(str(part) for part in parts)
            for parts in (self.dims, self.symbols, self.results)
        )
        return f"AffineMap(({dims})[{symbols}] -> ({results}))"


def result_list(results: Expr | Sequence[Expr]) -> list[Expr]:
    """Return one expression or several as a list."""
    if isinstance(results, (list, tuple)):
        return [as_expr(each) for each in results]
    return [as_expr(results)]


def split_indices(
    results: Iterable[Expr],
    dims: Sequence[AffineIdx] | None,
    symbols: Sequence[AffineIdx] | None,
) -> tuple[list[AffineIdx], list[AffineIdx]]:
    """Return the dimensions and symbols of a map to write.

    Those that are not given are the indices of the results in term order: what varies
    in a loop is a dimension, what does not is a symbol.

    Raises:
        OperandError: If an index is given twice.
    """
    found = {idx for expr in results for idx in index_leaves(expr)}
    ordered = sorted(found, key=lambda idx: idx.order_key)
    given = [*(dims or ()), *(symbols or ())]
    if len(set(given)) < len(given):
        raise OperandError("an index is listed twice among dimensions and symbols")
    rest = [idx for idx in ordered if idx not in given]
    if dims is None:
        dims = [idx for idx in rest if symbols is not None or idx.depth >= 0]
    if symbols is None:
        symbols = [idx for idx in rest if idx not in dims]
    return list(dims), list(symbols)


def bound_names(
    dims: Iterable[str], symbols: Iterable[str], given: Mapping[str, Expr]
) -> dict[str, Expr]:
    """Return what each name stands for; a name that is not given is unbounded."""
    names: dict[str, Expr] = {}
    for name in dims:
        names[name] = given[name] if name in given else index(name)
    for name in symbols:
        names[name] = given[name] if name in given else symbol(name)
    return names
