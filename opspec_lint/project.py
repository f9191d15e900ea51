"""Checks a repository: every spec file that changed against itself at base, and against what was released.

The policy (profile, levels, ignored ops, releases, which files are specs) is base's, so that no change loosens its own
check: that of the tip of its branch, since a change may start from a commit as old as it likes. The waivers are head's,
and those that base does not have are marked as new.
"""

from __future__ import annotations

from contextlib import contextmanager

from opspec_lint import check, circumstances, config, git, pairs, released, span, waivers
from opspec_lint.circumstances import Circumstance
from opspec_lint.errors import UsageError, unknown_name
from opspec_lint.model import Origin
from opspec_lint.objects import Objects
from opspec_lint.plain import shorten
from opspec_lint.policy import Policy
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.approvals import Gate, Reviews
    from opspec_lint.config import Config
    from opspec_lint.findings import Comparison, Finding, Report, Waived
    from opspec_lint.model import Spec
    from opspec_lint.pairs import Loaded, Pair
    from opspec_lint.release import Versions
    from opspec_lint.settings import Settings
    from opspec_lint.trees import Tree
    from opspec_lint.waivers import Waiver

_LONGEST = 200


class Request(Record):
    """What to check.

    `environment` is what git inherits, `folder` where the repository is looked for. `base` is a revision, compared with
    at the point where head and it parted, or itself if `is_exact`; None is the configured one, else the upstream
    branch, else HEAD. `head` is `git.INDEX`, `git.WORK_TREE` or a revision. `config` and `waivers` are files to use in
    place of the repository's own; "" stands for no waivers at all. They are named by hand, and hold at both ends; or,
    if `is_tracked`, they are paths of the repository, and each end has its own. `profile` is a policy in place of the
    configured one, `only` the ops to look at. `may_fetch` allows `git fetch` for what is not here, `wants_lines` asks
    for the lines of findings in spec files. `settings` say how a source is to be read. `reviews` gives the reviews of
    the change when one is needed, None where approvals are not looked at. `versions` are the one released and the one
    to come. `today` is a day, YYYY-MM-DD.
    """

    environment: Mapping[str, str]
    folder: str = "."
    base: str | None = None
    is_exact: bool = False
    head: str = git.WORK_TREE
    config: str | None = None
    waivers: str | None = None
    is_tracked: bool = False
    profile: str | None = None
    only: tuple[str, ...] | None = None
    may_fetch: bool = False
    wants_lines: bool = False
    settings: Settings | None = None
    reviews: Callable[[], Reviews] | None = None
    versions: Versions | None = None
    today: str


class Scene(Record):
    """Both ends of a check, and their configurations.

    `tip` is where the branch of base stands now, `of_tip` is in force, and makes the `policy`. `of_base` tells what the
    change itself has changed; it is `of_tip` where what stands there is wrong. `named` is the configuration that said
    which revision base is, and where it stands; None where none did.
    """

    base: Tree
    tip: Tree
    head: Tree
    title: str
    of_base: Config | None
    of_tip: Config | None
    of_head: Config | None
    named: tuple[Tree, Config] | None
    policy: Policy


def check_project(request: Request) -> Report:
    """Check a repository.

    Raises:
        UsageError: there is no repository or no spec file, or the configuration or the waivers are wrong.
        InputError: a revision is not here, or a spec file cannot be read.
    """
    with scene(request) as found:
        return _report(request, found)


@contextmanager
def scene(request: Request) -> Iterator[Scene]:
    """Return both ends of a check, which can be read until the context is left.

    Raises:
        UsageError: there is no repository, or a configuration is wrong.
        InputError: a revision is not here.
    """
    advice = "name two specs, `opspec-lint check BASE HEAD`, or run it in a repository"
    repository = git.here(request.folder, request.environment, advice=advice)
    objects = Objects(repository)
    try:
        head = span.head_tree(repository, objects, request.head, may_fetch=request.may_fetch)
        yield _scene(request, head)
    finally:
        objects.close()


def check_specs(base: Spec, head: Spec, request: Request) -> Report:
    """Check two specs that were named by hand, under a configuration and waivers that were, too.

    Raises:
        UsageError: the configuration or the waivers are wrong, or an op to look at is in neither spec.
        InputError: the specs cannot be compared.
    """
    named = None if request.config is None else config.read(request.config, None)
    policy = Policy(config=named, profile=request.profile, only=request.only)
    entries = waivers.read(request.waivers) if request.waivers else ()
    _check_only(request.only, (base, head))
    comparison = policy.compare(base, head)
    gate = policy.gate(request.reviews, None)
    if gate is not None:
        comparison = gate.settle(comparison, {comparison.base.file})
    return _settled([comparison], (), entries, policy, request)


def waivers_of(request: Request, scene: Scene) -> tuple[Waiver, ...]:
    """Return the waivers that are in force: head's, or those that the request names.

    Raises:
        UsageError: they are wrong, or named and not there.
    """
    named = request.waivers if request.is_tracked else None
    if request.waivers is not None and named is None:
        return waivers.read(request.waivers) if request.waivers else ()
    is_named = named is not None or (scene.of_head is not None and scene.of_head.waivers is not None)
    of_head = waivers.of(scene.head, named or waivers.file_of(scene.of_head), is_named=is_named)
    if not of_head:
        return ()
    try:
        of_base = waivers.of(scene.tip, named or waivers.file_of(scene.of_tip), is_named=False)
    except UsageError:
        of_base = ()  # what base has wrong, head has mended, or `of_head` would have failed
    return waivers.mark_new(of_head, of_base)


def _scene(request: Request, head: Tree) -> Scene:
    of_head = _config(request, head)
    if request.is_tracked and request.config is not None and of_head is None:
        raise UsageError(f"{request.config}: is no configuration of the repository", advice="name one that is")
    named = (head, of_head) if request.base is None and of_head is not None and of_head.base is not None else None
    wanted = request.base if named is None else named[1].base
    base, of_tip = _base(request, head, wanted)
    if request.base is None and of_tip is not None and of_tip.base is not None:
        named = (head.at(base.tip), of_tip)
        if of_tip.base != wanted:
            base, of_tip = _base(request, head, of_tip.base)  # not what the change itself names
    at_base, at_tip = head.at(base.revision), head.at(base.tip)
    return Scene(
        base=at_base,
        tip=at_tip,
        head=head,
        title=base.title,
        of_base=of_tip if base.tip == base.revision else _before(request, at_base, of_tip),
        of_tip=of_tip,
        of_head=of_head,
        named=named,
        policy=Policy(config=of_tip, profile=request.profile, only=request.only, wants_lines=request.wants_lines),
    )


def _base(request: Request, head: Tree, wanted: str | None) -> tuple[span.Base, Config | None]:
    """Return the base that a revision leads to, with the configuration at the tip of its branch."""
    base = span.find_base(head, wanted, is_exact=request.is_exact, may_fetch=request.may_fetch)
    return base, _config(request, head.at(base.tip))


def _before(request: Request, tree: Tree, of_tip: Config | None) -> Config | None:
    """Return the configuration that a change began with; what was wrong with it, its branch has mended since."""
    try:
        return _config(request, tree)
    except UsageError:
        return of_tip


def _config(request: Request, tree: Tree) -> Config | None:
    """Return the configuration in force at one end."""
    if request.config is None:
        return config.find(tree, tree.repository.prefix)
    return config.at(tree, request.config) if request.is_tracked else config.read(request.config, tree.repository.top)


def _report(request: Request, scene: Scene) -> Report:
    found = pairs.find(scene.base, scene.head, scene.of_tip, scene.of_head, request.settings)
    releases = released.load(scene.policy.against, scene.tip, scene.head, may_fetch=request.may_fetch)
    commit = None if scene.head.revision in (git.INDEX, git.WORK_TREE) else scene.head.revision
    gate = scene.policy.gate(request.reviews, commit)
    comparisons = [each for pair in found for each in _compared(pair, releases, scene, gate)]
    _check_only(request.only, _specs(found, scene.head))
    facts = [*_files(found), *_settings(scene.of_base, scene.of_head)]
    if not facts and not comparisons and span.is_idle(scene.base, scene.head):
        facts = [Circumstance(event="nothing_compared", kind="config", name="base", facts={"base": scene.title})]
    general = circumstances.judge(facts, scene.policy.levels)
    report = _settled(comparisons, general, waivers_of(request, scene), scene.policy, request)
    return report.but(base=scene.title, unchanged=tuple(pair.path for pair in found if pair.is_unchanged))


def _compared(pair: Pair, releases: list[Loaded], scene: Scene, gate: Gate | None) -> list[Comparison]:
    """Return the comparisons of a spec; what they find against a release alone is not for this change to approve."""
    made = released.compare(pair, releases, scene.head, scene.policy)
    if gate is None or pair.is_unchanged:
        return made
    due = {each.base.file for each in (made if pair.is_added else made[:1])}
    return [gate.settle(each, due) for each in made]


def _settled(
    comparisons: Sequence[Comparison],
    general: tuple[Finding, ...],
    entries: Sequence[Waiver],
    policy: Policy,
    request: Request,
) -> Report:
    """Return the report of all that was found, what is waived marked, with what is wrong with the waivers."""
    if request.versions is not None:
        so_far = _waived(comparisons, general, entries, policy, request.today)
        general += check.judge_versions(so_far, request.versions, policy.levels)
    return _waived(comparisons, general, entries, policy, request.today).but(versions=request.versions)


def _waived(
    comparisons: Sequence[Comparison],
    general: tuple[Finding, ...],
    entries: Sequence[Waiver],
    policy: Policy,
    today: str,
) -> Report:
    every = (*general, *(finding for each in comparisons for finding in each.findings))
    waived, faults = waivers.apply(entries, every, today)
    marked = (each.but(findings=_marked(each.findings, waived)) for each in comparisons)
    return check.report(*marked, general=_marked(general, waived) + circumstances.judge(faults, policy.levels))


def _marked(findings: tuple[Finding, ...], waived: Mapping[str, Waived]) -> tuple[Finding, ...]:
    return tuple(_mark(each, waived.get(each.fingerprint)) for each in findings) if waived else findings


def _mark(finding: Finding, waived: Waived | None) -> Finding:
    """Return a finding with its waiver. A waiver that the change itself brings does not stand in for an approval."""
    is_blocked = finding.approval is not None and not finding.is_approved
    return finding if waived is None or (waived.is_new and is_blocked) else finding.but(waived=waived)


def _check_only(only: Iterable[str] | None, specs: Iterable[Spec]) -> None:
    """Make sure that one of some specs has each op to look at; the specs are taken as far as it needs.

    Raises:
        UsageError: none has.
    """
    missing = list(only or ())
    known: set[str] = set()
    rest = iter(specs)
    while missing and (spec := next(rest, None)) is not None:
        known |= spec.ops.keys()
        missing = [name for name in missing if name not in spec.ops]
    if missing:
        raise unknown_name("op", missing[0], known)


def _specs(found: Sequence[Pair], head: Tree) -> Iterator[Spec]:
    """Yield every spec that is compared, and then those that are the same at both ends."""
    for pair in found:
        yield from pair.specs()
    for pair in found:
        if pair.is_unchanged and (same := pairs.load_unchanged(head, pair.path)) is not None:
            yield same.spec


def _files(found: Iterable[Pair]) -> Iterator[Circumstance]:
    """Yield what is to be said of spec files, or the source, that head alone has or no longer has."""
    for pair in found:
        if pair.is_added or pair.is_removed:
            yield Circumstance(
                event="spec_added" if pair.is_added else "spec_removed",
                kind="source",
                name=pair.path,
                facts={"ops": pair.size(), "what": "source" if pair.is_source else "spec file"},
                origin=None if pair.is_source else Origin(file=pair.path, line=1, column=1),
            )


def _settings(of_base: Config | None, of_head: Config | None) -> Iterator[Circumstance]:
    """Yield the settings by which head would loosen its own check if they were in force."""
    file = next((each.file for each in (of_head, of_base) if each is not None), "")
    for name in config.POLICY if of_base is not None else config.LEVELLING:
        old, new = (None if each is None else each.setting(name) for each in (of_base, of_head))
        if old != new:
            in_force = "base's is in force here" if name != "specs" else "the files of both are checked here"
            yield Circumstance(
                event="policy_changed",
                kind="config",
                name=name,
                facts={"old": _shown(old), "new": _shown(new), "in_force": in_force},
                old=old,
                new=new,
                origin=Origin(file=file, line=1, column=1),
            )


def _shown(value: Any) -> str:
    import json

    return "none" if value is None else shorten(json.dumps(value, ensure_ascii=False), _LONGEST)
