from rotation.loop_form.kernel import Window
from rotation.modelled.regions import in_region
from rotation.modelled.sb_schedule import ByteWindow

CALL = Window("norm", 128, 64, 1)
REGIONS = {CALL: ByteWindow(64, 128)}


def test_buffers_of_a_call_lie_in_its_window():
    """Wholly."""
    assert in_region(CALL, 64, 128, REGIONS)
    assert not in_region(CALL, 56, 128, REGIONS)
    assert not in_region(CALL, 64, 136, REGIONS)


def test_other_buffers_lie_outside_every_window():
    """They may touch one."""
    assert in_region(None, 0, 64, REGIONS)
    assert in_region(None, 128, 256, REGIONS)
    assert not in_region(None, 120, 136, REGIONS)
