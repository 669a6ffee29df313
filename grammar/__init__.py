"""The texts of the languages, as package data: grammars and known mistakes.

No logic lives here: each grammar is a file beside this one and is read once.
"""

from importlib.resources import files
from typing import Final

EXPR: Final[str] = files(__name__).joinpath("expr.lark").read_text(encoding="utf-8")
KERNEL: Final[str] = files(__name__).joinpath("kernel.lark").read_text(encoding="utf-8")
PATTERN: Final[str] = (
    files(__name__).joinpath("pattern.lark").read_text(encoding="utf-8")
)
MLIR: Final[str] = files(__name__).joinpath("mlir.lark").read_text(encoding="utf-8")
ISL: Final[str] = files(__name__).joinpath("isl.lark").read_text(encoding="utf-8")

__all__ = ["EXPR", "ISL", "KERNEL", "MLIR", "PATTERN"]
