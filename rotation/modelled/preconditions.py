"""When a rotation pass may run: by its name, and by attributes of the function.

The listing of the modelled system asks for attributes one after the other, so that one
pass would run the paths of others too. Here the name of the pass chooses the path, and
attributes are only what it needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from rotation.passes.attributes import FunctionAttribute


class Path(Enum):
    """What a rotation pass does; the value is its name in messages."""

    PSUM = "address_rotation_psum"
    SB = "address_rotation_sb"
    DRAM = "address_rotation_dram"
    PSUM_POST_SCHEDULE = "address_rotation_psum_post_schedule"
    SB_POST_SCHEDULE = "address_rotation_sb after post_sched"


class Precondition(NamedTuple):
    """Attributes that must be true, and that must not."""

    needs: frozenset[FunctionAttribute]
    forbids: frozenset[FunctionAttribute] = frozenset()


PRECONDITIONS: Final[dict[Path, Precondition]] = {
    Path.PSUM: Precondition(
        frozenset({FunctionAttribute.PSUM_ALLOCATED}),
        frozenset({FunctionAttribute.SB_ALLOCATED}),
    ),
    Path.SB: Precondition(frozenset({FunctionAttribute.SB_ALLOCATED})),
    Path.DRAM: Precondition(frozenset({FunctionAttribute.DRAM_ALLOCATED})),
    Path.PSUM_POST_SCHEDULE: Precondition(
        frozenset({FunctionAttribute.PSUM_ALLOCATED, FunctionAttribute.POST_SCHEDULED})
    ),
    Path.SB_POST_SCHEDULE: Precondition(
        frozenset({FunctionAttribute.SB_ALLOCATED, FunctionAttribute.POST_SCHEDULED})
    ),
}
"""The attributes of each path.

Source: the dispatch of the modelled system (docs/modelled.md).
"""


def unmet(path: Path, attributes: Mapping[FunctionAttribute, bool]) -> str | None:
    """Return why a path may not run on a function, or None if it may.

    >>> unmet(Path.SB, {FunctionAttribute.SB_ALLOCATED: False})
    'attribute 10 (sb_allocated) is not true'
    """
    needs, forbids = PRECONDITIONS[path]
    for attribute in sorted(needs):
        if not attributes.get(attribute, False):
            return f"attribute {attribute} ({attribute.name.lower()}) is not true"
    for attribute in sorted(forbids):
        if attributes.get(attribute, False):
            return f"attribute {attribute} ({attribute.name.lower()}) is true already"
    return None
