"""States of a small kernel between the passes."""

from __future__ import annotations

from rotation.passes.base import State
from rotation.running.pipeline import PASSES, run_passes
from tests.rotation.programs import STREAM, state_of


def until(name: str, text: str = STREAM) -> State:
    """Return the state before the pass of that name."""
    names = [step.name for step in PASSES]
    return run_passes(PASSES[: names.index(name)], state_of(text))[0]
