"""A source tree that moves from one revision to the next, so that only the first revision is listed."""

from __future__ import annotations

from opspec_lint.git.listing import blobs_and_links
from opspec_lint.git.source_tree import Budget
from opspec_lint.git.stored_tree import ListedTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.git.first_parents import PathChange
    from opspec_lint.git.open_repository import OpenRepository

_LINK, _FILE = "120000", "100"
_MOST = 64 << 20
"""Bytes of contents that are cached: successive revisions read mostly the same files."""


class AccessLog:
    """The accesses to a tree: their results are the same as long as no accessed path changes.

    `folders` were listed with all folders below, `listed` are those whose own files were listed.

    Args:
        suffixes: the endings of the files that a listing of a folder is read for; none for all files.
    """

    def __init__(self, suffixes: tuple[str, ...] = ()) -> None:
        self._suffixes = suffixes or ("",)
        self.paths: set[str] = set()
        self.folders: set[str] = set()
        self.listed: set[str] = set()

    def concerns(self, changes: Iterable[PathChange]) -> bool:
        """Return whether changes may change the result of an access."""
        below = tuple(self.folders)
        return any(
            change.path in self.paths
            or change.path.rpartition("/")[0] in self.listed
            or (change.path.startswith(below) and self._is_listed(change))
            for change in changes
        )

    def _is_listed(self, change: PathChange) -> bool:
        """Return whether a listing may be read for a path: a link of any name may lead to a file, or have done so."""
        return change.path.endswith(self._suffixes) or not (change.blob and change.mode.startswith(_FILE))


class MovingTree(ListedTree):
    """A tree of a repository that moves from commit to commit.

    `accessed` records the accesses, by paths from the top of the repository; replace it to start a new record.

    Args:
        name: the name that the user gave for it.
        opened: the repository.
        commit: the id of the first commit, None for an empty tree.
        prefix: the path of the tree's root in the repository, with a slash at its end, or "".
    """

    def __init__(self, name: str, opened: OpenRepository, commit: str | None, prefix: str) -> None:
        folders = [prefix[:-1]] if prefix else []
        listed = ({}, {}) if commit is None else blobs_and_links(opened.repository, commit, folders)
        super().__init__(name, opened, commit or "", prefix, listed)
        self.accessed = AccessLog()
        self._cache: dict[str, bytes] = {}
        self._size = 0

    def blobs(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files below some folders, each with the id of its content."""
        self.accessed.folders.update(f"{self._prefix}{folder}/" if folder else self._prefix for folder in folders)
        return super().blobs(folders)

    def direct_files(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files that are directly in some folders, each with the id of its content."""
        self.accessed.listed.update(f"{self._prefix}{folder}".rstrip("/") for folder in folders)
        return super().direct_files(folders)

    def identify(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the ids of the contents of files, "" for a missing file."""
        listed = list(paths)
        self.accessed.paths.update(f"{self._prefix}{path}" for path in listed)
        return super().identify(listed)

    def _contents(self, ids: Mapping[str, str]) -> dict[str, bytes | None]:
        """Return the content of files by path, None for one without an id, and cache it."""
        # pop and insert again: dictionaries keep their order, so the first entry is the least recently read one.
        unknown = {path: blob for path, blob in ids.items() if blob not in self._cache}
        contents = super()._contents(unknown)
        for path, blob in ids.items():
            if blob in self._cache:
                contents[path] = self._cache[blob] = self._cache.pop(blob)
            elif (data := contents[path]) is not None:
                self._cache[blob] = data
                self._size += len(data)
        self._trim_cache()
        return contents

    def _trim_cache(self) -> None:
        """Drop the least recently read contents, until the limit holds."""
        while self._size > _MOST:
            self._size -= len(self._cache.pop(next(iter(self._cache))))

    def move(self, commit: str, changes: Iterable[PathChange]) -> None:
        """Move to the next commit.

        Args:
            commit: its id.
            changes: the changes that it makes.
        """
        self._revision = commit
        # Each revision has a budget of its own, since the limit is for the size of one source tree.
        self._budget = Budget(self.name)
        self.links = {}
        start = len(self._prefix)
        for change in changes:
            if change.path.startswith(self._prefix):
                path = change.path[start:]
                self._ids.pop(path, None)
                self._links.pop(path, None)
                if change.blob and change.mode.startswith(_FILE):
                    self._ids[path] = change.blob
                elif change.blob and change.mode == _LINK:
                    self._links[path] = change.blob
