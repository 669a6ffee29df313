"""The text of an expression as ``let`` lines, which keep what it shares.

A tree that is written out repeats each shared part as often as it is used, and may
so be larger than any file. Here each shared part has a line and a name of its own.
"""

from __future__ import annotations

from pelican.errors import OperandError
from pelican.integers import decimal
from pelican.interchange.names import plain_names, temporary_prefix
from pelican.pel.words import KEYWORDS
from pelican.tree.kinds import (
    AFFINE_IV,
    INT_RUNTIME_VALUE,
    SHARD_ID,
    SYMBOLIC_IDX,
    is_expr,
    is_index,
)
from pelican.tree.printing import brief_text, nodes_of, text_with, written_parts
from pelican.tree.traverse import indices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Final

    from pelican.expr import AffineIdx
    from pelican.expr.node import Expr

_WORDS: Final = {
    AFFINE_IV: "index",
    INT_RUNTIME_VALUE: "runtime",
    SYMBOLIC_IDX: "symbol",
    SHARD_ID: "shard",
}
"""The word that declares each kind of index."""


def to_pel(expr: Expr, *, name: str = "value") -> str:
    """Return the lines of a ``.pel`` file that gives an expression a name.

    Its size is that of the graph, not that of the written-out tree. Indices are
    declared above it; a second index of one name is called ``i_2``, and so is one
    whose name is a word of the language.

    Args:
        expr: Any expression.
        name: What to call it; numbered where an index has that name.

    Raises:
        OperandError: If it is no expression, the name is no name, or a symbol has an
            offset, which text does not hold.
        TooLargeError: If an integer in it is too long to write.

    >>> from pelican import index
    >>> e = (5 * index("i", 0, 64) + 3) % 7
    >>> print(to_pel(e % 4 + 2 * (e // 3)), end="")
    index i in [0, 64)
    let t0 = (5*i + 3) mod 7
    let value = 2*(t0 floordiv 3) + t0 mod 4
    """
    _check(expr, name)
    leaves = [leaf for leaf in indices(expr) if is_index(leaf)]
    names: dict[Expr, str] = dict(plain_names(leaves, KEYWORDS).items())
    lines = [_declaration(leaf, names[leaf]) for leaf in leaves]
    result = _free_name(name, names.values())
    prefix = temporary_prefix([*names.values(), result])
    for number, part in enumerate(_shared(expr)):
        lines.append(f"let {prefix}{number} = {text_with(part, names)}")
        names[part] = f"{prefix}{number}"
    lines.append(f"let {result} = {text_with(expr, names)}")
    return "".join(f"{line}\n" for line in lines)


def _check(expr: object, name: object) -> None:
    if not is_expr(expr):
        raise OperandError(
            f"to_pel needs an expression, got {brief_text(expr)}",
            hint="give one expression",
        )
    plain = isinstance(name, str) and name.isascii() and name.isidentifier()
    if not plain or name in KEYWORDS:
        raise OperandError(
            f"a value cannot be called {brief_text(name)}",
            hint="a name is ASCII letters, digits and _, no digit first, and no word "
            "of the language",
        )


def _free_name(name: str, taken: Collection[str]) -> str:
    free, number = name, 2
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def _declaration(idx: AffineIdx, name: str) -> str:
    word = _WORDS[idx.kind]
    if idx.kind == SHARD_ID:
        return f"{word} {name} of {_end(idx.hi)}"
    if getattr(idx, "offset", 0):
        raise OperandError(
            f"the symbol {idx.name} has an offset, which text does not hold",
            hint="use pickle",
        )
    if idx.lo is None and idx.hi is None:
        return f"{word} {name}"
    step = f" step {decimal(idx.step)}" if idx.step > 1 else ""
    return f"{word} {name} in [{_end(idx.lo)}, {_end(idx.hi)}){step}"


def _end(value: int | None) -> str:
    return "..." if value is None else decimal(value)


def _shared(root: Expr) -> Iterator[Expr]:
    """Yield each part that is written more than once, parts before wholes."""
    uses: dict[Expr, int] = {}
    order: list[Expr] = []
    stack = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            order.append(node)
            continue
        uses[node] = uses.get(node, 0) + 1
        if uses[node] == 1:
            stack.append((node, True))
            parts = [part for part in written_parts(node) if not _is_short(part)]
            stack.extend((part, False) for part in reversed(parts))
    yield from (node for node in order if uses[node] > 1 and node is not root)


def _is_short(part: Expr) -> bool:
    """Tell whether a name is no shorter than the part itself."""
    return nodes_of(part) == 1
