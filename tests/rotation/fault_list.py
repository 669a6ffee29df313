"""The faults that are planted, in one list.

A fault is planted by a test, which makes the check find it; here stands which one,
where the fault comes from, and which checks that test holds to have found it.
"""

from __future__ import annotations

from typing import NamedTuple

PASSES = "test_planted_faults.py"
INDIRECT = "test_planted_faults_indirect.py"
PINS = "test_planted_faults_pins.py"
KEPT = "test_planted_kept_faults.py"
INSTANCES = "test_planted_instances.py"
GUARDS = "test_planted_guards.py"
MODELLED = "modelled/test_planted_faults.py"
JOINS = "unrolled/test_joins.py"


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
        INSTANCES,
        (
            "a ring of one slot where one operation needs two instances",
            *("G32", "overlap"),
            "a_ring_below_the_legal_least_is_caught",
        ),
        (
            "a read takes the instance of its own iteration, not the one before",
            *("G32", "dependence race"),
            "a_reader_of_the_wrong_instance_is_caught_by_the_validation",
        ),
        (
            *("the cursor runs past the end of the DRAM window", "H4", "capacity"),
            "a_slot_past_the_end_of_the_window_is_caught_by_the_capacity_check",
        ),
        (
            "the DRAM window begins on an input",
            *("H8", "capacity overlap equivalence"),
            "a_slot_on_what_the_outside_sees_is_caught",
        ),
        (
            *("slots of DRAM are one page too near", "", "overlap race"),
            "a_slot_that_is_one_page_off_is_caught",
        ),
        (
            "the cursor wraps onto a buffer that still lives",
            *("H4", "overlap race equivalence"),
            "a_wrap_onto_what_still_lives_is_caught",
        ),
        (
            *("dependences know the bytes of on-chip spaces only", "", "race"),
            "dependences_that_know_on_chip_bytes_only_are_caught",
        ),
    ),
    *_named(
        "test_kernel_set_allreduce_ring_dram.py",
        (
            "read and write of one step are renamed together",
            *("G14", "equivalence"),
            "renaming_the_read_and_the_write_of_a_step_together_is_caught",
        ),
    ),
    *_named(
        "test_kernel_set_short.py",
        (
            *("loads are taken above the use before them", "", "race"),
            "loads_that_are_taken_above_the_use_before_them_are_caught",
        ),
    ),
    *_named(
        "modelled/test_dram.py",
        (
            "the cursor minds nobody, or never wraps",
            *("H4, H9", "overlap equivalence capacity"),
            "a_faulty_cursor_is_caught",
        ),
    ),
    *_named(
        GUARDS,
        (
            *("reads of what nothing wrote are let through", "H7", "equivalence"),
            "uncovered_reads_that_are_let_through_are_caught",
        ),
        (
            *(
                "a bank is released twice, and its count is below zero",
                "H10",
                "overlap",
            ),
            "counts_below_zero_are_caught",
        ),
        (
            *("a tile lies in the third band of a machine with two", "H14", "capacity"),
            "a_third_band_on_a_machine_with_two_is_caught",
        ),
        (
            *("a call is rotated in a window of no bytes", "H15", "capacity"),
            "a_window_without_a_size_that_is_taken_for_one_is_caught",
        ),
        (
            "a slot too few where the load comes before the use",
            *("G03", "race"),
            "a_slot_too_few_where_the_load_comes_first_is_caught",
        ),
        (
            *("one of two operands has no ring", "G04", "race"),
            "one_operand_without_a_ring_is_caught",
        ),
        (
            *("a load is issued for a trip that is not there", "G09", "order"),
            "a_load_ahead_of_a_trip_that_is_not_there_is_caught",
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
)
"""What a guard keeps from happening: the source, and the test of the guard."""

KEPT_RIGHT = (
    ("G06", "test_g06_each_stage_runs_once_for_each_trip"),
    ("G08", "test_g08_the_last_operation_works_on_the_last_trip"),
    ("G09", "test_g09_one_trip_loads_once"),
    ("G10", "test_g10_a_value_from_before_the_loop_comes_out_of_it"),
    ("G24", "test_g24_the_slot_of_trip_k_is_k_mod_3_everywhere"),
    ("G26", "test_g26_nothing_is_under_way_when_memory_is_used_again"),
    ("G41", "test_g41_a_plain_buffer_beside_rings_keeps_its_order"),
)
"""Reported cases as kernels in rings of three, with 0, 1, 2 and more trips."""

REPORTED = "kept/test_reported.py"

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
