"""Display of the results of checks in the editor: diagnostics in files, and messages."""

from __future__ import annotations

from lsprotocol import types

from opspec_lint.editor import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pygls.lsp.server import LanguageServer

    from opspec_lint.editor.documents import Documents
    from opspec_lint.editor.messages import ReadProblem
    from opspec_lint.editor.session import Session


class Display:
    """The diagnostics and messages that the editor shows.

    Args:
        server: the server that is connected to the editor.
        documents: the files that are open.
    """

    def __init__(self, server: LanguageServer, documents: Documents) -> None:
        self._server = server
        self._documents = documents
        self._shown: dict[str, set[str]] = {}
        self._messages: dict[str, set[str]] = {}

    def show(self, session: Session, folder: str) -> None:
        """Show the diagnostics and messages of the last check of a folder, in place of the previous ones."""
        diagnostics = self._diagnostics(session)
        versions = {self._documents.uri_of(path): version for path, version in session.versions(folder).items()}
        here = {self._documents.uri_of(path) for path in session.paths(folder)}
        before = self._shown.pop(folder, set())
        # Files of the previous check as well: an empty list removes its diagnostics.
        for uri in sorted(here | before):
            params = types.PublishDiagnosticsParams(uri, diagnostics.get(uri, []), versions.get(uri))
            self._server.text_document_publish_diagnostics(params)
        if here:
            self._shown[folder] = here
        self._show_messages(folder, (problem for problem in session.problems(folder) if problem.place is None))

    def _diagnostics(self, session: Session) -> dict[str, list[types.Diagnostic]]:
        """Return all diagnostics, by the URI of the file."""
        diagnostics: dict[str, list[types.Diagnostic]] = {}
        for mark in session.marks():
            diagnostics.setdefault(self._documents.uri_of(mark.place.path), []).append(protocol.diagnostic(mark))
        for problem in session.problems():
            if problem.place is not None:
                uri = self._documents.uri_of(problem.place.path)
                diagnostics.setdefault(uri, []).append(protocol.diagnostic_of_problem(problem))
        return diagnostics

    def _show_messages(self, folder: str, problems: Iterable[ReadProblem]) -> None:
        """Show the problems of a folder that concern no file, unless the previous check had them as well.

        That there is nothing to check is only logged.
        """
        now = {problem.text: problem for problem in problems}
        before = self._messages.pop(folder, set())
        if now:
            self._messages[folder] = set(now)
        for problem in (problem for text, problem in now.items() if text not in before):
            text = f"opspec-lint: {problem.text}"
            if problem.is_error:
                kind = types.MessageType.Error if problem.is_crash else types.MessageType.Warning
                self._server.window_show_message(types.ShowMessageParams(kind, text))
            else:
                self._server.window_log_message(types.LogMessageParams(types.MessageType.Info, text))
