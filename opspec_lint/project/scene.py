"""The request for a check of a repository, and its scene: base and head, and the configuration that is in force.

The policy (profile, levels, ignored ops, releases, which files are specs) is that of base, so that no change loosens
its own check. It is read from the tip of base's branch, since a change may start from any old commit. The waivers are
those of head; the ones that base does not have are marked as new.
"""

from __future__ import annotations

import posixpath
from contextlib import contextmanager

from opspec_lint.git.listing import refuse_repeated_names
from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.kit.record import Record
from opspec_lint.lint.circumstances import circumstance
from opspec_lint.project import config, waiver_file
from opspec_lint.project.base import Base, find_base, head_snapshot
from opspec_lint.project.policy import Policy
from opspec_lint.sources import references
from opspec_lint.sources.reading import open_repositories
from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.kit.errors import OpspecError
    from opspec_lint.lint.approvals import Reviews
    from opspec_lint.lint.waivers import Waiver
    from opspec_lint.project.config import Config
    from opspec_lint.project.profile_choice import ProfileChoice
    from opspec_lint.report.versions import Versions
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.fact import Fact


class Request(Record):
    """What to check.

    `reading` are the options for reading specs, `folder` is a folder of the repository. `sources` are the sources to
    check in place of what is configured, relative to the current folder; if there is neither, and `recognises`, the
    source trees of the repository are checked. Head is compared with its merge
    base with the revision `base`, or with `base` itself if `is_exact`; None stands for the configured revision, else
    the default branch. `head` is `git.INDEX`, `git.WORK_TREE` or a revision. `config` and `waivers` are files that
    replace the repository's own; "" stands for no waivers. They apply to both sides; if `is_tracked`, they are paths in
    the repository, and each side has its own. `profiles` come before the configured ones. `only` are the ops to
    compare. `wants_lines` is whether findings need their lines in spec files, `wants_fixes` whether they need fixes.
    `reviews` returns the reviews of the change, None if approvals are not checked. `versions` are the released and the
    next one. `usage` is a file with results of an audit of many models, which replaces the configured one. `is_ci` is
    whether this is a CI job, in which it is an error if nothing is compared. `today` is a day in UTC, YYYY-MM-DD.
    """

    reading: Reading
    folder: str = "."
    sources: tuple[str, ...] = ()
    recognises: bool = False
    base: str | None = None
    is_exact: bool = False
    head: str = WORK_TREE
    config: str | None = None
    waivers: str | None = None
    is_tracked: bool = False
    profiles: tuple[ProfileChoice, ...] = ()
    only: tuple[str, ...] | None = None
    wants_lines: bool = False
    wants_fixes: bool = False
    reviews: Callable[[], Reviews] | None = None
    versions: Versions | None = None
    usage: str | None = None
    is_ci: bool = False
    today: str

    @property
    def coming(self) -> str | None:
        """The next version, None if it was not given."""
        return None if self.versions is None or self.versions.next is None else self.versions.next.text


class Scene(Record):
    """Base and head of a check, and their configurations.

    `further_bases` are further merge bases, and `sources` those of the request, from the top of the repository. `tip`
    is the current tip of base's branch. Its configuration `of_tip` is in force, and yields the `policy`.
    `of_base` is that of base, to tell what the change itself changed; it is `of_tip` if that of base is wrong. `named`
    is the configuration that names the revision of base, and the tree that contains it; None if none does. `faults` are
    the settings of base that are invalid, and that head repairs.
    """

    base: Snapshot
    tip: Snapshot
    head: Snapshot
    title: str
    of_base: Config | None
    of_tip: Config | None
    of_head: Config | None
    named: tuple[Snapshot, Config] | None
    policy: Policy
    faults: tuple[Fact, ...] = ()
    further_bases: tuple[Snapshot, ...] = ()
    sources: tuple[str, ...] = ()


@contextmanager
def scene(request: Request) -> Iterator[Scene]:
    """Return the scene of a check, whose files can be read until the context is left.

    Raises:
        UsageError: there is no repository, or a configuration is wrong.
        InputError: a revision is not here.
    """
    advice = "name two specs, `opspec-lint check BASE HEAD`, or run it in a repository"
    with open_repositories(request.reading) as opened:
        here = opened.at(request.folder, advice=advice)
        head = head_snapshot(here, request.head, request.reading)
        yield _scene(request, head)


def waivers_of(request: Request, scene: Scene) -> tuple[Waiver, ...]:
    """Return the waivers that are in force: head's, or those that the request names.

    Raises:
        UsageError: the waivers are wrong, or a named file does not exist.
    """
    named = request.waivers if request.is_tracked else None
    if request.waivers is not None and named is None:
        return waiver_file.read(request.waivers) if request.waivers else ()
    is_named = named is not None or (scene.of_head is not None and scene.of_head.waivers is not None)
    of_head = waiver_file.of(scene.head, named or waiver_file.file_of(scene.of_head), is_named=is_named)
    if not of_head:
        return ()
    try:
        of_base = waiver_file.of(scene.tip, named or waiver_file.file_of(scene.of_tip), is_named=False)
    except UsageError:
        of_base = ()  # head has fixed what is wrong in base, or `of_head` would have failed
    return waiver_file.mark_new(of_head, of_base)


def _scene(request: Request, head: Snapshot) -> Scene:
    of_head = _config(request, head)
    if request.is_tracked and request.config is not None and of_head is None:
        raise UsageError(f"{request.config}: is not a configuration file of the repository", advice="name one that is")
    chosen = _chosen_base(request, head, of_head)
    base, of_tip = chosen.base, chosen.of_tip
    at_base, at_tip = head.at(base.revision), head.at(base.tip)
    of_base = of_tip if base.tip == base.revision else _before(request, at_base, of_tip)
    return Scene(
        base=_including(request, at_base, of_base, of_head),
        tip=_including(request, at_tip, of_tip, of_head),
        head=_including(request, head, of_head),
        further_bases=tuple(_including(request, head.at(commit), of_base, of_head) for commit in base.others),
        sources=tuple(references.from_top(source, head.repository.top) for source in request.sources),
        title=base.title,
        of_base=of_base,
        of_tip=of_tip,
        of_head=of_head,
        named=chosen.named,
        faults=tuple(chosen.faults),
        policy=Policy(
            config=of_tip,
            profiles=request.profiles,
            only=request.only,
            wants_lines=request.wants_lines,
            wants_fixes=request.wants_fixes,
            coming=request.coming,
        ),
    )


def _including(request: Request, tree: Snapshot, *configs: Config | None) -> Snapshot:
    """Return the files of one side with the folders that the command line names, and the first configuration does.

    Head may be the first to name folders for what base included as well.
    """
    from_here = (posixpath.normpath(tree.repository.prefix + each) for each in request.reading.include)
    named = next((each.include for each in configs if each is not None and each.include), ())
    return tree.including((*from_here, *named)) if named or request.reading.include else tree


class _ChosenBase:
    """The base of a check, and the configuration at the tip of its branch; `faults` are its invalid settings."""

    def __init__(self, base: Base, of_tip: Config | None, named: tuple[Snapshot, Config] | None = None) -> None:
        self.base, self.of_tip, self.named = base, of_tip, named
        self.faults: list[Fact] = []


def _chosen_base(request: Request, head: Snapshot, of_head: Config | None) -> _ChosenBase:
    """Return the base that the request names, else the configuration of base's branch, else the one of head.

    If the configuration of base's branch is wrong, or names no revision, a head that differs there is a repair: its
    configuration is in force, which is a fact. Otherwise no change could ever repair it.

    Raises:
        UsageError: the configuration of base's branch is wrong, and head has the same.
        InputError: a revision is missing, or a folder of a tree has two entries of one name.
    """
    is_named = request.base is None and of_head is not None and of_head.base is not None
    named = (head, of_head) if is_named and of_head is not None else None
    base = _base(request, head, request.base if named is None else named[1].base, named)
    tip = head.at(base.tip)
    try:
        chosen = _ChosenBase(base, _config(request, tip), named)
    except UsageError as error:
        chosen = _ChosenBase(base, of_head, named)
        chosen.faults.append(invalid_setting(error, "configuration", tip, of_head))
        return chosen
    of_tip = chosen.of_tip
    if request.base is not None or of_tip is None or of_tip.base is None:
        return chosen
    own = (tip, of_tip)
    if named is None or of_tip.base != named[1].base:
        try:
            base = _base(request, head, of_tip.base, own)  # not what the change itself names
        except (InputError, UsageError) as error:
            if of_head is not None and of_head.base == of_tip.base:
                raise
            chosen.faults.append(invalid_setting(error, "base", tip, of_head))
            return chosen
        return _ChosenBase(base, _config(request, head.at(base.tip)), own)
    chosen.named = own
    return chosen


def invalid_setting(error: OpspecError, name: str, tip: Snapshot, of_head: Config | None) -> Fact:
    """Return the fact that a setting of base is invalid, and the one of head is tried.

    Args:
        error: the fault of the setting.
        name: the setting.
        tip: the files of base's branch.
        of_head: the configuration of head.
    """
    problem = error.message.replace(f"{tip.revision[:10]}:", "")
    origin = None if of_head is None else Origin(file=of_head.file, line=1, column=1)
    return circumstance("base_setting_invalid", "config", name, {"problem": problem}, origins=(None, origin))


def _base(request: Request, head: Snapshot, revision: str | None, named: tuple[Snapshot, Config] | None = None) -> Base:
    """Return the base for a revision, which a configuration may have named.

    Raises:
        UsageError: the revision has several meanings, or no default branch is known.
        InputError: the revision is missing, or a folder of the base or of its branch has two entries of one name.
    """
    try:
        base = find_base(head, revision, is_exact=request.is_exact, may_fetch=request.reading.may_fetch)
    except InputError as error:
        if named is None:
            raise
        tree, of_tree = named
        place = of_tree.file if tree.revision in (INDEX, WORK_TREE) else tree.reference(of_tree.file)
        raise InputError(place, f"base: {error.message}", advice=error.advice) from None
    for commit in {base.revision, base.tip, *base.others} - {head.revision}:
        refuse_repeated_names(head.repository, commit)
    return base


def _before(request: Request, tree: Snapshot, of_tip: Config | None) -> Config | None:
    """Return the configuration of base; if it is wrong, that of the tip, which was fixed since."""
    try:
        return _config(request, tree)
    except UsageError:
        return of_tip


def _config(request: Request, tree: Snapshot) -> Config | None:
    """Return the configuration of one side."""
    if request.config is None:
        return config.find(tree, tree.repository.prefix)
    return config.at(tree, request.config) if request.is_tracked else config.read(request.config, tree.repository.top)
