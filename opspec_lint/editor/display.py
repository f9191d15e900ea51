"""Shows in the editor what the checks have found: diagnostics at files, and messages."""

from __future__ import annotations

from lsprotocol import types

from opspec_lint.editor import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pygls.lsp.server import LanguageServer

    from opspec_lint.editor.documents import Documents
    from opspec_lint.editor.messages import Problem
    from opspec_lint.editor.session import Session


class Display:
    """The diagnostics and messages that the editor shows.

    Args:
        server: what speaks with the editor.
        documents: the files that are open.
    """

    def __init__(self, server: LanguageServer, documents: Documents) -> None:
        self._server = server
        self._documents = documents
        self._shown: dict[str, set[str]] = {}
        self._told: dict[str, set[str]] = {}

    def show(self, session: Session, folder: str) -> None:
        """Show what the check of a folder has found, in place of what was shown of it."""
        found = self._diagnostics(session)
        versions = {self._documents.uri_of(path): version for path, version in session.versions(folder).items()}
        here = {self._documents.uri_of(path) for path in session.paths(folder)}
        before = self._shown.pop(folder, set())
        for uri in sorted(here | before):
            params = types.PublishDiagnosticsParams(uri, found.get(uri, []), versions.get(uri))
            self._server.text_document_publish_diagnostics(params)
        if here:
            self._shown[folder] = here
        self._say(folder, (each for each in session.problems(folder) if each.place is None))

    def _diagnostics(self, session: Session) -> dict[str, list[types.Diagnostic]]:
        """Return all diagnostics, by the URI of the file."""
        found: dict[str, list[types.Diagnostic]] = {}
        for mark in session.marks():
            found.setdefault(self._documents.uri_of(mark.place.path), []).append(protocol.diagnostic(mark))
        for problem in session.problems():
            if problem.place is not None:
                uri = self._documents.uri_of(problem.place.path)
                found.setdefault(uri, []).append(protocol.diagnostic_of_problem(problem))
        return found

    def _say(self, folder: str, problems: Iterable[Problem]) -> None:
        """Tell of problems of a folder that are about no file, unless the check before had them as well.

        That there is nothing to check is told in the log alone.
        """
        now = {each.text: each for each in problems}
        before = self._told.pop(folder, set())
        if now:
            self._told[folder] = set(now)
        for problem in (each for text, each in now.items() if text not in before):
            text = f"opspec-lint: {problem.text}"
            if problem.is_error:
                kind = types.MessageType.Error if problem.is_crash else types.MessageType.Warning
                self._server.window_show_message(types.ShowMessageParams(kind, text))
            else:
                self._server.window_log_message(types.LogMessageParams(types.MessageType.Info, text))
