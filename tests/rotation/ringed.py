"""Examples with rings that their user asks for."""

from __future__ import annotations

import re
from pathlib import Path


def example(name: str) -> str:
    """Return the text of an example."""
    return Path(f"examples/{name}.kernel").read_text(encoding="utf-8")


def with_rings(text: str, **slots: int) -> str:
    """Return the text of a kernel with a ``ring`` at some declarations on the chip."""
    for name, count in slots.items():
        declared = rf"^(\s*(?:sb|psum) {name} \[.*?\] \w+)(?: ring \d+)?$"
        text, found = re.subn(declared, rf"\1 ring {count}", text, flags=re.MULTILINE)
        assert found == 1, name
    return text
