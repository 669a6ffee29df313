"""The libraries, one module each; a module that cannot be imported is not measured."""

from typing import Final

NAMES: Final = (
    "pelican",
    "mlir",
    "tvm",
    "isl",
    "xdsl",
    "tinygrad",
    "sympy",
    "python",
)
"""Modules of this package; each has a class ``Adapter``."""
