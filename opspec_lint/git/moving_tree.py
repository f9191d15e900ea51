"""A source tree that goes from one revision to the next, so that no revision is listed but the first."""

from __future__ import annotations

from opspec_lint.git.listing import blobs_and_links
from opspec_lint.git.source_tree import Budget
from opspec_lint.git.stored_tree import ListedTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.git.first_parents import PathChange
    from opspec_lint.git.open_repository import OpenRepository

_LINK = "120000"
_MOST = 64 << 20
"""Bytes of contents that are kept: revisions in a row read much the same files."""


class Asked:
    """What was asked of a tree: its answers are the same as long as no path among it changes."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.folders: set[str] = set()

    def concerns(self, changes: Iterable[PathChange]) -> bool:
        """Tell whether changes may change an answer."""
        below = tuple(self.folders)
        return any(each.path in self.paths or each.path.startswith(below) for each in changes)


class MovingTree(ListedTree):
    """A tree of a repository that stands at one commit after the other.

    `asked` gathers what is asked of it, by paths from the top of the repository; replace it to begin again.

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
        self.asked = Asked()
        self._kept: dict[str, bytes] = {}
        self._size = 0

    def blobs(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files below some folders, each with the id of its content."""
        self.asked.folders.update(f"{self._prefix}{folder}/" for folder in folders)
        return super().blobs(folders)

    def identify(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the ids of the contents of files, "" for one that is not there."""
        listed = list(paths)
        self.asked.paths.update(f"{self._prefix}{path}" for path in listed)
        return super().identify(listed)

    def _contents(self, ids: Mapping[str, str]) -> dict[str, bytes | None]:
        """Return the content of files by path, None for one without an id; those read last are kept."""
        unknown = {path: blob for path, blob in ids.items() if blob not in self._kept}
        found = super()._contents(unknown)
        for path, blob in ids.items():
            if blob in self._kept:
                found[path] = self._kept[blob] = self._kept.pop(blob)
            elif (data := found[path]) is not None:
                self._kept[blob] = data
                self._size += len(data)
        self._forget()
        return found

    def _forget(self) -> None:
        """Forget what was not read for longest, until the limit holds."""
        while self._size > _MOST:
            self._size -= len(self._kept.pop(next(iter(self._kept))))

    def move(self, commit: str, changes: Iterable[PathChange]) -> None:
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
