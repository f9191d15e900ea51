"""The comparison of two named specs, its options as values: the core of `check BASE HEAD` and of the Python API.

Ops of one contract may be translated to ops of another, such as Paddle's legacy ops to its PIR ops. If both are
read from the same tree, this pair of contracts, a crossing, is compared as well.
"""

from __future__ import annotations

import os

from opspec_lint.kit import lifetime
from opspec_lint.kit.errors import NothingThereError
from opspec_lint.kit.record import Record
from opspec_lint.lint.check import check
from opspec_lint.lint.check import report as report_of
from opspec_lint.lint.profile import PROFILES
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from opspec_lint.spec.interface.declarations import is_interface

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.lint.crossing import ChangedCrossing
    from opspec_lint.lint.profile import Profile
    from opspec_lint.lint.steps import Step
    from opspec_lint.project.check_context import Request
    from opspec_lint.project.profile_choice import ProfileChoice
    from opspec_lint.report.findings import Comparison, Report
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.spec.model import Spec


class End(Record):
    """Base or head of a comparison.

    `reference` is the reference of its spec, `op_versions` a file that replaces its op versions, None for its own.
    `loaded` is the spec if it was read before, None to read it.
    """

    reference: str
    op_versions: str | None = None
    loaded: Loaded | None = None


class Comparing(Record):
    """The options of a comparison of two specs.

    `profiles` name the policy, none for the framework's default. `only` are the ops to compare, None for all.
    `libraries` are references of specs that are loaded into both releases. `request` has the configuration, waivers,
    reviews, versions and usage that judge the findings further, None if there are none of these.
    """

    reading: Reading = Reading()
    profiles: tuple[ProfileChoice, ...] = ()
    only: tuple[str, ...] | None = None
    libraries: tuple[str, ...] = ()
    request: Request | None = None


def compare(
    base: End, head: End, options: Comparing, *, wants_lines: bool = False, wants_fixes: bool = False
) -> Report:
    """Return the report of the comparison of two specs.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        options: the options of the comparison.
        wants_lines: whether findings get their lines in the spec files.
        wants_fixes: whether findings get their fixes.

    Raises:
        UsageError: a profile, an op, a library, the configuration or the waivers are wrong.
        InputError: a spec cannot be read, or the two cannot be compared.
    """
    wants: dict[str, bool] = {"wants_lines": wants_lines, "wants_fixes": wants_fixes}
    # Two files need no repository, whose modules take time to import.
    if all(os.path.isfile(end.reference) for end in (base, head)):
        return _compare(base, head, options, **wants)
    from opspec_lint.sources.reading import open_repositories

    with open_repositories(options.reading) as opened:
        return _compare(base, head, options.replace(reading=options.reading.replace(repositories=opened)), **wants)


def _compare(base: End, head: End, options: Comparing, *, wants_lines: bool, wants_fixes: bool) -> Report:
    """Return the report on two specs: their facts judged, with the lines and fixes that the caller wants."""
    old, new = read_both(base, head, options)
    lifetime.keep("specs", (old, new))
    ends = base.reference, head.reference
    has_lines = wants_lines or is_interface(new.spec.provenance)
    if has_lines:
        old, new = (references.with_path_from_top(end, options.reading.environment) for end in (old, new))
    if wants_fixes:
        old, new = (
            end.replace(files=references.file_access(name, options.reading))
            for end, name in zip((old, new), ends, strict=True)
        )
    crossings = _changed_crossings(ends, old.spec, new.spec, options.reading)
    if options.request is not None:
        from opspec_lint.project.check import check_specs

        request = options.request.replace(wants_lines=wants_lines, wants_fixes=wants_fixes)
        report = check_specs(old, new, request, crossings)
    else:
        report = report_of(*_compared(old, new, options, crossings, has_lines=has_lines, wants_fixes=wants_fixes))
    report = report.replace(top=None if new.files is None else new.files.top)
    if report.failed:
        report = _with_fix_offer(report, ends, options.reading, has_fixes=wants_fixes)
    return _with_paths(report, old, new) if wants_lines or (has_lines and report.findings) else report


def _with_fix_offer(report: Report, ends: tuple[str, str], reading: Reading, *, has_fixes: bool) -> Report:
    """Return a report that says whether `--fix` writes something; never if head is not in a work tree."""
    fixable = {rule.id for rule in report.rules if rule.fix == "safe"}
    # The fixers and the access to trees take time to import.
    if not any(finding.rule in fixable and finding.head_origin is not None for finding in report.findings):
        return report
    from opspec_lint.lint.fixer import fix_step_between, with_offer

    if has_fixes:
        return with_offer(report)
    base, head = (references.file_access(end, reading) for end in ends)
    if head is None or head.top is None:
        return report
    step = fix_step_between(base, head)
    comparisons = tuple(comparison.replace(fix_step=step) for comparison in report.comparisons)
    return with_offer(report.replace(comparisons=comparisons))


def read_both(base: End, head: End, options: Comparing) -> list[Loaded]:
    """Return base and head. What only decoding both needs is not kept."""
    from opspec_lint.documents.memo import Memo

    reading = options.reading.replace(memo=Memo())
    both = [references.resolve(end.reference, reading) if end.loaded is None else end.loaded for end in (base, head)]
    both = [
        loaded.replace(spec=with_versions(loaded.spec, end.op_versions))
        for loaded, end in zip(both, (base, head), strict=True)
    ]
    if options.libraries:
        from opspec_lint.sources.libraries import read_libraries

        libraries = read_libraries(options.libraries, reading)
        both = [loaded.replace(spec=libraries.added_to(loaded.spec)) for loaded in both]
        libraries.require_used()
    return both


def _compared(  # noqa: PLR0913 - both ends, and the options of both ways
    base: Loaded,
    head: Loaded,
    options: Comparing,
    crossings: Iterable[ChangedCrossing],
    *,
    has_lines: bool,
    wants_fixes: bool,
) -> Iterator[Comparison]:
    """Yield the comparison of two specs with the lines of its findings, then one for each of `crossings`."""
    policy = _named_profile(options.profiles, base.spec, head.spec)
    comparison = check(base.spec, head.spec, policy, options.only)
    if (has_lines or wants_fixes) and comparison.findings:
        from opspec_lint.lint.steps import Steps

        steps = _steps(base, head, has_lines=has_lines, wants_fixes=wants_fixes)
        comparison = Steps(**steps).apply(comparison)
    yield comparison
    # These contracts may be of another framework, which a profile for one framework cannot judge.
    general = None if policy is None or policy.framework else policy
    for changed in crossings:
        yield check(changed.base, changed.head, general, options.only, before=changed.before)


def _steps(base: Loaded, head: Loaded, *, has_lines: bool, wants_fixes: bool) -> dict[str, Step | None]:
    """Return the requested steps of those that add lines and fixes."""
    steps: dict[str, Step | None] = {}
    if has_lines:
        from opspec_lint.lint.anchors_in_file import locate_step

        steps["in_file"] = locate_step(base, head)
    if wants_fixes:
        from opspec_lint.lint.fixer import fix_step_between

        steps["fixed"] = fix_step_between(base.files, head.files)
    return steps


def _named_profile(choices: tuple[ProfileChoice, ...], base: Spec, head: Spec) -> Profile | None:
    """Return the profile that the choices name for two specs, None for the default.

    Raises:
        UsageError: a profile is named for another source.
    """
    if not choices:
        return None
    from opspec_lint.project.profile_choice import check_choices, choose_profile

    check_choices(choices, iter((head.file, base.file)))
    name = choose_profile(choices, (head.file, base.file))
    return None if name is None else PROFILES.load(name)


def _changed_crossings(ends: tuple[str, str], base: Spec, head: Spec, reading: Reading) -> Iterator[ChangedCrossing]:
    """Yield the crossings of the compared contract with other contracts of the same trees (`lint/crossing.py`).

    `ends` are the references of `base` and `head`. If models of other frameworks are loaded as models of this one, the
    other contracts of base's tree are the saved models; else models of `base` are loaded as models of the others.

    Raises:
        InputError: another contract of head cannot be read.
    """
    if len({reference.partition(":")[0] for reference in ends}) > 1:  # trees of different sources
        return
    base_reference, head_reference = ends
    others = list(
        zip(references.related_sources(base_reference), references.related_sources(head_reference), strict=True)
    )
    if not others:
        return
    from opspec_lint.lint import crossing

    # A generator, so that saved models of other frameworks are read only if this contract changed.
    others_at_base = ((_resolved(in_base, reading), in_head) for in_base, in_head in others)
    if crossing.is_target(head.provenance.framework):
        saved = (spec for spec, _ in others_at_base if spec is not None)
        yield from crossing.changed_crossings(saved, [(base, head)])
    else:
        targets = [
            (before, references.resolve(in_head, reading).spec)
            for before, in_head in others_at_base
            if before is not None
        ]
        yield from crossing.changed_crossings([base], targets)


def _resolved(reference: str, reading: Reading) -> Spec | None:
    """Return the spec of a source, None for a tree that has no such ops."""
    try:
        return references.resolve(reference, reading).spec
    except NothingThereError:
        return None


def _with_paths(report: Report, base: Loaded, head: Loaded) -> Report:
    """Return the report with the paths of the spec files that have lines."""
    old, new = (None if end.text is None else end.path for end in (base, head))
    return report.replace(
        comparisons=tuple(
            comparison.replace(base=comparison.base.replace(path=old), head=comparison.head.replace(path=new))
            for comparison in report.comparisons
        )
    )


def with_versions(spec: Spec, path: str | None) -> Spec:
    """Return a spec with the op versions of a file; None for no file.

    Raises:
        InputError: the file cannot be read, or is not a file of op versions.
    """
    if path is None:
        return spec
    from opspec_lint.documents.decode import read_document
    from opspec_lint.sources.companion import companion_for

    return companion_for("op_versions").complete(spec, read_document(path))
