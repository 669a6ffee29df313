import ast
from pathlib import Path

import pytest

import rotation.check

FOLDER = Path(rotation.check.__file__).parent
DATA = {
    "rotation.errors",
    "rotation.kept.data",
    "rotation.loop_form.kernel",
    "rotation.machine.machine",
    "rotation.unrolled.program",
}
SOLVER = {
    "pelican",
    "pelican.tree.kinds",
    "pelican.expr.node",
    "pelican.questions.substitute",
    "pelican.tree.traverse",
    "proofs",
    "proofs.verdict",
}
"""What a checker that asks the solver writes its questions with."""
ALSO = {"kept.py": SOLVER, "moved_pins.py": {"pelican.tree.traverse"}}
"""What single checkers import too; the second evaluates places beyond a loop."""
LIBRARY = {
    "__future__",
    "collections.abc",
    "dataclasses",
    "itertools",
    "math",
    "numpy",
    "typing",
}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda p: p.name)
def test_a_checker_shares_no_code_with_a_pass(path: Path):
    """Checkers import the data modules, each other and numpy; one asks the solver."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module or "")
    others = {m for m in modules if not m.startswith("rotation.check.")}

    assert others <= DATA | LIBRARY | ALSO.get(path.name, set())
