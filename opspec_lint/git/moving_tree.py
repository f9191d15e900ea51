"""A source tree that goes from one revision to the next, so that no revision is listed but the first."""

from __future__ import annotations

from opspec_lint.git.listing import blobs_and_links
from opspec_lint.git.source_tree import Budget
from opspec_lint.git.stored_tree import ListedTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.git.first_parents import Change
    from opspec_lint.git.repositories import OpenRepository

_LINK = "120000"


class MovingTree(ListedTree):
    """A tree of a repository that stands at one commit after the other.

    Args:
        name: what the user called it.
        opened: the repository.
        commit: the id of the commit that it stands at first, None for no files at all.
        prefix: the path of the tree's root in the repository, with a slash at its end, or "".
    """

    def __init__(self, name: str, opened: OpenRepository, commit: str | None, prefix: str) -> None:
        folders = [prefix[:-1]] if prefix else []
        listed = ({}, {}) if commit is None else blobs_and_links(opened.repository, commit, folders)
        super().__init__(name, opened, commit or "", prefix, listed)

    def move(self, commit: str, changes: Iterable[Change]) -> None:
        """Stand at the next commit.

        Args:
            commit: its id.
            changes: what is different there.
        """
        self._revision = commit
        self._budget = Budget(self.name)
        self.links = {}
        start = len(self._prefix)
        for each in changes:
            if each.path.startswith(self._prefix):
                path = each.path[start:]
                self._ids.pop(path, None)
                self._links.pop(path, None)
                if each.blob and each.mode.startswith("100"):
                    self._ids[path] = each.blob
                elif each.blob and each.mode == _LINK:
                    self._links[path] = each.blob
