"""The files that are open in the editor: their texts, versions and folders."""

from __future__ import annotations

import os

from pygls import uris

from opspec_lint.editor.folders import folder_of
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer


class Document(Record):
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
        """Take note of a document; one that is no file is left out."""
        path = uris.to_fs_path(uri) if uri.startswith("file:") else None
        if path is not None:
            self._uris[os.path.realpath(path)] = uri

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._uris = {path: each for path, each in self._uris.items() if each != uri}

    def folder(self, uri: str) -> str | None:
        """Return the folder in which a document is checked, None if it is in none."""
        path = next((path for path, each in self._uris.items() if each == uri), None)
        return None if path is None else folder_of(path)

    def below(self, folder: str) -> dict[str, Document]:
        """Return the documents that are checked in a folder, by path."""
        texts = self._server.workspace.text_documents
        here = {path: uri for path, uri in self._uris.items() if uri in texts and folder_of(path) == folder}
        return {
            path: Document(uri=uri, text=texts[uri].source, version=texts[uri].version) for path, uri in here.items()
        }

    def uri_of(self, path: str) -> str:
        """Return the URI of a file, as the editor writes it if it is open."""
        return self._uris.get(path) or uris.from_fs_path(path) or ""

    def version_of(self, path: str) -> int | None:
        """Return the version that the text of a file has now, None if it is not open."""
        document = self._server.workspace.text_documents.get(self._uris.get(path, ""))
        return None if document is None else document.version
