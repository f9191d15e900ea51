"""The request for a check of a repository, and its context: base and head, and the configuration in force.

The policy (profile, levels, ignored ops, releases, spec files) comes from base, so that no change loosens its own
check. It is read at the tip of base's branch, since a change may start from any old commit. The waivers come from head;
waivers that base lacks are marked as new.
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
    """The request for a check of a repository.

    `reading` has the options for reading specs, `folder` is a folder of the repository. `sources` are checked in place
    of the configured ones, relative to the current folder; if there is neither, and `recognises`, the source trees of
    the repository are checked. Head is compared with its merge base with the revision `base`, or with `base` itself if
    `is_exact`; None: the configured revision, else the default branch. `head` is `git.INDEX`, `git.WORK_TREE` or a
    revision. `config` and `waivers` are files that replace the ones of the repository on both sides, `waivers` "" for
    no waivers; if `is_tracked`, they are paths in the repository, and each side has its own. `profiles` precede the
    configured ones. `only` are the ops to compare. `wants_lines`: findings get their lines in spec files;
    `wants_error_lines`: errors and warnings of the change get them; `wants_fixes`: findings get fixes.
    `reviews` returns the reviews of the change, None: approvals are not checked.
    `versions` are the released and the next version. `usage` is a file with audit results, which replaces the
    configured one. `is_ci`: in this CI job it is an error if nothing is compared. `today` is the day in UTC,
    YYYY-MM-DD.
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
    wants_error_lines: bool = False
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

    def policy(self, configured: Config | None) -> Policy:
        """Return the policy of the command line and of a configuration."""
        return Policy(
            config=configured,
            profiles=self.profiles,
            only=self.only,
            wants_lines=self.wants_lines,
            wants_error_lines=self.wants_error_lines,
            wants_fixes=self.wants_fixes,
            coming=self.coming,
        )


class ConfigInTree(Record):
    """A configuration, and the tree that contains it."""

    tree: Snapshot
    config: Config


class CheckContext(Record):
    """Base and head of a check, with their configurations.

    `further_bases` are further merge bases; `sources` are those of the request, from the top of the repository. `tip`
    is the present tip of base's branch; its configuration `tip_config` is in force, and gives the `policy`.
    `base_config` is the configuration at base, which shows what the change itself changed; it is `tip_config` if the
    one at base is wrong. `named` is the configuration that names the base revision, and the tree that contains it; None
    if none does.
    `faults` are invalid settings of base that head repairs.
    """

    base: Snapshot
    tip: Snapshot
    head: Snapshot
    title: str
    base_config: Config | None
    tip_config: Config | None
    head_config: Config | None
    named: ConfigInTree | None
    policy: Policy
    faults: tuple[Fact, ...] = ()
    further_bases: tuple[Snapshot, ...] = ()
    sources: tuple[str, ...] = ()


@contextmanager
def open_context(request: Request) -> Iterator[CheckContext]:
    """Yield the context of a check, whose files can be read until it is left.

    Raises UsageError if there is no repository or a configuration is wrong, InputError if a revision is missing.
    """
    advice = "name two specs, `opspec-lint check BASE HEAD`, or run it in a repository"
    with open_repositories(request.reading) as opened:
        here = opened.at(request.folder, advice=advice)
        head = head_snapshot(here, request.head, request.reading)
        yield _make_context(request, head)


def waivers_of(request: Request, context: CheckContext) -> tuple[Waiver, ...]:
    """Return the waivers in force: head's, or those that the request names.

    Raises UsageError if the waivers are wrong, or a named file does not exist.
    """
    named = request.waivers if request.is_tracked else None
    if request.waivers is not None and named is None:
        return waiver_file.read(request.waivers) if request.waivers else ()
    is_named = named is not None or (context.head_config is not None and context.head_config.waivers is not None)
    head_waivers = waiver_file.load_from_tree(
        context.head, named or waiver_file.file_of(context.head_config), is_named=is_named
    )
    if not head_waivers:
        return ()
    try:
        base_waivers = waiver_file.load_from_tree(
            context.tip, named or waiver_file.file_of(context.tip_config), is_named=False
        )
    except UsageError:
        base_waivers = ()  # head repairs the waivers of base; with the same fault in head, the first read would raise
    return waiver_file.mark_new(head_waivers, base_waivers)


def _make_context(request: Request, head: Snapshot) -> CheckContext:
    """Return the context for a head: the chosen base, and the configuration of each side."""
    head_config = _side_config(request, head)
    # The action takes the path from its inputs, so a missing file is an error there, and no absent setting.
    if request.is_tracked and request.config is not None and head_config is None:
        raise UsageError(f"{request.config}: is not a configuration file of the repository", advice="name one that is")
    chosen = _choose_base(request, head, head_config)
    base, tip_config = chosen.base, chosen.tip_config
    at_base, at_tip = head.at(base.revision), head.at(base.tip)
    base_config = tip_config if base.tip == base.revision else _base_config(request, at_base, tip_config)
    return CheckContext(
        base=_with_include_folders(request, at_base, base_config, head_config),
        tip=_with_include_folders(request, at_tip, tip_config, head_config),
        head=_with_include_folders(request, head, head_config),
        further_bases=tuple(
            _with_include_folders(request, head.at(commit), base_config, head_config) for commit in base.others
        ),
        sources=tuple(references.from_top(source, head.repository.top) for source in request.sources),
        title=base.title,
        base_config=base_config,
        tip_config=tip_config,
        head_config=head_config,
        named=chosen.named,
        faults=tuple(chosen.faults),
        policy=request.policy(tip_config),
    )


def _with_include_folders(request: Request, tree: Snapshot, *configs: Config | None) -> Snapshot:
    """Return a tree with the include folders of the command line and of the first configuration that has any.

    For base, head's configuration comes second: head may be the first to configure folders that base used already.
    """
    from_here = (posixpath.normpath(tree.repository.prefix + folder) for folder in request.reading.include)
    named = next(
        (side_config.include for side_config in configs if side_config is not None and side_config.include), ()
    )
    return tree.with_include((*from_here, *named)) if named or request.reading.include else tree


class _ChosenBase:
    """The base of a check, and the configuration at the tip of its branch; `faults` are its invalid settings."""

    def __init__(self, base: Base, tip_config: Config | None, named: ConfigInTree | None = None) -> None:
        self.base, self.tip_config, self.named = base, tip_config, named
        self.faults: list[Fact] = []


def _choose_base(request: Request, head: Snapshot, head_config: Config | None) -> _ChosenBase:
    """Return the base that the request names, else base's configuration, else head's configuration.

    A wrong configuration, or an invalid base revision, at the tip is repaired by a head that differs there: head's
    configuration is in force then, and a fact reports it, as no change could ever repair it otherwise. Raises
    UsageError if the configuration is wrong at the tip and head has the same, InputError if a revision is missing, or a
    folder has two entries with one name.
    """
    named: ConfigInTree | None = None
    if request.base is None and head_config is not None and head_config.base is not None:
        named = ConfigInTree(tree=head, config=head_config)
    base = _find_base(request, head, request.base if named is None else named.config.base, named)
    tip = head.at(base.tip)
    try:
        chosen = _ChosenBase(base, _side_config(request, tip), named)
    except UsageError as error:
        chosen = _ChosenBase(base, head_config, named)
        chosen.faults.append(invalid_setting(error, "configuration", tip, head_config))
        return chosen
    tip_config = chosen.tip_config
    if request.base is not None or tip_config is None or tip_config.base is None:
        return chosen
    own = ConfigInTree(tree=tip, config=tip_config)
    if named is None or tip_config.base != named.config.base:
        try:
            base = _find_base(request, head, tip_config.base, own)  # not what the change itself names
        except (InputError, UsageError) as error:
            if head_config is not None and head_config.base == tip_config.base:
                raise
            chosen.faults.append(invalid_setting(error, "base", tip, head_config))
            return chosen
        return _ChosenBase(base, _side_config(request, head.at(base.tip)), own)
    chosen.named = own
    return chosen


def invalid_setting(error: OpspecError, name: str, tip: Snapshot, head_config: Config | None) -> Fact:
    """Return the fact that a setting of base is invalid, so that head's is used."""
    problem = error.message.replace(f"{tip.revision[:10]}:", "")
    origin = None if head_config is None else Origin(file=head_config.file, line=1, column=1)
    return circumstance("base_setting_invalid", "config", name, {"problem": problem}, origins=(None, origin))


def _find_base(request: Request, head: Snapshot, revision: str | None, named: ConfigInTree | None = None) -> Base:
    """Return the base for a revision; `named` is the configuration that names it, for error messages.

    Raises UsageError if the revision is ambiguous, or no default branch is known, InputError if the revision is
    missing, or a folder of base or of its branch has two entries with one name.
    """
    try:
        base = find_base(head, revision, is_exact=request.is_exact, may_fetch=request.reading.may_fetch)
    except InputError as error:
        if named is None:
            raise
        tree, file = named.tree, named.config.file
        place = file if tree.revision in (INDEX, WORK_TREE) else tree.reference(file)
        raise InputError(place, f"base: {error.message}", advice=error.advice) from None
    for commit in {base.revision, base.tip, *base.others} - {head.revision}:
        refuse_repeated_names(head.repository, commit)
    return base


def _base_config(request: Request, tree: Snapshot, tip_config: Config | None) -> Config | None:
    """Return the configuration at base; if it is wrong, the one of the tip, where it was repaired since."""
    try:
        return _side_config(request, tree)
    except UsageError:
        return tip_config


def _side_config(request: Request, tree: Snapshot) -> Config | None:
    """Return the configuration of one side: the nearest file, or the one that the request names."""
    if request.config is None:
        return config.find(tree, tree.repository.prefix)
    return (
        config.load_from_tree(tree, request.config)
        if request.is_tracked
        else config.read(request.config, tree.repository.top)
    )
