"""Comparison of a spec with its version at base, and with the releases that must stay compatible.

A break stays visible against a release without it, even after it was merged to base. A change back to the state of a
release is no break: no released model was saved with the state of base.
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError, OpspecError, UsageError
from opspec_lint.lint.steps import Steps
from opspec_lint.project import loading
from opspec_lint.project.check_context import invalid_setting
from opspec_lint.sources import references, released
from opspec_lint.spec.fact import Fact
from opspec_lint.spec.interface.declarations import is_interface

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.lint.steps import Step
    from opspec_lint.project.check_context import CheckContext
    from opspec_lint.project.pair import Pair
    from opspec_lint.project.policy import Policy
    from opspec_lint.report.findings import Comparison
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec


def releases_of(context: CheckContext, reading: Reading) -> tuple[list[Loaded], list[Fact]]:
    """Return the releases in force, and a fact for each unreadable release of base that head removes.

    The configuration of base decides which releases are in force. Releases that head adds must be readable, or every
    later check would fail; they are in force already if a release of base is unreadable, as head repairs it. Raises
    UsageError if a release has an invalid name or is missing, InputError if it cannot be read.
    """
    head_config = context.head_config
    names = () if head_config is None else head_config.against
    loaded: list[Loaded] = []
    faults: list[Fact] = []
    for name in context.policy.against:
        release = _load_or_fault(name, context, reading, is_kept=name in names)
        if isinstance(release, Fact):
            faults.append(release)
        else:
            loaded.append(release)
    try:
        added = [
            _load(name, context.tip, context.head, reading) for name in names if name not in context.policy.against
        ]
    except InputError as error:
        file = "" if head_config is None else head_config.file
        raise InputError(file, f"against: {error.message}", advice=error.advice) from None
    return ([*loaded, *added] if faults else loaded), faults


def _load_or_fault(name: str, context: CheckContext, reading: Reading, *, is_kept: bool) -> Loaded | Fact:
    """Return a release, or, if head removes it, the fact that it cannot be read. Raises as `releases_of`."""
    try:
        return _load(name, context.tip, context.head, reading)
    except OpspecError as error:
        if is_kept:
            raise
        return invalid_setting(error, "against", context.tip, context.head_config)


def _load(name: str, base: Snapshot, head: Snapshot, reading: Reading) -> Loaded:
    """Return a release that `against` names: a source, a released spec, or a file, first of base, else of head."""
    if ":" in name or released.is_name(name):
        return references.resolve_tracked(name, head.repository, reading)
    # The file at base is in force: head could rewrite a release to hide a break.
    tree = base if base.read(name) is not None else head
    if tree.read(name) is None:
        advice = "name a spec file, REVISION:PATH, or a released spec, NAME@VERSION"
        raise UsageError(f"against: there is no file {name!r}", advice=advice)
    return loading.load_file(tree, name)


def compare_with_releases(pair: Pair, releases: list[Loaded], head: Snapshot, policy: Policy) -> list[Comparison]:
    """Return the comparisons of the spec at head with base, and with each release of its framework.

    Raises InputError if a spec cannot be read, or two cannot be compared.
    """
    if pair.is_removed:
        return []
    policy = policy.for_spec(*pair.names)
    # A spec file that is a release itself is final, and is not held against the others.
    if pair.path in policy.against:
        releases = []
    new = loading.load_unchanged(head, pair.path) if pair.head is None and releases else pair.head
    if new is None:
        return []
    same = [release for release in releases if release.spec.provenance.framework == new.spec.provenance.framework]
    return list(_comparisons(pair, new, same, policy))


def _comparisons(pair: Pair, head: Loaded, releases: list[Loaded], policy: Policy) -> Iterator[Comparison]:
    """Yield the comparisons of a pair's head: with base, with the files that its ops came from, and with releases."""
    from opspec_lint.lint.bases import downgrade_known

    known = downgrade_known(head.spec, [release.spec for release in releases])
    bases = pair.further_bases if pair.base is None else (pair.base, *pair.further_bases)
    for base in bases:
        own = policy
        if pair.moved:
            own = policy.replace(only=policy.select_ops(_ops_without_moved(base, head, pair)))
        # The report names the ops that the user selects, and not those that stayed in the file.
        yield compare(base, head, own, pair, at_base=True, known=known).replace(only=policy.only)
    for base, names in pair.from_elsewhere:
        yield compare(base, head, policy.replace(only=policy.select_ops(names)), pair, at_base=True, known=known)
    for release in releases:
        yield compare(release, head, policy, pair)


def _ops_without_moved(base: Loaded, head: Loaded, pair: Pair) -> list[str]:
    """Return the ops of a file at base and at head, without ops that other head files declare now."""
    return sorted((base.spec.ops.keys() | head.spec.ops.keys()) - pair.moved)


def compare(  # noqa: PLR0913 - what is compared, and by which policy
    base: Loaded,
    head: Loaded,
    policy: Policy,
    pair: Pair | None = None,
    *,
    at_base: bool = False,
    before: Spec | None = None,
    known: Step | None = None,
) -> Comparison:
    """Compare two specs, and add lines and fixes to the findings if the policy wants them.

    `pair` is the pair of head, None outside of a repository. `at_base`: base is the same spec before the change.
    `before` is the spec that models of base were loaded as before the change, if they are loaded with the ops of
    another framework. `known` is the step that marks what releases have already.
    """
    comparison = policy.compare(base.spec, head.spec, at_base=at_base, before=before)
    if not comparison.findings:
        return comparison
    from opspec_lint.lint.anchors_in_file import locate_step

    wants_lines = policy.wants_lines or is_interface(head.spec.provenance)
    spec = None if pair is None or pair.is_source else pair.path
    fixed = _fix_step(base, head, policy)
    steps = Steps(
        in_file=locate_step(
            base, head, spec, wants_lines=wants_lines, wants_error_lines=at_base and policy.wants_error_lines
        ),
        fixed=fixed if policy.wants_fixes else None,
        known=known,
    )
    return steps.apply(comparison).replace(fix_step=None if policy.wants_fixes else fixed)


def _fix_step(base: Loaded, head: Loaded, policy: Policy) -> Step | None:
    """Return the step that adds fixes; None for a spec that is a release itself, which is never edited."""
    from opspec_lint.lint.fixer import fix_step_between

    return None if head.path in policy.against else fix_step_between(base.files, head.files, policy.coming)
