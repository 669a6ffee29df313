"""Random expressions against plain Python integers, and the fuzz against faults."""

import pytest

from benchmarks.fuzz_expressions import fuzz, report

CHUNKS, CHUNK = 40, 500


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_expressions_have_no_fault(chunk: int):
    """Values, ranges, a second simplification and the text, of 20,000 expressions."""
    numbers = range(chunk * CHUNK, (chunk + 1) * CHUNK)
    faults = [report(0, number, fault) for number, fault in fuzz(0, numbers)]

    assert faults == []
