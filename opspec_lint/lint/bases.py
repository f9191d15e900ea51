"""Comparisons of one head with several bases: downgrade what a release has already, and report each finding once."""

from __future__ import annotations

from functools import cached_property, partial

from opspec_lint.diff.specs import diff
from opspec_lint.kit.record import Record
from opspec_lint.report.findings import LEVELS, mildest
from opspec_lint.spec.fields import field_table
from opspec_lint.spec.model import BY_NAME, SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.lint.steps import Step
    from opspec_lint.report.findings import Comparison, Finding, Level
    from opspec_lint.spec.fact import AnyArgument
    from opspec_lint.spec.fields import Section
    from opspec_lint.spec.ids import RuleId
    from opspec_lint.spec.model import Op, Spec

_OF_KNOWLEDGE: tuple[RuleId, ...] = ("binding_changed", "extra_learned", "knowledge_gained", "knowledge_lost")
"""Rules about what a spec states: that a release states as little is no reason to accept the loss."""


def downgrade_known(head: Spec, releases: Sequence[Spec]) -> Step | None:
    """Return the step that makes a finding a note if head equals a release there; None without releases.

    Example: the branch removed an attr that the release has without it, so models of the release are not affected.
    """
    return _KnownInReleases(head, releases).downgrade if releases else None


class _KnownInReleases:
    """The differences between head and some releases, found at the first finding."""

    def __init__(self, head: Spec, releases: Sequence[Spec]) -> None:
        self._head = head
        self._releases = releases

    @cached_property
    def _changed_subjects(self) -> list[tuple[Spec, set[tuple[str, str | None]]]]:
        """The releases, each with the ops and arguments in which head differs from it."""
        # Lazily, as most checks have no finding.
        return [(release, _changed(release, self._head)) for release in self._releases]

    def downgrade(self, finding: Finding) -> Finding:
        """Return a finding as a note that names the first release which equals head there, else the finding itself."""
        for release, subjects in self._changed_subjects:
            if subjects.isdisjoint(_subjects(finding)) and _is_known(finding, release, self._head):
                message = f"{finding.message}; the same holds for {release.file}"
                return finding.replace(level=mildest(finding.level, "note"), message=message, fixes=())
        return finding


def merge_steps(comparisons: Sequence[Comparison]) -> list[Step | None]:
    """Return a step per comparison that keeps each finding once: at its worst level, else under the first base."""
    # Fingerprints are digests: for a single base, none is computed.
    if len(comparisons) < 2:
        return [None] * len(comparisons)
    occurrences: dict[str, list[_Occurrence]] = {}
    for number, comparison in enumerate(comparisons):
        for finding in comparison.findings:
            occurrence = _Occurrence(comparison=number, level=finding.level)
            occurrences.setdefault(finding.fingerprint, []).append(occurrence)
    # `max` returns the first of equal items, which is under the first base.
    kept = {
        fingerprint: max(of_finding, key=lambda occurrence: LEVELS.index(occurrence.level))
        for fingerprint, of_finding in occurrences.items()
    }
    names = [comparison.base.file for comparison in comparisons]

    def merge(number: int, finding: Finding) -> Finding | None:
        if kept[finding.fingerprint].comparison != number:
            return None
        numbers = (occurrence.comparison for occurrence in occurrences[finding.fingerprint])
        return finding.replace(also=tuple(names[further] for further in numbers if further != number))

    return [partial(merge, number) for number in range(len(comparisons))]


class _Occurrence(Record):
    """The number of a comparison that has a finding, and the level of the finding there."""

    comparison: int
    level: Level


def _changed(base: Spec, head: Spec) -> set[tuple[str, str | None]]:
    """Return what differs between two specs, as pairs of op and argument; the argument None means the whole op."""
    subjects: set[tuple[str, str | None]] = set()
    for change in diff(base, head):
        op, name = change.op or "", change.name or ""
        subjects |= {(op, name), (op, change.new_name or name)}
        if change.kind == "op":
            subjects.add((op, None))
    return subjects


def _subjects(finding: Finding) -> set[tuple[str, str | None]]:
    """Return the pairs of op and argument that a finding concerns; "" for none, and (op, None) for the whole op."""
    op, name = finding.op or "", finding.name or ""
    return {(op, name), (op, finding.new_name or name), (op, None)}


def _is_known(finding: Finding, release: Spec, head: Spec) -> bool:
    """Return whether a release states each field that head states of the subject of a finding.

    `diff` skips a field that one side does not state: so "no difference" to a release that does not state the field is
    no proof that the release has the change.
    """
    if finding.rule in _OF_KNOWLEDGE:
        return False
    release_op, head_op = (spec.ops.get(finding.op or "") for spec in (release, head))
    if finding.kind == "registration" and finding.rule != "op_version_unregistered":
        return head.op_versions is UNKNOWN or release.op_versions is not UNKNOWN
    if release_op is None or head_op is None:
        return True
    if finding.field == "order":
        return head.binding in (release.binding, BY_NAME)
    if finding.kind == "op":
        return head_op.deprecation is UNKNOWN or release_op.deprecation is not UNKNOWN
    table = field_table(head.provenance.framework)
    return all(
        argument.get(field) is UNKNOWN or release_argument.get(field) is not UNKNOWN
        for section in SECTIONS.values()
        for argument, release_argument in _shared_arguments(head_op, release_op, section)
        if argument.name in (finding.name, finding.new_name)
        for field in table.fields_of(section)
        if finding.kind == "registration" or finding.field in (None, field)
    )


def _shared_arguments(head_op: Op, release_op: Op, section: Section) -> Iterator[tuple[AnyArgument, AnyArgument]]:
    """Yield the arguments of a section that both declarations of an op have, paired by name."""
    for argument in getattr(head_op, section):
        for release_argument in getattr(release_op, section):
            if argument.name == release_argument.name:
                yield argument, release_argument
