"""Read the JSON form ``rotation-kernels/1`` of a kernel, as far as the text goes.

The document is checked field by field and written as kernel text, which is then
parsed: what a kernel means is decided in one place. A mistake that the parser finds
is reported at the JSON value that its line came from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from pelican.errors import LocatedError
from rotation.document import Value
from rotation.errors import InterchangeError
from rotation.kernel import DTYPE_BYTES, Engine, Function
from rotation.text.parse import parse
from rotation.text.print import print_function

SCHEMA: Final = "rotation-kernels/1"

MACHINE: Final = "planning"
"""The machine that the kernels of the form are written for."""

TOP: Final = "top"
"""The scope of a buffer outside all loops."""

MAX_LOOPS_DEEP: Final = 100

DOCUMENT_NOTES: Final = ("units", "op_fields", "buffer_fields", "arch", "cost_model")
KERNEL_NOTES: Final = ("title", "source", "expect", "derived", "variants", "why", "note")
"""Fields that say something to people; nothing is read from them."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of kernel text, and the pointer of what it was written from."""

    text: str
    pointer: str


def convert(document: object, name: str) -> str:
    """Return the text of one kernel of a document.

    Raises:
        InterchangeError: If the kernel is not there, or cannot be read.
    """
    return print_function(read_kernel(document, name))


def read_kernel(document: object, name: str) -> Function:
    """Return one kernel of a document; its places are those of its text.

    Raises:
        InterchangeError: If the kernel is not there, or holds a field or a value
            that the text has no form for; it names the value by its JSON pointer.
    """
    lines = list(_kernel_lines(_find_kernel(Value(document), name)))
    source_name = f"<kernel {name}>"
    try:
        (draft,) = parse("\n".join(line.text for line in lines), source_name)
    except LocatedError as error:
        pointer = "" if error.line is None else lines[error.line - 1].pointer
        raise InterchangeError(error.message, pointer, error.hint) from None
    (function,) = parse(print_function(draft), source_name)
    return function


def _find_kernel(document: Value, name: str) -> Value:
    fields = document.fields(("schema", "kernels"), DOCUMENT_NOTES)
    fields["schema"].choice([SCHEMA])
    named = [(kernel, kernel.named()) for kernel in fields["kernels"].items()]
    ...
