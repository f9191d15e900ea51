"""Application of fixes to the files of the work tree, or their display as a diff.

A file is replaced atomically, and only if it has not changed since it was checked.
"""

from __future__ import annotations

import os

from opspec_lint.cli import output
from opspec_lint.cli.comparison import make_report
from opspec_lint.kit.errors import OpspecError, UsageError
from opspec_lint.kit.text import plural
from opspec_lint.report.patch import patch, plan_fixes, unsafe_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.fixes.fix import Fix, Safety
    from opspec_lint.fixes.plan import Plan
    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.kit.command_line import Options
    from opspec_lint.report.findings import Report

_PASSES = 10
"""Largest number of rounds: a fix that overlaps with another one is applied in a later round, if it is still needed."""


def apply_fixes(options: Options, *, wants_lines: bool, wants_error_lines: bool) -> tuple[Report, tuple[str, ...]]:
    """Apply fixes, check again, and return the remaining report, and lines on what was done.

    Raises UsageError if head is not the work tree, OpspecError if the fixed files cannot be checked; all files have
    their old contents then.
    """
    for name in ("staged", "head"):
        if getattr(options, name):
            raise _not_in_work_tree(f"--{name} names another head")

    def make() -> Report:
        return make_report(options, wants_lines=wants_lines, wants_fixes=True, wants_error_lines=wants_error_lines)

    report = make()
    if report.top is None:
        raise _not_in_work_tree(f"{options.head_spec!r} is not a file or folder of it")
    applied = _FixSession(report.top)
    for _ in range(_PASSES):
        # Each round can enable fixes that overlapped with one of the round before.
        if not applied.apply(plan_fixes(report, options.fix)):
            break
        try:
            report = make()
        except OpspecError as error:
            applied.revert()
            message = f"the fixes were taken back, as the files could not be checked with them: {error.message}"
            raise OpspecError(message, advice="`opspec-lint check --diff` shows them") from error
    return report, applied.lines(report, options.fix)


def diff(report: Report, options: Options) -> tuple[str, tuple[str, ...]]:
    """Return the fixes of a report as a unified diff, and lines on the fixes that are left out."""
    plan = plan_fixes(report, options.fix or "safe")
    fixes = set(plan.taken)
    count = sum(finding.counts and not fixes.isdisjoint(finding.fixes) for finding in report.findings)
    closing = f"{plural(count, 'finding')} fixed by this diff; no file is changed"
    return patch(plan), (closing, *_remaining_lines(plan), *_unsafe_lines(report, options.fix or "safe"))


class _FixSession:
    """The changes to files below a folder, for the report to the user and for undoing them."""

    def __init__(self, top: str) -> None:
        self._top = top
        self._before: dict[str, bytes | None] = {}
        self._done: dict[Fix, None] = {}
        self._refused: dict[str, str] = {}

    def apply(self, plan: Plan) -> bool:
        """Write the files that a plan edits; tell whether any was written."""
        written = {file.path for file, edits in plan.edits.items() if self._write(file, edits)}
        self._done |= dict.fromkeys(fix for fix in plan.taken if written.issuperset(edit.file for edit in fix.edits))
        return bool(written)

    def revert(self) -> None:
        """Restore the old contents of all changed files. Raises OpspecError if a file cannot be written."""
        for path, data in self._before.items():
            full = os.path.join(self._top, path)
            if data is None:
                os.unlink(full)
            else:
                output.write(full, data, below=self._top)

    def lines(self, report: Report, safety: Safety) -> tuple[str, ...]:
        """Return lines on the fixes that were applied, those that could not be, and those that remain."""
        done = (f"fixed {_files(fix)}: {fix.description}" for fix in self._done)
        rest = plan_fixes(report, safety)
        left = (f"not fixed: {fix.description}" for fix in (*rest.taken, *rest.left))
        unsafe = _unsafe_lines(report, safety)
        nothing = "nothing is safe to fix" if unsafe else "nothing to fix"
        return *(done if self._done else (nothing,)), *self._refused.values(), *left, *unsafe

    def _write(self, file: TextFile, edits: Sequence[Edit]) -> bool:
        """Write a file with edits; return False, and note the reason, if it must not or cannot be written."""
        # A change could otherwise add a hook to the git directory through a crafted path.
        if file.path in self._refused or ".git" in file.path.lower().split("/"):
            return False
        full = os.path.join(self._top, file.path)

        def content() -> bytes:
            if file.data is not None and _read(full, len(file.data) + 1) != file.data:
                raise OpspecError(f"{file.path}: changed since it was read", advice="check again")
            return file.with_edits(edits)

        try:
            output.write(full, content, below=self._top, is_new=file.data is None)
        except OpspecError as error:
            self._refused[file.path] = f"not changed: {error.message}"
            return False
        self._before.setdefault(file.path, file.data)
        return True


def _read(path: str, most: int) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read(most)
    except OSError as error:
        raise OpspecError(f"{path}: cannot be read: {error.strerror}") from None


def _unsafe_lines(report: Report, safety: Safety) -> tuple[str, ...]:
    """Return the line on the findings that only unsafe fixes repair, if those were not requested."""
    count = 0 if safety == "unsafe" else unsafe_count(report)
    if not count:
        return ()
    verb = "has" if count == 1 else "have"
    command = "`opspec-lint check --fix=unsafe --diff` shows them, without --diff it writes them"
    return (f"{plural(count, 'finding')} {verb} an unsafe fix, which guesses at an intent: {command}",)


def _files(fix: Fix) -> str:
    return ", ".join(dict.fromkeys(edit.file for edit in fix.edits))


def _not_in_work_tree(problem: str) -> UsageError:
    advice = "check the work tree, or print the fixes with --diff"
    return UsageError(f"--fix changes files of the work tree, and {problem}", advice=advice)


def _remaining_lines(plan: Plan) -> Iterator[str]:
    for fix in plan.left:
        yield f"left: {fix.description}, as another fix comes first; check again after it"
