"""A mistake of the input as JSON: what every document says of one."""

from __future__ import annotations

from typing import Any

from pelican.errors import LocatedError


def error_object(error: LocatedError) -> dict[str, Any]:
    """Return the JSON fields of a mistake."""
    return {
        "type": type(error).__name__,
        "message": error.message,
        "file": error.file,
        "line": error.line,
        "column": error.column,
        "end_column": error.end_column,
        "hint": error.hint,
    }
