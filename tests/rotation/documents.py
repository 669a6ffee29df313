"""The JSON object of a run, as tests look at it."""

from typing import Any

KEYS = [
    "schema",
    "kernel",
    "machine",
    "verdict",
    "refusals",
    "notes",
    "passes",
    "memory",
    "edges",
    "rings",
    "pins",
    "schedule",
    "engines",
    "hazards",
    "proofs",
    "equivalent",
    "registers",
    "kept_loops",
    "timeline",
    "functions",
]
"""The published keys, in the published order."""


def without_seconds(value: Any) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """Return a JSON value without what varies between runs."""
    if isinstance(value, dict):
        return {k: without_seconds(v) for k, v in value.items() if k != "seconds"}
    return [without_seconds(v) for v in value] if isinstance(value, list) else value
