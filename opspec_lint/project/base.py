"""Selection of the commit that head is compared with, usually the merge base with the target branch."""

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
    """The base of a check: a commit or the empty tree, with a title for the report.

    `tip` is the present tip of the branch of base, whose settings are in force, since those of an old commit may be
    outdated. `others` are the further merge bases after criss-cross merges: models were saved with each of them.
    """

    revision: str
    tip: str
    title: str
    others: tuple[str, ...] = ()


def head_snapshot(opened: OpenRepository, head: str, reading: Reading) -> Snapshot:
    """Return the files of the index, the work tree or a revision.

    Raises InputError if there is no such revision, or a folder of it has two entries with one name.
    """
    if head not in (INDEX, WORK_TREE):
        head = require_commit(opened.repository, head, may_fetch=reading.may_fetch)
        refuse_repeated_names(opened.repository, head)
    return Snapshot(opened.repository, opened.objects, head, unsaved=reading.unsaved)


def find_base(head: Snapshot, revision: str | None, *, is_exact: bool = False, may_fetch: bool | None = None) -> Base:
    """Return the base for head: its merge base with the branch that it will be merged into.

    All commands, the hook, the action and the editor use this function. The index and the work tree count as the commit
    that they would become, which has two parents during a merge. `revision` is None for the default branch; `is_exact`
    compares with `revision` itself. Raises UsageError if no revision is named and no default branch is known,
    InputError if the revision is missing or has no commit in common with head.
    """
    repository = head.repository
    # The index and the work tree become a commit with these parents, so they have their merge bases.
    parents = repository.heads() if head.revision in (INDEX, WORK_TREE) else [head.revision]
    target = _target_commit(repository, revision, may_fetch=may_fetch)
    if target is None:
        return _base_without_branch(head, parents, may_fetch=may_fetch)
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


def is_idle(base: Snapshot, head: Snapshot, *, is_ci: bool, is_of_tree: bool = False) -> bool:
    """Return whether a commit is compared with itself, as in a CI job that names no base.

    In a CI job (`is_ci`), index and work tree count as the commit that the job was started for, whatever the job has
    written there. Otherwise only a detached checkout counts, as CI systems make it: on the base branch itself there is
    nothing to compare until something changes. `is_of_tree`: source trees were compared, to which any file may belong.
    """
    repository = head.repository
    is_commit = head.revision not in (INDEX, WORK_TREE)
    if base.revision != (head.revision if is_commit else repository.head) or (repository.branch and not is_ci):
        return False
    if is_commit or (is_ci and not is_of_tree):
        return True
    return not any(change.old is not None or not is_ci for change in head.changes(base.revision))


def _target_commit(repository: Repository, revision: str | None, *, may_fetch: bool | None) -> NamedCommit | None:
    """Return the commit of a revision, or of the default branch; None if there is no known default branch."""
    if revision is not None:
        return base_commit(repository, revision, may_fetch=may_fetch)
    branch = next(default_branches(repository), None)
    if branch is None and may_fetch:
        branch = fetch_default_branch(repository)
    return None if branch is None else NamedCommit(name=branch.name, commit=branch.commit)


def _base_without_branch(head: Snapshot, parents: Sequence[str], *, may_fetch: bool | None) -> Base:
    """Return the base if no default branch is known: the empty tree before the first commit, HEAD if it is detached.

    Raises UsageError on a branch: it cannot be its own base, as breaks that it already contains would not be found.
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
