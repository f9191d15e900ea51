"""Check of a repository: compares each changed spec file with its base version and with the configured releases.

The terms:
- context (`check_context.py`): the snapshots of base and head, their configurations, and the settings in force
- tip: the newest commit of base's branch, whose configuration is in force; base itself is the merge base
- pair (`pair.py`): a spec file or source at base, and the same at head
- crossing: the comparison with another contract that loads models of base, as PIR loads legacy programs
- gate: the decision which findings need an approval
- news: whether the change causes a finding, and not only the difference from a release
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.errors import UsageError, unknown_name
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import listing, plural, shorten
from opspec_lint.lint import check
from opspec_lint.lint.bases import merge_steps
from opspec_lint.lint.circumstances import circumstance
from opspec_lint.lint.steps import Steps
from opspec_lint.lint.waivers import Waivers
from opspec_lint.project import config, loading, pairs, spec_files, waiver_file
from opspec_lint.project.base import is_idle
from opspec_lint.project.check_context import invalid_setting, open_context, waivers_of
from opspec_lint.project.crossed import compare_crossed
from opspec_lint.project.pair import Selection
from opspec_lint.project.profile_choice import check_choices
from opspec_lint.project.releases import compare, compare_with_releases, releases_of
from opspec_lint.sources.loaded import FileAccess
from opspec_lint.sources.reading import open_repositories
from opspec_lint.spec import op_choice
from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.lint.approvals import Gate
    from opspec_lint.lint.crossing import ChangedCrossing
    from opspec_lint.lint.steps import Step
    from opspec_lint.project.check_context import CheckContext, Request
    from opspec_lint.project.config import Config
    from opspec_lint.project.pair import Pair
    from opspec_lint.project.policy import Policy
    from opspec_lint.report.findings import Comparison, Finding, Report
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_LONGEST = 200
_MOST_NAMED = 5
"""Ops that a message lists."""
_IN_FORCE = {"specs": "this check covers the files of both", "include": "each side is read with its own"}
"""The effect of settings whose change in head takes effect at once."""


def check_project(request: Request) -> Report:
    """Check a repository, and return the report.

    Raises UsageError if there is no repository or spec file, or the configuration or the waivers are wrong, InputError
    if a revision is missing or a spec file cannot be read.
    """
    with examine_project(request) as project:
        return project.report


class ExaminedProject(Record):
    """A checked repository: its context, whose files can still be read, the compared pairs, and the report."""

    context: CheckContext
    pairs: list[Pair]
    report: Report


@contextmanager
def examine_project(request: Request) -> Iterator[ExaminedProject]:
    """Check a repository, and yield the report together with everything that was read. Raises as `check_project`."""
    with open_repositories(request.reading) as repositories:
        request = request.replace(reading=request.reading.replace(repositories=repositories))
        with open_context(request) as context:
            selection = Selection(
                base_config=context.tip_config,
                head_config=context.head_config,
                tip=context.tip,
                sources=context.sources,
                recognises=request.recognises,
            )
            bases = (context.base, *context.further_bases)
            checked_pairs = pairs.find_pairs(bases, context.head, selection, request.reading)
            yield ExaminedProject(context=context, pairs=checked_pairs, report=_report(request, context, checked_pairs))


def check_specs(base: Loaded, head: Loaded, request: Request, crossings: Iterable[ChangedCrossing] = ()) -> Report:
    """Check two specs of the command line, under a configuration and waivers of the command line.

    `crossings` are the contracts of other frameworks that models are loaded as (`crossing.changed_crossings`). Raises
    UsageError if the configuration or waivers are wrong or an op of `only` is in neither spec, InputError if the specs
    cannot be compared.
    """
    named_config = None if request.config is None else config.read(request.config, None)
    policy = request.policy(named_config)
    entries = waiver_file.read(request.waivers) if request.waivers else ()
    _refuse_unknown_ops(request.only, (base.spec, head.spec))
    check_choices(request.profiles, iter((head.spec.file, base.spec.file)))
    policy = policy.for_spec(head.spec.file, base.spec.file)
    compared = [compare(base, head, policy)]
    compared = _merge_and_approve(compared, policy.gate(request.reviews, None), {base.spec.file})
    compared += [policy.compare(changed.base, changed.head, before=changed.before) for changed in crossings]
    folder = os.path.dirname(request.config or "")
    compared = _add_usage(_add_origins(compared, named_config, folder), named_config, folder, request)
    report = _report_of(
        compared, (), Waivers(entries, request.today, is_partial=request.only is not None), policy, request
    )
    return report if named_config is None else report.replace(documentation=named_config.documentation)


def _report(request: Request, context: CheckContext, checked_pairs: list[Pair]) -> Report:
    """Return the report of a repository, in these steps.

    1. Compare each pair with base and with the releases, and with the contracts of other frameworks that load its ops.
    2. Refuse names of ops and sources that exist nowhere. Specs are read anyway by then.
    3. Judge the facts about the repository itself: added and removed files, changed settings, nothing compared.
    4. Add what a history and an audit of models know of each finding.
    5. Apply the waivers of head, and describe the check for the reporters.
    """
    # 1
    releases, release_faults = releases_of(context, request.reading)
    comparisons = _compare_all(request, context, checked_pairs, releases)
    # 2
    _refuse_unknown_ops(request.only, _all_specs(checked_pairs, context.head))
    configured = () if context.head_config is None else context.head_config.profile
    check_choices((*request.profiles, *configured), _spec_names(checked_pairs, context.head))
    # 3
    facts = [*_file_facts(checked_pairs), *_setting_facts(context), *context.faults, *release_faults]
    facts += _base_faults(checked_pairs, context)
    has_compared = comparisons and (releases or not all(pair.is_source for pair in checked_pairs))
    is_silent = not facts and not has_compared and not any(comparison.findings for comparison in comparisons)
    if is_silent and is_idle(context.base, context.head, is_ci=request.is_ci, is_of_tree=bool(comparisons)):
        facts = [circumstance("nothing_compared", "config", "base", {"base": context.title})]
    general = context.policy.judge(facts)
    waivers = Waivers(
        waivers_of(request, context),
        request.today,
        lambda: _has_several_files(context),
        is_partial=request.only is not None,
    )
    # 4
    top = context.head.repository.top
    comparisons = _add_usage(_add_origins(comparisons, context.head_config, top), context.head_config, top, request)
    # 5
    report = _report_of(comparisons, general, waivers, context.policy, request)
    general_step = _general_fix_step(context.head) if report.general and request.waivers is None else None
    if request.wants_fixes and general_step is not None:
        report = report.replace(general=Steps(fixed=general_step).apply_to(report.general))
    if report.failed:
        from opspec_lint.lint.fixer import with_offer

        report = with_offer(report, None if request.wants_fixes else general_step)
    return _describe_check(report, context, checked_pairs)


def _compare_all(
    request: Request, context: CheckContext, checked_pairs: list[Pair], releases: list[Loaded]
) -> list[Comparison]:
    """Return the comparisons of all pairs, and then those with contracts of other frameworks."""
    # Reviews are of commits: approvals of head count for a commit only, and not for the work tree.
    commit = None if context.head.revision in (INDEX, WORK_TREE) else context.head.revision
    gate = context.policy.gate(request.reviews, commit)
    comparisons = [comparison for pair in checked_pairs for comparison in _compare_pair(pair, releases, context, gate)]
    return comparisons + _merge_and_approve(compare_crossed(checked_pairs, releases, context, request.reading))


def _describe_check(report: Report, context: CheckContext, checked_pairs: list[Pair]) -> Report:
    """Return the report with the facts about the check that reporters show, such as its base."""
    news = _has_news(report, checked_pairs)
    return report.replace(
        touches=news or _touches_contract(context, checked_pairs),
        news=news,
        anchor=_anchor(context, report),
        base=context.title,
        prefix=context.head.repository.prefix,
        unchanged=tuple(pair.path for pair in checked_pairs if pair.is_unchanged),
        documentation=None if context.tip_config is None else context.tip_config.documentation,
        top=context.head.repository.top if context.head.revision == WORK_TREE else None,
    )


def _has_news(report: Report, checked_pairs: Iterable[Pair]) -> bool:
    """Return whether a finding is due to the change, and not one that base has against a release as well."""
    bases = {loaded.spec.file for pair in checked_pairs for loaded in pair.bases}
    of_change = (
        finding
        for comparison in report.comparisons
        for finding in comparison.findings
        if comparison.base.file in bases or not bases.isdisjoint(finding.also)
    )
    return any(True for _ in of_change) or any(finding.kind != "waiver" for finding in report.general)


def _touches_contract(context: CheckContext, checked_pairs: Iterable[Pair]) -> bool:
    """Return whether the change concerns a spec file, a setting, a release or the waivers.

    A source tree without findings counts as unchanged: any file of the repository may belong to it.
    """
    configs = [config for config in (context.base_config, context.head_config) if config is not None]
    files = {config.file for config in configs}
    files |= {name for config in configs for name in config.against if ":" not in name}
    files |= {waiver_file.file_of(config) for config in (context.base_config, context.head_config)}
    return any(not pair.is_unchanged and not pair.is_source for pair in checked_pairs) or any(
        context.base.read(file) != context.head.read(file) for file in sorted(files)
    )


def _compare_pair(pair: Pair, releases: list[Loaded], context: CheckContext, gate: Gate | None) -> list[Comparison]:
    """Return the comparisons of a pair; findings against a release alone need no approval in this change."""
    comparisons = compare_with_releases(pair, releases, context.head, context.policy)
    # The comparisons with base come first, one for each merge base; a spec without base has releases only.
    gated = comparisons if pair.is_added else comparisons[: 1 + len(pair.further_bases)]
    gated_files = {comparison.base.file for comparison in gated}
    return _merge_and_approve(comparisons, None if pair.is_unchanged else gate, gated_files)


def _merge_and_approve(
    comparisons: Sequence[Comparison], gate: Gate | None = None, gated_files: Collection[str] = ()
) -> list[Comparison]:
    """Return the comparisons without duplicate findings, and with the approvals that the findings need.

    Only findings of comparisons whose base is one of `gated_files` need an approval.
    """
    approved = [
        None if gate is None else gate.approval_step(comparison.base.file, gated_files) for comparison in comparisons
    ]
    steps = (
        Steps(merged=merge_step, approved=approve_step)
        for merge_step, approve_step in zip(merge_steps(comparisons), approved, strict=True)
    )
    return [step.apply(comparison) for step, comparison in zip(steps, comparisons, strict=True)]


def _add_origins(comparisons: list[Comparison], configured: Config | None, top: str) -> list[Comparison]:
    """Add to findings the commit that brought the state of base, if a history is configured.

    Raises UsageError if there is no such file, InputError if the file is no history.
    """
    if configured is None or configured.history is None:
        return comparisons
    from opspec_lint.history import since, store

    file = os.path.join(top, configured.history)
    if not os.path.isfile(file):
        advice = f"build it: `opspec-lint history SOURCE --output {configured.history}`"
        raise UsageError(f"{configured.file}: history: there is no file {configured.history!r}", advice=advice)
    with store.open_history(file) as history:
        return list(since.with_since(comparisons, history))


def _add_usage(
    comparisons: list[Comparison], configured: Config | None, top: str, request: Request
) -> list[Comparison]:
    """Add to findings the number of known models that they concern, if audit results are configured or named.

    Raises InputError if there is no such file, or it has no results.
    """
    file = request.usage
    if file is None and configured is not None and configured.usage is not None:
        file = os.path.join(top, configured.usage)
    if file is None:
        return comparisons
    from opspec_lint.zoo import results, usage

    with results.open_results(file) as audit_results:
        return list(usage.with_usage(comparisons, audit_results))


def _report_of(
    comparisons: Sequence[Comparison],
    general: tuple[Finding, ...],
    waivers: Waivers,
    policy: Policy,
    request: Request,
) -> Report:
    """Return the report with waived findings marked, and with a finding for each invalid waiver."""
    every = (*general, *(finding for comparison in comparisons for finding in comparison.findings))
    steps = Steps(waived=waivers.waiver_step(every))
    marked, general = [steps.apply(comparison) for comparison in comparisons], steps.apply_to(general)
    # The finding on a too small version bump depends on all others, so it is judged and waived after them.
    if request.versions is not None:
        findings = policy.judge(check.version_too_small(check.report(*marked, general=general), request.versions))
        general += Steps(waived=waivers.waiver_step(findings)).apply_to(findings)
    general += policy.judge(waivers.faults())
    return check.report(*marked, general=general).replace(versions=request.versions)


def _general_fix_step(head: Snapshot) -> Step | None:
    """Return the step that adds the fixes to general findings."""
    from opspec_lint.lint.fixer import fix_step_between

    files = FileAccess(read=head.read)
    return fix_step_between(files, files)


def _anchor(context: CheckContext, report: Report) -> str | None:
    """Return a file of head to attach findings without file to: the configuration, else a spec file, else None."""
    if not report.findings:
        return None
    file = None if context.head_config is None else context.head_config.file
    if file is not None and context.head.read(file) is not None:
        return file
    specs = spec_files.spec_set((context.tip_config, context.head_config))
    return next((path for path in context.head.files() if path in specs and specs.must_be_spec(path)), None)


def _has_several_files(context: CheckContext) -> bool:
    """Return whether head has more than one spec file, changed or not."""
    specs = spec_files.spec_set((context.tip_config, context.head_config))
    return sum(path in specs and specs.must_be_spec(path) for path in context.head.files()) > 1


def _refuse_unknown_ops(only: Iterable[str] | None, specs: Iterable[Spec]) -> None:
    """Raise UsageError if an op of `only` is in none of the specs; specs are read only until all ops are found."""
    missing = list(only or ())
    known: set[str] = set()
    rest = iter(specs)
    while missing and (spec := next(rest, None)) is not None:
        known |= spec.ops.keys()
        missing = op_choice.unmatched_patterns(missing, spec.ops)
    if missing:
        raise unknown_name("op", missing[0], known)


def _spec_names(checked_pairs: Sequence[Pair], head: Snapshot) -> Iterator[str]:
    """Yield the names that specs are known by: of the compared specs, and then of all files."""
    for pair in checked_pairs:
        yield from pair.names
    yield from head.files()


def _all_specs(checked_pairs: Sequence[Pair], head: Snapshot) -> Iterator[Spec]:
    """Yield every compared spec, and then the specs that are the same at base and head."""
    for pair in checked_pairs:
        yield from pair.specs()
    for pair in checked_pairs:
        if pair.is_unchanged and (same := loading.load_unchanged(head, pair.path)) is not None:
            yield same.spec


def _file_facts(checked_pairs: Iterable[Pair]) -> Iterator[Fact]:
    """Yield a fact for each spec file or source that was added or removed."""
    for pair in checked_pairs:
        origin = None if pair.is_source else Origin(file=pair.path, line=1, column=1)
        if pair.is_added:
            facts = {"ops": pair.size() + _origin_text(pair), "what": _kind_text(pair)}
            yield circumstance("spec_added", "source", pair.path, facts, origins=(None, origin))
        # A file whose ops have all moved to other files is no loss; what an unreadable file had is unknown.
        elif pair.is_removed and (pair.lost or (pair.fault and not pair.is_source)):
            facts = {"lost": _lost_ops_text(pair)}
            yield circumstance("spec_removed", "source", pair.path, facts, origins=(origin, None))


def _base_faults(checked_pairs: Iterable[Pair], context: CheckContext) -> Iterator[Fact]:
    """Yield a fact for each spec that cannot be read at base."""
    for pair in checked_pairs:
        if pair.fault is None:
            continue
        if pair.is_source and pair.head is None:  # head names other sources
            yield invalid_setting(pair.fault, "source", context.tip, context.head_config)
            continue
        is_at_tip = pair.base is not None
        instead = "and head is compared with the tip of its branch" if is_at_tip else "so no version before is compared"
        problem = pair.fault.message.replace(f"{context.base.revision[:10]}:", "").removeprefix(f"{pair.path}: ")
        origin = None if pair.is_source or pair.head is None else Origin(file=pair.path, line=1, column=1)
        facts = {"instead": instead, "problem": problem}
        yield circumstance("base_unreadable", "source", pair.path, facts, origins=(None, origin))


def _origin_text(pair: Pair) -> str:
    """Return text on the base files that the ops of a new spec file came from, "" for none."""
    texts = (f"{plural(len(ops), 'op')} of '{before.path}'" for before, ops in pair.from_elsewhere)
    files = ", ".join(texts)
    return f"; it takes over {files}, and is compared with that" if files else ""


def _kind_text(pair: Pair) -> str:
    """Return "source" or "spec file"."""
    return "source" if pair.is_source else "spec file"


def _lost_ops_text(pair: Pair) -> str:
    """Return text on the ops of a removed spec file that no file declares now, "" if none was moved to another file."""
    return f"; no other file declares {listing(pair.lost, _MOST_NAMED)}" if pair.moved and pair.lost else ""


def _setting_facts(context: CheckContext) -> Iterator[Fact]:
    """Yield a fact for each changed setting that could loosen the check if it were in force."""
    base_config, head_config = context.base_config, context.head_config
    file = next((side_config.file for side_config in (head_config, base_config) if side_config is not None), "")
    names = config.LEVELLING if base_config is None else config.POLICY
    for name in names:
        old = None if base_config is None else base_config.setting(name)
        new = None if head_config is None else head_config.setting(name)
        if old != new:
            in_force = _IN_FORCE.get(name, "this check uses base's")
            yield circumstance(
                "policy_changed",
                "config",
                name,
                {"old": _setting_text(old), "new": _setting_text(new), "in_force": in_force},
                old=old,
                new=new,
                origins=(None, Origin(file=file, line=_setting_line(context.head, head_config, name), column=1)),
            )


def _setting_line(head: Snapshot, head_config: Config | None, name: str) -> int:
    """Return the line of a setting in head's configuration, 1 if it is not there."""
    data = None if head_config is None else head.read(head_config.file)
    return 1 if head_config is None or data is None else config.line_of(data, head_config.file, name) or 1


def _setting_text(value: object) -> str:
    import json

    return "none" if value is None else shorten(json.dumps(value, ensure_ascii=False), _LONGEST)
