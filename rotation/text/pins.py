"""Read where the user puts a buffer: `bank`, `byte` and `part` of a declaration."""

from __future__ import annotations

from lark import Token

from pelican.expr import AffineIV
from pelican.text.expressions import read_expression
from rotation.loop_form.kernel import IndexExpr, MemorySpace, Pin
from rotation.text.reading import Node, Reading, parts, tokens, trees
from rotation.text.scope import Scope


def read_pin(
    reading: Reading, declaration: Node, at: AffineIV | None, scope: Scope
) -> Pin | None:
    """Return where a declaration puts the instances of its buffer, if it does.

    Args:
        reading: The text.
        declaration: The tree of the declaration.
        at: The loop that defines the buffer afresh; None outside loops.
        scope: What can be named there.

    Raises:
        LocatedError: If the buffer has no such place, or the place depends on a loop
            inside its scope.
    """
    given = {
        word: tree
        for word, tree in parts(declaration).items()
        if word in {"bank", "byte", "part"}
    }
    if not given:
        return None
    first = next(iter(given.values()))
    space = MemorySpace(str(tokens(declaration)[0]))
    if space is MemorySpace.DRAM:
        words = " and ".join(f"`{word}`" for word in given)
        message = "a dram buffer gets its bytes from the world outside or the passes"
        raise reading.error(message, first, f"leave {words} out")
    if space is MemorySpace.SB and "bank" in given:
        message = "sb has no banks"
        raise reading.error(message, first, "write `byte EXPR part EXPR`")
    places = {word: _place(reading, tree, at, scope) for word, tree in given.items()}
    return Pin(places.get("bank"), places.get("byte"), places.get("part"))


def _place(
    reading: Reading, tree: Node, at: AffineIV | None, scope: Scope
) -> IndexExpr:
    """Return the expression of a place; it varies from instance to instance only."""
    (expression,) = trees(tree)
    loops = _loops_to(at, scope)
    inside = {index.name for index in scope.loops} - {index.name for index in loops}
    for name in expression.scan_values(lambda part: isinstance(part, Token)):
        if name in inside:
            raise reading.error(
                f"the place depends on loop {name}, in which the buffer stays the same",
                name,
                f"declare the buffer inside loop {name}, or leave {name} out",
            )
    names = {index.name: index for index in loops}
    raw = read_expression(expression, names, reading.source, simplify=False)
    expr = read_expression(expression, names, reading.source, simplify=True)
    return IndexExpr(raw, expr, reading.span(expression))


def _loops_to(at: AffineIV | None, scope: Scope) -> tuple[AffineIV, ...]:
    """Return the loops that make instances: a loop, and those around it in sight.

    A declaration may stand above the loop that it names.
    """
    if at is None:
        return ()
    if at not in scope.loops:
        return (*scope.loops, at)
    return scope.loops[: scope.loops.index(at) + 1]
