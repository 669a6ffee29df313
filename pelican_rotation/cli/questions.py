"""`pelican range`, `eval` and `equiv`: questions about one or two expressions."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pelican import Interval, ParseError, simplify
from pelican.errors import TooLargeError, UnknownNameError, nearest
from pelican.integers import MAX_DIGITS, brief_value, decimal, number
from pelican.schema import SCHEMA
from pelican.tree.kinds import is_constant, is_opaque
from pelican.tree.points import point_names
from pelican.tree.traverse import indices
from pelican_rotation.cli.convert import parsed
from pelican_rotation.cli.declarations import Declarations, declares
from pelican_rotation.cli.output import AsJson, print_json, reported_errors
from pelican_rotation.exits import EXIT_HOLDS, EXIT_UNDECIDED, exit_code

if TYPE_CHECKING:
    from pelican.expr import SimpleExpr
    from proofs.verdict import Verdict

Expression = Annotated[str, typer.Argument(help="One expression.")]
Timeout = Annotated[
    float,
    typer.Option("--timeout-s", help="Time that a proof may take [s].", min=0.001),
]
DEFAULT_TIMEOUT_S: Final = 10.0


@declares
def range_command(
    expression: Expression, *, declarations: Declarations, as_json: AsJson = False
) -> None:
    """Print the half-open range of an expression, and its step.

    The values are some of the least one plus multiples of the step. Where there is no
    least one, their remainder by the step is printed.
    """
    with reported_errors(as_json=as_json):
        simple = simplify(parsed(expression, declarations.names()))
        text, ends, stride = str(simple), written_ends(simple.range), simple.stride
        modulus, residue = decimal(stride.modulus), decimal(stride.residue)
    if as_json:
        fields = {"modulus": stride.modulus, "residue": stride.residue}
        print_json({"schema": SCHEMA, "output": text, "range": ends, "stride": fields})
        return
    low, high = ends
    end = "..." if high is None else decimal(high + 1)
    start = "..." if low is None else decimal(low)
    words = "" if stride.modulus < 2 else f" step {modulus}"
    if words and low is None:
        words = f", {residue} modulo {modulus}"
    sys.stdout.write(f"[{start}, {end}){words}\n")


def written_ends(interval: Interval) -> list[int | None]:
    """Return the two ends of a range, None where it is unbounded.

    Raises:
        TooLargeError: If an end is too long to write.
    """
    for end in (interval.lo, interval.hi):
        decimal(end or 0)  # raises where the JSON writer would
    return [interval.lo, interval.hi]


@declares
def eval_command(
    expression: Expression,
    *,
    declarations: Declarations,
    at: Annotated[
        list[str], typer.Option("--at", help="The value of a name: i=3. Repeatable.")
    ] = [],  # noqa: B006 - typer copies the default
    as_json: AsJson = False,
) -> None:
    """Print the value of an expression at one point.

    Names that do not decide it need no value. Exits 3 if one that does has none.
    """
    with reported_errors(as_json=as_json):
        names = declarations.names()
        raw, point = parsed(expression, names), point_of(at, names)
        value = raw.eval(point).value
        if value is None and is_constant(simple := simplify(raw)):
            value = simple.constant  # whatever the names are
        text = "" if value is None else decimal(value)
    valid = value is not None
    if as_json:
        print_json({"schema": SCHEMA, "value": value, "valid": valid})
    elif valid:
        sys.stdout.write(f"{text}\n")
    else:
        sys.stderr.write(_missing([x for x in indices(raw) if x not in point]))
    raise typer.Exit(EXIT_HOLDS if valid else EXIT_UNDECIDED)


def _missing(leaves: list[SimpleExpr]) -> str:
    """Return what is said of leaves that have no value."""
    opaque = [leaf.name for leaf in leaves if is_opaque(leaf)]
    names = [leaf.name for leaf in leaves if not is_opaque(leaf)]
    lines = [f"no value: none is given for {', '.join([*names, *opaque])}"]
    if names:
        given = " ".join(f"--at {name}=3" for name in names)
        lines.append(f"    hint: write {given}, with values of your own")
    if opaque:
        hint = "is known to the running program only: write a name instead"
        lines.append(f'    hint: {opaque[0]} {hint}, declared by --runtime "r"')
    return "\n".join(lines) + "\n"


def point_of(texts: list[str], names: Mapping[str, Any]) -> dict[Any, int]:
    """Return the values of the options ``--at``.

    Raises:
        ParseError: If one is not written ``i=3``, or gives a name a second value.
        TooLargeError: If a value has more digits than the language reads.
        UnknownNameError: If a name is not declared.
    """
    given: dict[Any, str] = {}
    point: dict[Any, int] = {}
    for text in texts:
        name, equals, digits = (part.strip() for part in text.partition("="))
        shown = brief_value(text)
        if not name.isidentifier():
            raise ParseError(
                f"--at {shown} gives no name a value",
                hint="write the name of an index before the =, as in --at i=3",
            )
        size = digits.removeprefix("-")
        if not equals or not (size.isascii() and size.isdigit()):
            raise ParseError(
                f"--at {shown} gives no value",
                hint="write an integer in the digits 0 to 9, as in --at i=3",
            )
        if len(size) > MAX_DIGITS:
            raise TooLargeError(
                f"--at {name}: an integer of {len(size)} digits is too long",
                hint=f"literals have at most {MAX_DIGITS} digits",
            )
        if name not in names:
            near = nearest(name, names)
            known = near or f"known names: {', '.join(names) or 'none'}"
            hint = f'{known}; or declare it: --index "{name}"'
            raise UnknownNameError(name, hint=hint)
        idx = names[name]
        if idx in given:
            raise _two_values(given[idx], name)
        given[idx], point[idx] = name, number(digits)
    return point


def _two_values(first: str, second: str) -> ParseError:
    if first == second:
        return ParseError(
            f"--at gives {first} two values", hint=f"write --at {first}=... once"
        )
    return ParseError(
        f"--at gives {first} and {second} a value each, and they are one shard",
        hint="a shard is known by its count alone: give one of the two a value",
    )


@declares
def equiv_command(
    left: Annotated[str, typer.Argument(help="One expression.")],
    right: Annotated[str, typer.Argument(help="Another one.")],
    *,
    declarations: Declarations,
    timeout_s: Timeout = DEFAULT_TIMEOUT_S,
    as_json: AsJson = False,
) -> None:
    """Prove two expressions equal for all values, or show where not.

    They are compared as they are written, not simplified. Exits 0 if they are equal,
    1 if they differ somewhere, 3 if that is not decided.
    """
    from proofs import prove_equal  # noqa: PLC0415 - loads the solver

    with reported_errors(as_json=as_json):
        names = declarations.names()
        sides = parsed(left, names), parsed(right, names)
        begin = time.monotonic()
        verdict = prove_equal(*sides, timeout_s=timeout_s)
        seconds = time.monotonic() - begin
        point = named_point(getattr(verdict, "model", None))
        values = values_of(verdict)
        texts = [decimal(value) for value in values or ()]
    if as_json:
        print_json(
            {
                "schema": SCHEMA,
                "verdict": verdict.word,
                "counterexample": point,
                "values": values,
                "seconds": seconds,
            }
        )
    else:
        shown = f": {' and '.join(texts)}" if texts else ""
        sys.stdout.write(f"{verdict}{shown}\n")
    raise typer.Exit(exit_code([verdict.word]))


def values_of(verdict: Verdict) -> list[int] | None:
    """Return what the sides of a claim are at its counterexample, None without one.

    Raises:
        TooLargeError: If a value is too long to write.
    """
    values = list(getattr(verdict, "values", ()))
    for value in values:
        decimal(value)  # raises where the JSON writer would
    return values or None


def named_point(
    point: Mapping[Any, int] | None, *others: Mapping[Any, int] | None
) -> dict[str, int] | None:
    """Return the values of a point by name; names that come twice are numbered.

    Args:
        point: The point, or None.
        others: Points that are shown beside it.

    Raises:
        TooLargeError: If a value is too long to write.
    """
    if point is None:
        return None
    names = point_names(point, *filter(None, others))
    for value in point.values():
        decimal(value)  # raises where the JSON writer would
    return {names[key]: value for key, value in point.items()}
