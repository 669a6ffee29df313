"""Which packages of rotation the lowest ones may import."""

import pytest

from tests.sources import SOURCES, imports

MAY_IMPORT = {
    "rotation/allocation/": {"allocation", "columns", "errors", "rounding"},
    "rotation/loop_form/": {"loop_form", "columns", "errors"},
}


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_a_low_package_imports_no_higher_one(folder: str):
    """Tables of buffers know no kernel, and the loop form knows no program."""
    packages = {
        module.split(".")[1]
        for path in SOURCES
        if path.startswith(folder)
        for module in imports(path)
        if module.startswith("rotation.")
    }

    assert packages <= MAY_IMPORT[folder]
