"""Names of indices in other languages: unique, plain, and no words of the language."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pelican.expr import AffineIdx


def plain_names(
    indices: Iterable[AffineIdx], reserved: Collection[str] = ()
) -> dict[AffineIdx, str]:
    """Return a name of ASCII letters, digits and ``_`` for each index.

    An index keeps its own name where it can. A second index of one name, or a name
    that is a word of the language, gets a number behind it: ``i_2``.

    Args:
        indices: Distinct indices; the first of one name keeps it.
        reserved: Words that no index may be called.

    >>> from pelican import index
    >>> list(plain_names([index("i"), index("i"), index("for")], {"for"}).values())
    ['i', 'i_2', 'for_2']
    """
    wanted = {idx: idx.name for idx in indices}
    first = {name: idx for idx, name in reversed(wanted.items())}
    taken = {*reserved, *first}
    names: dict[AffineIdx, str] = {}
    for idx, name in wanted.items():
        plain = first[name] is idx and name not in reserved
        names[idx] = name if plain else _numbered(name, taken)
        taken.add(names[idx])
    return names


def _numbered(name: str, taken: Collection[str]) -> str:
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def temporary_prefix(names: Collection[str]) -> str:
    """Return a prefix with which no name starts, for names such as ``t0``."""
    prefix = "t"
    while any(name.startswith(prefix) and name[-1].isdigit() for name in names):
        prefix += "_"
    return prefix
