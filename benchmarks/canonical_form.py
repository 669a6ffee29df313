"""The share of equal expressions that get one form.

    python -m benchmarks.canonical_form --pairs 2000 --seed 1

A pair is a random tree of depth 3 over four indices, about half of them without a
range, and the same tree after 1 to 8 random identities of arithmetic at random places
(`tests.pelican.canonical_pairs`). A pair counts once z3 or enumeration has shown that
its sides are equal. Both are simplified; the share of pairs whose sides then print the
same is written, and the other pairs are listed, the shortest first.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from pelican import Expr, simplify
from pelican.tree.traverse import indices
from proofs import Proved, prove_equal
from tests.pelican.canonical_pairs import pairs


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the share and the pairs that do not print the same; return 0."""
    options = argparse.ArgumentParser(description="Measure the canonical form.")
    options.add_argument("--pairs", type=int, default=2_000, help="how many")
    options.add_argument("--seed", type=int, default=1, help="which series")
    chosen = options.parse_args(arguments)
    counted = same = 0
    others: list[tuple[str, str, str]] = []
    for before, after in pairs(chosen.seed, chosen.pairs):
        if not isinstance(prove_equal(before, after), Proved):
            continue
        counted += 1
        left, right = simplify(before), simplify(after)
        if str(left) == str(right):
            same += 1
        else:
            others.append((str(left), str(right), _ranges(left, right)))
    sys.stdout.write(
        f"seed {chosen.seed}: {same} of {counted} pairs print the same, "
        f"{100 * same / max(1, counted):.2f} percent; "
        f"{chosen.pairs - counted} pairs not decided\n"
    )
    for left_text, right_text, ranges in sorted(others, key=lambda m: len("".join(m))):
        sys.stdout.write(f"{left_text}\n    {right_text}{ranges}\n")
    return 0


def _ranges(left: Expr, right: Expr) -> str:
    found = {str(i): i.range for i in (*indices(left), *indices(right))}
    known = [
        f"{name} in [{span.lo}, {span.hi}]"
        for name, span in sorted(found.items())
        if span.lo is not None
    ]
    return f"    for {', '.join(known)}" if known else ""


if __name__ == "__main__":
    sys.exit(main())
