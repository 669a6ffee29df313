"""C text: one function of straight-line assignments over int32_t or int64_t."""

from __future__ import annotations

from pelican.errors import OperandError, WidthError
from pelican.evaluation.program import lower
from pelican.interchange.names import plain_names
from pelican.interchange.statements import statements
from pelican.tree.arguments import as_expr, as_text
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from pelican.evaluation.program import Step
    from pelican.expr.node import Expr

_KEYWORDS: Final = """
alignas alignof auto bool break case char const constexpr continue default do double
else enum extern false float for goto if inline int int32_t int64_t long main
nullptr register restrict return short signed sizeof static static_assert struct
switch thread_local true typedef typeof typeof_unqual union unsigned void volatile
while asm i386 linux unix
"""
KEYWORDS: Final = frozenset(_KEYWORDS.split())
"""Words that no name in the text may be.

Source: the keywords of C23; the macros that GNU compilers define without underscores.
"""


def to_c(expr: Expr, name: str = "f") -> str:
    """Return the text of a C99 function that computes an expression.

    Its parameters are the indices in term order, of the narrowest of int32_t and
    int64_t that holds every intermediate value while the indices are in their
    ranges. floordiv and mod round down for negative numerators too, by operations
    that the C standard defines. The function does not test its arguments.

    Args:
        expr: Any expression over indices.
        name: What to call the function.

    Raises:
        OperandError: If the name is no C name.
        WidthError: If 64 bits do not hold an intermediate value.
        NonAffineError: If a part is no integer arithmetic over indices.

    >>> from pelican import index
    >>> i = index("i", -64, 64)
    >>> print(to_c(i // 3, "third"), end="")
    #include <stdint.h>
    <BLANKLINE>
    /* i in [-64, 64) */
    int32_t third(int32_t i) {
      return i / 3 - (i % 3 < 0);
    }
    """
    plain = as_text(name, "a function's name").isascii() and name.isidentifier()
    if not plain or is_reserved(name):
        raise OperandError(f"a C function cannot be called {brief_text(name)}")
    program = lower(as_expr(expr))
    bits = next((b for b in (32, 64) if program.misfit(b) is None), None)
    if bits is None:
        raise WidthError(
            f"the C text needs more than 64 bits: {program.misfit(64)}",
            hint="give every index a range",
        )
    reserved = (idx.name for idx in program.indices if is_reserved(idx.name))
    names = plain_names(program.indices, {*KEYWORDS, name, *reserved})
    kind = f"int{bits}_t"

    def operation(step: Step, operands: list[str]) -> str:
        low = program.steps[step.args[0]].interval.lo
        return _operation(step, operands, negative=low is None or low < 0)

    assigned, value = statements(program, names, _literal, operation)
    ranges = [f"{names[i]} in {i.values_text()}" for i in program.indices]
    parameters = ", ".join(f"{kind} {parameter}" for parameter in names.values())
    lines = ["#include <stdint.h>", ""]
    lines += [f"/* {', '.join(ranges)} */"] if ranges else []
    lines += [f"{kind} {name}({parameters or 'void'}) {{"]
    lines += [f"  {kind} {target} = {written};" for target, written in assigned]
    lines += [f"  return {value};", "}"]
    return "\n".join(lines) + "\n"


def is_reserved(name: str) -> bool:
    """Tell whether C keeps a name for itself, in any scope.

    Source: C99, 7.1.3: two underscores, or one and a capital; 7.26.8: the integer
    types and limits that stdint.h has, and those that it may get.

    >>> is_reserved("INT32_MAX"), is_reserved("_Bool"), is_reserved("_i")
    (True, True, False)
    """
    if name in KEYWORDS or name.startswith("__"):
        return True
    if name.startswith(("int", "uint")) and name.endswith("_t"):
        return True
    limit = name.startswith(_LIMITS) and name.endswith(("_MAX", "_MIN", "_C", "_WIDTH"))
    return limit or (name[0] == "_" and name[1:2].isupper())


_LIMITS: Final = ("INT", "UINT", "PTRDIFF", "SIG_ATOMIC", "SIZE", "WCHAR", "WINT")


def _literal(value: int) -> str:
    """Return an integer; the least ones have no literal of their own in C."""
    if value >= 0:
        return str(value)
    least = value in {-(1 << 31), -(1 << 63)}
    return f"({value + 1} - 1)" if least else f"({value})"


_OPERATORS: Final = {"add": "+", "sub": "-"}


def _operation(step: Step, operands: list[str], *, negative: bool) -> str:
    """Return the text of a step.

    Args:
        step: What to do.
        operands: Texts of the values that it takes.
        negative: Whether the first of them may be below 0. C rounds quotients to 0,
            and leaves the right shift of a negative value to the compiler.
    """
    first, number = operands[0], step.literal or 0
    power = number & (number - 1) == 0
    if step.op == "neg":
        return f"-{first}"
    if step.op == "mul":
        return f"{_literal(number)} * {first}"
    if step.op == "mod" and power:
        return f"{first} & {number - 1}"
    if step.op == "mod" and negative:
        return f"{first} % {number} + {number} * ({first} % {number} < 0)"
    if step.op == "mod":
        return f"{first} % {number}"
    if step.op == "floordiv" and negative:
        return f"{first} / {number} - ({first} % {number} < 0)"
    if step.op == "floordiv":
        return (
            f"{first} >> {number.bit_length() - 1}" if power else f"{first} / {number}"
        )
    return f"{first} {_OPERATORS[step.op]} {operands[1]}"
