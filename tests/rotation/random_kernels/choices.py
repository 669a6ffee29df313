"""Random texts from choices: drawn, written again, and made simpler.

All choices come from one function, `pick(n)`, which gives a number below n. It may
draw from a seeded generator, which is fast, from hypothesis, or from a list of
numbers: what `choices_of` found for a seed, and `shrunk` made as simple as it gets.
The choice 0 is always the simplest one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

Pick = Callable[[int], int]
Write = Callable[[Pick], str]


def replayed(write: Write, choices: Sequence[int]) -> str:
    """Return the text of a list of choices; what is missing is 0."""
    left = iter(choices)
    return write(lambda n: next(left, 0) % n)


def choices_of(write: Write, seed: int) -> list[int]:
    """Return the choices behind the text of a seed."""
    random, made = Random(seed), []

    def pick(n: int) -> int:
        made.append(random.randrange(n))
        return made[-1]

    write(pick)
    return made


def shrunk(write: Write, choices: Sequence[int], fails: Callable[[str], bool]) -> str:
    """Return a simpler text that fails too.

    Args:
        write: Writes a text from choices.
        choices: The choices behind a text that fails.
        fails: Whether a text fails.
    """
    best = list(choices)
    width = len(best)
    while width:
        at = 0
        while at < len(best):
            cut, zero = best[:at] + best[at + width :], list(best)
            zero[at : at + width] = [0] * len(zero[at : at + width])
            simpler = [
                c for c in (cut, zero) if c != best and fails(replayed(write, c))
            ]
            if simpler:
                best = simpler[0]
            if not simpler or simpler[0] is zero:
                at += width
        width //= 2
    return replayed(write, best)
