"""Kernels of the JSON form, in parts."""

from __future__ import annotations

import pytest

from rotation.errors import InterchangeError
from rotation.interchange.json_form import read_kernel


def small(**changes: object) -> dict[str, object]:
    """Return a document of one small kernel, some of its fields changed."""
    kernel: dict[str, object] = {
        "name": "small",
        "tensors": [
            {
                "name": "x",
                "space": "dram",
                "shape": [8, 4],
                "dtype": "fp32",
                "role": "input",
            },
            {"name": "y", "space": "dram", "shape": [8, 4], "dtype": "fp32"},
        ],
        "buffers": [buffer()],
        "body": [loop(operation("ld", "t", box("x")), operation("st", box("y"), "t"))],
    }
    return {"schema": "rotation-kernels/1", "kernels": [kernel | changes]}


def buffer(**changes: object) -> dict[str, object]:
    """Return a buffer of the small kernel."""
    made = {"name": "t", "space": "sbuf", "partitions": 2, "free_elems": 4}
    return made | {"dtype": "fp32", "scope": "i", "rotate": True} | changes


def loop(*body: dict[str, object], **changes: object) -> dict[str, object]:
    """Return the loop of the small kernel."""
    return {"for": "i", "lo": 0, "hi": 4, "step": 1, "body": list(body)} | changes


def box(name: str) -> dict[str, object]:
    """Return two rows of a buffer in DRAM."""
    return {"buf": name, "idx": [{"i": 2}, {"_": 0}], "ext": [2, 4]}


def operation(
    name: str, target: object, source: object, **changes: object
) -> dict[str, object]:
    """Return a transfer; an operand that is a name is a whole buffer."""
    operands = [
        {"buf": o, "full": True} if isinstance(o, str) else o for o in (target, source)
    ]
    made = {"op": name, "kind": "copy", "engine": "dma"}
    return made | {"writes": operands[:1], "reads": operands[1:]} | changes


def refused(document: object, name: str = "small") -> InterchangeError:
    """Return the error that a document gives."""
    with pytest.raises(InterchangeError) as caught:
        read_kernel(document, name)
    return caught.value
