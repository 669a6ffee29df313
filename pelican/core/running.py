"""Which core runs: plain Python, or the same modules compiled.

The modules of the core are compiled where a wheel is built for that (see
`hatch_build.py`); what is compiled stays beside its source, which runs everywhere.
"""

from __future__ import annotations

from pelican.tree import kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

COMPILED: Final = kinds.__file__.endswith((".so", ".pyd"))
"""True if the compiled core runs."""
