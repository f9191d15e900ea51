"""Compares a spec with itself at base, and with the releases that must stay compatible.

A break stays visible against a release that does not have it, also after base has it. What a change takes back to how
a release has it is no break, whatever base says: nothing but base itself was ever made under that.
"""

from __future__ import annotations

from opspec_lint import pairs, sources
from opspec_lint.diff import diff
from opspec_lint.errors import UsageError
from opspec_lint.findings import LEVELS, mildest
from opspec_lint.model import SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.findings import Comparison, Finding
    from opspec_lint.model import Spec
    from opspec_lint.pairs import Loaded, Pair
    from opspec_lint.policy import Policy
    from opspec_lint.trees import Tree


def load(names: Sequence[str], base: Tree, head: Tree, *, may_fetch: bool = False) -> list[Loaded]:
    """Return some releases by name, as they stand at base; a release that is new there, as head has it.

    Args:
        names: what `against` calls them.
        base: the files of base.
        head: the files of head.
        may_fetch: whether a revision that is not here may be fetched.

    Raises:
        UsageError: a release is not named as one can be, or there is no such file.
        InputError: a release cannot be read.
    """
    return [_load(name, base, head, may_fetch=may_fetch) for name in names]


def _load(name: str, base: Tree, head: Tree, *, may_fetch: bool) -> Loaded:
    if ":" in name:
        return pairs.Loaded(spec=sources.resolve_harmless(name, head.repository, may_fetch=may_fetch), path=name)
    tree = base if base.read(name) is not None else head
    if tree.read(name) is None:
        raise UsageError(f"against: there is no file {name!r}", advice="name a spec file, or REVISION:PATH")
    return pairs.load(tree, name)


def compare(pair: Pair, releases: list[Loaded], head: Tree, policy: Policy) -> list[Comparison]:
    """Return the comparison of head's spec with base's, and with each release of its framework.

    What is found against several bases is said once, of the one against which it is worst, or else of the first; its
    `also` names the others.

    Raises:
        InputError: a spec cannot be read, or two cannot be compared.
    """
    if pair.is_removed:
        return []
    if pair.path in policy.against:
        releases = []
    new = pairs.load_unchanged(head, pair.path) if pair.head is None and releases else pair.head
    if new is None:
        return []
    releases = [each for each in releases if each.spec.provenance.framework == new.spec.provenance.framework]
    found = [] if pair.base is None else [_settled(_compare(pair.base, new, policy), new.spec, releases)]
    found += [_compare(release, new, policy) for release in releases]
    return _merged(found) if len(found) > 1 else found


def _compare(base: Loaded, head: Loaded, policy: Policy) -> Comparison:
    found = policy.compare(base.spec, head.spec)
    if not policy.wants_lines or not found.findings:
        return found
    from opspec_lint import places
    from opspec_lint.locate import Locator

    old, new = (None if each.text is None else Locator(each.path, each.text) for each in (base, head))
    return places.locate(found, old, new)


def _settled(found: Comparison, head: Spec, releases: list[Loaded]) -> Comparison:
    """Return a comparison whose findings are notes where head is again what a release is."""
    if not releases or not found.findings:
        return found
    changed = [(release.spec, _changed(release.spec, head)) for release in releases]

    def settled(finding: Finding) -> Finding:
        for release, subjects in changed:
            if subjects.isdisjoint(_subjects(finding)) and _is_known(finding, release, head):
                message = f"{finding.message}; so it is in {release.file}"
                return finding.but(level=mildest(finding.level, "note"), message=message)
        return finding

    return found.but(findings=tuple(map(settled, found.findings)))


def _changed(base: Spec, head: Spec) -> set[tuple[str, str | None]]:
    """Return what of which op is not the same in two specs; None stands for all of an op."""
    subjects: set[tuple[str, str | None]] = set()
    for change in diff(base, head):
        subjects |= {(change.op, change.name), (change.op, getattr(change, "new_name", change.name))}
        if change.kind == "op":
            subjects.add((change.op, None))
    return subjects


def _subjects(finding: Finding) -> set[tuple[str, str | None]]:
    """Return what a finding is about; `HistoriesUnknown` has the empty name for op and argument."""
    op, name = finding.op or "", finding.name or ""
    return {(op, name), (op, finding.new_name or name), (op, None)}


def _is_known(finding: Finding, release: Spec, head: Spec) -> bool:
    """Tell whether a release says all that head says of what a finding is about: `diff` is silent of the unknown."""
    theirs, ours = (spec.ops.get(finding.op or "") for spec in (release, head))
    if finding.kind == "registration" and finding.rule != "op_version_unregistered":
        return head.op_versions is UNKNOWN or release.op_versions is not UNKNOWN
    if theirs is None or ours is None:
        return True
    if finding.field == "order":
        return release.ordered or not head.ordered
    if finding.kind == "op":
        return ours.deprecation is UNKNOWN or theirs.deprecation is not UNKNOWN
    return all(
        getattr(mine, field) is UNKNOWN or getattr(other, field) is not UNKNOWN
        for section in SECTIONS.values()
        for mine in getattr(ours, section)
        for other in getattr(theirs, section)
        if mine.name == other.name and mine.name in (finding.name, finding.new_name)
        for field in mine._fields
        if finding.kind == "registration" or finding.field in (None, field)
    )


def _merged(found: list[Comparison]) -> list[Comparison]:
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
