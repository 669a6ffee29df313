from pelican.expr import IntRuntimeValue, ModuloExpr
from rotation.kept.form import tree_of
from rotation.kept.layout import laid_out
from rotation.kept.widen import instance_number, widened
from tests.rotation.kept.programs import NEST, ROWS
from tests.rotation.programs import PLANNING, kernel


def places(text: str, slots: int):
    """Return each buffer's widened location, by name."""
    function = kernel(text)
    sizes = {t: slots for t in function.tensors if t.on_chip}
    layout = laid_out(tree_of(function), PLANNING, sizes)
    return {t.name: place for t, place in widened(function, layout).items()}


def test_the_address_keeps_the_denominator_of_its_ring():
    """The mod is a node whose denominator is the number of slots."""
    place = places(ROWS, 3)["zt"]

    assert isinstance(place.slot, ModuloExpr)
    assert place.slot.denom == 3
    assert str(place.address) == "2048*(i mod 3) + 6144"


def test_the_induction_variable_is_a_register():
    """With the start and step of the loop, and without an end."""
    text = ROWS.replace("[0, %n)", "[4, %n) step 2").replace("128*i:", "64*i:")
    (i,) = places(text, 2)["xt"].slot.indices

    assert isinstance(i, IntRuntimeValue)
    assert (i.name, i.lo, i.hi, i.step) == ("i", 4, None, 2)


def test_trips_are_counted_from_the_start_in_steps():
    """Slots of a loop with a step go round with its trips, not with its values."""
    text = ROWS.replace("[0, %n)", "[4, %n) step 2").replace("128*i:", "64*i:")
    slot = places(text, 2)["xt"].slot
    (i,) = slot.indices
    taken = [int(slot.eval({i: value})) for value in (4, 6, 8, 10)]

    assert taken == [0, 1, 0, 1]


def test_a_run_time_inner_loop_is_counted_on():
    """The counter is a register of its own, which no loop starts again."""
    assert str(places(NEST, 3)["t"].slot) == "k_count mod 3"


def test_an_inner_static_loop_multiplies_the_trips():
    """Three instances in each trip."""
    inner = "for j in [0, 3) { sb u [128, 8] fp32 vector.memset u <- }"
    function = kernel(ROWS.replace("    ld:", f"    {inner}\n    ld:"))
    (u,) = (t for t in function.tensors if t.name == "u")

    assert str(instance_number(function, u)) == "3*i + j"


def test_a_counter_has_the_name_of_no_loop():
    """Another loop may be called what the counter would be."""
    text = NEST.replace("for m in", "for k_count in").replace("128*m", "128*k_count")

    assert str(places(text, 3)["t"].slot) == "k_count_ mod 3"
