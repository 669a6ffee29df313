import pytest

from rotation.errors import KernelError
from rotation.modelled.scope import (
    AddressRotationScope,
    KernelInstruction,
    broken_rules,
)
from rotation.text.parse import parse
from rotation.verify.verify import verify
from tests.rotation.programs import PLANNING

FINE = KernelInstruction("norm", 1, 128, 4096, 2, 128, 3, 1, 5)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"sb_partitions": 0}, 1680),
        ({"sb_bytes_per_partition": 0}, 1680),
        ({"sb_bytes_per_partition": -1}, 1680),
        ({"psum_banks": 9}, 1681),
        ({"psum_partitions": 129}, 1682),
        ({"outputs": 3}, 1683),
        ({"rotation_scope": 3}, 1684),
        ({"rotation_scope": -1}, 1684),
    ],
)
def test_each_rule_has_its_code(change, code):
    """One change breaks one rule."""
    fields = {f: getattr(FINE, f) for f in FINE.__dataclass_fields__}
    broken = KernelInstruction(**{**fields, **change})

    assert [rule.code.value for rule in broken_rules(broken, PLANNING)] == [code]


@pytest.mark.parametrize("shape", [(128, 4096), (0, 0)])
def test_a_shape_is_set_or_not(shape):
    """Both sides of it positive, or both zero."""
    kernel = KernelInstruction("norm", 1, *shape)

    assert list(broken_rules(kernel, PLANNING)) == []


def test_the_scopes_have_the_modelled_numbers():
    """None 0, Kernel 1, Global 2."""
    assert {s.name: s.value for s in AddressRotationScope} == {
        "NONE": 0,
        "KERNEL": 1,
        "GLOBAL": 2,
    }


CALLER = """
kernel copied on planning {
  dram a [128, 256] fp32 input
  dram b [128, 256] fp32 output
  for j in [0, 4) {
    sb t [128, 64] fp32
    ld: dma.load t <- a[0:+128, 64*j:+64]
    st: dma.store b[0:+128, 64*j:+64] <- t
  }
}
kernel caller on planning {
  dram x [128, 256] fp32 input
  dram y [128, 256] fp32 output
  call copied(x, y) scope kernel WINDOW
}
"""


def caller(window: str):
    """Return the kernel that calls, with that window."""
    return parse(CALLER.replace("WINDOW", window))[-1]


@pytest.mark.parametrize(
    ("window", "code"), [("sb(0, 4096) banks 1", 1680), ("sb(128, 4096) banks 9", 1681)]
)
def test_a_call_that_breaks_a_rule_is_refused(window, code):
    """With the code of the rule and the place."""
    with pytest.raises(KernelError, match=f"rule {code}") as error:
        verify(caller(window), PLANNING)

    assert error.value.errors[0].span is not None


def test_a_call_with_a_window_is_fine():
    """Nothing is raised."""
    verify(caller("sb(128, 4096) banks 1"), PLANNING)
