"""`import pelican` is light: it brings no heavy module with it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = ["dataclasses", "inspect", "re", "typing", "lark", "numpy", "sympy", "z3"]


def loaded_by(statement: str) -> set[str]:
    """Return the heavy modules that a bare interpreter has after a statement."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); {statement}\n"
        f"print(*[m for m in {HEAVY} if m in sys.modules])"
    )
    run = [sys.executable, "-I", "-S", "-c", code]
    return set(
        subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    )


def test_importing_pelican_loads_nothing_heavy():
    """No parser, no solver, no numpy, and nothing that loads `re`."""
    assert loaded_by("import pelican") == set()


def test_building_loads_nothing_heavy():
    """Building, simplifying, printing and evaluating load nothing heavy either."""
    work = (
        "i = pelican.index('i', 0, 8); str((9*i + 3) % 8); ((i + 8) % 8).eval({i: 3});"
        "pelican.to_pel((9*i + 3) % 7)"
    )

    assert loaded_by(f"import pelican; {work}") == set()


def test_texts_without_a_parser_load_nothing_heavy():
    """LaTeX, C and Python text and the width of a program need no library."""
    work = (
        "from pelican.interchange import c, latex; "
        "i = pelican.index('i', 0, 8); e = (9*i + 3) % 7; "
        "e._repr_latex_(); c.to_c(e); pelican.fits(e, 32)"
    )

    assert loaded_by(f"import pelican; {work}") == set()
