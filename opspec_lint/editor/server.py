"""The language server: its features, and their implementation."""

from __future__ import annotations

import asyncio
from functools import partial

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from opspec_lint import __version__
from opspec_lint.editor import base_document, hover_history, processes, protocol
from opspec_lint.editor.connection import Connection
from opspec_lint.editor.display import Display
from opspec_lint.editor.documents import Documents
from opspec_lint.editor.progress import show_progress
from opspec_lint.editor.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeVar

    from opspec_lint.editor.messages import DeclaredPlace, Mark
    from opspec_lint.project.check_context import Request

    _Placed = TypeVar("_Placed", Mark, DeclaredPlace)

_PAUSE = 0.3
"""Seconds without a key pressed, after which unsaved text is checked."""
_WATCHED = ("**/*.{cc,cpp,cu,fbs,h,json,py,toml,yaml,yml}", "**/.git/{HEAD,logs/HEAD}")
"""Files whose changes outside of the editor start a check; changes of other files count with the next check."""


def serve(request: Callable[[str], Request], environment: Mapping[str, str]) -> None:
    """Serve the client at standard input and output until it leaves.

    Args:
        request: returns the request for a check of a folder, as of now.
        environment: the environment for git.
    """
    edits = types.TextDocumentSyncKind.Incremental
    server = LanguageServer("opspec-lint", __version__, text_document_sync_kind=edits, protocol_cls=Connection)
    handlers = _Handlers(server, request, environment)
    handlers.register()
    processes.prepare()
    try:
        server.start_io()
    finally:
        handlers.session.close()


class _Handlers:
    """The handlers of the editor's notifications and requests."""

    def __init__(
        self, server: LanguageServer, request: Callable[[str], Request], environment: Mapping[str, str]
    ) -> None:
        self._server = server
        self._environment = environment
        self._opens_base = False
        self._documents = Documents(server)
        self._display = Display(server, self._documents)
        self.session = Session(request, self._documents.below, self._show, partial(show_progress, server))

    def register(self) -> None:
        """Register the handlers of all features."""
        self._offer(types.INITIALIZE, self._begin)
        self._offer(types.INITIALIZED, self._register_with_client)
        self._offer(types.TEXT_DOCUMENT_DID_OPEN, self._opened)
        self._offer(types.TEXT_DOCUMENT_DID_SAVE, self._saved)
        self._offer(types.TEXT_DOCUMENT_DID_CHANGE, self._changed)
        self._offer(types.TEXT_DOCUMENT_DID_CLOSE, self._closed)
        self._offer(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._changed_elsewhere)
        self._offer(types.TEXT_DOCUMENT_HOVER, self._hover)
        kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
        self._offer(types.TEXT_DOCUMENT_CODE_ACTION, self._actions, kinds)
        self._offer(types.TEXT_DOCUMENT_DEFINITION, self._base_place)
        self._offer(types.TEXT_DOCUMENT_DECLARATION, self._base_place)
        self._offer(types.WORKSPACE_TEXT_DOCUMENT_CONTENT, self._base_text)

    def _offer(self, method: str, answer: Callable[..., Any], options: object = None) -> None:
        """Register the handler of a method of the protocol."""
        # pygls sets attributes on a handler; a bound method has none, a partial has.
        self._server.feature(method, options)(partial(answer))

    def _begin(self, params: types.InitializeParams) -> None:
        """Store the units of columns, and whether the client can open documents of base."""
        self.session.encoding = str(getattr(self._server.workspace.position_encoding, "value", "utf-16"))
        options = params.initialization_options
        is_requested = isinstance(options, dict) and options.get("baseDocuments") is True
        workspace = params.capabilities.workspace
        self._opens_base = is_requested or (workspace is not None and workspace.text_document_content is not None)

    def _register_with_client(self, _: types.InitializedParams) -> None:
        """Register the documents of base and the watched files with the client, if it supports that."""
        workspace = self._server.client_capabilities.workspace
        features: list[tuple[str, object]] = []
        content = None if workspace is None else workspace.text_document_content
        if content is not None and content.dynamic_registration:
            offered = types.TextDocumentContentRegistrationOptions(schemes=[base_document.SCHEME])
            features.append((types.WORKSPACE_TEXT_DOCUMENT_CONTENT, offered))
        watching = None if workspace is None else workspace.did_change_watched_files
        if watching is not None and watching.dynamic_registration:
            watchers = [types.FileSystemWatcher(glob_pattern=glob) for glob in _WATCHED]
            watched = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            features.append((types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched))
        if features:
            registrations = [types.Registration(method, method, options) for method, options in features]
            self._server.client_register_capability(types.RegistrationParams(registrations))

    def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Check the folder of a file that was opened."""
        self._documents.open(params.text_document.uri)
        self._check(params.text_document.uri)

    def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        """Check the folder of a file that was saved."""
        self._check(params.text_document.uri)

    def _changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Check the folder of a file whose text changed, once the user pauses."""
        self._check(params.text_document.uri, _PAUSE)

    def _changed_elsewhere(self, _: types.DidChangeWatchedFilesParams) -> None:
        """Check all folders after a change outside of the editor, such as a checkout of another branch."""
        self.session.check_all(_PAUSE)

    def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Check the folder of a closed file again, without its unsaved text; drop a folder without open files."""
        folder = self._documents.folder(params.text_document.uri)
        self._documents.close(params.text_document.uri)
        if folder is not None and self._documents.below(folder):
            self.session.check(folder, _PAUSE)
        elif folder is not None:
            self.session.leave(folder)

    def _check(self, uri: str, delay: float = 0) -> None:
        """Check the folder of a document after some seconds, if it has one."""
        folder = self._documents.folder(uri)
        if folder is not None:
            self.session.check(folder, delay)

    def _show(self, folder: str) -> None:
        """Show the results of the last check of a folder."""
        self._display.show(self.session, folder)

    async def _hover(self, params: types.HoverParams) -> types.Hover | None:
        """Return the explanations of findings at a position, and the declarations with their histories."""
        texts = [mark.explanation for mark in self._at(params, self.session.marks())]
        history_files = dict(self.session.declarations(params.position.line))
        for declaration in self._at(params, history_files):
            file = history_files[declaration]
            # In a thread: a history is read from the disk, and the server must answer other requests meanwhile.
            history = await asyncio.to_thread(hover_history.declaration_history, declaration, file) if file else ""
            texts.append("\n\n".join(part for part in (declaration.description, history) if part))
        return types.Hover(protocol.markdown("\n\n---\n\n".join(texts))) if texts else None

    def _base_place(self, params: types.DefinitionParams) -> types.Location | None:
        """Return the place in base of the finding or declaration at a position."""
        places = [mark.base for mark in self._at(params, self.session.marks())]
        places += [
            declaration.base for declaration in self._at(params, dict(self.session.declarations(params.position.line)))
        ]
        base = next((place for place in places if place is not None), None)
        return protocol.location(base) if base is not None and self._opens_base else None

    async def _base_text(self, params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        """Return the text of a document of base."""
        text = await asyncio.to_thread(base_document.text_of, params.uri, self._environment)
        return types.TextDocumentContentResult(text or "")

    def _actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Return the fixes of findings on the selected lines."""
        only = params.context.only
        # Kinds are hierarchical: `only` may name a parent of `quickfix`, such as the empty kind (LSP 3.17).
        if only is not None and not any(types.CodeActionKind.QuickFix.startswith(kind) for kind in only):
            return []
        workspace = self._server.client_capabilities.workspace
        edits = None if workspace is None else workspace.workspace_edit
        is_versioned = edits is not None and bool(edits.document_changes)
        lines = range(params.range.start.line, params.range.end.line + 1)
        marks = self._on(params.text_document.uri, lines, self.session.marks())
        return [
            action for mark in marks for action in protocol.code_actions(mark, self._current, is_versioned=is_versioned)
        ]

    def _current(self, path: str) -> tuple[str, int | None] | None:
        """Return the URI and the version of a file, None if its text has changed since it was read."""
        version = self._documents.version_of(path)
        return (self._documents.uri_of(path), version) if version == self.session.versions().get(path) else None

    def _at(self, params: types.TextDocumentPositionParams, placed: Iterable[_Placed]) -> list[_Placed]:
        """Return the items at a position, or else those on its line."""
        line, column = params.position.line, params.position.character
        on_line = self._on(params.text_document.uri, range(line, line + 1), placed)
        return [item for item in on_line if item.place.covers(column)] or on_line

    def _on(self, uri: str, lines: range, placed: Iterable[_Placed]) -> list[_Placed]:
        """Return the items on some lines of a document."""
        return [item for item in placed if item.place.line in lines and self._documents.uri_of(item.place.path) == uri]
