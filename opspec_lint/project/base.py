"""Finds head, and the base that it is compared with."""

from __future__ import annotations

from opspec_lint.git.fetching import require_commit, unshallow
from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.git.snapshot import Snapshot
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.git.objects import Objects
    from opspec_lint.git.repository import Repository


class Base(Record):
    """The base of a check: a commit or the empty tree, and a description for people.

    `tip` is the current tip of the branch of base: its settings are in force, those of an old commit are not.
    """

    revision: str
    tip: str
    title: str


def head_snapshot(repository: Repository, objects: Objects, head: str, *, may_fetch: bool | None = None) -> Snapshot:
    """Return the tree of `git.INDEX`, `git.WORK_TREE` or a revision.

    Raises:
        InputError: there is no such revision.
    """
    if head not in (INDEX, WORK_TREE):
        head = require_commit(repository, head, may_fetch=may_fetch)
    return Snapshot(repository, objects, head)


def find_base(head: Snapshot, wanted: str | None, *, is_exact: bool = False, may_fetch: bool | None = None) -> Base:
    """Return the base that head is compared with: its merge base with the base branch.

    Args:
        head: the head. The index and the work tree count as the commit that they would become: in a merge, one with
            both parents.
        wanted: the revision to compare with; None for the upstream branch, or HEAD if there is none, or the empty tree
            on a branch without commits.
        is_exact: whether to compare with `wanted` itself.
        may_fetch: whether a missing revision may be fetched.

    Raises:
        InputError: the revision is missing, or has no commit in common with head.
    """
    repository = head.repository
    parents = repository.heads() if head.revision in (INDEX, WORK_TREE) else [head.revision]
    if wanted is not None:
        commit = require_commit(repository, wanted, may_fetch=may_fetch)
        if is_exact or not parents:
            return Base(revision=commit, tip=commit, title=_title(wanted, commit))
        found = _parting(repository, wanted, commit, parents, may_fetch=may_fetch)
        return Base(revision=found, tip=commit, title=_merge_base(found, wanted))
    if not parents:
        empty = repository.empty_tree()
        return Base(revision=empty, tip=empty, title="the empty tree, as there is no commit yet")
    upstream = repository.upstream()
    if upstream is not None:
        name = "the upstream branch"
        commit = _tip(repository, upstream, may_fetch=may_fetch)
        found = _parting(repository, name, commit, parents, may_fetch=may_fetch)
        return Base(revision=found, tip=commit, title=_merge_base(found, name))
    commit = repository.head or require_commit(repository, "HEAD")
    return Base(revision=commit, tip=commit, title=f"{_title('HEAD', commit)}, as there is no upstream branch")


def is_idle(base: Snapshot, head: Snapshot, *, is_asked: bool) -> bool:
    """Tell whether a commit is compared with itself, as in a CI job that names no base.

    Args:
        base: the files of base.
        head: the files of head.
        is_asked: whether this is a CI job. Otherwise, only a checkout without a branch counts, as CI systems make it:
            on the base branch, there is nothing to compare until something has changed.
    """
    repository = head.repository
    is_commit = head.revision not in (INDEX, WORK_TREE)
    if base.revision != (head.revision if is_commit else repository.head) or (repository.branch and not is_asked):
        return False
    return is_commit or not head.changes(base.revision)


def _parting(repository: Repository, name: str, commit: str, parents: Sequence[str], *, may_fetch: bool | None) -> str:
    found = repository.merge_base(commit, parents)
    if found is None and may_fetch and repository.is_shallow():
        unshallow(repository)
        found = repository.merge_base(commit, parents)
    if found is None:
        problem = "has no merge base with HEAD"
        if repository.is_shallow():
            raise InputError(name, f"{problem} in this clone", advice="run `git fetch --unshallow`, or use --fetch")
        raise InputError(name, problem, advice="name another base, or compare with the revision itself: --exact")
    return found


def _merge_base(commit: str, name: str) -> str:
    return f"{commit[:10]}, the merge base of HEAD and {name}"


def _tip(repository: Repository, upstream: str, *, may_fetch: bool | None) -> str:
    """Return the commit of the upstream branch, which may have been deleted meanwhile."""
    try:
        return require_commit(repository, upstream, may_fetch=may_fetch)
    except InputError as error:
        gone = f"if {upstream} is gone for good, `git branch --unset-upstream`"
        advice = f"{error.advice}; {gone}" if error.advice else gone
        raise InputError(error.file, error.problem, advice=advice) from None


def _title(name: str, commit: str) -> str:
    return commit[:10] if commit.startswith(name) else f"{name} ({commit[:10]})"
