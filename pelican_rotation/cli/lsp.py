"""The command `pelican lsp`: help for editors, in both languages."""

from __future__ import annotations

from pelican.errors import PelicanError
from pelican_rotation.cli.output import reported_errors


def lsp_command() -> None:
    """Answer an editor about .pel and .kernel files.

    This is a server of the Language Server Protocol on standard input and output:
    mistakes while you type, ranges and slots where you point, go to definition,
    formatting.
    """
    with reported_errors(as_json=False):
        try:
            from pelican_rotation.lsp import serve  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise PelicanError(
                f"the language server needs {error.name}, which is not installed",
                hint="install the extra: pip install 'pelican-rotation[lsp]'",
            ) from None
        serve()
