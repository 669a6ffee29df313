"""The kernels of a JSON document, and what is said of a document of something else."""

from __future__ import annotations

from typing import Final

from pelican.errors import nearest
from rotation.errors import InterchangeError
from rotation.interchange.document import Value

KERNELS_SCHEMA: Final = "rotation-kernels/1"

DOCUMENT_FORM: Final = (
    f'a document of kernels is {{"schema": "{KERNELS_SCHEMA}", "kernels": [...]}}'
)
"""How a document begins."""

NOTES: Final = ("why", "note")
"""Fields anywhere that say something to people; nothing is read from them."""

_ABOUT: Final = ("units", "op_fields", "buffer_fields", "arch", "cost_model")
_DOCUMENT_NOTES: Final = (*NOTES, *_ABOUT)


def kernel_names(document: object) -> list[str]:
    """Return the names of the kernels of a document, in their order.

    Args:
        document: What the `json` module made of it.

    Raises:
        InterchangeError: If it is no document of kernels, or holds none.

    >>> kernel_names({"schema": "rotation-kernels/1", "kernels": [{"name": "k"}]})
    ['k']
    """
    return [_name(kernel) for kernel in _kernels(Value(document))]


def kernel_of(document: object, name: str) -> Value:
    """Return the kernel of a name.

    Args:
        document: What the `json` module made of it.
        name: Which kernel.

    Raises:
        InterchangeError: If it is no document of kernels, or holds none of that name.

    >>> document = {"schema": "rotation-kernels/1", "kernels": [{"name": "k"}]}
    >>> kernel_of(document, "k").pointer
    '/kernels/0'
    """
    names: list[str] = []
    for kernel in _kernels(Value(document)):
        names.append(_name(kernel))
        if names[-1] == name:
            return kernel
    hint = nearest(name, names) or f"it has {', '.join(names)}"
    raise InterchangeError(f"no kernel {name!r}", "/kernels", hint)


def _kernels(document: Value) -> list[Value]:
    try:
        # Of another schema, it would be told of the first field that is not known.
        members = dict(document.members())
        if "schema" in members:
            members["schema"].choice([KERNELS_SCHEMA])
        fields = document.fields(("schema", "kernels"), _DOCUMENT_NOTES)
    except InterchangeError as error:
        if error.pointer in {"", "/schema"}:
            error.hint = DOCUMENT_FORM
        raise
    kernels = fields["kernels"].items()
    if not kernels:
        fields["kernels"].refuse("the document holds no kernel", DOCUMENT_FORM)
    return kernels


def _name(kernel: Value) -> str:
    return dict(kernel.members()).get("name", kernel).word()
