"""The faults that are planted, in one list, and the page that tells of them.

A fault is planted by a test, which makes the check find it; here stands which one,
where the fault comes from, and which checks that test holds to have found it.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
PASSES = "test_planted_faults.py"
INDIRECT = "test_planted_faults_indirect.py"
PINS = "test_planted_faults_pins.py"
KEPT = "test_planted_kept_faults.py"
MODELLED = "modelled/test_planted_faults.py"
JOINS = "loop_form/test_joins.py"


class Fault(NamedTuple):
    """A planted fault.

    Attributes:
        breaks: What is done wrong.
        source: Where it comes from: a hazard of the modelled system (`H` and its
            number in the page), a reported case (`G` and its number), or nothing.
        caught: Names of the checks that find it.
        file: File of its test, from the folder of this one.
        test: Name of its test.
    """

    breaks: str
    source: str
    caught: tuple[str, ...]
    file: str
    test: str


HAZARDS = (
    "edges are cleared and not made again",
    "one half of an in-place pair or of an accumulation moves",
    "a slot is free at the last read instead of after it",
    "a window or a bank beyond the end of the memory",
    "rotation beside a join that is no loop",
    "live ranges without the back edge of a loop",
    "a range that no write covers is taken for free",
    "what must stay is moved",
    "batches that run at a time share a window",
    "counts of the PSUM grid fall below zero",
    "an old place is given away before a new one is found",
    "addresses change after scheduling, waits do not",
    "a gather or scatter touches only a part of its buffer",
    "four bands on a machine with two",
    "a window of no size",
)
"""The hazards of the modelled system, H1 to H15."""


def _named(file: str, *rows: tuple[str, str, str, str]) -> tuple[Fault, ...]:
    """Return the faults of one file: what, source, checks, rest of the test's name."""
    return tuple(
        Fault(what, source, tuple(caught.split()), file, f"test_{test}")
        for what, source, caught, test in rows
    )


FAULTS: tuple[Fault, ...] = (
    *_named(
        PASSES,
        (
            *("a slot is free at the last use", "H3", "overlap"),
            "a_slot_freed_at_the_last_use_is_caught_by_the_overlap_check",
        ),
        (
            *("the start bank is the number of banks", "H4, G39", "capacity"),
            "a_start_bank_equal_to_the_number_of_banks_is_caught_by_the_capacity_check",
        ),
        (
            "anti edges are left out for the scheduler",
            *("H1, G17", "overlap race equivalence"),
            "anti_edges_left_out_for_the_scheduler_are_caught_by_all_checks",
        ),
        (
            *("anti edges are left out of the final edges", "H1", "race"),
            "anti_edges_left_out_of_the_final_edges_are_caught_by_the_race_check",
        ),
        (
            "slots come round after N - 1 instances, waits are for N",
            *("G29", "overlap race"),
            "a_war_distance_of_n_minus_1_in_memory_is_caught_by_the_race_check",
        ),
        (
            "final edges are for N - 1 slots, the order uses N",
            *("", "overlap race"),
            "a_war_distance_of_n_minus_1_in_the_final_edges_is_caught_by_the_race_check",
        ),
        (
            *("an accumulator is rotated over its reduction", "H2, G37", "equivalence"),
            "an_accumulator_rotated_over_its_reduction_is_caught_by_the_validation",
        ),
        (
            *("two transfers are ordered by their queue only", "", "race"),
            "two_transfers_ordered_only_by_their_queue_are_caught_by_the_race_check",
        ),
    ),
    *_named(
        INDIRECT,
        (
            "scatters without a promise are left without an order",
            *("H13", "dependence overlap race"),
            "rows_taken_for_distinct_without_a_promise_are_caught",
        ),
        (
            *("a gather does not wait for its row numbers", "", "dependence race"),
            "row_numbers_that_a_gather_does_not_wait_for_are_caught",
        ),
        (
            *("row numbers are overwritten while they are read", "", "race"),
            "row_numbers_that_are_overwritten_while_a_scatter_reads_them_are_caught",
        ),
        (
            *("a reader waits for the last scatter only", "H13", "dependence race"),
            "a_reader_that_waits_for_the_last_scatter_only_is_caught",
        ),
        (
            *("a gather is taken for its first rows", "H13", "dependence race"),
            "a_gather_taken_for_its_first_rows_is_caught",
        ),
        (
            *("a gather is placed on its row numbers", "H3", "overlap"),
            "a_gather_placed_on_its_own_row_numbers_is_caught",
        ),
    ),
    *_named(
        PINS,
        (
            *("the allocator forgets the user's bytes", "H8", "race equivalence"),
            "an_allocator_that_forgets_reserved_bytes_is_caught",
        ),
        (
            "two rings share banks without edges between them",
            *("G25", "overlap race"),
            "two_rings_on_the_same_banks_without_their_edges_are_caught",
        ),
        (
            *("a placed buffer is one bank off", "H8", "pin"),
            "a_bank_of_the_map_that_is_one_off_is_caught",
        ),
        (
            *("every instance goes to the first place", "H8, G31", "pin"),
            "a_map_that_stops_at_its_first_place_is_caught",
        ),
        (
            *("one anti edge of a shared bank is dropped", "H1", "race"),
            "an_anti_edge_of_a_shared_bank_that_is_dropped_is_caught",
        ),
        (
            *("a bank that the machine does not have", "H4, G39", "capacity"),
            "a_machine_with_fewer_banks_refuses_the_map",
        ),
    ),
    *_named(
        JOINS,
        (
            *("no barrier at an `if` on loaded values", "H5", "dependence race"),
            "a_missing_barrier_is_caught",
        ),
        (
            *("the arms of an `if` are done in the other order", "H5", "equivalence"),
            "a_result_of_one_arm_that_is_lost_is_caught_by_the_validation",
        ),
        (
            *("an arm does not wait for what decides it", "H5", "race"),
            "an_arm_that_does_not_wait_for_what_decides_is_caught",
        ),
        (
            *("start times run past an `if`", "H5", "overlap"),
            "times_that_run_past_an_if_are_caught",
        ),
    ),
    *_named(
        "loop_form/test_calls.py",
        (
            *("a slot lies outside the window of its call", "H4", "capacity"),
            "a_slot_outside_the_window_is_caught",
        ),
        (
            *("a buffer of one call lies in another's window", "H9", "windows"),
            "a_buffer_of_another_call_in_the_window_is_caught",
        ),
    ),
    *_named(
        MODELLED,
        (
            *("the grid has a bank too many", "H4", "capacity"),
            "a_bank_that_is_the_number_of_banks",
        ),
        (
            *("the budget of a window is too large", "H4", "capacity"),
            "a_window_that_ends_beyond_the_space",
        ),
        (
            *("a place is free at the last use", "H3", "overlap"),
            "a_place_that_is_free_at_the_last_use",
        ),
        (
            *("old places are not held", "H11", "overlap"),
            "old_places_that_are_not_held",
        ),
        (
            *("the free matrix does not know what lives", "H9", "overlap"),
            "a_free_matrix_without_what_lives",
        ),
        (
            *("addresses change, waits stay as they were", "H12", "race"),
            "addresses_that_change_after_scheduling_without_new_dependences",
        ),
    ),
    *_named(
        KEPT,
        (
            "slots come round after N trips, waits are for N + 1",
            *("G06, G24", "race"),
            "a_distance_of_n_plus_1_is_caught_by_the_race_checks",
        ),
        (
            *("a slot less in memory than waits are for", "", "race"),
            "a_slot_less_in_memory_is_caught_by_the_race_checks",
        ),
        (
            *("the slot is taken from the raw index", "G11", "race"),
            "a_slot_taken_from_the_raw_index_is_caught_by_the_race_proof",
        ),
        (
            *("a store comes a stage before its copy", "G08", "race"),
            "a_store_moved_before_its_copy_is_caught",
        ),
        (
            *("an operation is left out of the rounds", "G10", "dependence"),
            "an_operation_left_out_of_the_rounds_is_caught",
        ),
        (
            *("anti edges are left out of a kept loop", "H1", "race"),
            "anti_edges_left_out_are_caught_by_both",
        ),
        (
            "live ranges are without the back edge",
            *("H6, G33", "overlap equivalence"),
            "a_buffer_that_is_free_in_the_loop_that_reads_it_is_caught",
        ),
        (
            *("a loop does not wait for the one before", "G25, G26", "race"),
            "a_node_that_does_not_wait_for_the_one_before_is_caught",
        ),
        (
            *("a recurrence through a plain buffer is lost", "G41", "race"),
            "a_recurrence_that_is_not_kept_is_caught",
        ),
    ),
)

GUARDED: tuple[tuple[str, str, str], ...] = (
    ("H2", "modelled/test_installing.py", "test_half_an_in_place_pair_is_not_moved"),
    (
        "H5",
        "modelled/test_policy.py",
        "test_a_function_with_a_join_is_left_and_says_so",
    ),
    (
        *("H7", "modelled/test_coverage.py"),
        "test_a_read_beyond_what_was_written_is_not",
    ),
    ("H10", "modelled/test_live_grid.py", "test_a_count_is_never_negative"),
    (
        *("H14", "modelled/test_live_grid.py"),
        "test_a_machine_of_64_partitions_has_two_bands",
    ),
    (
        "H15",
        "loop_form/test_calls.py",
        "test_a_window_without_a_size_is_skipped_with_a_line",
    ),
    (
        *("G03", "rings/test_stages.py"),
        "test_a_use_before_the_next_load_needs_a_slot_less",
    ),
    (
        *("G04", "rings/test_stages.py"),
        "test_operands_of_a_background_operation_live_until_its_wait",
    ),
    ("G06", "kept/test_reported.py", "test_g06_each_stage_runs_once_for_each_trip"),
    ("G09", "kept/test_reported.py", "test_g09_one_trip_loads_once"),
    (
        *("G41", "kept/test_reported.py"),
        "test_g41_fewer_trips_than_stages_need_no_negative_rounds",
    ),
)
"""What a guard keeps from happening: the source, and the test of the guard."""

OUT_OF_SCOPE = (
    (
        "G28",
        "two waits are merged, and one moves past what it protected",
        "no pass merges waits: an edge of the program is a wait of its own",
    ),
    (
        "G43",
        "fusion shrinks a buffer below the greatest index into it",
        "no pass fuses loops or shrinks buffers: extents are those of the kernel",
    ),
)


def source_of(file: str, test: str) -> str:
    """Return the text of a test; an error if there is no such test."""
    text = (HERE / file).read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == test:
            return ast.get_source_segment(text, node) or ""
    raise LookupError(f"{file} has no {test}")


def faults_page() -> str:
    """Return the page about planted faults."""
    caught = sum(bool(fault.caught) for fault in FAULTS)
    rows = "\n".join(
        f"| {f.breaks} | {f.source} | {', '.join(f.caught)} | `{f.file}` |"
        for f in FAULTS
    )
    hazards = "\n".join(f"| H{n} | {text} |" for n, text in enumerate(HAZARDS, 1))
    guards = "\n".join(f"| {s} | `{file}` | `{test}` |" for s, file, test in GUARDED)
    outside = "\n".join(f"| {s} | {what} | {why} |" for s, what, why in OUT_OF_SCOPE)
    return f"""# Planted faults

Each fault is planted in a pass or in a placed program by a test, which passes only \
if the checks named here find it.
The same programs without a fault are clean.
This page is written from the list in `tests/rotation/faults.py`.

Caught: {caught} of {len(FAULTS)} planted.

| fault | source | found by | test in `tests/rotation/` |
|---|---|---|---|
{rows}

`race`, `overlap`, `capacity`, `pin`, `dependence` and `equivalence` are the kinds \
of hazard of the three checks ([trust.md](trust.md)); `windows` is the check of \
windows of calls.

A WAR distance that is shorter than it may be, everywhere, is no fault: it costs \
time only.

## Sources

G and a number is a fault that users of another system reported.
H and a number is a hazard of the modelled system where its description is copied \
literally:

| | hazard |
|---|---|
{hazards}

## What a guard keeps from happening

There is nothing to plant where a pass refuses, or where trips are so few that \
nothing can go wrong; the guard has a test.
G03 and G04 are counts of slots: `slots_needed` gives them, and its answers are held \
against runs.

| source | file | test |
|---|---|---|
{guards}

## Out of scope

| source | fault | reason |
|---|---|---|
{outside}
"""
