"""What a check of a repository is asked for, and both ends of it: their files, and which configuration is in force.

The policy (profile, levels, ignored ops, releases, which files are specs) is base's, so that no change loosens its own
check: that of the tip of its branch, since a change may start from a commit as old as it likes. The waivers are head's,
and those that base does not have are marked as new.
"""

from __future__ import annotations

from contextlib import contextmanager

from opspec_lint.git.objects import Objects
from opspec_lint.git.repository import WORK_TREE, repository_at
from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.record import Record
from opspec_lint.project import config, waiver_file
from opspec_lint.project.base import Base, find_base, head_snapshot
from opspec_lint.project.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.lint.approvals import Reviews
    from opspec_lint.lint.waivers import Waiver
    from opspec_lint.project.config import Config
    from opspec_lint.report.versions import Versions
    from opspec_lint.sources.reading import Reading


class Request(Record):
    """What to check.

    `reading` says how specs are read and what git inherits, `folder` where the repository is looked for. `base` is a
    revision, compared with at its merge base with head, or itself if `is_exact`; None is the configured one,
    else the upstream branch, else HEAD. `head` is `git.INDEX`, `git.WORK_TREE` or a revision. `config` and `waivers`
    are files to use in place of the repository's own; "" stands for no waivers at all. They are named by hand, and hold
    at both ends; or, if `is_tracked`, they are paths of the repository, and each end has its own. `profile` is a policy
    in place of the configured one, `only` the ops to look at. `wants_lines` asks for the lines of findings in spec
    files. `reviews` gives the reviews of the change when one is needed, None where approvals are not looked at.
    `versions` are the one released and the one to come. `is_ci` says that a CI asks: there, to compare nothing is an
    error. `today` is a day in UTC, YYYY-MM-DD.
    """

    reading: Reading
    folder: str = "."
    base: str | None = None
    is_exact: bool = False
    head: str = WORK_TREE
    config: str | None = None
    waivers: str | None = None
    is_tracked: bool = False
    profile: str | None = None
    only: tuple[str, ...] | None = None
    wants_lines: bool = False
    reviews: Callable[[], Reviews] | None = None
    versions: Versions | None = None
    is_ci: bool = False
    today: str


class Scene(Record):
    """Both ends of a check, and their configurations.

    `tip` is where the branch of base stands now, `of_tip` is in force, and makes the `policy`. `of_base` tells what the
    change itself has changed; it is `of_tip` where what stands there is wrong. `named` is the configuration that said
    which revision base is, and where it stands; None where none did.
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


@contextmanager
def scene(request: Request) -> Iterator[Scene]:
    """Return both ends of a check, which can be read until the context is left.

    Raises:
        UsageError: there is no repository, or a configuration is wrong.
        InputError: a revision is not here.
    """
    advice = "name two specs, `opspec-lint check BASE HEAD`, or run it in a repository"
    repository = repository_at(request.folder, request.reading.environment, advice=advice)
    objects = Objects(repository)
    try:
        head = head_snapshot(repository, objects, request.head, may_fetch=request.reading.may_fetch)
        yield _scene(request, head)
    finally:
        objects.close()


def waivers_of(request: Request, scene: Scene) -> tuple[Waiver, ...]:
    """Return the waivers that are in force: head's, or those that the request names.

    Raises:
        UsageError: they are wrong, or named and not there.
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


def _base(request: Request, head: Snapshot, wanted: str | None) -> tuple[Base, Config | None]:
    """Return the base that a revision leads to, with the configuration at the tip of its branch."""
    base = find_base(head, wanted, is_exact=request.is_exact, may_fetch=request.reading.may_fetch)
    return base, _config(request, head.at(base.tip))


def _before(request: Request, tree: Snapshot, of_tip: Config | None) -> Config | None:
    """Return the configuration that a change began with; faults that its branch has fixed since do not count."""
    try:
        return _config(request, tree)
    except UsageError:
        return of_tip


def _config(request: Request, tree: Snapshot) -> Config | None:
    """Return the configuration in force at one end."""
    if request.config is None:
        return config.find(tree, tree.repository.prefix)
    return config.at(tree, request.config) if request.is_tracked else config.read(request.config, tree.repository.top)
