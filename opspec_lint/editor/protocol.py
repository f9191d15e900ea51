"""Conversion of results to the types of the Language Server Protocol."""

from __future__ import annotations

from lsprotocol import types

from opspec_lint.editor import base_document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opspec_lint.editor.messages import BasePlace, FileEdits, FixAction, Mark, Range, ReadProblem

SOURCE = "opspec-lint"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
"""By the group of a finding; what is waived or approved is a hint."""


def diagnostic(mark: Mark) -> types.Diagnostic:
    """Return the diagnostic of a finding."""
    return types.Diagnostic(
        range=range_of(mark.place.range),
        severity=_SEVERITIES.get(mark.group, types.DiagnosticSeverity.Hint),
        code=mark.rule,
        code_description=None if mark.page is None else types.CodeDescription(href=mark.page),
        source=SOURCE,
        message=mark.message,
        data={"fingerprint": mark.fingerprint},
    )


def diagnostic_of_problem(problem: ReadProblem) -> types.Diagnostic:
    """Return the diagnostic of a problem with a file."""
    where = problem.place.range if problem.place else (0, 0, 0, 0)
    severity = types.DiagnosticSeverity.Error if problem.is_error else types.DiagnosticSeverity.Information
    return types.Diagnostic(range=range_of(where), severity=severity, source=SOURCE, message=problem.text)


def range_of(position: Range) -> types.Range:
    """Return a range in the type of the protocol."""
    line, column, end_line, end_column = position
    return types.Range(types.Position(line, column), types.Position(end_line, end_column))


def location(place: BasePlace) -> types.Location:
    """Return the location of a place in base."""
    return types.Location(base_document.uri_of(place), range_of(place.range))


def code_actions(
    mark: Mark, current: Callable[[str], tuple[str, int | None] | None], *, is_versioned: bool
) -> Iterator[types.CodeAction]:
    """Yield the fixes of a finding, without those that edit a text which has changed since it was read.

    Args:
        mark: the finding.
        current: returns the URI of a file and the version of its text, None for the version if it is not open; and
            None if the text has changed since it was read.
        is_versioned: whether the client supports versioned edits, and new files.
    """
    for action in mark.actions:
        documents = {file.path: document for file in action.files if (document := current(file.path)) is not None}
        if len(documents) < len(action.files) or (any(file.is_new for file in action.files) and not is_versioned):
            continue
        yield types.CodeAction(
            title=f"{action.title}{'' if action.is_safe else ' (unsafe)'}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[diagnostic(mark)],
            is_preferred=action.is_safe,
            edit=_versioned(action, documents) if is_versioned else _plain(action, documents),
        )


def _versioned(action: FixAction, documents: Mapping[str, tuple[str, int | None]]) -> types.WorkspaceEdit:
    """Return the edit with the versions of its texts: the client refuses it if the user has typed since."""
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for file in action.files:
        uri, version = documents[file.path]
        if file.is_new:
            # The client refuses the edit if somebody has made the file since the check.
            options = types.CreateFileOptions(overwrite=False, ignore_if_exists=False)
            changes.append(types.CreateFile(uri=uri, options=options))
        document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
        changes.append(types.TextDocumentEdit(document, list(_edits(file))))
    return types.WorkspaceEdit(document_changes=changes)


def _plain(action: FixAction, documents: Mapping[str, tuple[str, int | None]]) -> types.WorkspaceEdit:
    """Return the edit for a client that supports no versions and no new files."""
    changes = {}
    for file in action.files:
        uri, _ = documents[file.path]
        changes[uri] = list(_edits(file))
    return types.WorkspaceEdit(changes=changes)


def _edits(file: FileEdits) -> Iterator[types.TextEdit]:
    """Yield the edits of a file in the types of the protocol."""
    yield from (types.TextEdit(range_of(where), text) for where, text in file.edits)


def markdown(text: str) -> types.MarkupContent:
    """Return a text in Markdown."""
    return types.MarkupContent(types.MarkupKind.Markdown, text)
