"""The files of a source tree in a folder on the disk."""

from __future__ import annotations

import os
import stat

from opspec_lint.git.listing import content_id
from opspec_lint.git.source_tree import Budget, targets_inside
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.limits import MAX_SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from opspec_lint.git.folders import Entries


class LeftOutError(InputError):
    """A sparse checkout leaves out a file of a tree."""


class FolderTree:
    """A tree in a folder. Nothing outside of the folder is read: symbolic links are not followed.

    Args:
        name: the name that the user gave for it.
        root: the folder.
        suffixes: the endings of the files that `blobs` lists.
        left_out: returns the files that a sparse checkout leaves out; it is called if a file is missing.
        unsaved: contents in place of the files on the disk, by real path.
    """

    def __init__(
        self,
        name: str,
        root: str,
        suffixes: tuple[str, ...],
        left_out: Callable[[], Collection[str]] = frozenset,
        unsaved: Mapping[str, bytes] | None = None,
    ) -> None:
        self.name = name
        self._list_left_out = left_out
        self._left_out: Collection[str] | None = None
        self.links: dict[str, str] = {}
        self.folders: dict[str, Entries] = {}
        self._suffixes = suffixes
        self._root = os.path.realpath(root)
        self._unsaved = unsaved or {}
        self._data: dict[str, bytes | None] = {}
        self._too_large: dict[str, str] = {}
        self._plain: dict[str, bool] = {}
        self._budget = Budget(name)

    def blobs(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files below some folders, each with the id of its content.

        Raises:
            InputError: a sparse checkout leaves out some files.
        """
        below = tuple(f"{folder}/" if folder else "" for folder in folders)
        self._refuse_left_out(
            path for path in self._sparse_paths() if path.startswith(below) and path.endswith(self._suffixes)
        )
        paths: list[str] = []
        for folder in folders:
            for current, subfolders, files in os.walk(os.path.join(self._root, folder)):
                relative = os.path.relpath(current, self._root).replace(os.sep, "/")
                prefix = "" if relative == "." else f"{relative}/"
                # Only at the root: a folder `.git` further below is refused elsewhere, as it is a repository inside
                # this one.
                if not prefix and ".git" in subfolders:
                    subfolders.remove(".git")
                for name in (*subfolders, *files):
                    if os.path.islink(os.path.join(current, name)):
                        self.links[prefix + name] = os.readlink(os.path.join(current, name))
                paths += (prefix + file for file in files if file.endswith(self._suffixes))
        ids = {path: blob for path, blob in self.identify(sorted(paths)).items() if blob}
        return ids | self._too_large

    def direct_files(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files that are directly in some folders, each with the id of its content.

        Raises:
            InputError: a sparse checkout leaves out some files.
        """
        self._refuse_left_out(path for path in self._sparse_paths() if path.rpartition("/")[0] in folders)
        paths: list[str] = []
        for folder in folders:
            inside = os.path.join(self._root, folder)
            names = os.listdir(inside) if os.path.isdir(inside) else []
            paths += (f"{folder}/{name}".lstrip("/") for name in names)
        return {path: blob for path, blob in self.identify(sorted(paths)).items() if blob}

    def follow(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the paths inside of the tree that symbolic links lead to, by link; other paths are left out."""
        full = {path: os.path.join(self._root, path) for path in paths}
        return targets_inside({path: os.readlink(link) for path, link in full.items() if os.path.islink(link)})

    def read(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """Return the content of files, None for one that is missing, is no plain file, or is too large.

        Raises:
            InputError: a sparse checkout leaves out a file.
        """
        contents: dict[str, bytes | None] = {}
        for path in paths:
            if path not in self._data:
                self._data[path] = self._read_file(path)
                self._budget.spend(len(self._data[path] or b""))
                if self._data[path] is None and path in self._sparse_paths():
                    self._refuse_left_out([path])
            contents[path] = self._data[path]
        return contents

    def identify(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the ids of the contents of files, as git computes them; "" for a missing file."""
        contents = self.read(paths).items()
        return {path: "" if data is None else content_id([data], len(data)) for path, data in contents}

    def read_folders(self) -> dict[str, Entries]:
        """Return nothing: no folder has an id."""
        return {}

    def _sparse_paths(self) -> Collection[str]:
        """Return the files that a sparse checkout leaves out."""
        if self._left_out is None:
            # Only files that are really absent: `--skip-worktree` also marks files that a user keeps out of commits.
            every = self._list_left_out()
            self._left_out = {path for path in every if not os.path.lexists(os.path.join(self._root, path))}
        return self._left_out

    def _refuse_left_out(self, paths: Iterable[str]) -> None:
        """Raise an error if a path is left out: its declarations would count as removed."""
        first = min(paths, default=None)
        if first is not None:
            advice = f"check out the whole tree, `git sparse-checkout disable`, or name a revision: {self.name}@HEAD"
            raise LeftOutError(self.name, f"the sparse checkout leaves out {first}", advice=advice)

    def _read_file(self, path: str) -> bytes | None:
        """Return the content of a regular file, the unsaved one of an editor first; None for anything else.

        A file in a folder that is a link counts as absent, and so does one that is too large, whose size is noted.
        """
        full = os.path.normpath(os.path.join(self._root, path))
        try:
            if not self._is_plain(os.path.dirname(full)):
                return None
            status = os.lstat(full)
            if not stat.S_ISREG(status.st_mode):
                return None
            if full in self._unsaved:
                return self._unsaved[full]
            if status.st_size > MAX_SOURCE:
                self._too_large[path] = f"{status.st_size} bytes"
                return None
            with open(full, "rb") as stream:
                return stream.read(MAX_SOURCE)
        except (OSError, ValueError):
            return None

    def _is_plain(self, folder: str) -> bool:
        """Return whether no part of the path of a folder is a symbolic link."""
        if folder not in self._plain:
            self._plain[folder] = os.path.realpath(folder) == folder
        return self._plain[folder]
