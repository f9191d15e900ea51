"""An editor for tests of the language server: a client of pygls that opens, changes and saves files."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.support.patience import PATIENCE

_LEVELS = {1: "error", 2: "warning", 3: "note", 4: "cleared"}


class Editor:
    """An editor with its open files, and the diagnostics, messages and progress that the server sent."""

    def __init__(self, top, client):
        self.top, self.client = Path(top), client
        self.texts, self.versions = {}, {}
        self.published, self.messages, self.logged, self.progress = {}, [], [], {}
        self._news = asyncio.Event()
        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._publish))
        client.feature(types.WINDOW_SHOW_MESSAGE)(partial(self._receive_message))
        client.feature(types.WINDOW_LOG_MESSAGE)(partial(self._log))
        client.feature(types.PROGRESS)(partial(self._note_progress))
        client.feature(types.CLIENT_REGISTER_CAPABILITY)(partial(self._accept))
        client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(partial(self._create_progress))

    def uri(self, path):
        return (self.top / path).as_uri()

    async def open(self, path, text=None):
        """Open a file, and return its diagnostics."""
        self.begin(path, text)
        return await self.diagnostics(path)

    def begin(self, path, text=None):
        """Open a file."""
        self.texts[path] = (self.top / path).read_text(encoding="utf-8") if text is None else text
        self.versions[path] = self.versions.get(path, 0) + 1
        item = types.TextDocumentItem(self.uri(path), "text", self.versions[path], self.texts[path])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    async def change(self, path, text):
        """Change the text of a file that is open, and return its diagnostics."""
        self.send(path, text)
        return await self.diagnostics(path)

    async def save(self, path, text):
        """Change and save a file that is open, and return its diagnostics."""
        self.send(path, text)
        (self.top / path).write_text(text, encoding="utf-8")
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri(path)))
        )
        return await self.diagnostics(path)

    def send(self, path, text):
        """Send the text of an open file to the server."""
        self.texts[path] = text
        self.versions[path] += 1
        document = types.VersionedTextDocumentIdentifier(self.versions[path], self.uri(path))
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    async def edit(self, path, span, new):
        """Replace a range of an open file, whose columns count units of UTF-16, by a partial change."""
        line, column, end_line, end_column = span
        where = types.Range(types.Position(line, column), types.Position(end_line, end_column))
        self.versions[path] += 1
        document = types.VersionedTextDocumentIdentifier(self.versions[path], self.uri(path))
        changes = [types.TextDocumentContentChangePartial(where, new)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    def close(self, path):
        del self.texts[path]
        document = types.TextDocumentIdentifier(self.uri(path))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def files_changed(self, paths):
        """Notify the server that files were changed outside of the editor."""
        changes = [types.FileEvent(self.uri(path), types.FileChangeType.Changed) for path in paths]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))

    async def diagnostics(self, path):
        """Wait for the diagnostics of the current text of a file, and return them."""
        uri = self.uri(path)
        await self.until(lambda: uri in self.published and self.published[uri].version == self.versions[path])
        await self.hover(path, 0)  # its answer comes after those of other files
        return list(self.published[uri].diagnostics)

    async def until(self, holds):
        """Wait until a condition holds; it is evaluated after each notification of the server."""
        while not holds():
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), PATIENCE)

    async def hover(self, path, line, column=0):
        """Return the text at a place, "" where there is none."""
        hover = await self.client.text_document_hover_async(types.HoverParams(*self._at(path, line, column)))
        return "" if hover is None else hover.contents.value

    async def base(self, path, line, column=0):
        """Return the location in base of what is at a place."""
        return await self.client.text_document_definition_async(types.DefinitionParams(*self._at(path, line, column)))

    async def text_at_base(self, uri):
        content = await self.client.workspace_text_document_content_async(types.TextDocumentContentParams(uri))
        return content.text

    async def actions(self, path, line):
        """Return the code actions of a line."""
        where = types.Range(types.Position(line, 0), types.Position(line, 0))
        document, context = types.TextDocumentIdentifier(self.uri(path)), types.CodeActionContext([])
        params = types.CodeActionParams(document, where, context)
        return await self.client.text_document_code_action_async(params) or []

    def applied(self, path, action):
        """Return the text of a file that is open after an action that edits it alone."""
        (change,) = action.edit.document_changes
        assert (change.text_document.uri, change.text_document.version) == (self.uri(path), self.versions[path])
        lines = self.texts[path].split("\n")
        for edit in sorted(change.edits, key=lambda edit: (edit.range.start.line, edit.range.start.character))[::-1]:
            (start, first), (end, last) = _position(edit.range.start), _position(edit.range.end)
            new = _cut(lines[start], 0, first) + edit.new_text + _cut(lines[end], last, None)
            lines[start : end + 1] = new.split("\n")
        return "\n".join(lines)

    def shown_findings(self):
        """Return the rule, the level and the message of each finding that is shown, with its file and line."""
        return sorted(
            (
                diagnostic.code or "",
                _LEVELS[diagnostic.severity],
                diagnostic.message.split("\n")[0],
                uri,
                diagnostic.range.start.line,
            )
            for uri, params in self.published.items()
            for diagnostic in params.diagnostics
        )

    def _at(self, path, line, column):
        return types.TextDocumentIdentifier(self.uri(path)), types.Position(line, column)

    def _publish(self, params):
        self.published[params.uri] = params
        self._news.set()

    def _log(self, params):
        self.logged.append(params.message)

    def _accept(self, _):
        return None

    def _create_progress(self, params):
        self.progress[params.token] = []

    def _note_progress(self, params):
        self.progress[params.token].append(params.value)
        self._news.set()

    def _receive_message(self, params):
        self.messages.append(params.message)
        self._news.set()


@asynccontextmanager
async def editing(
    top, environment, *arguments, capabilities=None, program=(sys.executable, "-m", "opspec_lint", "lsp")
):
    """Start an editor with its own server in a folder; stop both afterwards."""
    client = LanguageClient("tests", "1")
    editor = Editor(top, client)
    await client.start_io(*program, *arguments, cwd=str(top), env=environment)
    edits = types.WorkspaceEditClientCapabilities(document_changes=True)
    params = types.InitializeParams(
        capabilities=capabilities or types.ClientCapabilities(types.WorkspaceClientCapabilities(workspace_edit=edits)),
        root_uri=Path(top).as_uri(),
        initialization_options={"baseDocuments": True},
    )
    editor.offered = (await client.initialize_async(params)).capabilities
    client.initialized(types.InitializedParams())
    try:
        yield editor
    finally:
        await asyncio.wait_for(client.shutdown_async(None), PATIENCE)
        client.exit(None)
        await client.stop()


def expected(report, top):
    """Return the findings of a report of `check` as rdjson, in the form of `Editor.shown_findings`."""
    levels = {"ERROR": "error", "WARNING": "warning", "INFO": "note"}
    return sorted(
        (
            diagnostic["code"]["value"],
            "cleared" if diagnostic["message"].startswith("[") else levels[diagnostic["severity"]],
            diagnostic["message"].split("\n")[0],
            (Path(top) / diagnostic["location"]["path"]).as_uri(),
            diagnostic["location"]["range"]["start"]["line"] - 1,
        )
        for diagnostic in json.loads(report)["diagnostics"]
    )


def _position(position):
    return position.line, position.character


def _cut(line, start, end):
    """Return the part of a line between two columns of UTF-16."""
    data = line.encode("utf-16-le")
    return data[2 * start : None if end is None else 2 * end].decode("utf-16-le")
