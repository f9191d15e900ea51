"""Files that are open in the editor: their texts, versions and folders."""

from __future__ import annotations

import os

from pygls import uris

from opspec_lint.editor.folders import folder_of
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer


class OpenDocument(Record):
    """An open file: the URI that the editor has for it, its text, and the version of the text."""

    uri: str
    text: str
    version: int | None


class Documents:
    """The files that are open, by real path.

    Args:
        server: the server, which keeps their texts.
    """

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._uris: dict[str, str] = {}

    def open(self, uri: str) -> None:
        """Add a document, unless it is no file."""
        path = uris.to_fs_path(uri) if uri.startswith("file:") else None
        if path is not None:
            self._uris[os.path.realpath(path)] = uri

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._uris = {path: known_uri for path, known_uri in self._uris.items() if known_uri != uri}

    def folder(self, uri: str) -> str | None:
        """Return the folder in which a document is checked, or None."""
        path = next((path for path, known_uri in self._uris.items() if known_uri == uri), None)
        return None if path is None else folder_of(path)

    def below(self, folder: str) -> dict[str, OpenDocument]:
        """Return the documents that are checked in a folder, by path."""
        texts = self._server.workspace.text_documents
        here = {path: uri for path, uri in self._uris.items() if uri in texts and folder_of(path) == folder}
        return {
            path: OpenDocument(uri=uri, text=texts[uri].source, version=texts[uri].version)
            for path, uri in here.items()
        }

    def uri_of(self, path: str) -> str:
        """Return the URI of a file, as the editor writes it if it is open."""
        return self._uris.get(path) or uris.from_fs_path(path) or ""

    def version_of(self, path: str) -> int | None:
        """Return the current version of the text of a file, None if it is not open."""
        document = self._server.workspace.text_documents.get(self._uris.get(path, ""))
        return None if document is None else document.version
