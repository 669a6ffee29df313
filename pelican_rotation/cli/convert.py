"""`pelican convert`: expressions from one form to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from pelican import Expr, ParseError, parse, simplify
from pelican.errors import UnknownNameError

Readable = Literal["pelican", "mlir", "isl", "sympy"]
Writable = Literal["pelican", "latex", "c", "python", "mlir", "isl", "sympy"]


def read(text: str, form: Readable, names: Mapping[str, Expr]) -> list[Expr]:
    """Return the raw trees that a text holds, one or several.

    Args:
        text: One expression, or a map with several results.
        form: The language of the text.
        names: What the names of the text stand for. In pelican's own language every
            name must be given; elsewhere the others are unbounded.
    """
    if form == "mlir":
        from pelican.interchange.mlir import from_mlir  # noqa: PLC0415 - the parser

        return from_mlir(text, names, simplify=False).results
    if form == "isl":
        from pelican.interchange.isl import from_isl  # noqa: PLC0415 - the parser

        return from_isl(text, names, simplify=False).results
    if form == "sympy":
        from pelican.interchange.sympy import from_sympy_text  # noqa: PLC0415 - sympy

        return [from_sympy_text(text, names, simplify=False)]
    return [parsed(text, names)]


def parsed(expression: str, names: Mapping[str, Expr]) -> Expr:
    """Return the raw tree of an expression; an unknown name is told how to declare."""
    try:
        return parse(expression, names, simplify=False)
    except ParseError as error:
        for each in error.errors:
            if isinstance(each, UnknownNameError):
                each.hint = f'{each.hint}; or declare it: --index "{each.name}"'
        raise


def written(exprs: list[Expr], form: Writable) -> list[str]:
    """Return the texts of some expressions.

    MLIR and isl write one map of all results; the others one text each.
    """
    return _WRITERS[form]([simplify(expr) for expr in exprs])


def _each(write: Callable[[Expr], str]) -> Callable[[list[Expr]], list[str]]:
    return lambda exprs: [write(expr) for expr in exprs]


def _functions(write: Callable[[Expr, str], str], exprs: list[Expr]) -> list[str]:
    """Return one function a result, called f, or f0, f1, ... when there are several."""
    if len(exprs) == 1:
        return [write(exprs[0], "f").rstrip()]
    return [write(expr, f"f{k}").rstrip() for k, expr in enumerate(exprs)]


def _latex(exprs: list[Expr]) -> list[str]:
    from pelican.interchange.latex import to_latex  # noqa: PLC0415 - on demand

    return [to_latex(expr) for expr in exprs]


def _c(exprs: list[Expr]) -> list[str]:
    from pelican.interchange.c import to_c  # noqa: PLC0415 - on demand

    return _functions(to_c, exprs)


def _python(exprs: list[Expr]) -> list[str]:
    from pelican.interchange.python import to_python  # noqa: PLC0415 - on demand

    return _functions(to_python, exprs)


def _mlir(exprs: list[Expr]) -> list[str]:
    from pelican.interchange.mlir import to_mlir  # noqa: PLC0415 - the parser

    return [to_mlir(exprs)]


def _isl(exprs: list[Expr]) -> list[str]:
    from pelican.interchange.isl import to_isl  # noqa: PLC0415 - the parser

    return [to_isl(exprs)]


def _sympy(exprs: list[Expr]) -> list[str]:
    from pelican.interchange.sympy import to_sympy_text  # noqa: PLC0415 - sympy

    return [to_sympy_text(expr) for expr in exprs]


_WRITERS: Final[dict[str, Callable[[list[Expr]], list[str]]]] = {
    "pelican": _each(str),
    "latex": _latex,
    "c": _c,
    "python": _python,
    "mlir": _mlir,
    "isl": _isl,
    "sympy": _sympy,
}
