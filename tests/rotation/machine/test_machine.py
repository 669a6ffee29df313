"""Machines by name and from a file of the user."""

from dataclasses import replace
from pathlib import Path

import pytest

from rotation import KernelError, MachineError, load, run
from rotation.loop_form.kernel import Engine, MemorySpace
from rotation.machine.machine import get_machine, machine_from, machine_names
from rotation.text.parse import parse
from rotation.verify.verify import verify

EXAMPLE = Path(__file__).parents[3] / "examples/stream_add.kernel"


@pytest.mark.parametrize(
    ("name", "sb_bytes", "banks", "psum_partitions"),
    [
        ("inf1", 81_920, 4, 64),
        ("trn1", 180_224, 8, 128),
        ("trn2", 212_984, 8, 128),
        ("trn3", 245_752, 8, 128),
    ],
)
def test_a_device_differs_in_its_geometry(
    name: str, sb_bytes: int, banks: int, psum_partitions: int
):
    """Usable SB in each partition, banks and partitions of PSUM."""
    machine = get_machine(name)

    assert machine.sb_bytes_per_partition == sb_bytes
    assert machine.psum_banks == banks
    assert machine.partitions_of(MemorySpace.PSUM) == psum_partitions
    assert machine.partitions_of(MemorySpace.SB) == 128


@pytest.mark.parametrize("name", machine_names())
def test_every_machine_has_the_timing_of_the_planning_model(name: str):
    """No figure of a device was measured, and each says so."""
    planning, machine = get_machine("planning"), get_machine(name)

    assert machine.timing == "planning"
    assert (machine.pe, machine.lanes, machine.transfers) == (
        *(planning.pe, planning.lanes, planning.transfers),
    )


def test_a_tile_with_more_partitions_than_psum_is_refused():
    """The 128 partitions of SB are not those of PSUM everywhere."""
    (function,) = parse(
        "kernel tall on planning {\n"
        "  dram y [128, 64] fp32 output\n"
        "  psum acc [128, 64] fp32\n"
        "  sb yt [128, 64] fp32\n"
        "  zero: vector.memset acc <-\n"
        "  copy: vector.copy yt <- acc\n"
        "  st: dma.store y <- yt\n"
        "}\n"
    )
    with pytest.raises(KernelError) as error:
        verify(function, get_machine("inf1"))

    assert error.value.message == "acc has 128 partitions; psum of inf1 has 64"


def test_a_file_describes_a_machine(tmp_path: Path):
    """It says what differs from a machine of the project."""
    file = tmp_path / "mine.toml"
    file.write_text('[mine]\nbase = "trn2"\npsum_banks = 16\n', encoding="utf-8")
    result = run(load(EXAMPLE), str(file))

    assert (result.machine, result.verdict) == ("mine", "accepted")
    assert machine_from(str(file)).psum_banks == 16


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "describes 0 machines"),
        ("[a]\n[b]\n", "describes 2 machines"),
        ('[trn2]\nbase = "planning"\n', "describes trn2, which is a machine of"),
        ('[a]\nbase = "trn"\n', "base = 'trn' is no machine"),
        ('[a]\nbase = "trn2"\npsum_banks = 0\n', ": [a] psum_banks = 0 is not"),
        ("psum_banks = 3\n", ": psum_banks stands outside"),
        ("[a\n", "is not TOML"),
    ],
)
def test_a_file_that_describes_no_machine_is_refused(
    tmp_path: Path, text: str, message: str
):
    """The message says what is wrong, and the hint what to do."""
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(MachineError) as error:
        machine_from(str(file))

    assert message in error.value.message
    assert error.value.message.startswith(str(file))
    assert error.value.hint


def test_the_end_of_the_name_of_a_file_may_be_in_capitals(tmp_path: Path):
    """It is a file all the same."""
    file = tmp_path / "mine.TOML"
    file.write_text('[mine]\nbase = "trn2"\n', encoding="utf-8")

    assert run(load(EXAMPLE), str(file)).machine == "mine"


def test_an_empty_name_is_no_machine():
    """It is not that of the kernel."""
    with pytest.raises(MachineError, match="no machine ''"):
        run(load(EXAMPLE), "")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path):
    """So is what is no text."""
    binary = tmp_path / "mine.toml"
    binary.write_bytes(b"\xff\xfe")
    for file in (tmp_path / "none.toml", binary):
        with pytest.raises(MachineError, match="cannot read"):
            machine_from(str(file))


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("dma.load t <- x", Engine.DMA_LOAD),
        ("dma.gather t <- x, ids index(ids, dim 0)", Engine.DMA_LOAD),
        ("dma.copy u <- t", Engine.DMA_LOAD),
        ("dma.store y <- t", Engine.DMA_STORE),
        ("dma.copy y <- x", Engine.DMA_STORE),
        ("dma.scatter y <- t, ids index(ids, dim 0)", Engine.DMA_STORE),
        ("cc.store y <- t", Engine.CC),
        ("vector.copy u <- t", Engine.VECTOR),
    ],
)
def test_a_transfer_that_writes_dram_is_a_store(text: str, server: Engine):
    """Whatever it reads; with one server of dma all transfers of dma share it."""
    (function,) = parse(
        "kernel one on split-dma { dram x [128, 64] fp32 input\n"
        "dram y [128, 64] fp32 output\n"
        "sb t [128, 64] fp32 sb u [128, 64] fp32 sb ids [128, 1] int32\n"
        f"{text} }}"
    )
    (operation,) = function.instructions

    assert get_machine("split-dma").server_of(operation) is server
    assert get_machine("planning").server_of(operation) is operation.engine


def test_a_machine_has_a_queue_for_each_server():
    """One or two of dma, and one of every other engine."""
    one, two = get_machine("planning").servers, get_machine("split-dma").servers

    assert set(one) - set(two) == {Engine.DMA}
    assert set(two) - set(one) == {Engine.DMA_LOAD, Engine.DMA_STORE}
    assert {server.issuer for server in two} == set(one)


def test_a_file_asks_for_two_servers_with_one_key(tmp_path: Path):
    """Nothing else of the machine changes."""
    file = tmp_path / "mine.toml"
    file.write_text('[mine]\nbase = "trn2"\ndma_servers = 2\n', encoding="utf-8")
    result = run(load(EXAMPLE), str(file))

    assert list(result.engines) == ["vector", "dma_load", "dma_store"]
    assert replace(machine_from(str(file)), name="trn2", dma_servers=1) == get_machine(
        "trn2"
    )


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("trn22", "did you mean trn2?"),
        ("TRN2", "did you mean trn2?"),
        ("?", "known machines: inf1, planning, split-dma, trn1, trn2, trn3;"),
    ],
)
def test_an_unknown_machine_is_told_of_the_nearest_and_of_files(name: str, near: str):
    """It may be one that the user has to describe."""
    with pytest.raises(MachineError, match=r"no machine ") as error:
        get_machine(name)

    assert error.value.hint == f"{near} --machine FILE.toml reads one of your own"
