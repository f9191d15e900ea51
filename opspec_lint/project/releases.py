"""Compares a spec with itself at base, and with the releases that must stay compatible.

A break remains visible against a release that does not have it, even after it is in base. A change back to what a
release has is no break: no model was saved with the state of base.
"""

from __future__ import annotations

from opspec_lint.diff.specs import diff
from opspec_lint.kit.errors import UsageError
from opspec_lint.project import pairs
from opspec_lint.report.findings import LEVELS, mildest
from opspec_lint.sources import references, released
from opspec_lint.spec.fields import table
from opspec_lint.spec.interface.declarations import is_interface
from opspec_lint.spec.model import BY_NAME, SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.project.pairs import Loaded, Pair
    from opspec_lint.project.policy import Policy
    from opspec_lint.report.findings import Comparison, Finding
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

_OF_KNOWLEDGE = ("binding_changed", "extra_learned", "knowledge_gained", "knowledge_lost")
"""Rules about what a spec speaks of: a release that says as little is no reason to say so little."""


def load_releases(names: Sequence[str], base: Snapshot, head: Snapshot, reading: Reading) -> list[Loaded]:
    """Return some releases by name, as they stand at base; a release that is new there, as head has it.

    Args:
        names: what `against` calls them.
        base: the files of base.
        head: the files of head.
        reading: how they are to be read.

    Raises:
        UsageError: a release is not named as one can be, or there is no such file.
        InputError: a release cannot be read.
    """
    return [_load(name, base, head, reading) for name in names]


def _load(name: str, base: Snapshot, head: Snapshot, reading: Reading) -> Loaded:
    if ":" in name or released.is_name(name):
        return pairs.Loaded(spec=references.resolve_tracked(name, head.repository, reading), path=name)
    tree = base if base.read(name) is not None else head
    if tree.read(name) is None:
        advice = "name a spec file, REVISION:PATH, or a released spec, NAME@VERSION"
        raise UsageError(f"against: there is no file {name!r}", advice=advice)
    return pairs.load(tree, name)


def compare_with_releases(pair: Pair, releases: list[Loaded], head: Snapshot, policy: Policy) -> list[Comparison]:
    """Return the comparison of head's spec with base's, and with each release of its framework.

    What is found against several bases is said once, of the one against which it is worst, or else of the first; its
    `also` names the others.

    Raises:
        InputError: a spec cannot be read, or two cannot be compared.
    """
    if pair.is_removed:
        return []
    policy = policy.of(*pair.names)
    if pair.path in policy.against:
        releases = []
    new = pairs.load_unchanged(head, pair.path) if pair.head is None and releases else pair.head
    if new is None:
        return []
    releases = [each for each in releases if each.spec.provenance.framework == new.spec.provenance.framework]
    found = []
    if pair.base is not None:
        found.append(_settled(compare(pair.base, new, policy, at_base=True), new.spec, releases))
    for base, names in pair.from_elsewhere:
        among = policy.but(only=policy.among(names))
        found.append(_settled(compare(base, new, among, at_base=True), new.spec, releases))
    found += [compare(release, new, policy) for release in releases]
    return merged(found) if len(found) > 1 else found


def compare(
    base: Loaded, head: Loaded, policy: Policy, *, at_base: bool = False, before: Spec | None = None
) -> Comparison:
    """Return the comparison of two specs, with the lines of its findings where they are wanted.

    Args:
        base: the spec that models were saved with.
        head: the spec that replaces it, or that its models are loaded as.
        policy: the policy.
        at_base: whether base is the same spec before a change.
        before: what models of base were loaded as before, where they are loaded as those of another framework.
    """
    found = policy.compare(base.spec, head.spec, at_base=at_base, before=before)
    if not found.findings or not (policy.wants_lines or is_interface(head.spec.provenance)):
        return found
    from opspec_lint.documents.locator import Locator
    from opspec_lint.lint import anchors_in_file

    old, new = (None if each.text is None else Locator(each.path, each.text) for each in (base, head))
    return anchors_in_file.locate(found, old, new)


def _settled(found: Comparison, head: Spec, releases: list[Loaded]) -> Comparison:
    """Return a comparison whose findings are notes where head is again what a release is."""
    if not releases or not found.findings:
        return found
    changed = [(release.spec, _changed(release.spec, head)) for release in releases]

    def settled(finding: Finding) -> Finding:
        for release, subjects in changed:
            if subjects.isdisjoint(_subjects(finding)) and _is_known(finding, release, head):
                message = f"{finding.message}; the same holds for {release.file}"
                return finding.but(level=mildest(finding.level, "note"), message=message)
        return finding

    return found.but(findings=tuple(map(settled, found.findings)))


def _changed(base: Spec, head: Spec) -> set[tuple[str, str | None]]:
    """Return what of which op is not the same in two specs; None stands for all of an op."""
    subjects: set[tuple[str, str | None]] = set()
    for change in diff(base, head):
        subject = change.subject
        op, name = subject.op or "", subject.name or ""
        subjects |= {(op, name), (op, subject.new_name or name)}
        if change.kind == "op":
            subjects.add((op, None))
    return subjects


def _subjects(finding: Finding) -> set[tuple[str, str | None]]:
    """Return what a finding is about; what is about no one op has the empty name for op and argument."""
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
        for field in table(head.provenance.framework).of(section)
        if finding.kind == "registration" or finding.field in (None, field)
    )


def merged(found: list[Comparison]) -> list[Comparison]:
    """Return comparisons in which a finding stands once: where it is worst, and there under the first base."""
    against: dict[str, list[tuple[int, str]]] = {}
    for number, comparison in enumerate(found):
        for finding in comparison.findings:
            against.setdefault(finding.fingerprint, []).append((number, finding.level))
    chosen = {key: max(held, key=lambda each: (LEVELS.index(each[1]), -each[0]))[0] for key, held in against.items()}
    names = [comparison.base.file for comparison in found]

    def also(finding: Finding, number: int) -> tuple[str, ...]:
        return tuple(names[other] for other, _ in against[finding.fingerprint] if other != number)

    return [
        comparison.but(
            findings=tuple(
                each.but(also=also(each, number)) for each in comparison.findings if chosen[each.fingerprint] == number
            )
        )
        for number, comparison in enumerate(found)
    ]
