"""What is found against several bases: changes that a release already has, and findings that are the same."""

from __future__ import annotations

from opspec_lint.diff.specs import diff
from opspec_lint.report.findings import LEVELS, mildest
from opspec_lint.spec.fields import field_table
from opspec_lint.spec.model import BY_NAME, SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.lint.steps import Step
    from opspec_lint.report.findings import Comparison, Finding
    from opspec_lint.spec.ids import RuleId
    from opspec_lint.spec.model import Spec

_OF_KNOWLEDGE: tuple[RuleId, ...] = ("binding_changed", "extra_learned", "knowledge_gained", "knowledge_lost")
"""Rules about what a spec speaks of: a release that says as little is no reason to say so little."""


def knowing(head: Spec, releases: Sequence[Spec]) -> Step | None:
    """Return the step that makes notes of findings where head is again what a release is; None without a release."""
    if not releases:
        return None
    changed: list[tuple[Spec, set[tuple[str, str | None]]]] = []

    def known(finding: Finding) -> Finding:
        if not changed:  # releases are compared with head only if anything is found
            changed.extend((release, _changed(release, head)) for release in releases)
        for release, subjects in changed:
            if subjects.isdisjoint(_subjects(finding)) and _is_known(finding, release, head):
                message = f"{finding.message}; the same holds for {release.file}"
                return finding.replace(level=mildest(finding.level, "note"), message=message, fixes=())
        return finding

    return known


def merging(found: Sequence[Comparison]) -> list[Step | None]:
    """Return of each comparison the step after which a finding stands once: where it is worst, under the first base."""
    if len(found) < 2:
        return [None] * len(found)
    against: dict[str, list[tuple[int, str]]] = {}
    for number, comparison in enumerate(found):
        for finding in comparison.findings:
            against.setdefault(finding.fingerprint, []).append((number, finding.level))
    chosen = {key: max(held, key=lambda each: (LEVELS.index(each[1]), -each[0]))[0] for key, held in against.items()}
    names = [comparison.base.file for comparison in found]

    def merge(number: int) -> Step:
        def merged(finding: Finding) -> Finding | None:
            key = finding.fingerprint
            others = tuple(names[other] for other, _ in against[key] if other != number)
            return finding.replace(also=others) if chosen[key] == number else None

        return merged

    return [merge(number) for number in range(len(found))]


def _changed(base: Spec, head: Spec) -> set[tuple[str, str | None]]:
    """Return the subjects that are not the same in two specs, each with its op; None stands for all of an op."""
    subjects: set[tuple[str, str | None]] = set()
    for change in diff(base, head):
        op, name = change.op or "", change.name or ""
        subjects |= {(op, name), (op, change.new_name or name)}
        if change.kind == "op":
            subjects.add((op, None))
    return subjects


def _subjects(finding: Finding) -> set[tuple[str, str | None]]:
    """Return the subjects of a finding; what is about no one op has the empty name for op and argument."""
    op, name = finding.op or "", finding.name or ""
    return {(op, name), (op, finding.new_name or name), (op, None)}


def _is_known(finding: Finding, release: Spec, head: Spec) -> bool:
    """Tell whether a release says all that head says of what a finding is about.

    What is about knowledge is not known to a release, however little it knows itself.
    """
    if finding.rule in _OF_KNOWLEDGE:
        return False
    theirs, ours = (spec.ops.get(finding.op or "") for spec in (release, head))
    if finding.kind == "registration" and finding.rule != "op_version_unregistered":
        return head.op_versions is UNKNOWN or release.op_versions is not UNKNOWN
    if theirs is None or ours is None:
        return True
    if finding.field == "order":
        return head.binding in (release.binding, BY_NAME)
    if finding.kind == "op":
        return ours.deprecation is UNKNOWN or theirs.deprecation is not UNKNOWN
    return all(
        mine.get(field) is UNKNOWN or other.get(field) is not UNKNOWN
        for section in SECTIONS.values()
        for mine in getattr(ours, section)
        for other in getattr(theirs, section)
        if mine.name == other.name and mine.name in (finding.name, finding.new_name)
        for field in field_table(head.provenance.framework).fields_of(section)
        if finding.kind == "registration" or finding.field in (None, field)
    )
