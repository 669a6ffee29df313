"""The kernel `attention_hand_banks` of the public set, pinned and automatic."""

import json
from functools import cache
from pathlib import Path

import pytest

from rotation import PlanError, Result, load, run
from rotation.interchange.json_form import convert
from rotation.loop_form.kernel import EdgeKind
from rotation.passes.base import built
from rotation.text.parse import parse
from rotation.text.print import print_function

ROOT = Path(__file__).parents[2]
SCALAR_NS = 58_880
"""Busy time of the engine that the set names: its lower bound."""

DOCUMENT = json.loads((Path(__file__).parent / "data/kernels.json").read_text())
DERIVED = next(
    kernel["derived"]
    for kernel in DOCUMENT["kernels"]
    if kernel["name"] == "attention_hand_banks"
)


@cache
def result(banks: str) -> Result:
    """Return the run of one of the two examples."""
    return run(load(ROOT / f"examples/attention_{banks}_banks.kernel"))


def instances(name: str) -> list[tuple[int, int]]:
    """Return bank of each instance of a buffer, and the instance, in the pinned run."""
    after = result("hand").after
    program, placement = (
        built(after.program, "program"),
        built(after.placement, "place"),
    )
    row = [t.name for t in after.function.tensors].index(name)
    mine = program.location_tensor == row
    banks = placement.byte[mine] // after.machine.psum_bank_bytes
    return list(
        zip(banks.tolist(), program.location_instance[mine].tolist(), strict=True)
    )


@pytest.mark.parametrize("banks", ["hand", "auto"])
def test_the_kernel_is_accepted_and_proved(banks: str):
    """No hazard, equal outputs, every claim proved, and the bound of the set holds."""
    found = result(banks)

    assert (found.verdict, found.hazards, found.equivalent) == ("accepted", (), True)
    assert found.proofs.total == found.proofs.proved
    assert found.engines["scalar"].busy_ns == pytest.approx(SCALAR_NS, rel=0.01)
    assert found.schedule.bound_ns >= SCALAR_NS
    assert found.schedule.serial_ns == pytest.approx(DERIVED["serial_ns"], abs=2)


def test_the_hand_map_is_reported_as_slower():
    """1.257 of the bound with the map, near the bound without it."""
    pinned, automatic = result("hand"), result("auto")

    assert pinned.schedule.bound_ns == pytest.approx(64_178, abs=1)
    assert pinned.schedule.ratio == pytest.approx(1.257, abs=0.002)
    assert automatic.schedule.ratio <= 1.05
    assert pinned.pins.automatic_ns <= 1.05 * pinned.schedule.bound_ns
    assert automatic.pins is None


def test_anti_edges_are_listed_by_bank():
    """Scores and transposes share four banks, and wait for one another there."""
    by_bank = {place.place: place for place in result("hand").pins.places}

    assert list(by_bank) == [f"psum bank {bank}" for bank in range(8)]
    for bank in range(4):
        assert by_bank[f"psum bank {bank}"].tensors == ("s4", "tp")
        assert by_bank[f"psum bank {bank}"].anti >= 15
    assert by_bank["psum bank 4"].tensors == ("o4",)


def test_scores_wait_for_the_transposes_in_their_bank():
    """The next scores of a bank wait for the copy of its transposes.

    The other way round is implied: transposes read what all scores of a group made.
    """
    after = result("hand").after
    names = [i.name for i in after.function.instructions]
    edges, statement = after.edges, after.program.statement
    anti = edges.kind == EdgeKind.ANTI
    pairs = {
        (names[statement[sink]], names[statement[source]])
        for sink, source in zip(edges.sink[anti], edges.source[anti], strict=True)
    }

    assert ("qk", "tc") in pairs


def test_the_map_is_honoured_instance_by_instance():
    """Banks p mod 4, tg mod 4 and 4 + g mod 4."""
    assert all(bank == k % 4 for bank, k in instances("s4"))
    assert all(bank == k % 4 for bank, k in instances("tp"))
    assert all(bank == 4 + k % 4 for bank, k in instances("o4"))


def test_rings_of_the_user_are_honoured():
    """Trap: numbers that the user gives per buffer are never silently changed."""
    slots = {
        ring.tensor: (ring.slots, ring.limited_by) for ring in result("hand").rings
    }

    assert {name: slots[name] for name in ("qt", "sb", "ex", "ts")} == {
        "qt": (2, "user"),
        "sb": (2, "user"),
        "ex": (1, "user"),
        "ts": (1, "user"),
    }
    assert {slots[name] for name in ("s4", "tp", "o4")} == {(4, "user")}


def test_a_ring_that_cannot_be_is_refused():
    """Trap: a number that contradicts the map, or is more than the instances."""
    text = convert(DOCUMENT, "attention_hand_banks")
    for wanted, instead in (
        ("fp32 bank p mod 4", "fp32 ring 2 bank p mod 4"),
        ("bf16 ring 2", "bf16 ring 17"),
    ):
        (function,) = parse(text.replace(wanted, instead, 1))
        with pytest.raises(PlanError):
            run(function)


@pytest.mark.parametrize(("banks", "hand"), [("hand", True), ("auto", False)])
def test_the_example_is_the_kernel_of_the_set(banks: str, hand: bool):
    """`rotation convert`, with and without `--no-hand`."""
    example = load(ROOT / f"examples/attention_{banks}_banks.kernel")
    text = convert(DOCUMENT, "attention_hand_banks", hand=hand)

    assert print_function(example) == text.replace(
        "attention_hand", f"attention_{banks}"
    )
