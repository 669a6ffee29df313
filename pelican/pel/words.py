"""The words that files of declarations and claims keep for themselves."""

from __future__ import annotations

from pelican.expr import RESERVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

STATEMENTS: Final = (
    *("index", "symbol", "shard", "runtime", "assume", "let", "pattern", "map"),
    *("show", "check"),
)
"""The words that begin a statement, in the order in which people need them."""

KEYWORDS: Final = RESERVED.union(
    STATEMENTS,
    ("in", "step", "of", "partition", "at", "free", "onto", "inverse"),
    ("distinct", "for", "disjoint", "injective", "bijective"),
)
"""No name in a file may be one of these."""
