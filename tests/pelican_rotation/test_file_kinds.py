"""Which program reads a file, by its name and how it begins."""

import pytest

from pelican.errors import Source
from pelican_rotation.file_kinds import (
    CLAIMS,
    DOCUMENT,
    KERNELS,
    PLACED,
    WrongProgramError,
    require_kind,
)

CLAIM = "# a ring\n\nindex i in [0, 4)\n"
KERNEL = "# a kernel\nkernel k on planning { }\n"


@pytest.mark.parametrize(
    ("name", "text", "wanted", "command", "line"),
    [
        ("a.pel", CLAIM, KERNELS, "run", "pelican check a.pel"),
        ("a.PEL", CLAIM, KERNELS, "explain", "pelican check a.PEL"),
        ("a.pel", CLAIM, PLACED, "check", "pelican check a.pel"),
        ("a.pel", CLAIM, DOCUMENT, "convert", "pelican check a.pel"),
        ("a.pel", CLAIM, KERNELS, "fmt", "pelican fmt a.pel"),
        ("b c.pel", "", KERNELS, "run", "pelican check 'b c.pel'"),
        ("a.kernel", KERNEL, CLAIMS, "check", "rotation run a.kernel"),
        ("a.kernel", KERNEL, CLAIMS, "fmt", "rotation fmt a.kernel"),
        ("a.kernel", KERNEL, DOCUMENT, "convert", "rotation run a.kernel"),
        ("a.placed", KERNEL, CLAIMS, "view", "rotation check a.placed"),
    ],
)
def test_the_command_that_reads_it_is_named(name, text, wanted, command, line):
    """It can be copied, and the message says what the file is."""
    with pytest.raises(WrongProgramError, match=f"^{name} is a ") as error:
        require_kind(Source(name, text), wanted, command)

    assert error.value.message.endswith(f", which {' '.join(line.split()[:2])} reads")
    assert error.value.hint == f"{wanted.name} is needed here; try: {line}"


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("a.kernel", KERNEL, KERNELS),
        ("a.placed", KERNEL, KERNELS),
        ("a.kernel", KERNEL, PLACED),
        ("a.pel", CLAIM, CLAIMS),
        ("a.txt", CLAIM, KERNELS),
        ("<stdin>", KERNEL, CLAIMS),
        ("a.pel", KERNEL, KERNELS),
        ("a.kernel", CLAIM, CLAIMS),
        ("a.kernel", '{"schema": 1}', DOCUMENT),
    ],
)
def test_a_text_that_may_be_read_is_read(name, text, wanted):
    """Another name is no reason, and a text that begins as it must counts for more."""
    assert require_kind(Source(name, text), wanted, "run") is None
