"""Search for the branch that changes are merged into, if no configuration names it.

The default branch of a remote is the target of its HEAD. If a clone lacks that, it is the branch of the remote with the
name of the default branch of another remote, or `main`, or `master`.
"""

from __future__ import annotations

from opspec_lint.git.fetching import fetch_tip
from opspec_lint.git.remote_branches import REMOTE, sort_remotes
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.git.repository import Repository

_NAMES = ("main", "master")
_LOCAL = "refs/heads/"


class Branch(Record):
    """A branch: its remote, "" for a local branch, its name for people, and the commit at its tip."""

    remote: str
    name: str
    commit: str


def default_branches(repository: Repository) -> Iterator[Branch]:
    """Yield the branches that changes may be merged into: branches of remotes, the likeliest first, then a local one.

    The local branch is `main` or `master`, or the only branch of a repository without remotes, unless it is checked
    out: its own commits would have no base. If it is uncertain, it is left out.

    Raises:
        InputError: git cannot list the branches.
    """
    tips, targets = _branches(repository)
    remotes = sort_remotes({ref.split("/")[2] for ref in tips if ref.startswith(REMOTE)})
    head_by_remote = {remote: f"{REMOTE}{remote}/HEAD" for remote in remotes}
    # A clone by `git remote add` has no HEAD for a remote: forks usually have a default branch of the same name.
    # A target is `refs/remotes/REMOTE/BRANCH`.
    default_names = [targets[head].split("/", 3)[3] for head in head_by_remote.values() if head in targets]
    for remote, head in head_by_remote.items():
        candidates = (head, *_remote_refs(remote, (*default_names, *_NAMES)))
        ref = next((candidate for candidate in candidates if candidate in tips), None)
        if ref is not None:
            yield Branch(remote=remote, name=targets.get(ref, ref).removeprefix(REMOTE), commit=tips[ref])
    local_ref = _local_default(tips, repository)
    if local_ref is not None:
        yield Branch(remote="", name=local_ref.removeprefix(_LOCAL), commit=tips[local_ref])


def _local_default(tips: Mapping[str, str], repository: Repository) -> str | None:
    """Return the full name of the local branch that changes may be merged into, None if it is uncertain."""
    usual = next((_LOCAL + name for name in _NAMES if _LOCAL + name in tips), None)
    if usual is not None:
        return usual
    local = [ref for ref in tips if ref.startswith(_LOCAL)]
    is_single = len(local) == 1 and local[0] != repository.branch and not repository.remotes()
    return local[0] if is_single else None


def own_branch(repository: Repository) -> Branch | None:
    """Return the branch that is checked out if the repository has no other one and no remote: all changes go to it.

    Raises:
        InputError: git cannot list the branches.
    """
    tips, _ = _branches(repository)
    if [*tips] != [repository.branch] or repository.remotes():
        return None
    return Branch(remote="", name=repository.branch.removeprefix(_LOCAL), commit=tips[repository.branch])


def fetch_default_branch(repository: Repository) -> Branch | None:
    """Return the default branch of the first remote after fetching it; None if there is no remote.

    Raises:
        InputError: the branch cannot be fetched.
    """
    remotes = sort_remotes(repository.remotes())
    if not remotes:
        return None
    return Branch(
        remote=remotes[0], name=f"the default branch of {remotes[0]}", commit=fetch_tip(repository, remotes[0])
    )


def _branches(repository: Repository) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the commit of each branch, by its full name, and the branch that the HEAD of each remote names."""
    form = "--format=%(objectname) %(refname) %(symref)"
    listed = repository.output("for-each-ref", form, _LOCAL, f"{REMOTE}*/*").decode("utf-8", "surrogateescape")
    entries = [line.split(" ") for line in listed.splitlines()]
    return {ref: tip for tip, ref, _ in entries}, {ref: target for _, ref, target in entries if target}


def _remote_refs(remote: str, names: Iterable[str]) -> list[str]:
    return [f"{REMOTE}{remote}/{name}" for name in names]
