"""The version of the JSON objects that all programs print."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

SCHEMA: Final = "pelican-rotation/1"
"""The first key of every object; readers ignore keys that they do not know."""
