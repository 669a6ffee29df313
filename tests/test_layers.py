"""The frame of the project: which file may import what, and how long a file is."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.sources import MAY_IMPORT, ROOT, SOURCES, TESTS, imports

HOMES = {
    "z3": ("proofs/",),
    "cvc5": ("proofs/",),
    "lark": (
        "pelican/text/parsers.py",
        "pelican/text/expressions.py",
        "pelican/text/declarations.py",
        "pelican/pel/",
        "pelican/text/terms.py",
        "pelican/interchange/mlir.py",
        "pelican/interchange/isl.py",
        "pelican/interchange/trees.py",
        "rotation/text/",
    ),
    "sympy": ("pelican/interchange/sympy.py",),
    "bokeh": ("pelican_rotation/report/",),
    "drawsvg": ("pelican/access/picture.py",),
    "numba": ("pelican/evaluation/jitted.py",),
    "islpy": ("pelican/interchange/isl.py",),
    "distributed": ("pelican_rotation/batch/cluster.py",),
    "pygls": ("pelican_rotation/lsp.py",),
    "lsprotocol": ("pelican_rotation/lsp.py",),
    "pyroaring": ("rotation/modelled/",),
    "numpy": (
        "pelican/evaluation/compiled.py",
        "pelican/evaluation/columns.py",
        "pelican/evaluation/calls.py",
        "proofs/",
        "rotation/",
    ),
}
MAX_LINES = 400

FOLDERS = (
    *("core", "tree", "known", "laws", "lemmas", "strategies", "engine", "questions"),
    *("expr", "access", "evaluation", "derivations", "text", "interchange", "wire"),
    "pel",
)
"""The folders of pelican: a file imports its own and those before it."""

ABOVE = {
    "pelican/core/running.py": {"tree"},  # it looks which core runs
    "pelican/expr/interface.py": {"access", "evaluation"},  # what nodes can be asked
    "pelican/laws/equations.py": {"lemmas"},  # it reads the records
    "pelican/laws/generate_rules.py": {"lemmas"},  # it writes their rules as code
    "pelican/laws/generate_sides.py": {"lemmas"},  # it writes their sides as code
    "pelican/questions/claims.py": {"access"},  # claims speak of patterns and maps
    "pelican/text/parsers.py": {"pel"},  # the first words of statements
}
"""The files that import folders above their own."""


@pytest.mark.parametrize("path", SOURCES)
def test_imports_point_down(path: str):
    """A file imports its own layer and lower ones."""
    layer = path.split("/", maxsplit=1)[0]
    roots = {module.split(".")[0] for module in imports(path)}

    assert roots & set(MAY_IMPORT) <= MAY_IMPORT[layer] | {layer}


@pytest.mark.parametrize("path", TESTS)
def test_what_a_test_imports_of_the_tests_is_there(path: str):
    """A helper that has moved is looked for where it is."""
    ours = [module for module in imports(path) if module.startswith("tests.")]
    files = [ROOT / module.replace(".", "/") for module in ours]

    assert all(file.with_suffix(".py").is_file() or file.is_dir() for file in files)


@pytest.mark.parametrize("path", TESTS)
def test_what_tests_share_is_in_no_test(path: str):
    """A file of tests is imported by none: a helper has a module of its own."""
    names = [module.rpartition(".")[2] for module in imports(path)]

    assert [name for name in names if name.startswith("test_")] == []


@pytest.mark.parametrize("path", SOURCES)
def test_the_command_line_is_the_top(path: str):
    """What commands print, read and exit with is not imported below them."""
    cli = "pelican_rotation/cli/"
    tops = [m for m in imports(path) if m.startswith(cli.replace("/", ".")[:-1])]

    assert not tops or path.startswith(cli)


@pytest.mark.parametrize("path", SOURCES)
def test_a_heavy_library_stays_at_home(path: str):
    """z3 is imported in proofs only, lark in the text modules only, and so on."""
    roots = {module.split(".")[0] for module in imports(path)}

    assert all(path.startswith(HOMES[root]) for root in roots & set(HOMES))


def test_pelican_has_no_import_cycle():
    """Inside pelican the modules stand in one order."""
    graph = {
        path: [
            f"{module.replace('.', '/')}.py"
            for module in run_time_imports(path)
            if module.startswith("pelican.")
        ]
        for path in SOURCES
        if path.startswith("pelican/") and not path.endswith("__init__.py")
    }
    done: set[str] = set()
    while left := {path for path in graph if path not in done}:
        ready = {p for p in left if all(q in done or q not in graph for q in graph[p])}
        assert ready, f"a cycle among {sorted(left)}"
        done |= ready


def test_the_folders_of_pelican_stand_in_an_order():
    """A file imports folders below its own, but for those that are named here."""
    above: dict[str, set[str]] = {}
    for path in SOURCES:
        layer, *inside = path.split("/")
        if layer != "pelican" or inside == ["__init__.py"]:
            continue
        place = FOLDERS.index(inside[0]) if len(inside) > 1 else -1
        for module in run_time_imports(path):
            names = module.split(".")
            if names[0] == "pelican" and (set(names[1:2]) & {*FOLDERS[place + 1 :]}):
                above.setdefault(path, set()).add(names[1])

    assert above == ABOVE


def run_time_imports(path: str) -> Iterator[str]:
    """Yield the modules that a file imports at its top level."""
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", [*SOURCES, *TESTS])
def test_a_file_is_short(path: str):
    """A file of sources or of tests has fewer than 400 lines."""
    assert len((ROOT / path).read_text(encoding="utf-8").splitlines()) < MAX_LINES


def test_the_readme_has_the_two_commands():
    """The commands that the gate runs are those that the README shows."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^make \w+$", readme, re.MULTILINE)

    assert commands[:2] == ["make demo", "make test"]
