"""Load a kernel from a file: kernel text, or a JSON document of kernels."""

from __future__ import annotations

import os
import shlex
from os import PathLike
from pathlib import Path

from pelican.errors import Source, nearest
from pelican.source import STDIN_NAME, argument_of
from rotation.errors import InterchangeError, KernelError
from rotation.interchange.document import named_document, read_document
from rotation.interchange.json_form import read_kernel
from rotation.interchange.kernels import kernel_names
from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine
from rotation.text.parse import parse
from rotation.text.source import read_source


def load(
    path: str | PathLike[str],
    name: str | None = None,
    *,
    own: Machine | None = None,
) -> Function:
    """Return a kernel of a file.

    Args:
        path: A file of kernel text; or, if it ends in ``.json``, a document of the
            form ``rotation-kernels/1``.
        name: Which kernel. It may be left out for a text that holds one.
        own: A machine of the user, for which kernels of a text may be written.

    Raises:
        KernelError: If the file cannot be read, has no kernel of that name, or makes
            no sense. `errors` holds every mistake that was found.
        InterchangeError: The same for a document, with the JSON pointer of the value.
        ParseError: If the text is not in the language; this one is pelican's.

    >>> load("examples/stream_add.kernel").name
    'stream_add'
    """
    return function_of("run", read_source(path), name, own=own)


def function_of(
    command: str,
    source: Source,
    name: str | None = None,
    *,
    own: Machine | None = None,
) -> Function:
    """Return a kernel of a text for a command, which hints name; see `load`.

    >>> from rotation.text.source import read_source
    >>> function_of("explain", read_source("examples/stream_add.kernel")).name
    'stream_add'
    """
    if is_document(source):
        return _of_document(command, source, name)
    found = parse(source.text, source.name, own=own)
    functions = {function.name: function for function in found}
    names = ", ".join(functions)
    if name is None and len(functions) > 1:
        message = f"{source.name} holds {len(functions)} kernels: {names}"
        raise KernelError(message, hint=_ask_for_name(command, source.name))
    if name is not None and name not in functions:
        hint = nearest(name, functions) or f"it has {names}"
        if os.path.isfile(name):
            files = shlex.join(["rotation", "batch", source.name, name])
            hint = f"a file is no name; run both by: {files}"
        raise KernelError(f"{source.name} has no kernel {name!r}", hint=hint)
    return functions[name or next(iter(functions))]


def is_document(source: Source) -> bool:
    """Tell whether a text is read as a JSON document, by the name of its file.

    >>> is_document(Source("some.json", ""))
    True
    """
    return Path(source.name).suffix == ".json"


def _of_document(command: str, source: Source, name: str | None) -> Function:
    with named_document(source.name):
        document = read_document(source)
        names = kernel_names(document)
        if name is None:
            message = f"the document holds {len(names)} kernels: {', '.join(names)}"
            hint = _ask_for_name(command, source.name)
            raise InterchangeError(message, "/kernels", hint)
        return read_kernel(document, name)


def _ask_for_name(command: str, file: str) -> str:
    line = f"name one: rotation {command} {argument_of(file)} NAME"
    return line if file == STDIN_NAME else f"{line}, or load({file!r}, NAME) in Python"
