"""Finds head, and the base that it is compared with."""

from __future__ import annotations

from opspec_lint.git.base_names import NamedCommit, base_commit, merge_bases
from opspec_lint.git.default_branch import default_branches, fetch_default_branch
from opspec_lint.git.fetching import require_commit
from opspec_lint.git.listing import refuse_repeated_names
from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.git.snapshot import Snapshot
from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.git.open_repository import OpenRepository
    from opspec_lint.git.repository import Repository
    from opspec_lint.sources.reading import Reading


class Base(Record):
    """The base of a check: a commit or the empty tree, and a description for people.

    `tip` is the current tip of the branch of base: its settings are in force, those of an old commit are not. `others`
    are the further merge bases after criss-cross merges: models were saved with each of them.
    """

    revision: str
    tip: str
    title: str
    others: tuple[str, ...] = ()


def head_snapshot(opened: OpenRepository, head: str, reading: Reading) -> Snapshot:
    """Return the tree of `git.INDEX`, `git.WORK_TREE` or a revision.

    Args:
        opened: the repository.
        head: the revision.
        reading: whether a missing revision may be fetched, and what stands for files of the work tree.

    Raises:
        InputError: there is no such revision, or a folder of it has two entries of one name.
    """
    if head not in (INDEX, WORK_TREE):
        head = require_commit(opened.repository, head, may_fetch=reading.may_fetch)
        refuse_repeated_names(opened.repository, head)
    return Snapshot(opened.repository, opened.objects, head, unsaved=reading.unsaved)


def find_base(head: Snapshot, wanted: str | None, *, is_exact: bool = False, may_fetch: bool | None = None) -> Base:
    """Return the base that head is compared with: its merge base with the branch that it is to be merged into.

    All commands, the hook, the action and the editor take their base from here, and their merge bases from
    `git/base_names.py`.

    Args:
        head: the head. The index and the work tree count as the commit that they would become: in a merge, one with
            both parents.
        wanted: the revision to compare with; None for the default branch.
        is_exact: whether to compare with `wanted` itself.
        may_fetch: whether a missing revision may be fetched.

    Raises:
        UsageError: no revision is named, and no default branch is known.
        InputError: the revision is missing, or has no commit in common with head.
    """
    repository = head.repository
    parents = repository.heads() if head.revision in (INDEX, WORK_TREE) else [head.revision]
    target = _target(repository, wanted, may_fetch=may_fetch)
    if target is None:
        return _without_branch(head, parents, may_fetch=may_fetch)
    name, commit = target.name, target.commit
    if is_exact or not parents:
        return Base(revision=commit, tip=commit, title=_title(name, commit))
    first, *others = merge_bases(repository, target, parents, may_fetch=may_fetch)
    title = f"{first[:10]}, the merge base of HEAD and {name}"
    if others:
        title = f"{', '.join(commit[:10] for commit in (first, *others))}, the merge bases of HEAD and {name}"
    elif parents == [first]:
        title = f"{_title('HEAD' if first == repository.head else first, first)}, a commit of {name}"
    return Base(revision=first, tip=commit, title=title, others=tuple(others))


def is_idle(base: Snapshot, head: Snapshot, *, is_asked: bool, is_of_tree: bool = False) -> bool:
    """Tell whether a commit is compared with itself, as in a CI job that names no base.

    Args:
        base: the files of base.
        head: the files of head.
        is_asked: whether this is a CI job, whose index and work tree are those of the commit that it was started for,
            whatever the job itself has written there. Otherwise, only a checkout without a branch counts, as CI systems
            make it: on the base branch, there is nothing to compare until something has changed.
        is_of_tree: whether source trees were compared, which any file of the commit may belong to.
    """
    repository = head.repository
    is_commit = head.revision not in (INDEX, WORK_TREE)
    if base.revision != (head.revision if is_commit else repository.head) or (repository.branch and not is_asked):
        return False
    if is_commit or (is_asked and not is_of_tree):
        return True
    return not any(each.old is not None or not is_asked for each in head.changes(base.revision))


def _target(repository: Repository, wanted: str | None, *, may_fetch: bool | None) -> NamedCommit | None:
    """Return the commit of a revision, or of the default branch; None if that is not known."""
    if wanted is not None:
        return base_commit(repository, wanted, may_fetch=may_fetch)
    branch = next(default_branches(repository), None)
    if branch is None and may_fetch:
        branch = fetch_default_branch(repository)
    return None if branch is None else NamedCommit(name=branch.name, commit=branch.commit)


def _without_branch(head: Snapshot, parents: Sequence[str], *, may_fetch: bool | None) -> Base:
    """Return the base where no default branch is known: the empty tree before the first commit, HEAD if it is detached.

    A branch is no base of itself: what it has broken already would not be found.

    Raises:
        UsageError: a branch is checked out, or head is another commit than HEAD.
    """
    repository = head.repository
    if not parents:
        empty = repository.empty_tree()
        return Base(revision=empty, tip=empty, title="the empty tree, as there is no commit yet")
    if repository.branch or repository.head not in parents:
        advice = "name it: --base BRANCH, or `base` in the configuration; --base HEAD checks what is not committed"
        if may_fetch is False and repository.remotes():
            advice += "; --fetch takes the default branch of the remote"
        raise UsageError("it is not known which branch changes are merged into", advice=advice)
    commit = parents[0]
    return Base(revision=commit, tip=commit, title=f"{_title('HEAD', commit)}, as no default branch is known")


def _title(name: str, commit: str) -> str:
    return commit[:10] if commit.startswith(name) else f"{name} ({commit[:10]})"
