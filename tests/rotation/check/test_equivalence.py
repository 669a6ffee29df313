from hypothesis import given, settings
from hypothesis import strategies as st

from rotation.check import check_equivalence
from rotation.program import Program
from tests.rotation.check.builder import in_turn, private
from tests.rotation.check.oracle import final_dram
from tests.rotation.check.random_programs import programs, shared_placements


@given(st.data(), programs())
def test_other_data_is_reported_if_and_only_if_some_byte_of_dram_differs(
    data: st.DataObject, program: Program
):
    """Symbolic execution on boxes agrees with symbolic execution byte by byte."""
    placement = data.draw(shared_placements(program))
    order = data.draw(st.permutations(range(len(program))))

    numbers: dict[object, int] = {}
    source = final_dram(program, None, range(len(program)), numbers)
    placed = final_dram(program, placement, order, numbers)
    found = check_equivalence(program, placement, in_turn(program, order))
    differs = [h for h in found if "ends with other data" in h.message]
    assert (source != placed) == bool(differs)
