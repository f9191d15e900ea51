"""Checks a repository: compares every changed spec file with itself at base, and with the configured releases.

`scene.py` decides which settings are in force.
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
from opspec_lint.project import config, pairs, spec_files, waiver_file
from opspec_lint.project.base import is_idle
from opspec_lint.project.crossed import compare_crossed
from opspec_lint.project.policy import Policy
from opspec_lint.project.profile_choice import check_choices
from opspec_lint.project.releases import compare, compare_with_releases, releases_of
from opspec_lint.project.scene import scene, waivers_of
from opspec_lint.sources.loaded import FileAccess
from opspec_lint.sources.reading import open_repositories
from opspec_lint.spec import op_choice
from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.lint.approvals import Gate
    from opspec_lint.project.config import Config
    from opspec_lint.project.pairs import Pair
    from opspec_lint.project.scene import Request, Scene
    from opspec_lint.report.findings import Comparison, Finding, Report
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_LONGEST = 200
_MOST_NAMED = 5
"""Ops that a message lists."""
_IN_FORCE = {"specs": "this check covers the files of both", "include": "each side is read with its own"}
"""What is in force of a setting that base alone does not decide."""


def check_project(request: Request) -> Report:
    """Check a repository.

    Raises:
        UsageError: there is no repository or no spec file, or the configuration or the waivers are wrong.
        InputError: a revision is not here, or a spec file cannot be read.
    """
    with examined(request) as found:
        return found.report


class Examined(Record):
    """A repository that was checked: its scene, whose files can still be read, what was compared, and the report."""

    scene: Scene
    pairs: list[Pair]
    report: Report


@contextmanager
def examined(request: Request) -> Iterator[Examined]:
    """Check a repository, and return what was read with the report.

    Raises:
        UsageError: as `check_project`.
        InputError: as `check_project`.
    """
    with open_repositories(request.reading) as opened:
        request = request.replace(reading=request.reading.replace(repositories=opened))
        with scene(request) as around:
            selection = pairs.Selection(
                of_base=around.of_tip,
                of_head=around.of_head,
                sources=around.sources,
                recognises=request.recognises,
            )
            found = pairs.find((around.base, *around.further_bases), around.head, selection, request.reading)
            yield Examined(scene=around, pairs=found, report=_report(request, around, found))


def check_specs(base: Loaded, head: Loaded, request: Request, met: Iterable[tuple[Spec, Spec, Spec]] = ()) -> Report:
    """Check two specs that were named on the command line, under a configuration and waivers that were named there.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        request: what to check.
        met: where base and head meet other contracts (`crossing.changed_crossings`).

    Raises:
        UsageError: the configuration or the waivers are wrong, or an op to look at is in neither spec.
        InputError: the specs cannot be compared.
    """
    named = None if request.config is None else config.read(request.config, None)
    policy = Policy(
        config=named,
        profiles=request.profiles,
        only=request.only,
        wants_lines=request.wants_lines,
        wants_fixes=request.wants_fixes,
        coming=request.coming,
    )
    entries = waiver_file.read(request.waivers) if request.waivers else ()
    _check_only(request.only, (base.spec, head.spec))
    check_choices(request.profiles, iter((head.spec.file, base.spec.file)))
    policy = policy.of(head.spec.file, base.spec.file)
    compared = [compare(base, head, policy)]
    compared = _joined(compared, policy.gate(request.reviews, None), {base.spec.file})
    compared += [policy.compare(old, new, before=before) for old, before, new in met]
    folder = os.path.dirname(request.config or "")
    compared = _used(_dated(compared, named, folder), named, folder, request)
    return _report_of(compared, (), Waivers(entries, request.today), policy, request)


def _report(request: Request, scene: Scene, found: list[Pair]) -> Report:
    releases, faults = releases_of(scene, request.reading)
    commit = None if scene.head.revision in (INDEX, WORK_TREE) else scene.head.revision
    gate = scene.policy.gate(request.reviews, commit)
    comparisons = [each for pair in found for each in _compared(pair, releases, scene, gate)]
    comparisons += _joined(compare_crossed(found, releases, scene, request.reading))
    _check_only(request.only, _specs(found, scene.head))
    configured = () if scene.of_head is None else scene.of_head.profile
    check_choices((*request.profiles, *configured), _names(found, scene.head))
    facts = [*_files(found), *_settings(scene), *scene.faults, *faults]
    has_compared = comparisons and (releases or not all(pair.is_source for pair in found))
    is_silent = not facts and not has_compared and not any(each.findings for each in comparisons)
    if is_silent and is_idle(scene.base, scene.head, is_asked=request.is_ci, is_of_tree=bool(comparisons)):
        facts = [circumstance("nothing_compared", "config", "base", {"base": scene.title})]
    general = scene.policy.judge(facts)
    waivers = Waivers(waivers_of(request, scene), request.today, lambda: _has_several_files(scene))
    folder = scene.head.repository.top
    comparisons = _used(_dated(comparisons, scene.of_head, folder), scene.of_head, folder, request)
    report = _report_of(comparisons, general, waivers, scene.policy, request)
    if request.wants_fixes and report.general and request.waivers is None:
        report = _with_general_fixes(report, scene.head)
    here = scene.head.repository.prefix
    unchanged = tuple(pair.path for pair in found if pair.is_unchanged)
    top = scene.head.repository.top if scene.head.revision == WORK_TREE else None
    news = _has_news(report, found)
    touches = news or _touches(scene, found)
    report = report.replace(touches=touches, news=news, anchor=_anchor(scene, report))
    return report.replace(base=scene.title, prefix=here, unchanged=unchanged, top=top)


def _has_news(report: Report, pairs_of_check: Iterable[Pair]) -> bool:
    """Return whether any finding is due to the change, and not one that base has against a release as well."""
    bases = {loaded.spec.file for pair in pairs_of_check for loaded in pair.bases}
    of_change = (
        finding
        for comparison in report.comparisons
        for finding in comparison.findings
        if comparison.base.file in bases or not bases.isdisjoint(finding.also)
    )
    return any(True for _ in of_change) or any(finding.kind != "waiver" for finding in report.general)


def _touches(scene: Scene, pairs_of_check: Iterable[Pair]) -> bool:
    """Return whether the change touches a spec file, a setting, a release or the waivers.

    A source tree without findings counts as untouched.
    """
    configs = [config for config in (scene.of_base, scene.of_head) if config is not None]
    files = {config.file for config in configs}
    files |= {name for config in configs for name in config.against if ":" not in name}
    files |= {waiver_file.file_of(config) for config in (scene.of_base, scene.of_head)}
    return any(not pair.is_unchanged and not pair.is_source for pair in pairs_of_check) or any(
        scene.base.read(file) != scene.head.read(file) for file in sorted(files)
    )


def _compared(pair: Pair, releases: list[Loaded], scene: Scene, gate: Gate | None) -> list[Comparison]:
    """Return the comparisons of a spec; findings against a release only need no approval in this change."""
    made = compare_with_releases(pair, releases, scene.head, scene.policy)
    due = {each.base.file for each in (made if pair.is_added else made[: 1 + len(pair.further_bases)])}
    return _joined(made, None if pair.is_unchanged else gate, due)


def _joined(made: Sequence[Comparison], gate: Gate | None = None, due: Collection[str] = ()) -> list[Comparison]:
    """Return comparisons in which each finding stands once, with the approvals that those against `due` need."""
    approved = [None if gate is None else gate.approval_step(each.base.file, due) for each in made]
    steps = (Steps(merged=one, approved=other) for one, other in zip(merge_steps(made), approved, strict=True))
    return [step.apply(each) for step, each in zip(steps, made, strict=True)]


def _dated(comparisons: list[Comparison], configured: Config | None, top: str) -> list[Comparison]:
    """Return comparisons whose findings say since when base is what it is, if a configuration names a history.

    Raises:
        UsageError: there is no such file.
        InputError: the file is not one of a history.
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


def _used(comparisons: list[Comparison], configured: Config | None, top: str, request: Request) -> list[Comparison]:
    """Return comparisons whose findings say how many known models use what changes, if results of models are named.

    Raises:
        InputError: there is no such file, or it has no results.
    """
    file = request.usage
    if file is None and configured is not None and configured.usage is not None:
        file = os.path.join(top, configured.usage)
    if file is None:
        return comparisons
    from opspec_lint.zoo import results, usage

    with results.open_results(file) as found:
        return list(usage.with_usage(comparisons, found))


def _report_of(
    comparisons: Sequence[Comparison],
    general: tuple[Finding, ...],
    waivers: Waivers,
    policy: Policy,
    request: Request,
) -> Report:
    """Return the report, with waived findings marked, and with a finding for each waiver that is not valid."""
    every = (*general, *(finding for each in comparisons for finding in each.findings))
    steps = Steps(waived=waivers.waiver_step(every))
    marked, general = [steps.apply(each) for each in comparisons], steps.apply_to(general)
    if request.versions is not None:
        found = policy.judge(check.version_too_small(check.report(*marked, general=general), request.versions))
        general += Steps(waived=waivers.waiver_step(found)).apply_to(found)
    general += policy.judge(waivers.faults())
    return check.report(*marked, general=general).replace(versions=request.versions)


def _with_general_fixes(report: Report, head: Snapshot) -> Report:
    """Return a report whose general findings have their fixes."""
    from opspec_lint.lint.fixer import fix_step_between

    files = FileAccess(read=head.read)
    return report.replace(general=Steps(fixed=fix_step_between(files, files)).apply_to(report.general))


def _anchor(scene: Scene, report: Report) -> str | None:
    """Return a file of head for findings of no file: the configuration, or else a spec file; None if nobody asks."""
    if not report.findings:
        return None
    file = None if scene.of_head is None else scene.of_head.file
    if file is not None and scene.head.read(file) is not None:
        return file
    specs = spec_files.spec_set((scene.of_tip, scene.of_head))
    return next((path for path in scene.head.files() if path in specs and specs.is_surely_one(path)), None)


def _has_several_files(scene: Scene) -> bool:
    """Tell whether head has more than one spec file, changed or not."""
    specs = spec_files.spec_set((scene.of_tip, scene.of_head))
    return sum(path in specs and specs.is_surely_one(path) for path in scene.head.files()) > 1


def _check_only(only: Iterable[str] | None, specs: Iterable[Spec]) -> None:
    """Make sure that each op to compare is in one of the specs; specs are read only as far as necessary.

    Raises:
        UsageError: an op is in none of them.
    """
    missing = list(only or ())
    known: set[str] = set()
    rest = iter(specs)
    while missing and (spec := next(rest, None)) is not None:
        known |= spec.ops.keys()
        missing = op_choice.unmatched_patterns(missing, spec.ops)
    if missing:
        raise unknown_name("op", missing[0], known)


def _names(found: Sequence[Pair], head: Snapshot) -> Iterator[str]:
    """Yield the names that specs go by: those of what is compared, and then those of all files."""
    for pair in found:
        yield from pair.names
    yield from head.files()


def _specs(found: Sequence[Pair], head: Snapshot) -> Iterator[Spec]:
    """Yield every spec that is compared, and then those that are the same at both ends."""
    for pair in found:
        yield from pair.specs()
    for pair in found:
        if pair.is_unchanged and (same := pairs.load_unchanged(head, pair.path)) is not None:
            yield same.spec


def _files(found: Iterable[Pair]) -> Iterator[Fact]:
    """Yield the facts about spec files, or sources, that were added or removed."""
    for pair in found:
        if pair.is_added or (pair.is_removed and pair.lost):
            origin = None if pair.is_source else Origin(file=pair.path, line=1, column=1)
            yield circumstance(
                "spec_added" if pair.is_added else "spec_removed",
                "source",
                pair.path,
                {"lost": _lost(pair)}
                if pair.is_removed
                else {"ops": pair.size() + _origins(pair), "what": _kind(pair)},
                origins=(origin if pair.is_removed else None, origin if pair.is_added else None),
            )


def _origins(pair: Pair) -> str:
    """Return the files of base that the ops of a new spec file are compared with, "" for none."""
    texts = (f"{plural(len(ops), 'op')} of '{before.path}'" for before, ops in pair.from_elsewhere)
    files = ", ".join(texts)
    return f"; it takes over {files}, and is compared with that" if files else ""


def _kind(pair: Pair) -> str:
    """Return the word for a spec that was added."""
    return "source" if pair.is_source else "spec file"


def _lost(pair: Pair) -> str:
    """Return which ops of a removed spec file no file declares, "" if no op of it has moved to another file."""
    return f"; no other file declares {listing(pair.lost, _MOST_NAMED)}" if pair.moved and pair.lost else ""


def _settings(scene: Scene) -> Iterator[Fact]:
    """Yield the changed settings that could loosen the check if they were in force."""
    of_base, of_head = scene.of_base, scene.of_head
    file = next((each.file for each in (of_head, of_base) if each is not None), "")
    for name in config.POLICY if of_base is not None else config.LEVELLING:
        old, new = (None if each is None else each.setting(name) for each in (of_base, of_head))
        if old != new:
            in_force = _IN_FORCE.get(name, "this check uses base's")
            yield circumstance(
                "policy_changed",
                "config",
                name,
                {"old": _shown(old), "new": _shown(new), "in_force": in_force},
                old=old,
                new=new,
                origins=(None, Origin(file=file, line=_line(scene.head, of_head, name), column=1)),
            )


def _line(head: Snapshot, of_head: Config | None, name: str) -> int:
    """Return the line of a setting in head's configuration, 1 if it has none."""
    data = None if of_head is None else head.read(of_head.file)
    return 1 if of_head is None or data is None else config.line_of(data, of_head.file, name) or 1


def _shown(value: object) -> str:
    import json

    return "none" if value is None else shorten(json.dumps(value, ensure_ascii=False), _LONGEST)
