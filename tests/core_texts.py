"""Write what some expressions are, one a line, by the core that runs.

The lines of both cores are compared: they must be the same.
"""

from random import Random

from pelican import PelicanError, index, rank, runtime, shard, symbol, tile
from pelican.core.running import COMPILED
from pelican.expr import SumExpr
from pelican.expr.node import Expr

DRAWS = 400
DEPTH = 4


def leaves() -> list[Expr]:
    """Return indices of each kind: bounded and not, with and without a step."""
    i = index("i", 0, 64)
    return [
        i,
        index("j", -3, 13, 4),
        index("n"),
        symbol("m", 4, 64, 4),
        runtime("r", 0, 9),
        shard(4),
        tile(i, 8),
        rank(0, 1),
    ]


def drawn(draw: Random, atoms: list[Expr], depth: int) -> Expr:
    """Return an expression that is built by operators, and sometimes a raw sum."""
    if not depth or draw.random() < 0.15:
        return draw.choice(atoms)
    part = drawn(draw, atoms, depth - 1)
    number = draw.choice([1, 2, 3, 4, 7, 8, 12, 64, 4096, 2**40])
    match draw.randrange(7):
        case 0:
            return part + drawn(draw, atoms, depth - 1)
        case 1:
            return part - number * drawn(draw, atoms, depth - 1)
        case 2:
            return -number * part + draw.randrange(-99, 99)
        case 3 | 4:
            return part % number
        case 5:
            return part // number
        case _:
            return SumExpr([part, drawn(draw, atoms, depth - 1), number])


def line(expr: Expr) -> str:
    """Return the text of an expression, what is known of it, and its simplest form."""
    known = f"{expr.range} {expr.stride} {expr.values} {hash(expr)} {expr.nodes}"
    try:
        return f"{expr} | {known} | {expr.simplify()} | {(expr + 5) % 48}"
    except PelicanError as error:
        return f"{expr} | {known} | {error}"


def main() -> None:
    """Write which core runs, then the lines."""
    print(COMPILED)  # noqa: T201 - what another process reads
    draw = Random(7)
    atoms = leaves()
    for _ in range(DRAWS):
        print(line(drawn(draw, atoms, DEPTH)))  # noqa: T201 - the same


if __name__ == "__main__":
    main()
