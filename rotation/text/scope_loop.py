"""Which loop a declaration belongs to: one around it, or one further down.

The latter is for buffers of which an operation outside the loop uses an instance, as
one that fills the first instance before the loop begins.
"""

from __future__ import annotations

from lark import Token

from pelican.errors import LocatedError
from pelican.expr import AffineIV
from rotation.loop_form.kernel import MemorySpace, Role
from rotation.text.loops import new_index
from rotation.text.reading import Node, Reading, parts, tokens, trees
from rotation.text.scope import Scope


def scope_loop(
    reading: Reading, tree: Node, scope: Scope, block: Node
) -> AffineIV | None:
    """Return the loop whose every iteration defines a buffer afresh.

    Args:
        reading: The kernel.
        tree: The declaration.
        scope: What stands around it.
        block: The block in which it stands.

    Raises:
        KernelError: If the loop is not there, or the buffer may have none.
    """
    part = parts(tree)
    visible = tokens(tree)[0] == MemorySpace.DRAM.value and "role" in part
    if "scope" not in part:
        return scope.loops[-1] if scope.loops and not visible else None
    if visible:
        role = Role(str(tokens(part["role"])[0])).value
        message = f"{role} is one instance, which the outside sees"
        raise reading.error(message, part["scope"], "leave the `at` out")
    name = tokens(part["scope"])[0]
    below = _below(block, tree, name, len(scope.loops))
    if scope.loop(name) is not None or not below:
        return scope.enclosing_loop(reading, name)
    if len(below) > 1:
        message = f"{len(below)} loops {name} follow in this block"
        raise reading.error(message, name, "give each of them its own name")
    ((loop, depth),) = below
    try:
        index = new_index(reading, loop, depth)
    except LocatedError:
        return None  # it is reported where the loop stands
    return reading.coming.setdefault(loop.meta.start_pos, index)


def _below(block: Node, after: Node, name: Token, depth: int) -> list[tuple[Node, int]]:
    """Return the loops of a name behind a place, with how many are around each."""
    found = []
    for tree in trees(block):
        if tree.meta.start_pos <= after.meta.start_pos:
            continue
        if tree.data == "loop":
            if tokens(tree)[0] == name:
                found.append((tree, depth))
            found += _below(parts(tree)["block"], after, name, depth + 1)
        elif tree.data == "choice":
            for arm in (part for part in trees(tree) if part.data == "block"):
                found += _below(arm, after, name, depth)
    return found
