"""Branches that only a remote has, as in a clone that never checked them out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.git.repository import Repository

REMOTE = "refs/remotes/"
USUAL_REMOTES = ("upstream", "origin")
"""Names that remotes usually have, in the order in which these are searched."""


def sort_remotes(remotes: Iterable[str]) -> list[str]:
    """Return remotes in the order in which they are searched.

    A remote `upstream` comes first: the tools for forks give this name to the original repository.
    """
    rest = set(remotes)
    return [*(remote for remote in USUAL_REMOTES if remote in rest), *sorted(rest.difference(USUAL_REMOTES))]


def branch_of_remote(repository: Repository, name: str) -> str:
    """Return the full name of the branch of the first remote that has one of this name, "" if none has.

    Raises:
        InputError: git cannot list the branches.
    """
    return first_remote(repository.tips(f"{REMOTE}*/{name}"), name)


def first_remote(tips: Mapping[str, str], name: str) -> str:
    """Return the branch of this name whose remote is searched first, "" if there is none among the tips."""
    # refs/remotes/REMOTE/NAME: the middle part is the remote, which may itself contain slashes.
    refs = {
        ref[len(REMOTE) : -len(name) - 1]: ref for ref in tips if ref.startswith(REMOTE) and ref.endswith(f"/{name}")
    }
    return next((refs[remote] for remote in sort_remotes(refs)), "")
