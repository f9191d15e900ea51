"""Compares a spec with itself at base, and with the releases that must stay compatible.

A break stays visible against a release that does not have it, also after base has it. What a change takes back to how
a release has it is no break, whatever base says: nothing but base itself was ever made under that.
"""

from __future__ import annotations

from opspec_lint import pairs, sources
from opspec_lint.diff import diff
from opspec_lint.errors import UsageError
from opspec_lint.findings import mildest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.findings import Comparison, Finding
    from opspec_lint.model import Spec
    from opspec_lint.pairs import Loaded, Pair
    from opspec_lint.policy import Policy
    from opspec_lint.trees import Tree


def compare(pair: Pair, base: Tree, head: Tree, policy: Policy) -> list[Comparison]:
    """Return the comparison of head's spec with base's, and with each release of its framework; one at a time.

    What is found against several bases is said once, of the first; its `also` names the others.

    Raises:
        UsageError: a release is not named as one can be.
        InputError: a spec or release cannot be read, or two cannot be compared.
    """
    if pair.is_removed:
        return []
    new = pair.head
    if new is None and policy.against and pair.path not in policy.against:
        new = pairs.load_unchanged(head, pair.path)
    if new is None:
        return []
    releases = [] if pair.path in policy.against else list(_releases(new.spec, base, head, policy))
    found = [] if pair.base is None else [_settled(_compare(pair.base, new, policy), new.spec, releases)]
    found += [_compare(release, new, policy) for release in releases]
    return _merged(found) if len(found) > 1 else found


def _releases(spec: Spec, base: Tree, head: Tree, policy: Policy) -> Iterator[Loaded]:
    """Yield the releases of a spec's framework, as they stand at base; a release that is new there, as head has it."""
    for name in policy.against:
        if ":" in name:
            release = pairs.Loaded(spec=sources.resolve_harmless(name, head.repository.environment), path=name)
        else:
            tree = base if base.read(name) is not None else head
            if tree.read(name) is None:
                raise UsageError(f"against: there is no file {name!r}", advice="name a spec file, or REVISION:PATH")
            release = pairs.load(tree, name)
        if release.spec.provenance.framework == spec.provenance.framework:
            yield release


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
    names = [(release, _changed(release.spec, head)) for release in releases]

    def settled(finding: Finding) -> Finding:
        for release, changed in names:
            if changed.isdisjoint(_subjects(finding)):
                message = f"{finding.message}; so it is in {release.spec.file}"
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
    op = finding.op or ""
    return {(op, finding.name), (op, finding.new_name or finding.name), (op, None)}


def _merged(found: list[Comparison]) -> list[Comparison]:
    """Return comparisons in which a finding stands under the first base alone that it is found against."""
    bases: dict[str, list[str]] = {}
    own: list[list[Finding]] = []
    for comparison in found:
        known = set(bases)
        own.append([each for each in comparison.findings if each.fingerprint not in known])
        for fingerprint in {each.fingerprint for each in comparison.findings}:
            bases.setdefault(fingerprint, []).append(comparison.base.file)
    return [
        comparison.but(findings=tuple(each.but(also=tuple(bases[each.fingerprint][1:])) for each in findings))
        for comparison, findings in zip(found, own, strict=True)
    ]
