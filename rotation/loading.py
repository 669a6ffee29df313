"""Load a kernel from a file: kernel text, or a JSON document of kernels."""

from __future__ import annotations

import os
import shlex
from os import PathLike, fspath
from pathlib import Path

from pelican.errors import nearest
from rotation.errors import InterchangeError, KernelError
from rotation.interchange.document import load_document, named_document
from rotation.interchange.json_form import read_kernel
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
    return load_for("run", path, name, own=own)


def load_for(
    command: str,
    path: str | PathLike[str],
    name: str | None = None,
    *,
    own: Machine | None = None,
) -> Function:
    """Return a kernel of a file for a command, which hints name; see `load`.

    >>> load_for("explain", "examples/stream_add.kernel").name
    'stream_add'
    """
    if Path(path).suffix == ".json":
        return _from_document(command, path, name)
    source = read_source(path)
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


def load_all(
    path: str | PathLike[str], *, own: Machine | None = None
) -> tuple[Function, ...]:
    """Return every kernel of a file of kernel text, in its order.

    Args:
        path: The file.
        own: A machine of the user, for which kernels may be written.

    Raises:
        KernelError: If the file cannot be read, or a kernel makes no sense.
        ParseError: If the text is not in the language; this one is pelican's.

    >>> [function.name for function in load_all("examples/stream_add.kernel")]
    ['stream_add']
    """
    source = read_source(path)
    return parse(source.text, source.name, own=own)


def _from_document(
    command: str, path: str | PathLike[str], name: str | None
) -> Function:
    with named_document(path):
        if name is None:
            message = "this is a document of several kernels"
            raise InterchangeError(
                message, "/kernels", _ask_for_name(command, fspath(path))
            )
        return read_kernel(load_document(path), name)


def _ask_for_name(command: str, file: str) -> str:
    return (
        f"name one: rotation {command} {file} NAME, or load({file!r}, NAME) in Python"
    )
