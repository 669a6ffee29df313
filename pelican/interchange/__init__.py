"""Interchange: expressions in the forms of other tools, one module a format.

| module | writes | reads |
|---|---|---|
| `latex` | `to_latex` | - |
| `c` | `to_c` | - |
| `python` | `to_python` | - |
| `mlir` | `to_mlir`, `to_mlir_expr` | `from_mlir` |
| `isl` | `to_isl`, `to_islpy` | `from_isl`, `from_islpy` |
| `sympy` | `to_sympy`, `to_sympy_text` | `from_sympy`, `from_sympy_text` |

C and Python are straight-line assignments and have no depth limit. The others are
written up to the `MAX_DEPTH` of their module, and read from any depth that their own
library can make. Each module is imported on its own, since some bring a heavy
library with them.
"""
