"""Where each thread finds who listens to it; see `pelican.engine.listening`."""

from __future__ import annotations

from threading import local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from pelican.engine.listening import Recorder


class _Hook(local):
    """Attributes: recorder: who listens in this thread, or None."""

    recorder: Recorder | None = None


HOOK: Final = _Hook()
