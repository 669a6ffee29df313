import re
from importlib.resources import files
from pathlib import Path

import pytest

from rotation.errors import MachineError
from rotation.loop_form.kernel import Engine
from rotation.machine.machine import Machine, machine_of
from rotation.machine.tables import KEYS, read_tables

BASE = """
[base]
timing = "planning"
partitions = 128
sb_bytes_per_partition = 1024
psum_partitions = 128
psum_banks = 8
psum_bank_bytes = 2048
dma = { bytes_per_ns = 368, latency_ns = 1300 }
cc = { bytes_per_ns = 64, latency_ns = 3000 }
pe = { fixed_ns = 27, ps_per_column = 415 }
[base.vector]
mhz = 960
fixed_cycles = 64
elems_per_cycle = { "4" = 2, "2" = "7/2" }
[base.scalar]
mhz = 1200
fixed_cycles = 64
elems_per_cycle = { "4" = "1" }
[base.gpsimd]
mhz = 1200
fixed_cycles = 64
elems_per_cycle = { "4" = "1/2" }
"""


def machine(text: str, name: str = "mine") -> Machine:
    """Return a machine of a text that follows the table `base`."""
    return machine_of(read_tables(f"{BASE}\n{text}", "m.toml"), name)


def mistake(text: str, name: str = "mine") -> MachineError:
    """Return the error of a machine of a text that follows the table `base`."""
    with pytest.raises(MachineError) as caught:
        machine(text, name)
    return caught.value


def test_a_machine_takes_from_its_base_what_it_does_not_say():
    """Nested tables are merged key by key, tables inside them too."""
    mine = machine(
        '[mine]\nbase = "base"\n[mine.dma]\nbytes_per_ns = 400\n'
        '[mine.vector]\nelems_per_cycle = { "4" = 4 }'
    )
    transfer, lane = mine.transfers[Engine.DMA], mine.lanes[Engine.VECTOR]

    assert (transfer.bytes_per_ns, transfer.latency_ns) == (400, 1300)
    assert (lane.mhz, lane.elems_per_cycle[4], lane.elems_per_cycle[2]) == (960, 4, 3.5)
    assert mine.partitions == 128


def test_a_machine_that_does_not_say_so_has_one_server_of_dma():
    """The key may be left out in all bases."""
    text = BASE.replace("[base", "[mine")

    assert machine_of(read_tables(text, "m.toml"), "mine").dma_servers == 1
    assert machine('[mine]\nbase = "base"\ndma_servers = 2').dma_servers == 2


def test_a_base_may_have_a_base():
    """The nearest table that says a key decides."""
    text = '[a]\nbase = "base"\npsum_banks = 4\npartitions = 64\n'
    mine = machine(f'{text}[mine]\nbase = "a"\npartitions = 32')

    assert (mine.partitions, mine.psum_banks, mine.psum_bank_bytes) == (32, 4, 2048)


WRONG = [
    ("partitons = 3", "[mine] partitons is not a key", "did you mean partitions?"),
    ("[mine.dma]\nxyz = 3", "[mine.dma] xyz is not a key", "keys: bytes_per_ns, la"),
    ("[mine.engine]", "[mine] engine is not a key", "keys: timing, "),
    (
        'partitions = "128"',
        "[mine] partitions = '128' is not an int",
        "an integer >= 1",
    ),
    ("partitions = 128.0", "[mine] partitions = 128.0 is not", "an integer >= 1"),
    ("partitions = true", "[mine] partitions = True is not", "an integer >= 1"),
    ("psum_banks = 0", "[mine] psum_banks = 0 is not", "an integer >= 1"),
    ("psum_banks = 1_000_000_001", "[mine] psum_banks = 1000000001", "<= 1000000000"),
    (
        "[mine.dma]\nlatency_ns = 9_999_999_999",
        "[mine.dma] latency_ns = 99",
        "<= 1000000000",
    ),
    (
        'vector = { elems_per_cycle = { "4" = "1/1001" } }',
        "[mine.vector.elems_per_cycle] 4 = '1/1001' is not",
        "a rate from 1/1000 to 1000000",
    ),
    ("timing = 3", "[mine] timing = 3 is not", "a text in quotes"),
    ("dma_servers = 3", "[mine] dma_servers = 3 is not 1, or 2", "a server of the st"),
    ("dma_servers = true", "[mine] dma_servers = True is not 1, or 2", "give dma_ser"),
    ("dma = 368", "[mine] dma = 368 is not a table", "bytes_per_ns, latency_ns"),
    ("dma = { latency_ns = -1 }", "[mine.dma] latency_ns = -1 is not", "integer >= 1"),
    (
        'vector = { elems_per_cycle = { "3" = 1 } }',
        "[mine.vector.elems_per_cycle] 3 is not a key",
        "keys: 1, 2, 4",
    ),
    (
        'vector = { elems_per_cycle = { "4" = "1/0" } }',
        "[mine.vector.elems_per_cycle] 4 = '1/0' is not a rate",
        "a rate from 1/1000",
    ),
    (
        'vector = { elems_per_cycle = { "4" = 0.5 } }',
        "[mine.vector.elems_per_cycle] 4 = 0.5 is not a rate",
        'such as 2 or "1/2"',
    ),
]


@pytest.mark.parametrize(("line", "message", "remedy"), WRONG)
def test_a_mistake_names_its_table_and_key(line: str, message: str, remedy: str):
    """The message says where and what, the hint what to write."""
    error = mistake(f'[mine]\nbase = "base"\n{line}')

    assert error.message.startswith(message)
    assert error.hint is not None
    assert remedy in error.hint


def test_a_mistake_in_a_base_is_said_of_the_base():
    """The table to mend is named, not the one that was asked for."""
    error = mistake('[a]\nbase = "base"\npsum_banks = 0\n[mine]\nbase = "a"')

    assert error.message.startswith("[a] psum_banks = 0")


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ('base = "bse"', "[mine] base = 'bse' is no machine", "did you mean base?"),
        ('base = "?"', "[mine] base = '?' is no machine", "machines: base, mine"),
        ("base = 3", "[mine] base = 3 is no machine", "machines: base, mine"),
        ('base = "mine"', "the bases go in a circle: mine -> mine", "name no base"),
        (
            'base = "b"\n[b]\nbase = "mine"',
            "the bases go in a circle: mine -> b -> mine",
            "name no base",
        ),
        ("partitions = 1", "[mine] has no timing", "in [mine], or name a base"),
    ],
)
def test_a_base_that_makes_no_sense(text: str, message: str, remedy: str):
    """Unknown bases, circles, and no base where one is needed."""
    error = mistake(f"[mine]\n{text}")

    assert error.message == message
    assert error.hint is not None
    assert remedy in error.hint


def test_a_key_that_is_missing_in_a_nested_table_is_named():
    """Without a base every key must be there."""
    text = BASE.replace("[base", "[mine").replace(", latency_ns = 3000", "")

    assert mistake(text).message == "[mine.cc] has no latency_ns"


def test_an_engine_without_any_rate_is_refused():
    """An empty table of rates says nothing."""
    text = BASE.replace("[base", "[mine").replace('"4" = "1/2"', "")

    assert mistake(text).message == "[mine.gpsimd.elems_per_cycle] has no rate"


def test_a_text_that_is_not_toml_is_refused():
    """The file is named, and the place that the library gives."""
    error = mistake("[mine")

    assert error.message.startswith("m.toml is not TOML: ")
    assert error.hint == "a machine is a table [NAME] of lines KEY = VALUE"


def test_a_value_outside_all_machines_is_refused():
    """Only tables stand at the top."""
    with pytest.raises(MachineError, match="partitions stands outside") as caught:
        read_tables("partitions = 3", "m.toml")

    assert caught.value.hint is not None


def project_machines() -> str:
    """Return the text of the machines that come with the project."""
    return (
        files("rotation.machine").joinpath("machines.toml").read_text(encoding="utf-8")
    )


def contributing() -> str:
    """Return the section of the contributors' page about machines."""
    text = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text.split("## Add a machine")[1].split("\n## ")[0]


def test_the_example_for_contributors_is_a_machine():
    """What the page shows can be pasted into the file."""
    example = contributing().split("```toml")[1].split("```")[0]
    wide = machine_of(read_tables(project_machines() + example, "m.toml"), "wide")

    assert (wide.psum_banks, wide.transfers[Engine.DMA].bytes_per_ns) == (16, 512)


def test_the_keys_for_contributors_are_those_that_are_read():
    """The page names every key and no other."""
    listed = re.findall(r"^\| (.+?) \| `(.+?)` \|", contributing(), re.MULTILINE)
    known = {
        ("the machine", key) for key, kind in KEYS.items() if isinstance(kind, str)
    }
    for key, kind in KEYS.items():
        if not isinstance(kind, str):
            known |= {(f"`{key}`", inner) for inner in kind}
    found = {
        (table, key)
        for tables, keys in listed
        for table in tables.split(", ")
        for key in keys.split("`, `")
    }

    assert found == known | {("the machine", "base")}


def test_every_machine_of_the_project_can_be_read():
    """The tables that come with the project make sense."""
    tables = read_tables(project_machines(), "machines.toml")

    assert [machine_of(tables, name).name for name in tables] == [
        *("planning", "inf1", "trn1", "trn2", "trn3", "split-dma"),
    ]
