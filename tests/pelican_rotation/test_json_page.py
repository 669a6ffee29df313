"""The page of the JSON objects names the fields that real objects have."""

import json
import re
from dataclasses import replace
from inspect import signature
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pelican_rotation.cli.pelican import app as pelican
from pelican_rotation.cli.rotation import app as rotation
from proofs import book
from rotation import PlanError, explain, run
from rotation.explaining.explanation import to_json as explain_to_json
from rotation.running.result import refused, to_json
from tests.rotation.explaining.kernels import OUTSIDE
from tests.rotation.programs import COPY, STREAM, TURNS, kernel
from tests.rotation.running.kernels import TIGHT

PAGE = Path(__file__).parents[2] / "docs/json.md"
EXAMPLES = PAGE.parents[1] / "examples"
IDLE = COPY.replace("RING", "").replace("[0, 4)", "[0, 0)")
OPEN = {
    "passes[].statistics": "NAME",
    "memory": "SPACE",
    "edges.before": "KIND",
    "edges.after": "KIND",
    "engines": "ENGINE",
    "engines.ENGINE.idle_ns": "CAUSE",
    "loops[].idle_ns": "CAUSE",
    "timeline[].iteration": "INDEX",
    "slots[].cost_bytes": "SPACE",
    "passes[].options": "NAME",
    "lemmas[].guards[].counterexample": "NAME",
    "ranges[].guards[].counterexample": "NAME",
    "steps[].binding": "NAME",
    "counterexample": "NAME",
    "claims[].counterexample": "NAME",
    "claims[].other": "NAME",
}
"""Objects whose keys are names; each with the word that stands for all of them."""


def fields(value: object, path: str = "") -> set[str]:
    """Return the paths of all values that are no objects, nor lists of objects."""
    if isinstance(value, dict):
        keys = ((OPEN.get(path, key), item) for key, item in value.items())
        inside = (fields(item, f"{path}.{key}".lstrip(".")) for key, item in keys)
        return set().union(*inside)
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return set().union(*(fields(item, f"{path}[]") for item in value))
    return {path}


def innermost(paths: set[str]) -> set[str]:
    """Return the paths that no other path goes on from."""
    return {
        path
        for path in paths
        if not any(other.startswith((f"{path}.", f"{path}[")) for other in paths)
    }


def listed(command: str) -> set[str]:
    """Return the innermost fields in the table under a heading of the page."""
    section = PAGE.read_text(encoding="utf-8").split(f"## {command}\n")[1]
    rows = re.findall(r"^\| `(.+?)` \|", section.split("\n## ")[0], re.MULTILINE)
    assert len(rows) == len(set(rows))
    return innermost(set(rows))


def test_the_fields_of_a_run_are_listed():
    """Runs with hazards, with pins, kept, idle, and one refused, show every field."""
    function = kernel(STREAM)
    hazardous = to_json(run(function, skip_passes=["anti_dependency_analyzer"]))
    wrong = to_json(refused(function, "planning", PlanError("too long")))
    pinned = run(kernel(COPY.replace("RING", "byte 0 part 0")))

    kept = to_json(run(kernel(COPY.replace("RING", "").replace("4)", "%n)"))))
    idle = to_json(run(kernel(IDLE)))
    documents = (hazardous, wrong, to_json(pinned, timeline=True), kept, idle)

    found = innermost(set().union(*map(fields, documents)))

    assert found == listed("`rotation run --json`")


def test_the_fields_of_a_batch_are_listed():
    """One that has an answer and one that has none; what is in a result is above."""
    good, bad = (str(EXAMPLES / f"{name}.kernel") for name in ("first_ring", "no"))
    done = CliRunner().invoke(rotation, ["batch", good, bad, "--jobs=1", "--json"])
    document = json.loads(done.stdout)
    document["kernels"][0]["result"] = "the object of a run"
    found = innermost(fields(document))

    assert found == listed("`rotation batch --json`")


def test_the_fields_of_an_explanation_are_listed():
    """One that turns, one left as it was, one idle and a queue show every field."""
    turning = explain_to_json(explain(kernel(TURNS)))
    packed = explain_to_json(explain(kernel(TIGHT), try_slots=False))
    shared = explain_to_json(explain(kernel(OUTSIDE)))
    told = explain(kernel(TURNS), try_slots=False)
    behind = next(wait for wait in told.waits if wait.blocked is not None)
    queue = replace(behind, front=behind.blocked)  # no order of ours leaves such a wait
    queued = explain_to_json(replace(told, waits=(queue,)))
    idle = explain_to_json(explain(kernel(IDLE), try_slots=False))
    objects = (turning, packed, shared, queued, idle)
    found = innermost(set().union(*map(fields, objects)))

    assert found == listed("`rotation explain --json`")


@pytest.mark.parametrize("command", ["passes", "machines"])
def test_the_fields_of_a_list_are_listed(command: str):
    """One object, one table each; a pass without options shows none."""
    done = CliRunner().invoke(rotation, [command, "--json"])
    found = innermost(fields(json.loads(done.stdout)))

    assert found == listed(f"`rotation {command} --json`")


def test_the_fields_of_simplify_are_listed():
    """One object, one table."""
    words = ["x mod 8 mod 4", "--index", "x", "--json"]
    done = CliRunner().invoke(pelican, ["simplify", *words])

    assert fields(json.loads(done.stdout)) == listed("`pelican simplify --json`")


def test_the_fields_of_explain_are_listed():
    """Its table is that of the object."""
    words = ["x mod 8 mod 4", "--index", "x", "--json"]
    done = CliRunner().invoke(pelican, ["explain", *words])

    assert fields(json.loads(done.stdout)) == listed("`pelican explain --json`")


def test_the_fields_of_prove_are_listed(monkeypatch: pytest.MonkeyPatch):
    """A law and a rule of ranges with guards show every field."""
    for name in ("LEMMAS", "RANGE_RULES"):
        guarded = next(record for record in getattr(book, name) if record.given)
        monkeypatch.setattr(book, name, (guarded,))
    for name in ("BUILDER", "IDENTITIES", "CONGRUENCE_RULES"):
        monkeypatch.setattr(book, name, ())
    monkeypatch.setattr(book, "prove_evaluator", lambda: ())
    done = CliRunner().invoke(pelican, ["prove", "--json"])
    found = fields(json.loads(done.stdout))
    rules = {name for name in found if name.startswith("ranges[]")}

    assert {n.replace("ranges", "lemmas") for n in rules} <= found
    assert found - rules | {"ranges[]"} == listed("`pelican prove --json`")


QUESTIONS = {
    "range": ["x"],
    "eval": ["x", "--at", "x=3"],
    "equiv": ["x", "-x"],
}


@pytest.mark.parametrize(("command", "words"), QUESTIONS.items(), ids=QUESTIONS)
def test_the_fields_of_a_question_are_listed(command: str, words: list[str]):
    """One object, one table each."""
    done = CliRunner().invoke(pelican, [command, *words, "--index", "x", "--json"])

    assert fields(json.loads(done.stdout)) == listed(f"`pelican {command} --json`")


def test_the_fields_of_check_are_listed(tmp_path: Path):
    """A refuted claim about two points, something shown and a mistake show each."""
    lines = ("index i in [0, 8)", "show i", "check distinct i mod 2 for i, i + 2")
    file = tmp_path / "claims.pel"
    file.write_text("\n".join((*lines, "show j", "")))
    done = CliRunner().invoke(pelican, ["check", str(file), "--json"])

    assert fields(json.loads(done.stdout)) == listed("`pelican check --json`")


def test_the_fields_of_fmt_are_listed(tmp_path: Path):
    """A file that is laid out and one with a mistake show each."""
    for name, text in (("good.pel", "index  i\n"), ("bad.pel", "index\n")):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("good.pel", "bad.pel")]
    done = CliRunner().invoke(pelican, ["fmt", "--check", *files, "--json"])

    assert fields(json.loads(done.stdout)) == listed("`pelican fmt --json`")


def test_the_fields_of_fmt_of_kernels_are_listed(tmp_path: Path):
    """As those of `pelican fmt`."""
    for name, text in (("good.kernel", "kernel k on trn2 {}"), ("bad.kernel", "k")):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("good.kernel", "bad.kernel")]
    done = CliRunner().invoke(rotation, ["fmt", "--check", *files, "--json"])

    assert fields(json.loads(done.stdout)) == listed("`rotation fmt --json`")


@pytest.mark.parametrize("app", [pelican, rotation], ids=lambda app: app.info.name)
def test_every_command_with_an_object_is_listed(app: typer.Typer):
    """A command that takes `--json` has a section."""
    made = {command.name: command.callback for command in app.registered_commands}
    with_object = {
        name
        for name, made_by in made.items()
        if "as_json" in signature(made_by).parameters
    }
    page = PAGE.read_text(encoding="utf-8")
    sections = re.findall(rf"^## `{app.info.name} (\w+) --json`$", page, re.MULTILINE)

    assert with_object == set(sections)


def test_the_fields_of_a_placed_check_are_listed(tmp_path: Path):
    """A program with a hazard shows every field."""
    example = PAGE.parents[1] / "examples/two_slots.placed"
    file = tmp_path / "wrong.placed"
    file.write_text(example.read_text().replace("  edge 6 -> 2 anti distance 2\n", ""))
    done = CliRunner().invoke(rotation, ["check", str(file), "--json"])

    assert fields(json.loads(done.stdout)) == listed("`rotation check --json`")


def test_the_fields_of_convert_are_listed():
    """One object, one table."""
    done = CliRunner().invoke(pelican, ["convert", "7", "--to", "mlir", "--json"])

    assert fields(json.loads(done.stdout)) == listed("`pelican convert --json`")


def test_the_fields_of_an_error_are_listed():
    """An input that cannot be read."""
    done = CliRunner().invoke(rotation, ["run", "none.kernel", "--json"])

    assert fields(json.loads(done.stdout)) == listed("Input that cannot be read")
