"""What the passes are: names, options, counts, and what each does."""

from __future__ import annotations

from dataclasses import fields
from inspect import getdoc
from typing import Any

from rotation.running.pipeline import NEEDED, OFF, PASSES


def pass_list() -> list[dict[str, Any]]:
    """Return the passes in the order in which they run, for JSON.

    >>> [each["name"] for each in pass_list()][:3]
    ['verify', 'plan_rings', 'unroll']
    """
    return [
        {
            "name": step.name,
            "summary": (getdoc(type(step)) or "").splitlines()[0],
            "needed": step.name in NEEDED,
            "on": step.name not in OFF,
            "options": {
                option.name: getattr(step, option.name)
                for option in fields(step)  # type: ignore[arg-type]
            },
            "statistics": [
                {"name": each.name, "unit": each.unit, "doc": each.doc}
                for each in step.statistics
            ],
        }
        for step in PASSES
    ]
