"""What it costs to begin: imports, help, and reading one text.

    python -m benchmarks.startup

Imports and commands are timed in processes of their own, in turn with what they are
compared with, so that what else the machine does meets both; figures are medians of
processor time, with compiled bytecode, as an installed package has it. A text is read
by pelican and by the bare parser library with positions, from the same grammar.
`ratio` is ours divided by theirs.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from lark import Lark

import pelican
from grammar import EXPR
from pelican.text.expressions import parse_expression

ROUNDS: Final = 15
TEXT: Final = "(1234 + 77*i + 64*j + k) mod 4096"
READS: Final = 300

PAIRS: Final = (
    ("import pelican", "import pelican", "import xdsl.ir.affine"),
    (
        "pelican --help",
        "import sys; sys.argv = ['pelican', '--help'];"
        "from pelican_rotation.cli.pelican import main; main()",
        "import typer",
    ),
    (
        "rotation --help",
        "import sys; sys.argv = ['rotation', '--help'];"
        "from pelican_rotation.cli.rotation import main; main()",
        "import typer",
    ),
)
"""Title, our statement, theirs."""


def main() -> int:
    """Write the table."""
    sys.stdout.write("| work | ours | theirs | ratio |\n|---|---|---|---|\n")
    for title, ours, theirs in PAIRS:
        here = title.startswith("import")
        _line(title, *_alternating(ours, theirs, without_start=here), "ms")
    for title, figures in read().items():
        _line(title, *figures, "us")
    return 0


def _line(title: str, ours: float, theirs: float, unit: str) -> None:
    cells = f"{ours:.3g} {unit} | {theirs:.3g} {unit} | {ours / theirs:.2f}"
    sys.stdout.write(f"| {title} | {cells} |\n")


def _alternating(ours: str, theirs: str, *, without_start: bool) -> tuple[float, float]:
    """Return medians of milliseconds of two statements, run in turn.

    Args:
        ours: A statement.
        theirs: What it is compared with.
        without_start: Leave out the start of the interpreter.
    """
    clock = _statement if without_start else _process
    with TemporaryDirectory() as bytecode:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        both = partial(clock, environment=environment)
        both(ours), both(theirs)  # this compiles them
        taken = [(both(ours), both(theirs)) for _ in range(ROUNDS)]
    one, other = (statistics.median(column) for column in zip(*taken, strict=True))
    return one, other


def _process(statement: str, *, environment: Mapping[str, str]) -> float:
    begin = _of_children_s()
    command = [sys.executable, "-c", statement]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environment)
    return (_of_children_s() - begin) * 1e3


def _of_children_s() -> float:
    """Return the processor time of the processes that have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _statement(statement: str, *, environment: Mapping[str, str]) -> float:
    code = (
        "from time import process_time; begin = process_time()\n"
        f"{statement}\nprint((process_time() - begin) * 1e3)"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, text=True, env=environment
    )
    return float(done.stdout)


def read() -> dict[str, tuple[float, float]]:
    """Return microseconds to read one ring address, by pelican and by the parser."""
    names = {name: pelican.index(name, 0, 1000) for name in "ijk"}
    bare = Lark(EXPR, parser="lalr", propagate_positions=True)
    read_text = partial(parse_expression, TEXT, names, name="<text>")
    ways: dict[str, Callable[[], object]] = {
        "read a ring address, raw": partial(read_text, simplify=False),
        "read a ring address, simplified": partial(read_text, simplify=True),
    }
    found = {}
    for title, ours in ways.items():
        taken = [(_each(ours), _each(partial(bare.parse, TEXT))) for _ in range(5)]
        one, other = (statistics.median(column) for column in zip(*taken, strict=True))
        found[title] = one, other
    return found


def _each(work: Callable[[], object]) -> float:
    begin = process_time()
    for _ in range(READS):
        work()
    return (process_time() - begin) / READS * 1e6


if __name__ == "__main__":
    sys.exit(main())
