"""Findings as the entries of a report for a code host or a CI system: their place, subject and texts.

Each text is on one line and of bounded length; escaping it for a format is up to the reporter.
"""

from __future__ import annotations

import posixpath

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Compact, Record
from opspec_lint.kit.text import one_line, plural, shorten
from opspec_lint.report.details import LONGEST, Detail, evidence, judgement, review_words, waiver_words
from opspec_lint.report.ranking import GROUPS, group_of, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from opspec_lint.report.findings import Comparison, Finding, Report
    from opspec_lint.spec.model import Origin

_UNKNOWN = "unknown"
_TREE = pattern(r"(?P<name>[a-z][a-z0-9-]*-source:(?P<folder>.*?))(@[^@]*)?")
"""What a comparison calls a source tree: its source, its folder, and the revision."""


_NO_FILE = pattern(r"[a-z][a-z0-9-]*@[^/\\]+|[a-z0-9-]+-(?:runtime|wheel)(?::.*)?|standard input")
"""What a comparison calls a spec that is no file: a release, an installed framework, or standard input."""


class Anchor(Compact):
    """A position in a file of the repository; line and column are 1 where none is known."""

    path: str
    line: int
    column: int


class Entry(Record):
    """A finding, ready to be written.

    `group` is one of `GROUPS`: the level of a finding that counts, else why it does not. `place` is the place in
    head, which a code host shows, and `is_placed` whether head has such a file; `base` is the place in base, None if
    its source has no lines. `code` is the place in a source tree that declares it, None if a spec file does. `spec` is
    the path of head's spec, or its tree, if the report has several comparisons. `subject` names the op and the
    argument. `details` are those of the finding, and last the waiver. `cleared` says why a finding does not count, None
    if it counts.
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
        """The details, each on one line and of bounded length."""
        return tuple(detail.line for detail in self.details)


def entries(report: Report, groups: Collection[str] = GROUPS) -> Iterator[Entry]:
    """Yield an entry for each finding, in the order of all reports (`ranking.place`).

    Each is made when its turn comes, since a report may have hundreds of thousands.

    Args:
        report: the report.
        groups: the groups of the findings that entries are yielded for.
    """
    return (_entry(finding, around) for finding, around in in_order(report) if group_of(finding) in groups)


def in_order(report: Report) -> list[tuple[Finding, Surroundings]]:
    """Return the findings in the order of `entries`, each with its surroundings."""
    several = len(report.comparisons) > 1
    there = _file_of_head(report)
    is_there = bool(report.unchanged or report.anchor) or any(_has_file(each, report) for each in report.comparisons)
    found = [
        (each, Surroundings(place=_place_of_general(each, there, report), is_placed=is_there))
        for each in report.general
    ]
    for each in report.comparisons:
        around = _surroundings(each, report, several=several)
        found += [(finding, around) for finding in each.findings]
    return sorted(found, key=lambda one: place(one[0]))


class Surroundings(Record):
    """What the entries of a comparison have in common.

    `place` is where findings without a line stand, and `is_placed` whether head has such a file. `spec` is the path of
    head's spec if the report has several comparisons, `against` says what it was compared with. `paths` are those of
    base's and head's file, as far as they are known; `is_tree` is whether head is a source tree, and `folder` the path
    of the tree in the repository, which its places do not contain, with a slash at its end, or "".
    """

    place: Anchor
    is_placed: bool = True
    spec: str | None = None
    against: tuple[str, ...] = ()
    paths: tuple[str | None, ...] = ()
    is_tree: bool = False
    folder: str = ""

    def from_top(self, anchor: Anchor | None) -> Anchor | None:
        """Return a position of the comparison with its path from the top of the repository."""
        return None if anchor is None else anchor.replace(path=f"{self.folder}{anchor.path}")


def _surroundings(comparison: Comparison, report: Report, *, several: bool) -> Surroundings:
    path, tree = _path_of_head(comparison), _tree(comparison.head.file)
    path = (report.anchor or path) if tree else path
    return Surroundings(
        place=Anchor(path=path, line=1, column=1),
        is_placed=_has_file(comparison, report),
        spec=(tree or path) if several else None,
        against=_against(comparison) if several else (),
        paths=(comparison.base.path, comparison.head.path),
        is_tree=tree is not None,
        folder=_folder_of_tree(comparison.head.file, report.prefix),
    )


def counts(findings: Sequence[Finding]) -> str:
    """Return how many of the findings are of each level, and apart how many do not count; "" for none."""
    levels = [finding.level for finding in findings if finding.counts]
    told = [plural(levels.count(level), level) for level in ("error", "warning", "note") if level in levels]
    return ", ".join(told + ([cleared_count(findings)] if len(levels) < len(findings) else []))


def cleared_count(findings: Sequence[Finding]) -> str:
    """Return how many of the findings are approved, how many waived, and of these how many by this change."""
    approved = sum(finding.cleared == "approved" for finding in findings)
    told = [f"{approved} approved"] if approved else []
    if any(finding.waived is not None for finding in findings):
        told.append(_waived_count(findings))
    return ", ".join(told)


def _waived_count(findings: Sequence[Finding]) -> str:
    waivers = [finding.waived for finding in findings if finding.waived is not None]
    new = sum(waived.is_new for waived in waivers)
    by = "a new waiver" if new == 1 else "new waivers"
    return f"{len(waivers)} waived{f', {new} by {by} of this change' if new else ''}"


def ignored_count(count: int) -> str:
    """Return how many findings were left out because the configuration ignores their ops."""
    return f"{plural(count, 'finding')} in ops that the configuration ignores"


def unchanged_count(report: Report) -> str:
    """Return how many spec files are what they are at base."""
    count = len(report.unchanged)
    return f"{plural(count, 'spec file')} {'is' if count == 1 else 'are'} identical to base"


def path_in_repository(file: str) -> str:
    """Return the path of a file as it stands in the repository, with forward slashes.

    `REVISION:PATH` goes by its path, a file outside of the repository by its base name, a source tree by its folder.
    """
    tree = _TREE.fullmatch(file)
    if tree is not None:
        return _inside(tree["folder"].replace("\\", "/"))
    return _inside((file.partition(":")[2] or file).replace("\\", "/"))


def _tree(file: str) -> str | None:
    """Return the name of a source tree at every revision, None for what is no source tree."""
    tree = _TREE.fullmatch(file)
    return None if tree is None else tree["name"]


def _folder_of_tree(file: str, prefix: str) -> str:
    """Return the folder of a source tree from the top of the repository; "" for the top, and for what is elsewhere.

    Args:
        file: what a comparison calls the tree.
        prefix: the folder in which the check was started.
    """
    tree = _TREE.fullmatch(file)
    folder = posixpath.normpath(posixpath.join(prefix, tree["folder"].replace("\\", "/"))) if tree else "."
    return "" if folder == "." or folder.startswith(("/", "..")) else f"{folder}/"


def _inside(path: str) -> str:
    path = posixpath.normpath(path)
    if path.startswith(("/", "../")):
        path = posixpath.basename(path)
    return _UNKNOWN if path in ("", ".", "..") else path


def _entry(finding: Finding, around: Surroundings) -> Entry:
    base, own = map(around.from_top, places(finding, around.paths))
    waiver = None if finding.waived is None else waiver_words(finding.waived)
    approved = review_words(finding) if finding.is_approved else None
    return Entry(
        finding=finding,
        group=group_of(finding),
        place=own or around.place,
        is_placed=own is not None or around.is_placed,
        base=base,
        code=own if around.is_tree else None,
        spec=around.spec,
        subject=subject_of(finding),
        message=shorten(one_line(_message(finding, around.against)), LONGEST),
        details=(*judgement(finding), *evidence(finding), *([] if waiver is None else [Detail(label="", text=waiver)])),
        cleared=waiver or approved,
    )


def subject_of(finding: Finding) -> str:
    """Return the op and the argument that a finding is about."""
    op = [] if finding.op is None else [finding.op]
    argument = [] if finding.kind == "op" else [f"{finding.kind} {finding.name or ''}".rstrip()]
    return shorten(one_line(", ".join(op + argument)), LONGEST)


def places(finding: Finding, paths: tuple[str | None, ...]) -> tuple[Anchor | None, Anchor | None]:
    """Return where a finding stands in base and in head, None where its source has no lines.

    Args:
        finding: the finding.
        paths: the paths of base's and of head's file, as far as they are known.
    """
    known = (finding.spec, finding.name, *paths)
    base, head = (None if each is None else _place(each, known) for each in (finding.base_origin, finding.head_origin))
    return base, head


def _message(finding: Finding, against: tuple[str, ...]) -> str:
    also = (f"also against {', '.join(finding.also)}",) if finding.also else ()
    bases = ", ".join(against + also)
    return f"{finding.message} ({bases})" if bases else finding.message


def _against(comparison: Comparison) -> tuple[str, ...]:
    """Return which base it was, unless it is the file of head itself, only earlier."""
    base, head = comparison.base.file, comparison.head.file
    names = {_tree(each) or path_in_repository(each) for each in (base, head)}
    return () if len(names) == 1 else (f"against {base}",)


def _path_of_head(comparison: Comparison) -> str:
    """Return the path of head's spec; findings of a repository know it, whatever stands in its name."""
    known = next((each.spec for each in comparison.findings if each.spec is not None), None)
    if known is None and comparison.head.path is not None:
        known = _inside(comparison.head.path)
    return known or path_in_repository(comparison.head.file)


def _has_file(comparison: Comparison, report: Report) -> bool:
    """Return whether the place of a comparison is a file of the repository, and not a release or an interpreter."""
    if _tree(comparison.head.file) is not None:
        return report.anchor is not None
    is_known = comparison.head.path is not None or any(finding.spec is not None for finding in comparison.findings)
    return is_known or _NO_FILE.fullmatch(comparison.head.file) is None


def _file_of_head(report: Report) -> str:
    """Return the path of a spec that head has, or else of another file: what is of no file stands there."""
    files = (each for each in report.comparisons if _tree(each.head.file) is None)
    paths = [*map(_path_of_head, files), *report.unchanged, report.anchor, *map(_path_of_head, report.comparisons)]
    return next((path for path in paths if path and path != _UNKNOWN), _UNKNOWN)


def _place_of_general(finding: Finding, there: str, report: Report) -> Anchor:
    """Return where a finding stands that head has no line for: a file that is gone is told of at one that is there.

    Where none is there, it is the file that is gone, whose deleted side a diff shows.
    """
    gone = [each.name for each in (finding, *report.general) if each.kind == "source" and each.name]
    path = path_in_repository(gone[0] if gone else "") if there == _UNKNOWN else there
    return Anchor(path=path, line=1, column=1)


def _place(origin: Origin, paths: tuple[str | None, ...]) -> Anchor:
    """Return a place; a path that is known to be one stands as it is, whatever is in its name."""
    path = origin.file if origin.file and origin.file in paths else path_in_repository(origin.file)
    return Anchor(path=_inside(path), line=origin.line or 1, column=origin.column or 1)
