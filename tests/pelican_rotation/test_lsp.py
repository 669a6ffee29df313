"""The language server over standard input and output, with a client of the protocol."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient
from typer.testing import CliRunner

from pelican_rotation.cli.pelican import app

ROOT = Path(__file__).parents[2]
SERVER = "from pelican_rotation.cli.pelican import main; main()"
SECONDS = 60
"""So long a silent server is waited for; it answers in milliseconds."""

PEL = """index i in [0, 8)
let  wide = 2*i   # \N{SMILING FACE WITH SUNGLASSES}
let e = wide
"""
KERNEL = (ROOT / "examples/stream_add.kernel").read_text("utf-8")


class Editor(LanguageClient):
    """A client that keeps what it is told of each text."""

    def __init__(self) -> None:
        super().__init__("tests", "1")
        self.told: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def keep(told: types.PublishDiagnosticsParams) -> None:
            self.told.put_nowait(told)

    async def opened(self, uri: str, text: str) -> list[types.Diagnostic]:
        """Open a text; return its mistakes."""
        item = types.TextDocumentItem(uri, "", 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.mistakes()

    async def changed(self, uri: str, text: str) -> list[types.Diagnostic]:
        """Give a text another content; return its mistakes."""
        self.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(2, uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        return await self.mistakes()

    async def mistakes(self) -> list[types.Diagnostic]:
        """Return the mistakes that are told next."""
        told = await asyncio.wait_for(self.told.get(), SECONDS)
        return list(told.diagnostics)


def place(uri: str, line: int, character: int) -> dict[str, Any]:
    """Return the parameters of a question about a place."""
    return {
        "text_document": types.TextDocumentIdentifier(uri),
        "position": types.Position(line, character),
    }


async def conversation() -> dict[str, Any]:
    """Return what a server answers in one session."""
    editor, heard = Editor(), dict[str, Any]()
    await editor.start_io(sys.executable, "-c", SERVER, "lsp", cwd=ROOT)
    pel, kernel, loose = "file:///t/a.pel", "file:///t/k.kernel", "untitled:1"
    heard["server"] = await editor.initialize_async(
        types.InitializeParams(types.ClientCapabilities())
    )
    editor.initialized(types.InitializedParams())
    heard["right"] = await editor.opened(pel, PEL)
    heard["wrong"] = await editor.changed(pel, PEL + "let a = wied\n")
    heard["pel hover"] = await editor.text_document_hover_async(
        types.HoverParams(**place(pel, 2, 9))
    )
    heard["definition"] = await editor.text_document_definition_async(
        types.DefinitionParams(**place(pel, 2, 9))
    )
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    of_pel = types.TextDocumentIdentifier(pel)
    formatting = types.DocumentFormattingParams(of_pel, options)
    await editor.changed(pel, PEL)
    heard["layout"] = await editor.text_document_formatting_async(formatting)
    heard["kernel"] = await editor.opened(kernel, KERNEL)
    line = next(n for n, t in enumerate(KERNEL.split("\n")) if "sb xt" in t)
    heard["kernel hover"] = await editor.text_document_hover_async(
        types.HoverParams(**place(kernel, line, KERNEL.split("\n")[line].index("xt")))
    )
    heard["nothing"] = await editor.text_document_hover_async(
        types.HoverParams(**place(kernel, 0, 0))
    )
    heard["broken"] = await editor.changed(kernel, KERNEL.replace("{", "", 1))
    of_kernel = types.TextDocumentIdentifier(kernel)
    heard["no layout"] = await editor.text_document_formatting_async(
        types.DocumentFormattingParams(of_kernel, options)
    )
    heard["loose"] = await editor.opened(loose, "let a = 1 +\n")
    closed = types.DidCloseTextDocumentParams(of_pel)
    editor.text_document_did_close(closed)
    heard["closed"] = await editor.mistakes()
    await editor.shutdown_async(None)
    editor.exit(None)
    await editor.stop()
    return heard


@pytest.fixture(scope="module")
def heard() -> dict[str, Any]:
    """Return the answers of one session."""
    return asyncio.run(asyncio.wait_for(conversation(), 4 * SECONDS))


def test_the_server_says_what_it_can(heard: dict[str, Any]):
    """Hover, definitions and layout."""
    able = heard["server"].capabilities

    assert heard["server"].server_info.name == "pelican-rotation"
    assert able.hover_provider
    assert able.definition_provider
    assert able.document_formatting_provider


def test_mistakes_are_told_while_typing(heard: dict[str, Any]):
    """With range, type and remedy; none for a text that is right."""
    assert heard["right"] == heard["kernel"] == []
    (mistake,) = heard["wrong"]
    assert mistake.range == types.Range(types.Position(3, 8), types.Position(3, 12))
    assert mistake.code == "UnknownNameError"
    assert mistake.message == "unknown name 'wied'\nhint: did you mean wide?"
    assert mistake.severity is types.DiagnosticSeverity.Error


def test_a_kernel_has_the_mistakes_of_its_language(heard: dict[str, Any]):
    """The end of the name says which language it is."""
    (mistake,) = heard["broken"]

    assert mistake.code == "ParseError"
    assert "hint: " in mistake.message


def test_a_text_without_a_name_is_one_of_claims(heard: dict[str, Any]):
    """Where the editor does not say either."""
    assert len(heard["loose"]) == 1


def test_a_text_that_is_closed_has_no_mistakes(heard: dict[str, Any]):
    """They leave the editor with it."""
    assert heard["closed"] == []


def test_a_name_is_explained(heard: dict[str, Any]):
    """Its statement, simplest form, range and congruence, as Markdown."""
    hover = heard["pel hover"]

    assert hover.contents.kind is types.MarkupKind.Markdown
    assert hover.contents.value == (
        "```pel\nlet wide = 2*i\n```\n\n`wide` is `2*i`: range [0, 14], "
        "always 0 modulo 2"
    )
    assert hover.range == types.Range(types.Position(2, 8), types.Position(2, 12))


def test_a_buffer_has_its_slots(heard: dict[str, Any]):
    """The ring of the plan."""
    assert "Ring plan: 2 slots of 8,192 bytes" in heard["kernel hover"].contents.value
    assert heard["nothing"] is None


def test_a_name_leads_to_its_definition(heard: dict[str, Any]):
    """The name in the statement that defines it."""
    assert heard["definition"] == types.Location(
        "file:///t/a.pel",
        types.Range(types.Position(1, 5), types.Position(1, 9)),
    )


def test_a_text_is_laid_out(heard: dict[str, Any]):
    """By one edit of the whole; a text with a mistake stays as it is."""
    (edit,) = heard["layout"]

    assert edit.new_text.startswith("index i in [0, 8)\nlet wide = 2*i  # ")
    assert edit.range == types.Range(types.Position(0, 0), types.Position(3, 0))
    assert heard["no layout"] is None


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch):
    """Exit code 2, and what to install."""
    monkeypatch.delitem(sys.modules, "pelican_rotation.lsp", raising=False)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    done = CliRunner().invoke(app, ["lsp"])

    assert done.exit_code == 2
    assert "the language server needs lsprotocol" in done.stderr
    assert "pip install 'pelican-rotation[lsp]'" in done.stderr


def test_an_end_of_input_ends_the_server():
    """An editor that is gone leaves no process behind."""
    command = [sys.executable, "-c", SERVER, "lsp"]
    done = subprocess.run(
        command, input=b"", capture_output=True, cwd=ROOT, timeout=SECONDS, check=False
    )

    assert done.returncode == 0
    assert done.stdout == b""
