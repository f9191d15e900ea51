"""Findings as entries for a code host or a CI system: place in the repository, subject, and texts.

Each text is one line of bounded length; the reporter escapes it for its format.
"""

from __future__ import annotations

import posixpath

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Compact, Record
from opspec_lint.kit.text import one_line, plural, shorten
from opspec_lint.report.details import LONGEST, Detail, describe_review, describe_waiver, evidence, judgement
from opspec_lint.report.ranking import GROUPS, group_of, report_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from opspec_lint.report.findings import Comparison, Finding, Report
    from opspec_lint.spec.model import Origin

_UNKNOWN = "unknown"
_TREE = pattern(r"(?P<name>[a-z][a-z0-9-]*-source:(?P<folder>.*?))(@[^@]*)?")
"""The name of a source tree in a comparison: `paddle-source:FOLDER@REVISION`."""


_NO_FILE = pattern(r"[a-z][a-z0-9-]*@[^/\\]+|[a-z0-9-]+-(?:runtime|wheel)(?::.*)?|standard input")
"""The name of a spec in a comparison that is no file: a release, an installed framework, or standard input."""


class Anchor(Compact):
    """A position in a file of the repository; line and column are 1 if unknown."""

    path: str
    line: int
    column: int


class Entry(Record):
    """A finding, ready to be written by a reporter.

    - `group`: one of `GROUPS`: the level of a finding that counts, else the reason why it does not
    - `place`: the place in head, which a code host shows; `is_placed`: head has such a file
    - `base`: the place in base, None if its source has no lines
    - `code`: the place in a source tree, None if a spec file declares the op
    - `spec`: the path of head's spec, or its tree, if the report has several comparisons
    - `subject`: the op and the argument; `details`: of the finding, then of the waiver
    - `cleared`: the waiver or approval that keeps the finding from counting, None if it counts
    """

    finding: Finding
    group: str
    place: Anchor
    is_placed: bool
    base: Anchor | None
    code: Anchor | None
    spec: str | None
    subject: str
    message: str
    details: tuple[Detail, ...]
    cleared: str | None

    @property
    def lines(self) -> tuple[str, ...]:
        """The details as lines of bounded length."""
        return tuple(detail.line for detail in self.details)


def entries(report: Report, groups: Collection[str] = GROUPS) -> Iterator[Entry]:
    """Yield an entry for each finding, in the order of all reports (`ranking.report_order`).

    Entries are made lazily, since a report may have hundreds of thousands. `groups` are the groups to include.
    """
    return (_entry(finding, context) for finding, context in in_order(report) if group_of(finding) in groups)


def in_order(report: Report) -> list[tuple[Finding, ComparisonContext]]:
    """Return the findings in the order of all reports, each with the context of its comparison."""
    several = len(report.comparisons) > 1
    fallback_path = _file_of_head(report)
    has_file = bool(report.unchanged or report.anchor) or any(
        _has_file(comparison, report) for comparison in report.comparisons
    )
    findings = [
        (finding, ComparisonContext(place=_general_place(finding, fallback_path, report), is_placed=has_file))
        for finding in report.general
    ]
    for comparison in report.comparisons:
        context = _comparison_context(comparison, report, several=several)
        findings += [(finding, context) for finding in comparison.findings]
    return sorted(findings, key=lambda pair: report_order(pair[0]))


class ComparisonContext(Record):
    """The properties that all entries of a comparison share.

    - `place`: the place of findings without a line; `is_placed`: head has such a file
    - `spec`: the path of head's spec, and `against` a text that names base, if the report has several comparisons
    - `paths`: the paths of the files of base and head, None if unknown
    - `is_tree`: head is a source tree; `folder`: its path in the repository with a slash at the end, or "". Places of
      a tree are relative to it
    """

    place: Anchor
    is_placed: bool = True
    spec: str | None = None
    against: tuple[str, ...] = ()
    paths: tuple[str | None, ...] = ()
    is_tree: bool = False
    folder: str = ""

    def from_top(self, anchor: Anchor | None) -> Anchor | None:
        """Return a position with its path from the top of the repository."""
        return None if anchor is None else anchor.replace(path=f"{self.folder}{anchor.path}")


def _comparison_context(comparison: Comparison, report: Report, *, several: bool) -> ComparisonContext:
    """Return the context of a comparison; `several`: the report has several comparisons."""
    path, tree = _path_of_head(comparison), _tree(comparison.head.file)
    path = (report.anchor or path) if tree else path
    return ComparisonContext(
        place=Anchor(path=path, line=1, column=1),
        is_placed=_has_file(comparison, report),
        spec=(tree or path) if several else None,
        against=_against(comparison) if several else (),
        paths=(comparison.base.path, comparison.head.path),
        is_tree=tree is not None,
        folder=_folder_of_tree(comparison.head.file, report.prefix),
    )


def counts(findings: Sequence[Finding]) -> str:
    """Return the counts of findings as text: "2 errors, 1 note, 3 waived"; "" for none."""
    levels = [finding.level for finding in findings if finding.counts]
    parts = [plural(levels.count(level), level) for level in ("error", "warning", "note") if level in levels]
    return ", ".join(parts + ([cleared_count(findings)] if len(levels) < len(findings) else []))


def cleared_count(findings: Sequence[Finding]) -> str:
    """Return the counts of approved and waived findings as text, with the waivers that this change adds."""
    approved = sum(finding.cleared == "approved" for finding in findings)
    parts = [f"{approved} approved"] if approved else []
    if any(finding.waived is not None for finding in findings):
        parts.append(_waived_count(findings))
    return ", ".join(parts)


def _waived_count(findings: Sequence[Finding]) -> str:
    """Return the count of waived findings as text: "3 waived, 1 by a new waiver of this change"."""
    waivers = [finding.waived for finding in findings if finding.waived is not None]
    new = sum(waived.is_new for waived in waivers)
    by = "a new waiver" if new == 1 else "new waivers"
    return f"{len(waivers)} waived{f', {new} by {by} of this change' if new else ''}"


def ignored_count(count: int) -> str:
    """Return the count of findings that are hidden as the configuration ignores their ops, as text."""
    return f"{plural(count, 'finding')} in ops that the configuration ignores"


def unchanged_count(report: Report) -> str:
    """Return the count of unchanged spec files, as text."""
    count = len(report.unchanged)
    # Not "identical to base": a report may have releases as further bases, to which the files are not identical.
    return f"{plural(count, 'spec file')} {'has' if count == 1 else 'have'} not changed since base"


def path_in_repository(file: str) -> str:
    """Return the path in the repository for a spec name of a comparison, with forward slashes.

    `REVISION:PATH` yields the path, a source tree its folder, a file outside of the repository its base name.
    """
    tree = _TREE.fullmatch(file)
    if tree is not None:
        return _path_inside(tree["folder"].replace("\\", "/"))
    return _path_inside((file.partition(":")[2] or file).replace("\\", "/"))


def _tree(file: str) -> str | None:
    """Return the name of a source tree without its revision, None if `file` names no source tree."""
    tree = _TREE.fullmatch(file)
    return None if tree is None else tree["name"]


def _folder_of_tree(file: str, prefix: str) -> str:
    """Return the folder of a source tree from the top of the repository; "" for the top, or if it is outside.

    `file` is the name of the tree in a comparison, `prefix` the folder in which the check was started.
    """
    tree = _TREE.fullmatch(file)
    folder = posixpath.normpath(posixpath.join(prefix, tree["folder"].replace("\\", "/"))) if tree else "."
    return "" if folder == "." or folder.startswith(("/", "..")) else f"{folder}/"


def _path_inside(path: str) -> str:
    """Return a path without "." and ".."; the base name of a path outside of the repository."""
    # Code hosts reject a whole report for one absolute path, or one that leads out of the repository.
    path = posixpath.normpath(path)
    if path.startswith(("/", "../")):
        path = posixpath.basename(path)
    return _UNKNOWN if path in ("", ".", "..") else path


def _entry(finding: Finding, context: ComparisonContext) -> Entry:
    """Return the entry of a finding."""
    base, head = map(context.from_top, places(finding, context.paths))
    waiver = None if finding.waived is None else describe_waiver(finding.waived)
    approved = describe_review(finding) if finding.is_approved else None
    return Entry(
        finding=finding,
        group=group_of(finding),
        place=head or context.place,
        is_placed=head is not None or context.is_placed,
        base=base,
        code=head if context.is_tree else None,
        spec=context.spec,
        subject=subject_of(finding),
        message=shorten(one_line(_message(finding, context.against)), LONGEST),
        details=(*judgement(finding), *evidence(finding), *([] if waiver is None else [Detail(label="", text=waiver)])),
        cleared=waiver or approved,
    )


def subject_of(finding: Finding) -> str:
    """Return the op and the argument of a finding as text: "conv2d, attr strides"."""
    op = [] if finding.op is None else [finding.op]
    argument = [] if finding.kind == "op" else [f"{finding.kind} {finding.name or ''}".rstrip()]
    return shorten(one_line(", ".join(op + argument)), LONGEST)


def places(finding: Finding, paths: tuple[str | None, ...]) -> tuple[Anchor | None, Anchor | None]:
    """Return the places of a finding in base and head, None if the source has no lines.

    `paths` are the paths of the files of base and head, None if unknown.
    """
    known = (finding.spec, finding.name, *paths)
    base, head = (
        None if origin is None else _place(origin, known) for origin in (finding.base_origin, finding.head_origin)
    )
    return base, head


def _message(finding: Finding, against: tuple[str, ...]) -> str:
    """Return the message of a finding with the bases that have it, in brackets."""
    also = (f"also against {', '.join(finding.also)}",) if finding.also else ()
    bases = ", ".join(against + also)
    return f"{finding.message} ({bases})" if bases else finding.message


def _against(comparison: Comparison) -> tuple[str, ...]:
    """Return a text that names base; nothing if base is an earlier version of the file of head."""
    base, head = comparison.base.file, comparison.head.file
    names = {_tree(file) or path_in_repository(file) for file in (base, head)}
    return () if len(names) == 1 else (f"against {base}",)


def _path_of_head(comparison: Comparison) -> str:
    """Return the path of head's spec in the repository."""
    # Findings of a check of a repository have the exact path; a name may contain ":" and is parsed only otherwise.
    known = next((finding.spec for finding in comparison.findings if finding.spec is not None), None)
    if known is None and comparison.head.path is not None:
        known = _path_inside(comparison.head.path)
    return known or path_in_repository(comparison.head.file)


def _has_file(comparison: Comparison, report: Report) -> bool:
    """Return whether head is a file of the repository, and not a release or an interpreter."""
    if _tree(comparison.head.file) is not None:
        return report.anchor is not None
    is_known = comparison.head.path is not None or any(finding.spec is not None for finding in comparison.findings)
    return is_known or _NO_FILE.fullmatch(comparison.head.file) is None


def _file_of_head(report: Report) -> str:
    """Return the path of a file that exists in head, as the place of findings that concern no file."""
    files = (comparison for comparison in report.comparisons if _tree(comparison.head.file) is None)
    paths = [*map(_path_of_head, files), *report.unchanged, report.anchor, *map(_path_of_head, report.comparisons)]
    return next((path for path in paths if path and path != _UNKNOWN), _UNKNOWN)


def _general_place(finding: Finding, fallback_path: str, report: Report) -> Anchor:
    """Return the place of a general finding: a file that head has, or else the deleted file, which a diff shows."""
    gone = [general.name for general in (finding, *report.general) if general.kind == "source" and general.name]
    path = path_in_repository(gone[0] if gone else "") if fallback_path == _UNKNOWN else fallback_path
    return Anchor(path=path, line=1, column=1)


def _place(origin: Origin, paths: tuple[str | None, ...]) -> Anchor:
    """Return the position of an origin in the repository; a path in `paths` is taken literally, even with a ":"."""
    path = origin.file if origin.file and origin.file in paths else path_in_repository(origin.file)
    # Code hosts require a line; the first one of the file is shown if it is unknown.
    return Anchor(path=_path_inside(path), line=origin.line or 1, column=origin.column or 1)
