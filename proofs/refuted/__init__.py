"""Laws that look right and are wrong, each in a file with its counterexample.

Every past mistake about mod and floordiv stays here: a solver that accepts one of
these proves nothing. A file has these keys:

* ``claim``: the law, two sides and ``==``; each divisor is >= 1;
* ``given``: the facts under which it is claimed, if any;
* ``expressions``: the names that stand for any expression; others are literals;
* ``tempting``: why it looks right;
* ``source``: where the mistake is met;
* ``counterexample``: a point known to refute it;
* ``shape``: facts that every counterexample satisfies, as the solver proves.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from pelican.laws.lemma import Fact, Lemma
from pelican.text.terms import read_fact

SUFFIX: Final = ".toml"


@dataclass(frozen=True, slots=True)
class WrongLaw:
    """A law that fails.

    Attributes:
        law: The record; its source says where the mistake is met.
        tempting: Why it looks right.
        counterexample: A point known to refute it.
        shape: What every counterexample satisfies.
    """

    law: Lemma
    tempting: str
    counterexample: Mapping[str, int]
    shape: tuple[Fact, ...]


def _read(name: str, entry: Mapping[str, Any]) -> WrongLaw:
    def facts(key: str) -> tuple[Fact, ...]:
        texts = entry.get(key, [])
        return tuple(read_fact(text, entry["expressions"]) for text in texts)

    claim = read_fact(entry["claim"], entry["expressions"])
    law = Lemma(
        name=name,
        lhs=claim.left,
        rhs=claim.right,
        given=facts("given"),
        source=entry["source"],
    )
    return WrongLaw(law, entry["tempting"], entry["counterexample"], facts("shape"))


def _corpus() -> Iterator[WrongLaw]:
    folder = files(__name__)
    found = (file for file in folder.iterdir() if file.name.endswith(SUFFIX))
    for file in sorted(found, key=lambda file: file.name):
        entry = tomllib.loads(file.read_text(encoding="utf-8"))
        yield _read(file.name.removesuffix(SUFFIX), entry)


REFUTED: Final = tuple(_corpus())
"""Every wrong law of the corpus, by name."""
