"""`pelican convert`: expressions from one form to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast

from pelican import Expr, ParseError, parse, simplify
from pelican.errors import UnknownNameError

if TYPE_CHECKING:
    from pelican.expr import AffineIdx
    from pelican.interchange.maps import AffineMap

Readable = Literal["pelican", "mlir", "isl", "sympy"]
Writable = Literal["pelican", "latex", "c", "python", "mlir", "isl", "sympy"]


class Results(NamedTuple):
    """What a text holds.

    Attributes:
        exprs: Its expressions, one or several.
        dims: The dimensions of a map, used or not; None where the text is no map.
        symbols: The same for its symbols.
    """

    exprs: list[Expr]
    dims: list[AffineIdx] | None = None
    symbols: list[AffineIdx] | None = None


def read(text: str, form: Readable, names: Mapping[str, Expr]) -> Results:
    """Return the raw trees that a text holds, and what a map takes.

    Args:
        text: One expression, or a map with several results.
        form: The language of the text.
        names: What the names of the text stand for. In pelican's own language every
            name must be given; elsewhere the others are unbounded.
    """
    if form == "mlir":
        from pelican.interchange.mlir import from_mlir  # noqa: PLC0415 - the parser

        return _of_map(from_mlir(text, names, simplify=False))
    if form == "isl":
        from pelican.interchange.isl import from_isl  # noqa: PLC0415 - the parser

        return _of_map(from_isl(text, names, simplify=False))
    if form == "sympy":
        from pelican.interchange.sympy import from_sympy_text  # noqa: PLC0415 - sympy

        return Results([from_sympy_text(text, names, simplify=False)])
    return Results([parsed(text, names)])


def _of_map(found: AffineMap) -> Results:
    # Every name stands for a declared index, or for one that was made for it.
    dims = cast("list[AffineIdx]", list(found.dims))
    return Results(found.results, dims, cast("list[AffineIdx]", list(found.symbols)))


def parsed(expression: str, names: Mapping[str, Expr]) -> Expr:
    """Return the raw tree of an expression; an unknown name is told how to declare."""
    try:
        return parse(expression, names, simplify=False)
    except ParseError as error:
        for each in error.errors:
            if isinstance(each, UnknownNameError):
                each.hint = f'{each.hint}; or declare it: --index "{each.name}"'
        raise


def written(results: Results, form: Writable) -> list[str]:
    """Return the texts of some expressions.

    MLIR and isl write one map of all results; the others one text each.
    """
    exprs = [simplify(expr) for expr in results.exprs]
    return _WRITERS[form](results._replace(exprs=exprs))


def _each(write: Callable[[Expr], str]) -> Callable[[Results], list[str]]:
    return lambda results: [write(expr) for expr in results.exprs]


def _functions(write: Callable[[Expr, str], str], results: Results) -> list[str]:
    """Return one function a result, called f, or f0, f1, ... when there are several."""
    exprs = results.exprs
    if len(exprs) == 1:
        return [write(exprs[0], "f").rstrip()]
    return [write(expr, f"f{k}").rstrip() for k, expr in enumerate(exprs)]


def _latex(results: Results) -> list[str]:
    from pelican.interchange.latex import to_latex  # noqa: PLC0415 - on demand

    return [to_latex(expr) for expr in results.exprs]


def _c(results: Results) -> list[str]:
    from pelican.interchange.c import to_c  # noqa: PLC0415 - on demand

    return _functions(to_c, results)


def _python(results: Results) -> list[str]:
    from pelican.interchange.python import to_python  # noqa: PLC0415 - on demand

    return _functions(to_python, results)


def _mlir(results: Results) -> list[str]:
    from pelican.interchange.mlir import to_mlir  # noqa: PLC0415 - the parser

    return [to_mlir(*results)]


def _isl(results: Results) -> list[str]:
    from pelican.interchange.isl import to_isl  # noqa: PLC0415 - the parser

    return [to_isl(*results)]


def _sympy(results: Results) -> list[str]:
    from pelican.interchange.sympy import to_sympy_text  # noqa: PLC0415 - sympy

    return [to_sympy_text(expr) for expr in results.exprs]


_WRITERS: Final[dict[str, Callable[[Results], list[str]]]] = {
    "pelican": _each(str),
    "latex": _latex,
    "c": _c,
    "python": _python,
    "mlir": _mlir,
    "isl": _isl,
    "sympy": _sympy,
}
