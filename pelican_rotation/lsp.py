"""The language server: one for both languages, over standard input and output.

It says what `pelican_rotation.editing` says of a text, in the words of the Language
Server Protocol 3.17. It needs pygls, which the extra ``lsp`` brings.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import PurePosixPath
from typing import Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from pelican.errors import LocatedError, Source, Span
from pelican_rotation.editing import claims, kernels
from pelican_rotation.editing.language import Language
from pelican_rotation.editing.positions import Encoding, offset_of, position, units

LANGUAGES: Final[Mapping[str, Language]] = {
    ".pel": claims,
    ".kernel": kernels,
    ".placed": kernels,
    claims.LANGUAGE: claims,
    kernels.LANGUAGE: kernels,
}
"""Who answers, by the end of a file's name; by the editor's word for one without."""


def serve() -> None:
    """Answer an editor on standard input and output until it says that it is done."""
    language_server().start_io()


def language_server() -> LanguageServer:
    """Return the server, with all that it answers.

    >>> language_server().name
    'pelican-rotation'
    """
    server = LanguageServer(
        "pelican-rotation",
        version("pelican-rotation"),
        # The whole text each time: lines are then ended by line feeds alone, here and
        # in messages.
        text_document_sync_kind=types.TextDocumentSyncKind.Full,
    )
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(_did_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(_did_change)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_did_close)
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(_definition)
    server.feature(types.TEXT_DOCUMENT_FORMATTING)(_formatting)
    server.feature(types.TEXT_DOCUMENT_HOVER)(server.thread()(_hover))
    return server


def _did_open(server: LanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    _publish(server, params.text_document.uri)


def _did_change(
    server: LanguageServer, params: types.DidChangeTextDocumentParams
) -> None:
    _publish(server, params.text_document.uri)


def _did_close(
    server: LanguageServer, params: types.DidCloseTextDocumentParams
) -> None:
    empty = types.PublishDiagnosticsParams(params.text_document.uri, [])
    server.text_document_publish_diagnostics(empty)


def _publish(server: LanguageServer, uri: str) -> None:
    """Tell the editor the mistakes of a text."""
    document = server.workspace.get_text_document(uri)
    source, encoding = _source(document), _encoding(server)
    found = [
        _diagnostic(error, source, encoding)
        for error in _language(document).mistakes(source)
    ]
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri, found, document.version)
    )


def _diagnostic(
    error: LocatedError, source: Source, encoding: Encoding
) -> types.Diagnostic:
    hint = "" if error.hint is None else f"\nhint: {error.hint}"
    return types.Diagnostic(
        range=_range(error.span or Span(source, 0, 0), encoding),
        message=f"{error.message}{hint}",
        severity=types.DiagnosticSeverity.Error,
        code=type(error).__name__,
        source="pelican-rotation",
    )


def _hover(server: LanguageServer, params: types.HoverParams) -> types.Hover | None:
    document = server.workspace.get_text_document(params.text_document.uri)
    source, encoding = _source(document), _encoding(server)
    offset = _offset(source, params.position, encoding)
    found = _language(document).hover(source, offset)
    if found is None:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, found.markdown)
    return types.Hover(content, _range(found.span, encoding))


def _definition(
    server: LanguageServer, params: types.DefinitionParams
) -> types.Location | None:
    document = server.workspace.get_text_document(params.text_document.uri)
    source, encoding = _source(document), _encoding(server)
    offset = _offset(source, params.position, encoding)
    found = _language(document).definition(source, offset)
    return (
        None if found is None else types.Location(document.uri, _range(found, encoding))
    )


def _formatting(
    server: LanguageServer, params: types.DocumentFormattingParams
) -> list[types.TextEdit] | None:
    """Return the edit that lays a text out; None where it has a mistake."""
    document = server.workspace.get_text_document(params.text_document.uri)
    source = _source(document)
    try:
        text = _language(document).formatted(source)
    except LocatedError:
        return None  # its mistakes are shown already
    if text == source.text:
        return []
    whole = Span(source, 0, len(source.text))
    return [types.TextEdit(_range(whole, _encoding(server)), text)]


def _language(document: TextDocument) -> Language:
    """Return what knows the language of a text."""
    end = PurePosixPath(document.path).suffix
    return LANGUAGES.get(end) or LANGUAGES.get(document.language_id or "", claims)


def _source(document: TextDocument) -> Source:
    return Source(PurePosixPath(document.path).name or document.uri, document.source)


def _encoding(server: LanguageServer) -> Encoding:
    chosen = server.workspace.position_encoding or types.PositionEncodingKind.Utf16
    return types.PositionEncodingKind(chosen).value


def _offset(source: Source, place: types.Position, encoding: Encoding) -> int:
    return offset_of(source.text, place.line, place.character, encoding)


def _range(span: Span, encoding: Encoding) -> types.Range:
    """Return the range of a span; one without characters gets one, to be seen."""
    start, end = (
        types.Position(*position(span.source.text, offset, encoding))
        for offset in (span.start, span.end)
    )
    if start == end:
        at = span.source.text[span.start : span.start + 1]
        if at and at != "\n":
            end = types.Position(end.line, end.character + units(at, encoding))
    return types.Range(start, end)
