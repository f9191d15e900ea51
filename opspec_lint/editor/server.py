"""The language server: what it offers to an editor, and what it tells it."""

from __future__ import annotations

import asyncio
import os
from functools import partial

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from opspec_lint import __version__
from opspec_lint.editor import base_document, processes, protocol, since
from opspec_lint.editor.folders import folder_of
from opspec_lint.editor.messages import Checked
from opspec_lint.editor.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from opspec_lint.editor.messages import Declared, Place, Problem
    from opspec_lint.project.scene import Request

_PAUSE = 0.3
"""Seconds without a key pressed, after which unsaved text is checked."""

_MOST_TOLD = 1000
"""Messages that are remembered, so that none is told again at each change."""
_WATCHED = ("**/*.{cc,cpp,cu,fbs,h,json,py,toml,yaml,yml}", "**/.git/{HEAD,logs/HEAD}")
"""The files whose changes outside of the editor count; others that a check reads count when one of these changes."""


def serve(request: Callable[[str], Request], environment: Mapping[str, str]) -> None:
    """Serve the client at standard input and output until it leaves.

    Args:
        request: returns the request for a check of a folder, as of now.
        environment: the environment that git is to inherit.
    """
    server = LanguageServer("opspec-lint", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
    desk = _Desk(server, request, environment)
    desk.register()
    processes.prepare()
    try:
        server.start_io()
    finally:
        desk.session.close()


class _Desk:
    """What the editor asks, and what it is told."""

    def __init__(
        self, server: LanguageServer, request: Callable[[str], Request], environment: Mapping[str, str]
    ) -> None:
        self._server = server
        self._environment = environment
        self._open: dict[str, str] = {}
        self._shown: dict[str, set[str]] = {}
        self._told: set[str] = set()
        self._opens_base = False
        self.session = Session(request, self._documents, self._tell)

    def register(self) -> None:
        """Register what the server offers."""
        self._offer(types.INITIALIZE, self._begin)
        self._offer(types.INITIALIZED, self._ask_client)
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
        self._server.feature(method, options)(partial(answer))  # attributes are set of it, which a method has none of

    def _begin(self, params: types.InitializeParams) -> None:
        self.session.encoding = str(getattr(self._server.workspace.position_encoding, "value", "utf-16"))
        options = params.initialization_options
        asked = isinstance(options, dict) and options.get("baseDocuments") is True
        workspace = params.capabilities.workspace
        self._opens_base = asked or (workspace is not None and workspace.text_document_content is not None)

    def _ask_client(self, _: types.InitializedParams) -> None:
        """Ask the client to have files of base from us, and to say which files change, as far as it can."""
        workspace = self._server.client_capabilities.workspace
        wanted: list[tuple[str, object]] = []
        content = None if workspace is None else workspace.text_document_content
        if content is not None and content.dynamic_registration:
            offered = types.TextDocumentContentRegistrationOptions(schemes=[base_document.SCHEME])
            wanted.append((types.WORKSPACE_TEXT_DOCUMENT_CONTENT, offered))
        watching = None if workspace is None else workspace.did_change_watched_files
        if watching is not None and watching.dynamic_registration:
            watchers = [types.FileSystemWatcher(glob_pattern=each) for each in _WATCHED]
            watched = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            wanted.append((types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched))
        if wanted:
            registrations = [types.Registration(method, method, options) for method, options in wanted]
            self._server.client_register_capability(types.RegistrationParams(registrations))

    def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        uri = params.text_document.uri
        path = uris.to_fs_path(uri) if uri.startswith("file:") else None
        if path is not None:
            self._open[os.path.realpath(path)] = uri
            self._check(uri)

    def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        self._check(params.text_document.uri)

    def _changed(self, params: types.DidChangeTextDocumentParams) -> None:
        self._check(params.text_document.uri, _PAUSE)

    def _changed_elsewhere(self, _: types.DidChangeWatchedFilesParams) -> None:
        self.session.check_all(_PAUSE)

    def _check(self, uri: str, delay: float = 0) -> None:
        folder = self._folder(uri)
        if folder is not None:
            self.session.check(folder, delay)

    def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        folder = self._folder(uri)
        self._open = {path: each for path, each in self._open.items() if each != uri}
        if folder is not None and self._documents(folder):
            self.session.check(folder, _PAUSE)
        elif folder is not None:
            self.session.leave(folder)

    def _folder(self, uri: str) -> str | None:
        path = next((path for path, each in self._open.items() if each == uri), None)
        return None if path is None else folder_of(path)

    def _documents(self, folder: str) -> dict[str, str]:
        """Return the texts that are open in a folder, by path."""
        texts = self._server.workspace.text_documents
        return {
            path: texts[uri].source for path, uri in self._open.items() if uri in texts and folder_of(path) == folder
        }

    def _tell(self, folder: str, answer: Checked | Declared) -> None:
        """Show what a check has found; what is about no file is a message, once."""
        if not isinstance(answer, Checked):
            return
        here = {self._uri(each.place.path) for each in answer.marks}
        here |= {self._uri(each.place.path) for each in answer.problems if each.place is not None}
        here |= {uri for path, uri in self._open.items() if folder_of(path) == folder}
        for uri in sorted(here | self._shown.get(folder, set())):
            self._publish(uri)
        self._shown[folder] = here
        for each in answer.problems:
            if each.place is None:
                self._say(each)

    def _say(self, problem: Problem) -> None:
        """Tell of a problem that is about no file, once; where there is nothing to check, only the log has it."""
        if problem.text in self._told:
            return
        if len(self._told) >= _MOST_TOLD:
            self._told.clear()
        self._told.add(problem.text)
        text = f"opspec-lint: {problem.text}"
        if not problem.is_error:
            self._server.window_log_message(types.LogMessageParams(types.MessageType.Info, text))
            return
        kind = types.MessageType.Error if problem.is_crash else types.MessageType.Warning
        self._server.window_show_message(types.ShowMessageParams(kind, text))

    def _publish(self, uri: str) -> None:
        marks = (each for each in self.session.marks() if self._uri(each.place.path) == uri)
        problems = (each for each in self.session.problems() if each.place and self._uri(each.place.path) == uri)
        found = [*map(protocol.diagnostic, marks), *map(protocol.diagnostic_of_problem, problems)]
        document = self._server.workspace.text_documents.get(uri)
        version = None if document is None else document.version
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    async def _hover(self, params: types.HoverParams) -> types.Hover | None:
        here = params.text_document.uri, params.position
        found = [each.explanation for each in self.session.marks() if self._is_at(each.place, *here)]
        for subject, history in self.session.subjects():
            if self._is_at(subject.place, *here):
                told = await asyncio.to_thread(since.since, subject, history) if history else ""
                found.append("\n\n".join(part for part in (subject.about, told) if part))
        return types.Hover(protocol.markdown("\n\n---\n\n".join(found))) if found else None

    def _actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        only = params.context.only
        if only is not None and not any(types.CodeActionKind.QuickFix.startswith(each) for each in only):
            return []
        workspace = self._server.client_capabilities.workspace
        edits = None if workspace is None else workspace.workspace_edit
        is_versioned = edits is not None and bool(edits.document_changes)
        here = params.text_document.uri, params.range
        marks = (each for each in self.session.marks() if self._touches(each.place, *here))
        return [
            action for each in marks for action in protocol.code_actions(each, self._version, is_versioned=is_versioned)
        ]

    def _base_place(self, params: types.DefinitionParams) -> types.Location | None:
        here = params.text_document.uri, params.position
        found = [each.base for each in self.session.marks() if self._is_at(each.place, *here)]
        found += [each.base for each, _ in self.session.subjects() if self._is_at(each.place, *here)]
        base = next((each for each in found if each is not None), None)
        return protocol.location(base) if base is not None and self._opens_base else None

    async def _base_text(self, params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        text = await asyncio.to_thread(base_document.text_of, params.uri, self._environment)
        return types.TextDocumentContentResult(text or "")

    def _version(self, path: str) -> tuple[str, int | None]:
        uri = self._uri(path)
        document = self._server.workspace.text_documents.get(uri)
        return uri, None if document is None else document.version

    def _uri(self, path: str) -> str:
        """Return the URI of a file, as the editor writes it if it is open."""
        return self._open.get(path) or protocol.uri_of(path)

    def _is_at(self, place: Place, uri: str, position: types.Position) -> bool:
        return self._touches(place, uri, types.Range(position, position))

    def _touches(self, place: Place, uri: str, where: types.Range) -> bool:
        """Tell whether a place is on a line of a range of a document."""
        return place.range[0] <= where.end.line and where.start.line <= place.range[2] and self._uri(place.path) == uri
