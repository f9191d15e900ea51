"""From where to where a check looks: the head, and the base that it is compared with."""

from __future__ import annotations

from opspec_lint import git
from opspec_lint.errors import InputError
from opspec_lint.record import Record
from opspec_lint.trees import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.git import Repository
    from opspec_lint.objects import Objects


class Base(Record):
    """The base of a check: a commit or the empty tree, and how it was come by, for people.

    `tip` is where the branch of base stands now: its settings are in force, those of an old commit are not.
    """

    revision: str
    tip: str
    title: str


def head_tree(repository: Repository, objects: Objects, head: str, *, may_fetch: bool = False) -> Tree:
    """Return the tree of `git.INDEX`, `git.WORK_TREE` or a revision.

    Raises:
        InputError: there is no such revision.
    """
    if head not in (git.INDEX, git.WORK_TREE):
        head = git.require(repository, head, may_fetch=may_fetch)
    return Tree(repository, objects, head)


def find_base(head: Tree, wanted: str | None, *, is_exact: bool = False, may_fetch: bool = False) -> Base:
    """Return what a head is compared with: the point where it and the base branch parted.

    Args:
        head: the head. The index and the work tree count as the commit that they would become: in a merge, one with
            both parents.
        wanted: the revision to compare with, None for the upstream branch. Without an upstream branch it is HEAD, and
            on an unborn branch the empty tree.
        is_exact: whether to compare with `wanted` itself.
        may_fetch: whether what is not here may be fetched.

    Raises:
        InputError: the revision is not here, or has nothing in common with head.
    """
    repository = head.repository
    parents = repository.heads() if head.revision in (git.INDEX, git.WORK_TREE) else [head.revision]
    if wanted is not None:
        commit = git.require(repository, wanted, may_fetch=may_fetch)
        if is_exact or not parents:
            return Base(revision=commit, tip=commit, title=_title(wanted, commit))
        found = _parting(repository, wanted, commit, parents, may_fetch=may_fetch)
        return Base(revision=found, tip=commit, title=_parted(found, wanted))
    if not parents:
        empty = repository.empty_tree()
        return Base(revision=empty, tip=empty, title="the empty tree, since nothing was committed yet")
    upstream = repository.upstream()
    if upstream is not None:
        name = "the upstream branch"
        found = _parting(repository, name, upstream, parents, may_fetch=may_fetch)
        return Base(revision=found, tip=git.require(repository, upstream), title=_parted(found, name))
    commit = repository.head or git.require(repository, "HEAD")
    return Base(revision=commit, tip=commit, title=f"{_title('HEAD', commit)}, since there is no upstream branch")


def is_idle(base: Tree, head: Tree) -> bool:
    """Tell whether a fresh checkout without a branch is compared with itself, as a CI job does that names no base."""
    repository = head.repository
    if head.revision not in (git.INDEX, git.WORK_TREE) or repository.branch or base.revision != repository.head:
        return False
    return not repository.changes(base.revision, head.revision)


def _parting(repository: Repository, name: str, revision: str, parents: Sequence[str], *, may_fetch: bool) -> str:
    found = repository.merge_base(revision, parents)
    if found is None and repository.commit(revision) is None:
        _bring(repository, revision, may_fetch=may_fetch)
        found = repository.merge_base(revision, parents)
    if found is None and may_fetch and repository.is_shallow():
        repository.fetch("--unshallow")
        found = repository.merge_base(revision, parents)
    if found is None:
        problem = "has no commit in common with HEAD"
        if repository.is_shallow():
            raise InputError(
                name, f"{problem} that is here", advice="run `git fetch --unshallow`, or let --fetch do it"
            )
        raise InputError(name, problem, advice="name another base, or compare with it as it is: --exact")
    return found


def _parted(commit: str, name: str) -> str:
    return f"{commit[:10]}, where HEAD and {name} parted"


def _bring(repository: Repository, upstream: str, *, may_fetch: bool) -> None:
    """Make sure that the upstream branch is here, which may have been deleted since it was set."""
    try:
        git.require(repository, upstream, may_fetch=may_fetch)
    except InputError as error:
        advice = f"{error.advice}; if {upstream} is gone for good, `git branch --unset-upstream`"
        raise InputError(error.file, error.problem, advice=advice) from None


def _title(name: str, commit: str) -> str:
    return commit[:10] if commit.startswith(name) else f"{name} ({commit[:10]})"
