"""The command `rotation`: what it prints and with which exit code it ends."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pelican_rotation.cli.rotation import app
from tests.rotation.documents import KEYS, without_seconds

EXAMPLES = Path(__file__).parents[2] / "examples"


def rotation(*arguments: str):
    """Run the command."""
    return CliRunner().invoke(app, list(arguments))


def document(*arguments: str) -> dict:
    """Run `rotation run --json` and return its object."""
    return json.loads(rotation("run", *arguments, "--json").stdout)


FIGURES = [("stream_add", 547_083, 1.15), ("matmul_tiled", 239_349, 2.0)]


@pytest.mark.parametrize(("kernel", "dma_ns", "speedup"), FIGURES)
def test_a_public_kernel_overlaps_and_is_proved(kernel, dma_ns, speedup):
    """At full size: near the bound, faster than before, no hazard, all proved."""
    found = document(str(EXAMPLES / f"{kernel}.kernel"))
    schedule = found["schedule"]

    assert found["engines"]["dma"]["busy_ns"] == pytest.approx(dma_ns, rel=0.01)
    assert schedule["bound_ns"] >= dma_ns
    assert schedule["after_ns"] <= 1.05 * schedule["bound_ns"]
    assert schedule["before_ns"] >= speedup * schedule["after_ns"]
    assert (found["hazards"], found["equivalent"]) == ([], True)
    assert found["proofs"]["total"] == found["proofs"]["proved"] >= 1


def test_the_object_has_the_published_keys():
    """Every key is there, null when absent, in the published order."""
    found = document(str(EXAMPLES / "stream_add.kernel"))

    assert list(found) == KEYS
    assert (found["timeline"], found["functions"]) == (None, None)


def test_two_runs_differ_in_seconds_only():
    """Nothing but the time taken depends on the run."""
    first, second = (
        without_seconds(document(str(EXAMPLES / "stream_add.kernel"))) for _ in range(2)
    )

    assert first == second


def test_the_screen_says_what_matters():
    """Rings, makespan against bound, proofs and checks are on the one screen."""
    done = rotation("run", str(EXAMPLES / "matmul_tiled.kernel"))

    assert done.exit_code == 0
    for words in ("rt", "bound", "16 of 16 proved", "race: ok", "equivalence: ok"):
        assert words in done.stdout
    assert len(done.stdout.splitlines()) < 45


def test_another_machine_is_used_with_a_note():
    """--machine overrides the kernel's own machine and says so."""
    done = rotation("run", str(EXAMPLES / "stream_add.kernel"), "--machine", "trn2")

    assert done.exit_code == 0
    assert "stream_add on trn2, planning timing: accepted" in done.stdout
    assert "written for planning" in done.stderr


def kernel_file(folder: Path, body: str) -> str:
    """Write a kernel of one load, one copy and one store, with a changed line."""
    path = folder / "k.kernel"
    path.write_text(
        "kernel k on planning {\n"
        "  dram x [512, 64] fp32 input\n"
        "  dram y [512, 64] fp32 output\n"
        "  for i in [0, 4) step 1 {\n"
        f"    {body}\n"
        "  }\n"
        "}\n",
        encoding="utf-8",
    )
    return str(path)


GOOD = (
    "sb t [128, 64] fp32\n    a: dma.load t <- x[128*i:+128, 0:+64]\n"
    "    b: dma.store y[128*i:+128, 0:+64] <- t"
)
REGION = "x[128*i:+128, 0:+64]"
WRONG = [
    (GOOD.replace("<- x[", "<- xx["), ":6:22: no buffer xx", "did you mean x?"),
    (GOOD.replace("x[128*i:", "x[(128*i) mod 0:"), ":6:36: mod needs", "at least 1"),
    (GOOD.replace(REGION, REGION[:-1]), ":7:5: unexpected", "close"),
    (GOOD.replace("t [128, 64]", "t [128, 100000]"), ":5:5: one tile of t", "at most"),
]
"""A body, the place and words of its mistake, and words of the remedy."""

OBJECTS = [
    (WRONG[0][0], {"errors": "KernelError"}),
    (WRONG[1][0], {"errors": "DivisorError"}),
    (WRONG[2][0], {"errors": "ParseError"}),
    (WRONG[3][0], {"verdict": "refused"}),
]
"""A body, and what tells its kind of object: an error of the text, or a refusal."""


def test_the_unchanged_kernel_runs(tmp_path: Path):
    """The kernel that the mistakes are made in is right itself."""
    assert rotation("run", kernel_file(tmp_path, GOOD)).exit_code == 0


@pytest.mark.parametrize(("body", "place", "remedy"), WRONG)
def test_a_mistake_has_place_caret_and_remedy(tmp_path, body, place, remedy):
    """An unknown tensor, a bad divisor, a missing bracket, a tile too large."""
    done = rotation("run", kernel_file(tmp_path, body))

    assert (done.exit_code, done.stdout) == (2, "")
    assert f"k.kernel{place}" in done.stderr
    assert "^" in done.stderr
    assert remedy in done.stderr


@pytest.mark.parametrize(("body", "kind"), OBJECTS)
def test_a_mistake_is_an_object_with_json(tmp_path, body, kind):
    """A text in error gives errors, a kernel that is refused a verdict."""
    done = rotation("run", kernel_file(tmp_path, body), "--json")
    found = json.loads(done.stdout)
    types = [error["type"] for error in found.get("errors", ())]
    told = {"errors": types[0]} if types else {"verdict": found["verdict"]}

    assert (done.exit_code, told) == (2, kind)


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00kernel", b"kernel", b"{" * 10_000, b"\x00" * 50]
)
def test_a_file_of_any_bytes_is_refused(tmp_path: Path, content: bytes):
    """Whatever the bytes: a message with a place, exit code 2."""
    path = tmp_path / "any.kernel"
    path.write_bytes(content)
    done = rotation("run", str(path))

    assert (done.exit_code, done.stdout) == (2, "")
    assert "any.kernel" in done.stderr


def test_a_name_that_the_file_does_not_have_is_refused():
    """A kernel that was named is run, or nothing is."""
    done = rotation("run", str(EXAMPLES / "stream_add.kernel"), "foo")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "has no kernel 'foo'" in done.stderr
    assert "it has stream_add" in done.stderr


def test_a_name_picks_a_kernel_of_a_text(tmp_path: Path):
    """A text may hold several kernels."""
    path = tmp_path / "two.kernel"
    path.write_text(
        "kernel a on planning { } kernel b on planning { }", encoding="utf-8"
    )

    assert "b on planning" in rotation("run", str(path), "b").stdout


def test_all_kernels_of_a_text_are_run(tmp_path: Path):
    """One that is left, and one that is refused, keep no other from being rotated."""
    path = tmp_path / "three.kernel"
    names = ("if_else_block_mask", "stream_add")
    texts = [(EXAMPLES / f"{name}.kernel").read_text("utf-8") for name in names]
    wrong = "kernel wrong on planning { dram y [4] fp32 output }"
    path.write_text("".join([texts[0], wrong, texts[1]]), encoding="utf-8")
    done = rotation("run", str(path), "--json")
    found = json.loads(done.stdout)

    assert done.exit_code == 2
    assert (found["kernel"], found["verdict"]) == ("if_else_block_mask", "refused")
    verdicts = [each["verdict"] for each in found["functions"]]
    assert verdicts == ["left", "refused", "accepted"]
    assert [each["function"] for each in found["refusals"]] == [names[0], "wrong"]
    assert found["schedule"] is None
    shown = rotation("run", str(path)).stdout
    assert "wrong on planning: refused" in shown
    assert "stream_add on planning, planning timing: accepted" in shown


def test_a_missing_file_is_refused(tmp_path: Path):
    """A file that is not there is a message, not a traceback."""
    done = rotation("run", str(tmp_path / "none.kernel"))

    assert done.exit_code == 2
    assert "none.kernel" in done.stderr


def test_an_unknown_machine_suggests_the_nearest():
    """A typing mistake in the machine's name gets a suggestion."""
    done = rotation("run", str(EXAMPLES / "stream_add.kernel"), "--machine", "tnr2")

    assert done.exit_code == 2
    assert "trn2" in done.stderr


def test_a_pass_is_left_out_by_name():
    """--skip-pass may be repeated, and the rest of the passes run."""
    stream = str(EXAMPLES / "stream_add.kernel")
    skipped = ("plan_rings", "perf_sim")
    options = [part for name in skipped for part in ("--skip-pass", name)]
    names = [step["name"] for step in document(stream, *options)["passes"]]

    assert "unroll" in names
    assert not set(skipped) & set(names)


@pytest.mark.parametrize(
    ("name", "message", "remedy"),
    [
        ("plan_ring", "no pass 'plan_ring'", "did you mean plan_rings?"),
        ("unroll", "pass unroll cannot be skipped", "passes that can be: verify"),
    ],
)
def test_a_pass_that_cannot_be_left_out_is_refused(name, message, remedy):
    """The kernel is not to blame: the object holds errors, and no verdict."""
    stream = str(EXAMPLES / "stream_add.kernel")
    done = rotation("run", stream, "--skip-pass", name, "--json")
    (error,) = json.loads(done.stdout)["errors"]

    assert done.exit_code == 2
    assert (error["type"], message in error["message"]) == ("PassError", True)
    assert remedy in error["hint"]


def test_an_empty_path_is_named_as_it_was_given():
    """It is not the folder in which the program was started."""
    done = rotation("run", "")

    assert (done.exit_code, "cannot read ''" in done.stderr) == (2, True)


def test_the_dram_window_is_an_option():
    """The smallest, and none; a size that no runtime takes is refused."""
    spill = str(EXAMPLES / "spill_dram.kernel")
    smallest = document(spill, "--dram-rotation-size", "-1")
    still = document(spill, "--disable-dram-rotation")
    refused = rotation("run", spill, "--dram-rotation-size", "9")

    assert smallest["memory"]["dram"]["capacity"] == 34_603_008
    assert "address_rotation_dram" not in [each["name"] for each in still["passes"]]
    assert [r["slots"] for r in still["rings"] if r["space"] == "dram"] == [2]
    assert refused.exit_code == 2
    assert "the dram rotation window is 9 GiB" in refused.stderr


def test_policy_modelled_moves_locations_and_says_so_on_standard_error():
    """The object stays on standard output, and the log only comes if it is wanted."""
    file = str(EXAMPLES / "stream_add.kernel")
    loud = rotation("run", file, "--policy", "modelled", "--verbose", "--json")
    quiet = rotation("run", file, "--policy", "modelled", "--json")

    assert "xt[1] picked new range for xt[1]" in loud.stderr
    assert (quiet.stderr, loud.exit_code, quiet.exit_code) == ("", 0, 0)
    assert json.loads(loud.stdout)["equivalent"] is True


def test_an_unknown_policy_is_a_mistake():
    """One line with the nearest name, and exit code 2."""
    result = rotation("run", str(EXAMPLES / "stream_add.kernel"), "--policy", "modeled")

    assert result.exit_code == 2
    assert "did you mean modelled?" in result.stderr


def test_a_measurement_exits_1_and_shows_its_pass():
    """The waits of the loads are gone from the program that is printed."""
    copy = str(EXAMPLES / "stream_add.kernel")
    name = "separate_load_and_compute"
    done = rotation("run", copy, f"--{name.replace('_', '-')}", "--print-after", name)

    assert done.exit_code == 1
    assert done.stdout.startswith(f"# after {name}\n")
    assert "ordered" in done.stdout
    assert "measurement: separate_load_and_compute breaks" in done.stderr


def test_a_measurement_is_not_the_same_program_in_the_object():
    """Its first hazard says what it is."""
    found = document(
        str(EXAMPLES / "allreduce_ring_dram.kernel"), "--separate-load-and-compute"
    )

    assert found["equivalent"] is False
    assert [hazard["check"] for hazard in found["hazards"]] == ["measurement"]
    assert "separate_load_and_compute" in [each["name"] for each in found["passes"]]


def test_a_pass_that_is_off_cannot_be_shown():
    """The remedy is its option."""
    stream = str(EXAMPLES / "stream_add.kernel")
    done = rotation("run", stream, "--print-after", "separate_load_and_compute")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "add --separate-load-and-compute" in done.stderr
