"""The command `rotation fmt`: files of kernels are laid out, or left alone."""

from pathlib import Path

from typer.testing import CliRunner

from pelican_rotation.cli.rotation import app

LOOSE = "kernel k on trn2 {}kernel l on trn2{}# end\n"
NEAT = "kernel k on trn2 {\n}\nkernel l on trn2 {\n}  # end\n"


def fmt(*arguments: object):
    """Run `rotation fmt`."""
    return CliRunner().invoke(app, ["fmt", *map(str, arguments)])


def test_a_file_is_rewritten(tmp_path: Path):
    """With each of its kernels."""
    file = tmp_path / "a.kernel"
    file.write_text(LOOSE)

    assert (fmt(file).exit_code, file.read_text()) == (0, NEAT)


def test_check_changes_nothing(tmp_path: Path):
    """The exit code is the answer."""
    file = tmp_path / "a.kernel"
    file.write_text(LOOSE)

    assert (fmt("--check", file).exit_code, file.read_text()) == (1, LOOSE)


def test_a_difference_is_shown(tmp_path: Path):
    """As `pelican fmt` shows it."""
    file = tmp_path / "a.kernel"
    file.write_text(LOOSE)
    done = fmt("--diff", "--check", file)

    assert (done.exit_code, file.read_text()) == (1, LOOSE)
    assert done.stdout.splitlines()[3:5] == [
        f"-{LOOSE.rstrip()}",
        "+kernel k on trn2 {",
    ]


def test_a_file_with_a_mistake_stays_as_it_is(tmp_path: Path):
    """The place is shown, and the exit code is 2."""
    file = tmp_path / "a.kernel"
    file.write_text("kernel k  on {")
    done = fmt(file)

    assert (done.exit_code, file.read_text()) == (2, "kernel k  on {")
    assert f"{file}:1:14" in done.stderr
