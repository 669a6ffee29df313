"""Reading expressions from JSON objects, versions 1 and 2."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from pelican.errors import PelicanError, TooDeepError, TooLargeError, WireError
from pelican.expr import (
    AffineExpr,
    AffineIdx,
    AffineIV,
    CCDivExpr,
    FloorDivExpr,
    IndirectArg,
    ModuloExpr,
    ShardId,
    SumExpr,
)
from pelican.expr.node import Expr
from pelican.integers import integer_of
from pelican.tree.arguments import as_mapping
from pelican.tree.kinds import AFFINE, CC_MOD, CLASSES, MODULO, SHARD_ID, SUM
from pelican.tree.printing import brief_text
from pelican.wire.form import (
    CC_MOD_TAG,
    INTEGER_KEYS,
    MAX_DEPTH,
    MAX_NODES,
    NAME_KEYS,
    PART_KEYS,
    TAGS,
    VERSION,
    WireWarning,
    checked_integer,
    shown,
)

_KINDS: Final = {**{tag: kind for kind, tag in TAGS.items()}, CC_MOD_TAG: CC_MOD}


class _Place:
    """One JSON object, and where it stands."""

    __slots__ = ("at", "depth", "value")

    def __init__(self, value: object, at: str, depth: int) -> None:
        if not isinstance(value, dict):
            raise WireError(f"an object is needed, got {shown(value)}", at)
        self.value: dict[str, Any] = value
        self.at = at
        self.depth = depth

    def field(self, key: str) -> Any:  # noqa: ANN401 - any JSON value
        if key not in self.value:
            raise WireError(f"the key {key!r} is missing", self.at)
        return self.value[key]

    def integer(self, key: str) -> int:
        return checked_integer(self.field(key), key, self.at)

    def text(self, key: str) -> str:
        value = self.field(key)
        if not isinstance(value, str):
            raise WireError(f"a text is needed, got {shown(value)}", f"{self.at}/{key}")
        return value

    def list(self, key: str) -> list[Any]:
        value = self.field(key)
        if not isinstance(value, list):
            raise WireError(f"a list is needed, got {shown(value)}", f"{self.at}/{key}")
        return value

    def inner(self, key: str) -> _Place:
        return _Place(self.field(key), f"{self.at}/{key}", self.depth + 1)

    def made(self, build: Callable[..., Expr], *fields: Any, key: str) -> Expr:  # noqa: ANN401
        """Return a node; what it refuses is located at one of the keys."""
        try:
            return build(*fields)
        except PelicanError as error:
            raise WireError(error.message, f"{self.at}/{key}") from None


def from_wire(
    value: object, names: Mapping[str, Expr], *, version: int = VERSION
) -> Expr:
    """Return the plain expression of a JSON object.

    Args:
        value: What a JSON reader made of the text.
        names: The loop index of each axis name, the runtime value of each register;
            a shard id is called as here.
        version: 1 or 2, as the document says that holds the object.

    Raises:
        WireError: If it is no expression of that version.
        OperandError: If `names` is no mapping.
        TooDeepError: If it is nested beyond `MAX_DEPTH`.
        TooLargeError: If it has more than `MAX_NODES` nodes.
    """
    known = as_mapping(names, "reading")
    if integer_of(version) not in {1, VERSION}:
        raise WireError(
            f"version {shown(version)} is unknown", "", hint="it is 1 (old) or 2 (new)"
        )
    read = _read_new if version == VERSION else _read_old
    return read(_Place(value, "", 1), known)


def _read_new(root: _Place, names: Mapping[str, Expr]) -> Expr:
    """Return the expression of an object of version 2, without recursion."""
    made: list[Expr] = []
    stack: list[tuple[_Place, int, bool]] = [(root, _kind(root), False)]
    nodes = 0
    while stack:
        place, kind, ready = stack.pop()
        if ready:
            count = len(list(_inner(place, kind)))
            parts = made[len(made) - count :]
            del made[len(made) - count :]
            made.append(_node(place, kind, parts, names))
            continue
        nodes += 1
        if nodes > MAX_NODES:
            raise TooLargeError(f"the object has more than {MAX_NODES} nodes")
        if place.depth > MAX_DEPTH:
            raise TooDeepError(f"the object is nested beyond a depth of {MAX_DEPTH}")
        stack.append((place, kind, True))
        inner = [(part, _kind(part), False) for part in _inner(place, kind)]
        stack.extend(reversed(inner))
    return made[0]


def _kind(place: _Place) -> int:
    tag = place.text("kind")
    if tag not in _KINDS:
        raise WireError(
            f"the kind {shown(tag)} is unknown",
            f"{place.at}/kind",
            hint=f"known kinds: {', '.join(sorted(_KINDS))}",
        )
    return _KINDS[tag]


def _inner(place: _Place, kind: int) -> Iterator[_Place]:
    """Yield the objects inside an object."""
    if kind == AFFINE:
        for k, term in enumerate(place.list("terms")):
            pair = _Place(term, f"{place.at}/terms/{k}", place.depth)
            yield pair.inner("idx")
    elif kind == SUM:
        for k, term in enumerate(place.list("terms")):
            yield _Place(term, f"{place.at}/terms/{k}", place.depth + 1)
    elif kind in PART_KEYS:
        yield place.inner(PART_KEYS[kind])
    elif kind == CC_MOD:
        yield place.inner("numer")


def _node(
    place: _Place, kind: int, parts: list[Expr], names: Mapping[str, Expr]
) -> Expr:
    if kind == AFFINE:
        return _affine(place, parts)
    if kind == SUM:
        if place.integer("n_terms") != len(parts):
            raise WireError(
                f"n_terms is {place.value['n_terms']}, but it has {len(parts)} terms",
                f"{place.at}/n_terms",
            )
        return place.made(SumExpr, parts, key="terms")
    if kind in NAME_KEYS:
        return _named(place, NAME_KEYS[kind], names, CLASSES[kind])
    if kind == SHARD_ID:
        return _shard(place, names)
    if kind == CC_MOD:
        warnings.warn(
            f"{place.at or 'the top'}: {CC_MOD_TAG} is read as a ModuloExpr, and its "
            "replica group is lost",
            WireWarning,
            stacklevel=4,
        )
        kind = MODULO
    keys = INTEGER_KEYS[kind]
    integers = [place.integer(key) for key in keys]
    return place.made(CLASSES[kind], *parts, *integers, key=_blamed(keys, integers))


def _shard(place: _Place, names: Mapping[str, Expr]) -> Expr:
    """Return the shard id of a count, by its name where it has one."""
    made = place.made(ShardId, place.integer("ub"), key="ub")
    return next((known for known in names.values() if known == made), made)


def _blamed(keys: tuple[str, ...], integers: list[int]) -> str:
    """Return the key that a refused value stands at: one below 1, if there is one."""
    return min(zip(integers, keys, strict=True))[1]


def _named(
    place: _Place, key: str, names: Mapping[str, Expr], wanted: type[AffineIdx]
) -> AffineIdx:
    name = place.text(key)
    found = names.get(name)
    if isinstance(found, wanted):
        return found
    what = "loop index" if wanted is AffineIV else "runtime value"
    raise WireError(
        f"no {what} is called {shown(name)}",
        f"{place.at}/{key}",
        hint=f"known names: {', '.join(sorted(names)) or 'none'}",
    )


def _affine(place: _Place, parts: list[Expr]) -> Expr:
    terms: dict[AffineIdx, int] = {}
    for k, part in enumerate(parts):
        at = f"{place.at}/terms/{k}"
        if not isinstance(part, AffineIdx):
            raise WireError(
                f"a term needs an index, got {brief_text(part)}", f"{at}/idx"
            )
        if part in terms:
            raise WireError(f"the index {part} stands twice", f"{at}/idx")
        pair = _Place(place.value["terms"][k], at, place.depth)
        terms[part] = pair.integer("coeff")
    return AffineExpr(terms.items(), place.integer("c"))


def _read_old(place: _Place, names: Mapping[str, Expr]) -> Expr:
    """Return the expression of an object of version 1: an affine body, an operation."""
    terms: dict[AffineIdx, int] = {}
    for k, value in enumerate(place.list("terms")):
        term = _Place(value, f"/terms/{k}", 2)
        axis = _named(term, "AxisLabel", names, AffineIV)
        if axis in terms:
            raise WireError(f"the index {axis} stands twice", f"{term.at}/AxisLabel")
        terms[axis] = term.integer("coef")
    base = AffineExpr(terms.items(), place.integer("c"))
    if "op" not in place.value:
        return base
    op, operand = place.text("op"), place.integer("op_param")
    if op == "Mod":
        return place.made(ModuloExpr, base, operand, key="op_param")
    if op == "Div":
        return place.made(FloorDivExpr, base, operand, key="op_param")
    if op == "CCGetRank":
        return place.made(CCDivExpr, base, operand, 0, key="op_param")
    if op == "IndirectArgId":
        if base != 0:
            raise WireError(
                f"an argument stands for itself, got the base {brief_text(base)}", ""
            )
        return place.made(IndirectArg, operand, key="op_param")
    raise WireError(
        f"the operation {shown(op)} is unknown",
        "/op",
        hint="known operations: Mod, Div, CCGetRank, IndirectArgId",
    )
