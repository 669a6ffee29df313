"""Interchange: expressions in the forms of other tools, one module a format.

| module | writes | reads | depth limit |
|---|---|---|---|
| `latex` | `to_latex` | - | `latex.MAX_DEPTH` |
| `c` | `to_c` | - | none: straight-line assignments |
| `python` | `to_python` | - | none: straight-line assignments |
| `mlir` | `to_mlir`, `to_mlir_expr` | `from_mlir` | `mlir.MAX_DEPTH`, writing only |
| `isl` | `to_isl`, `to_islpy` | `from_isl`, `from_islpy` | `isl.MAX_DEPTH`, writing only |
| `sympy` | `to_sympy` | `from_sympy`, `from_sympy_text` | `sympy.MAX_DEPTH`, writing only |

Each module is imported on its own, since some bring a heavy library with them.
"""
