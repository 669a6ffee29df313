"""Read operations and their operands: syntax tree to instructions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lark import Token

from pelican.errors import Span, nearest
from pelican.expr import AffineIV
from pelican.text.expressions import read_expression
from pelican.tree.kinds import constant
from rotation.loop_form.kernel import (
    Engine,
    Indexed,
    IndexExpr,
    Instruction,
    MemoryLocationSet,
    Region,
)
from rotation.text.reading import Node, Reading, parts, tokens, trees
from rotation.text.scope import Scope

ENGINES: Final[Mapping[str, Engine]] = {
    **{engine.text: engine for engine in Engine if engine.issuer is engine},
    "tensor": Engine.PE,
    "dve": Engine.VECTOR,
    "activation": Engine.SCALAR,
    "pool": Engine.GPSIMD,
    "syncdma": Engine.DMA,
    "sp": Engine.SYNC,
}
"""Engines by name, in lower case; hardware names are read and never printed."""


def read_operation(reading: Reading, tree: Node, scope: Scope) -> Instruction:
    """Return the instruction of an operation.

    Raises:
        LocatedError: If its id, engine or attributes are wrong; what is wrong with
            an operand or its ``index`` is noted.
    """
    *label, engine, opcode = tokens(tree)
    part = parts(tree)
    _require_single_attributes(reading, tree)
    name, unit = _name(reading, label, opcode), _engine(reading, engine)
    writes = _operands(reading, part["targets"], scope)
    reads = _operands(reading, part["sources"], scope) if "sources" in part else ()
    indexed = reading.attempt(_indexed, reading, part, scope)
    return Instruction(
        name=name,
        engine=unit,
        opcode=str(opcode),
        writes=writes,
        reads=reads if indexed is None else _with_index(reads, indexed),
        accumulates=_accumulates(reading, part.get("over"), scope),
        inplace="inplace" in part,
        fn=_text(part.get("fn")),
        transpose="transpose" in part,
        indexed=indexed,
        view=_text(part.get("view")),
        span=reading.span(tree),
    )


def _require_single_attributes(reading: Reading, tree: Node) -> None:
    seen: set[str] = set()
    for part in trees(tree):
        if part.data in seen:
            hint = "keep one of them"
            raise reading.error(f"{part.data} is given twice", part, hint)
        seen.add(str(part.data))


def _name(reading: Reading, label: list[Token], opcode: Token) -> str:
    """Return the id of an operation: the label, or the opcode with a free number."""
    if label:
        first = reading.labels[label[0]]
        if first is not label[0]:
            place = reading.span(first).place
            message = f"operation {first} is there twice, first at {place}"
            raise reading.error(message, label[0], "give each operation its own id")
        return str(first)
    number = reading.numbers.get(opcode, 0) + 1
    while f"{opcode}{number}" in reading.labels:
        number += 1
    reading.numbers[opcode] = number
    reading.labels[f"{opcode}{number}"] = opcode
    return f"{opcode}{number}"


def _engine(reading: Reading, name: Token) -> Engine:
    engine = ENGINES.get(name.lower())
    if engine is None:
        useful = {text: e for text, e in ENGINES.items() if e is not Engine.SYNC}
        known = ", ".join(dict.fromkeys(e.text for e in useful.values()))
        hint = nearest(name.lower(), useful) or f"the engines are {known}"
        if name.upper() in Engine.__members__:
            hint = "write dma: the machine and the operands tell its server"
        raise reading.error(f"no engine {name}", name, hint)
    return engine


def _accumulates(
    reading: Reading, over: Node | None, scope: Scope
) -> tuple[AffineIV, ...]:
    """Return the loops over which an operation adds to its destination."""
    if over is None:
        return ()
    loops = [scope.enclosing_loop(reading, name) for name in tokens(over)]
    for position, name in enumerate(tokens(over)):
        if loops[position] in loops[:position]:
            raise reading.error(f"loop {name} is given twice", name, "keep one of them")
    return tuple(loops)


def _text(attribute: Node | None) -> str | None:
    """Return the text of an attribute, without its quotes."""
    return None if attribute is None else str(tokens(attribute)[0])[1:-1]


def _indexed(
    reading: Reading, part: Mapping[str, Node], scope: Scope
) -> Indexed | None:
    """Return what ``index`` and ``unique`` say of an operation."""
    if "index" not in part:
        if "unique" in part:
            message = "unique says of an index that its rows are distinct"
            hint = "write index(BUFFER, dim 0) unique"
            raise reading.error(message, part["unique"], hint)
        return None
    name, dimension = tokens(part["index"])
    return Indexed(
        tensor=scope.tensor(reading, name),
        dimension=reading.integer(dimension, "a dimension"),
        unique="unique" in part,
        span=reading.span(part["index"]),
    )


def _with_index(reads: tuple[Region, ...], indexed: Indexed) -> tuple[Region, ...]:
    """Return the sources; the buffer of row numbers is one, if listed or not."""
    if any(region.tensor is indexed.tensor for region in reads):
        return reads
    return (*reads, _whole_region(indexed.tensor, indexed.span))


def _whole_region(
    tensor: MemoryLocationSet, span: Span | None, instance: IndexExpr | None = None
) -> Region:
    """Return the region of a buffer that is named without brackets."""
    zero = IndexExpr(constant(0), constant(0), span)
    starts = (zero,) * len(tensor.shape)
    return Region(
        tensor, starts, tensor.shape, whole=True, span=span, instance=instance
    )


def _operands(reading: Reading, tree: Node, scope: Scope) -> tuple[Region, ...]:
    found = [reading.attempt(_region, reading, part, scope) for part in trees(tree)]
    return tuple(region for region in found if region is not None)


def _region(reading: Reading, tree: Node, scope: Scope) -> Region:
    tensor = scope.tensor(reading, tokens(tree)[0])
    span = reading.span(tree)
    part = parts(tree)
    instance = _instance(reading, tree, tensor, scope)
    box = part.get("box")
    if box is None:
        return _whole_region(tensor, span, instance)
    ranges = trees(box)
    starts = tuple(read_index(reading, trees(part)[0], scope) for part in ranges)
    least = tuple(_terms(reading, part, scope) for part in ranges)
    extents = tuple(
        _most(reading, part, terms) if terms else _number(reading, part)
        for part, terms in zip(ranges, least, strict=True)
    )
    kept = least if any(least) else ()
    return Region(
        tensor,
        starts,
        extents,
        whole=False,
        span=span,
        least=kept,
        instance=instance,
    )


def _instance(
    reading: Reading, tree: Node, tensor: MemoryLocationSet, scope: Scope
) -> IndexExpr | None:
    """Return the instance that ``@`` selects, None for the current one."""
    selected = parts(tree).get("instance")
    if tensor.scope is None:
        if selected is not None and not reading.has_error_in(tensor.span):
            message = f"{tensor.name} has one instance in the whole kernel"
            hint = f"leave the `@` out, or declare {tensor.name} at a loop"
            raise reading.error(message, selected, hint)
        return None
    if selected is not None:
        return read_index(reading, trees(selected)[0], scope)
    if tensor.scope not in scope.loops:
        loop = tensor.scope.name
        message = f"{tensor.name} has an instance for each {loop}, and none here"
        hint = f"say which is meant: {tensor.name}@({tensor.scope.lo})"
        raise reading.error(message, tree, hint)
    return None


def _number(reading: Reading, part: Node) -> int:
    return reading.integer(tokens(part)[0], "an extent", least=1)


def _terms(reading: Reading, part: Node, scope: Scope) -> tuple[IndexExpr, ...]:
    """Return the terms of the ``min(a, b)`` of a range, or none."""
    least = parts(part).get("least")
    if least is None:
        return ()
    return tuple(read_index(reading, term, scope) for term in trees(least))


def _most(reading: Reading, part: Node, terms: tuple[IndexExpr, ...]) -> int:
    """Return the most that the least of some terms may be.

    Raises:
        KernelError: If that is below 1.
    """
    bounds = [term.expr.range.hi for term in terms]
    most = min(bound for bound in bounds if bound is not None)
    if most < 1:
        message = f"an extent must be >= 1, and this one is at most {most}"
        raise reading.error(message, parts(part)["least"], "change a term of the min")
    return most


def read_index(reading: Reading, tree: Node, scope: Scope) -> IndexExpr:
    """Return an index expression over the loops around a place.

    Raises:
        LocatedError: If it names what is no loop around it, or is not affine.
    """
    names = {index.name: index for index in scope.loops}
    raw = read_expression(tree, names, reading.source, simplify=False)
    expr = read_expression(tree, names, reading.source, simplify=True)
    return IndexExpr(raw, expr, reading.span(tree))
