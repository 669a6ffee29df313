"""Placed programs on the command line: dumps, `rotation check`, `--no-hand`, `--hi`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pelican_rotation.cli.rotation import app
from rotation.running.dump import load_placed
from tests.rotation.programs import COPY

ROOT = Path(__file__).parents[2]
EXAMPLE = str(ROOT / "examples/two_slots.placed")
DOCUMENT = str(ROOT / "tests/rotation/data/kernels.json")


def rotation(*arguments: str):
    """Run the command."""
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def copy(tmp_path: Path) -> str:
    """Return a file of a small kernel."""
    file = tmp_path / "copy.kernel"
    file.write_text(COPY.replace("RING", ""))
    return str(file)


def test_a_placed_program_is_checked():
    """What each check says, and the makespan."""
    done = rotation("check", EXAMPLE)

    assert done.exit_code == 0
    assert "two_slots on planning: 12 instructions, 9,428.408 ns" in done.stdout
    for check in ("capacity", "overlap", "dependence", "race", "equivalence"):
        assert f"{check}: ok" in done.stdout


def test_a_changed_program_has_hazards(tmp_path: Path):
    """Exit code 1, and each hazard on a line of its own."""
    text = Path(EXAMPLE).read_text()
    file = tmp_path / "wrong.placed"
    file.write_text(text.replace("  edge 6 -> 2 anti distance 2\n", ""))
    done = rotation("check", str(file))
    found = json.loads(rotation("check", str(file), "--json").stdout)

    assert done.exit_code == 1
    assert "race: 1" in done.stdout
    assert "race: ld[i = 2] (line 10) writes t[i = 2], but nothing" in done.stdout
    assert [h["check"] for h in found["hazards"]] == ["overlap", "race"]
    assert found["equivalent"] is False


@pytest.mark.parametrize("arguments", [["none.placed"], [EXAMPLE, "three_slots"]])
def test_what_cannot_be_read_exits_2(arguments: list[str]):
    """No traceback; a JSON object where one is asked for."""
    done = rotation("check", *arguments)

    assert done.exit_code == 2
    assert done.stderr.startswith("error: ")
    assert json.loads(rotation("check", *arguments, "--json").stdout)["errors"]


def test_the_program_after_a_pass_can_be_checked(copy: str, tmp_path: Path):
    """Standard output holds the dump alone; the screen goes beside it."""
    done = rotation("run", copy, "--print-after", "perf_sim")
    file = tmp_path / "copy.placed"
    file.write_text(done.stdout)

    assert done.stdout.startswith("# after perf_sim\nkernel copy on planning {")
    assert "copy on planning, planning timing: accepted" in done.stderr
    assert rotation("check", str(file)).exit_code == 0


def test_with_an_object_the_dump_goes_to_standard_error(copy: str):
    """Standard output is one JSON object, whatever else is wanted."""
    done = rotation("run", copy, "--print-after", "unroll", "--json")

    assert json.loads(done.stdout)["verdict"] == "accepted"
    assert done.stderr.startswith("# after unroll\nkernel copy")


def test_every_pass_that_changes_the_program_is_dumped(copy: str, tmp_path: Path):
    """Files by the ordinal and the name of the pass; each is a kernel or a program."""
    folder = tmp_path / "dumps/deep"
    done = rotation("run", copy, "--dump", str(folder))
    names = sorted(file.name for file in folder.iterdir())

    assert done.exit_code == 0
    assert "copy on planning" in done.stdout
    assert names[:2] == ["01-verify.kernel", "02-plan_rings.kernel"]
    assert "03-unroll.kernel" not in names
    assert load_placed(folder / names[-1]).hazards() == ()


def test_a_folder_that_cannot_be_written_is_told(copy: str):
    """Exit code 2, with the name."""
    done = rotation("run", copy, "--dump", f"{copy}/folder")

    assert done.exit_code == 2
    assert "cannot write" in done.stderr


def test_a_pass_that_is_not_there_is_told(copy: str):
    """The nearest name, as for --skip-pass."""
    done = rotation("run", copy, "--print-after", "perf_sin")

    assert done.exit_code == 2
    assert "did you mean perf_sim?" in done.stderr


def test_each_pass_can_be_verified(copy: str):
    """A clean run stays clean."""
    assert rotation("run", copy, "--verify-each").exit_code == 0


def test_the_screen_shows_what_was_placed(tmp_path: Path):
    """Places, edges of each, and the makespan without them."""
    file = tmp_path / "copy.kernel"
    file.write_text(COPY.replace("RING", "byte 0 part 0"))
    done = rotation("run", str(file))

    assert "by hand: t byte 0 part 0" in done.stdout
    assert "sb bytes [0, 2048)" in done.stdout
    assert "ns with these places left to the passes" in done.stdout


def test_convert_leaves_the_hand_out():
    """`--no-hand`: neither banks nor rings."""
    by_hand = rotation("convert", DOCUMENT, "attention_hand_banks").stdout
    free = rotation("convert", DOCUMENT, "attention_hand_banks", "--no-hand").stdout

    assert "fp32 bank p mod 4\n" in by_hand
    assert "bf16 ring 2\n" in by_hand
    assert "bank " not in free
    assert "ring" not in free


def test_convert_writes_a_variant():
    """`--hi`: the short loop with one trip."""
    done = rotation("convert", DOCUMENT, "short_loop", "--hi", "i=1")

    assert "for i in [0, 1) step 1 {" in done.stdout


@pytest.mark.parametrize(
    "word", ["i", "i=", "=4", "i=x", "i=1.5", "1=2", f"i={10**30}"]
)
def test_a_wrong_bound_is_told(word: str):
    """How it is written is shown."""
    done = rotation("convert", DOCUMENT, "short_loop", "--hi", word)

    assert done.exit_code == 2
    assert "--hi" in done.stderr or "digits" in done.stderr


def test_a_bound_is_given_once():
    """Twice the same loop is a mistake."""
    done = rotation("convert", DOCUMENT, "short_loop", "--hi", "i=1", "--hi", "i=2")

    assert done.exit_code == 2
    assert "--hi gives i two numbers" in done.stderr


MINE = """[mine]
base = "planning"
psum_banks = 4
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """Return a file that describes a machine of the user."""
    file = tmp_path / "mine.toml"
    file.write_text(MINE)
    return str(file)


def test_dumps_of_a_machine_of_the_user_are_read_again(
    copy: str, mine: str, tmp_path: Path
):
    """The text names the machine, and the option says where it is described."""
    folder = tmp_path / "dumps"
    rotation("run", copy, "--machine", mine, "--dump", str(folder))
    names = sorted(file.name for file in folder.iterdir())
    first, last = (str(folder / name) for name in (names[0], names[-1]))

    assert "on mine" in (folder / names[0]).read_text()
    assert rotation("check", last, "--machine", mine).exit_code == 0
    again = rotation("run", first, "--machine", mine)
    assert (again.exit_code, again.stderr) == (0, "")
    assert "no machine 'mine'" in rotation("check", last).stderr


def test_each_pass_is_checked_on_a_machine_of_the_user(copy: str, mine: str):
    """Dumps in between name it too."""
    assert rotation("run", copy, "--machine", mine, "--verify-each").exit_code == 0


def test_a_kernel_for_a_machine_of_the_user_is_explained_and_batched(
    copy: str, mine: str
):
    """All commands that take a machine take one from a file."""
    text = Path(copy).read_text().replace("on planning", "on mine")
    Path(copy).write_text(text)

    assert rotation("explain", copy, "--machine", mine, "--quick").exit_code == 0
    assert rotation("batch", copy, "--machine", mine, "--jobs", "1").exit_code == 0


def test_a_placed_program_is_checked_on_its_own_machine():
    """The name of another one is refused."""
    done = rotation("check", EXAMPLE, "--machine", "trn2")

    assert done.exit_code == 2
    assert "--machine takes a .toml file here, got 'trn2'" in done.stderr


@pytest.mark.parametrize("command", ["run", "explain"])
def test_a_run_says_that_it_leaves_a_placed_block_out(command: str):
    """Who has edited it would take the answer for one about it."""
    done = rotation(command, EXAMPLE)

    look = f"rotation check {EXAMPLE} two_slots"
    note = f"note: the text places two_slots, which is left out: {look}\n"
    assert (done.exit_code, done.stderr) == (0, note)
