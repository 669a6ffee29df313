"""Machine code of a program, by numba, which is optional: the extra `numba`.

The code does the steps of the program one after the other, in the integers that numpy
would give, so that both give the same values. It tests each value of an index while
it has it, where numpy tests those of a block.
"""

from __future__ import annotations

from pelican.errors import OperandError
from pelican.integers import brief_value, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from pelican.evaluation.program import Program, Step
    from pelican.expr import AffineIdx

ENGINES: Final = ("auto", "numba", "numpy")
"""What may compute the values."""

INTEGERS: Final = ("int32", "int64", "uint32", "uint64")
"""What the code names, besides `range`."""

JIT_POINTS: Final = 1 << 28
"""Points after which machine code is made without being asked for.

Source: measured. Loading numba and making the code of 20 steps takes 0.5 to 1 s, and
saves 2 to 4 ns for each point; longer programs take and save more alike.
"""

MAX_STEPS: Final = 400
"""Longer programs are left to numpy: it takes too long to make code of them.

Source: measured; 400 steps of sums and mods take 5 s, 1,600 take 22 s.
"""

_TEXTS: Final = {
    "neg": "-{0}",
    "mul": "{0} * {1}",
    "add": "{0} + {1}",
    "sub": "{0} - {1}",
    "floordiv": "{0} // {1}",
    "mod": "{0} % {1}",
    "and": "{0} & {1}",
    "shift": "{0} >> {1}",
}
"""The code of each step; a literal is the second operand."""

_MAX_SHIFT: Final = 63
"""A longer shift of a machine integer gives what this one gives."""


class MachineCode:
    """Code that is made when it is worth it.

    Attributes:
        kernel: The code once it is made, else None. It takes the columns of the
            indices and one for the values, all of shape (points,), and tells whether
            a value was outside its index's range or off its step.
    """

    def __init__(
        self, program: Program, integer: str, engine: str, *, is_exact: bool
    ) -> None:
        """Keep what the code is made of.

        Args:
            program: What to do.
            integer: ``"int32"`` or ``"int64"``: its integers.
            engine: One of `ENGINES`.
            is_exact: True if no machine integers do.

        Raises:
            OperandError: If there is no such engine.
            ImportError: If numba is asked for and not installed.
        """
        if engine not in ENGINES:
            raise OperandError(
                f"there is no engine {brief_value(engine)}",
                hint=f"one of {', '.join(ENGINES)}",
            )
        self.kernel: Callable[..., bool] | None = None
        self._points_left = 0 if engine == "numba" else JIT_POINTS
        self._integer = integer
        if engine == "numba":
            _numba()
        is_left = engine == "numpy" or is_exact or len(program.steps) > MAX_STEPS
        self._program = None if is_left else program

    def after(self, points: int) -> Callable[..., bool] | None:
        """Return the code if it is worth it when so many more points are computed."""
        self._points_left -= points
        program = self._program  # another thread may take it away
        if program is not None and self._points_left <= 0:
            self.kernel = _made(source_of(program, self._integer))
            self._program = None
        return self.kernel


def _numba() -> Any:  # noqa: ANN401 - a module without types
    try:
        import numba  # noqa: PLC0415 - optional, and slow to load
    except ImportError as error:
        raise ImportError(
            f"engine='numba' needs numba ({error}): "
            "pip install 'pelican-rotation[numba]'"
        ) from None
    return numba


def _made(source: str) -> Callable[..., bool] | None:
    """Return the code, or None if numba is not installed."""
    try:
        numba = _numba()
    except ImportError:
        return None
    names = {name: getattr(numba, name) for name in INTEGERS}
    exec(source, names)
    kernel: Callable[..., bool] = numba.njit(names["kernel"])
    return kernel


def source_of(program: Program, integer: str) -> str:
    """Return Python code of a loop over the points, as numba reads it.

    Args:
        program: What to do; machine integers hold its intermediate values.
        integer: ``"int32"`` or ``"int64"``.
    """
    indices = program.indices
    place = {idx: k for k, idx in enumerate(indices)}
    lines, tests = [], []
    for number, step in enumerate(program.steps):
        if step.value is not None:
            continue
        if step.index is not None:
            k = place[step.index]
            lines.append(f"v{k} = c{k}[at]")
            lines.append(f"s{number} = {integer}(v{k})")
            tests.append(_outside(step.index, f"v{k}", f"s{number}"))
        else:
            lines.append(f"s{number} = {integer}({_text(program, step, integer)})")
    columns = "".join(f"c{k}, " for k in range(len(indices)))
    body = [*lines, *(f"bad |= {test}" for test in tests)]
    body.append(f"out[at] = {_operand(program, program.result)}")
    inner = "".join(f"        {line}\n" for line in body)
    return (
        f"def kernel({columns}out):\n"
        "    bad = False\n"
        "    for at in range(out.size):\n"
        f"{inner}"
        "    return bad\n"
    )


def _text(program: Program, step: Step, integer: str) -> str:
    operands = [_operand(program, k) for k in step.args]
    if step.literal is not None:
        number = min(step.literal, _MAX_SHIFT) if step.op == "shift" else step.literal
        operands.append(f"({literal(number)})")
    if step.op == "floordiv" and _is_natural(program, step):
        # Without signs it takes a third of the time, as nothing has to be rounded.
        operands = [f"u{integer}({operand})" for operand in operands]
    return _TEXTS[step.op].format(*operands)


def _is_natural(program: Program, step: Step) -> bool:
    """Tell whether the first operand of a step is never negative."""
    least = program.steps[step.args[0]].interval.lo
    return least is not None and least >= 0


def _operand(program: Program, number: int) -> str:
    value = program.steps[number].value
    return f"s{number}" if value is None else f"({literal(value)})"


def _outside(idx: AffineIdx, value: str, narrow: str) -> str:
    """Return code that tells whether a value is no value of its index.

    The step is looked at in the program's integers, which hold what is in the range.
    """
    lo, hi = idx.range.lo, idx.range.hi
    if lo is not None and hi is not None and hi - lo <= idx.step:
        # Two values or one; the step itself may be no machine integer.
        return f"({value} != {literal(lo)}) & ({value} != {literal(hi)})"
    text = f"({value} < {literal(lo)}) | ({value} > {literal(hi)})"
    if idx.lo is not None and idx.step != 1:
        text += f" | ({narrow} % {literal(idx.step)} != {literal(idx.lo % idx.step)})"
    return text
