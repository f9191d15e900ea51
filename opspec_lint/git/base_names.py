"""Names of base: what a revision names when it is a base, and the merge bases of `A...B`.

A branch comes before a tag of the same name, which git would take: everybody who may push a tag could otherwise replace
the base of every check. A branch that only a remote has is found by its name alone, as in a clone that never checked it
out.
"""

from __future__ import annotations

from opspec_lint.git.fetching import require_commit, unshallow
from opspec_lint.git.remote_branches import REMOTE, first_remote
from opspec_lint.git.repository import COMMIT_ID
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.git.repository import Repository

RANGE = "..."
"""The separator of the two revisions whose merge base is meant."""
_HEAD = "HEAD"
_NAME = pattern(r"(?P<name>[^\s~^:@{}?*\[\\-][^\s~^:{}?*\[\\]*)(?P<steps>(?:[~^]\d*)*)")
_LOCAL = "refs/heads/"


class NamedCommit(Record):
    """A commit and its name for people, which has the remote of a branch even if the user left it out."""

    name: str
    commit: str


def base_commit(repository: Repository, revision: str, *, may_fetch: bool | None = None) -> NamedCommit:
    """Return the commit of a revision that is a base: a branch, before a tag of the same name, or any other revision.

    Args:
        repository: the repository.
        revision: any revision; a branch may lack the name of its remote.
        may_fetch: whether to fetch a missing commit; None if the command has no option for it.

    Raises:
        UsageError: a local branch and a branch of a remote have the same name.
        InputError: there is no such commit.
    """
    branch = branch_commit(repository, revision, may_fetch=may_fetch)
    if branch is not None:
        return branch
    return NamedCommit(name=revision, commit=require_commit(repository, revision, may_fetch=may_fetch))


def branch_commit(repository: Repository, revision: str, *, may_fetch: bool | None = None) -> NamedCommit | None:
    """Return the commit of a branch, or of an ancestor of one such as `main~2`; None if a revision names no branch.

    Raises:
        UsageError: as `base_commit`.
        InputError: the branch has no such ancestor here.
    """
    match = _NAME.fullmatch(revision)
    if match is None or match["name"] == _HEAD or COMMIT_ID.fullmatch(match["name"]):
        return None
    ref = _branch(repository, match["name"])
    if not ref:
        return None
    commit = require_commit(repository, f"{ref}{match['steps']}", may_fetch=may_fetch)
    return NamedCommit(name=f"{ref.removeprefix(_LOCAL).removeprefix(REMOTE)}{match['steps']}", commit=commit)


def merge_bases(
    repository: Repository, target: NamedCommit, heads: Sequence[str], *, may_fetch: bool | None = None
) -> list[str]:
    """Return all best common ancestors of a commit and of a merge of `heads`; the history is fetched if `may_fetch`.

    Raises:
        InputError: there is none, or a shallow clone may lack it.
    """
    bases = repository.merge_bases(target.commit, heads)
    if not bases and may_fetch and repository.is_shallow():
        # A shallow clone may have both commits and not their common ancestor; only then is the whole history worth
        # fetching.
        unshallow(repository)
        bases = repository.merge_bases(target.commit, heads)
    if not bases:
        problem = "has no merge base with HEAD"
        if repository.is_shallow():
            advice = "run `git fetch --unshallow`, or use --fetch"
            raise InputError(target.name, f"{problem} in this clone", advice=advice)
        raise InputError(target.name, problem, advice="name another base, or compare with the revision itself: --exact")
    return bases


def ends_of_range(revision: str) -> tuple[str, str] | None:
    """Return A and B of `A...B`, "" for one that is left out; None if a revision is no such range."""
    first, dots, second = revision.partition(RANGE)
    return (first, second) if dots and (first or second) else None


def merge_base_of_range(repository: Repository, revision: str, *, may_fetch: bool | None = None) -> str | None:
    """Return the merge base of `A...B`, as `git checkout` reads it; None if a revision is no such range.

    An end that is left out is HEAD, or during a merge the commit that it will make.

    Raises:
        UsageError: there are several merge bases.
        InputError: a revision is missing, or there is no merge base.
    """
    ends = ends_of_range(revision)
    if ends is None:
        return None
    target, *second = (base_commit(repository, end, may_fetch=may_fetch) for end in ends if end)
    heads = [named.commit for named in second] or repository.heads()
    bases = merge_bases(repository, target, heads, may_fetch=may_fetch)
    if len(bases) > 1:
        raise UsageError(
            f"{revision}: there are {len(bases)} merge bases: {', '.join(commit[:10] for commit in bases)}",
            advice="name one of them, or check the source alone, which compares with each: "
            f"`opspec-lint check SOURCE --base {target.name}`",
        )
    return bases[0]


def _branch(repository: Repository, name: str) -> str:
    """Return the full name of a branch, "" if there is none.

    Raises:
        UsageError: a local branch and one of a remote have the name.
    """
    own = [f"{_LOCAL}{name}", f"{REMOTE}{name}"]
    tips = repository.tips(*own, f"{REMOTE}*/{name}")
    named = [ref for ref in own if ref in tips]
    if len({tips[ref] for ref in named}) > 1:
        raise UsageError(f"{name!r} is a local branch and one of a remote", advice=f"write {' or '.join(named)}")
    others = {ref: tip for ref, tip in tips.items() if ref not in own}
    return next(iter(named), "") or first_remote(others, name)
