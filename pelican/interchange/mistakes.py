"""What to do about a foreign text that holds the operators of another language.

A mistake is known by the operator or the call that stands where reading stopped.
"""

from __future__ import annotations

import ast
import re
from typing import Final, NamedTuple

from pelican.text.mistakes import (
    MODULO_CALL,
    ONLY_INTEGERS,
    ROUNDING_CALL,
    call_before,
    in_any_language,
)

_DIVISION: Final = r"//?|(?i:floordiv|ceildiv|idiv|div)\b"
_MODULO: Final = r"%|(?i:mod|rem)\b"
_POWER: Final = r"\*\*"
_COMPARISON: Final = r"[<>=!]=|[<>=]"
_DOUBLE: Final = frozenset({"//", "**", ">>", "<<", "==", "!=", "<=", ">="})
"""Operators of two characters, of which a language may know the first alone."""


class Spelling(NamedTuple):
    """How a language writes what others write otherwise.

    Attributes:
        language: What it is called in messages.
        name: A name, as its examples have it.
        floordiv: A division of that name by 4 that rounds down.
        ceildiv: The one that rounds up.
        modulo: The remainder.
        calls: The functions that an expression may call.
        whole: A whole text.
    """

    language: str
    name: str
    floordiv: str
    ceildiv: str
    modulo: str
    calls: tuple[str, ...]
    whole: str

    def remedy(
        self, found: str, text: str, at: int, expected: str, *, start: str
    ) -> str | None:
        """Return what to do about a text that could not be read, if that is known.

        Args:
            found: The word or character at the place; empty at the end of the text.
            text: The whole text.
            at: Where reading stopped.
            expected: What may stand there, in words.
            start: The rule that was read.

        >>> MLIR.remedy("/", "d0 / 4", 3, "", start="expression")
        'in MLIR text a division is d0 floordiv 4, or d0 ceildiv 4 that rounds up'
        """
        del start
        if found in {"", "(", "]", "}"} and text.count("(") > text.count(")"):
            return "a bracket is not closed"
        if not text[:at].strip():
            return f"write it like {self.whole}"
        begin = at - 1 if text[at - 1 : at + 1] in _DOUBLE else at
        operator = self.operator(text[begin:]) if found else None
        call = call_before(found, text, at)
        if operator is None and call:
            return self.call(call)
        return operator or in_any_language(found, text, at, expected)

    def operator(self, text: str) -> str | None:
        """Return what to write instead of the operator that begins a text, if any.

        >>> SYMPY.operator("% 4"), SYMPY.operator("+ 4")
        ('in SymPy text a remainder is Mod(x, 4)', None)
        """
        shifted, name = self.floordiv.replace("4", "8"), self.name
        no_bits = f"there are no bit operators in {self.language} text"
        remedies = (
            (">>", f"{no_bits}: {name} >> 3 is {shifted}"),
            ("<<", f"{no_bits}: {name} << 3 is 8*{name}"),
            (r"&(?!&)", f"{no_bits}: {name} & 3 is {self.modulo}"),
            (r"[|~](?![|])", no_bits),
            (_POWER, "there are no powers"),
            (r"\^", f"there are no powers, and {no_bits}"),
            (_DIVISION, self._division()),
            (_MODULO, self._remainder()),
            (_COMPARISON, "conditions have no form here: write one expression"),
        )
        return next((said for at, said in remedies if re.match(at, text)), None)

    def call(self, name: str) -> str:
        """Return what to write instead of a call of a function that is not there.

        >>> MLIR.call("gcd")
        'there is no function gcd: MLIR text calls none; a product is gcd*(...)'
        """
        if re.fullmatch(MODULO_CALL, name):
            return self._remainder()
        if re.fullmatch(ROUNDING_CALL, name):
            return self._division()
        calls = f"has {', '.join(self.calls)}" if self.calls else "calls none"
        product = f"a product is {name}*(...)"
        return f"there is no function {name}: {self.language} text {calls}; {product}"

    def _division(self) -> str:
        up = f"or {self.ceildiv} that rounds up"
        return f"in {self.language} text a division is {self.floordiv}, {up}"

    def _remainder(self) -> str:
        return f"in {self.language} text a remainder is {self.modulo}"


MLIR: Final = Spelling(
    language="MLIR",
    name="d0",
    floordiv="d0 floordiv 4",
    ceildiv="d0 ceildiv 4",
    modulo="d0 mod 4",
    calls=(),
    whole="d0 floordiv 4, or affine_map<(d0) -> (d0 floordiv 4)>",
)
ISL: Final = Spelling(
    language="isl",
    name="i",
    floordiv="floor((i)/4)",
    ceildiv="ceil((i)/4)",
    modulo="(i) mod 4",
    calls=("floor", "ceil", "floord", "ceild"),
    whole="{ [i] -> [floor((i)/4)] }",
)
SYMPY: Final = Spelling(
    language="SymPy",
    name="x",
    floordiv="floor(x/4)",
    ceildiv="ceiling(x/4)",
    modulo="Mod(x, 4)",
    calls=("Mod", "floor", "ceiling"),
    whole="Mod(2*x + 3, 8) + floor(x/4)",
)


_PYTHON: Final[dict[type[ast.operator], str]] = {
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
"""The operators of Python that SymPy text does without."""


def hint_of(node: ast.expr) -> str:
    """Return what to do about a part of SymPy text that has no form.

    >>> hint_of(ast.parse("x % 4", mode="eval").body)
    'in SymPy text a remainder is Mod(x, 4)'
    """
    said = None
    if isinstance(node, ast.BinOp):
        said = SYMPY.operator(_PYTHON.get(type(node.op), ""))
    elif isinstance(node, ast.Compare):
        said = SYMPY.operator("<")
    elif isinstance(node, ast.Constant) and isinstance(node.value, float):
        said = ONLY_INTEGERS
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        said = None if name in SYMPY.calls else SYMPY.call(name)
    return said or "write integers, names, + - * /, Mod(a, n), floor(a/n), ceiling(a/n)"
