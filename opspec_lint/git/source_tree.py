"""The files of a source tree: at a revision, in the index of a repository, or in a folder."""

from __future__ import annotations

import os
import stat

from opspec_lint.git.listing import blobs, blobs_and_links, content_id
from opspec_lint.git.objects import Objects
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.limits import MAX_SOURCE, MAX_SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Protocol

    from opspec_lint.git.repository import Repository

    class SourceTree(Protocol):
        """Where files come from. Paths are relative to the root of the tree, with slashes.

        `links` are the symbolic links that `blobs` came by, each with what tells it from others; none is followed.
        """

        name: str
        links: dict[str, str]

        def blobs(self, folders: tuple[str, ...]) -> dict[str, str]:
            """Return the files below some folders, each with the id of its content."""

        def read(self, paths: Iterable[str]) -> dict[str, bytes | None]:
            """Return the content of files, None for one that is not there or is too large."""

        def identify(self, paths: Iterable[str]) -> dict[str, str]:
            """Return the ids of the contents of files, "" for one that is not there."""

        def close(self) -> None:
            """Close what was opened."""


_MANY = 20
"""Files for whose ids the tree is listed, as reading each of them takes longer."""


class Budget:
    """Counts what was read of one tree."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = MAX_SOURCES

    def spend(self, size: int) -> None:
        """Count some bytes.

        Raises:
            InputError: they are too many.
        """
        self._left -= size
        if self._left < 0:
            problem = (
                f"needs more than {MAX_SOURCES >> 20} MiB of sources to be read, many times the size of any framework"
            )
            raise InputError(self._name, problem, advice="is this the source tree of the framework?")


class RevisionTree:
    """A tree of a repository: of a commit, or the index.

    Args:
        name: what the user called it.
        repository: where it is.
        revision: the id of a commit, or `git.INDEX`.
        prefix: the path of the tree's root in the repository, with a slash at its end, or "".
    """

    def __init__(self, name: str, repository: Repository, revision: str, prefix: str) -> None:
        self.name = name
        self._repository = repository
        self._revision = revision
        self._prefix = prefix
        self.links: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self._is_listed = False
        self._objects = Objects(repository)
        self._budget = Budget(name)

    def blobs(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files below some folders, each with the id of its content."""
        found, links = self._list()
        below = tuple(f"{folder}/" for folder in folders)
        self.links |= {path: link for path, link in links.items() if path.startswith(below)}
        return {path: blob for path, blob in found.items() if path.startswith(below)}

    def _list(self) -> tuple[dict[str, str], dict[str, str]]:
        """List the files and links of the whole tree: whoever asks for some folders asks for many files after that."""
        start = len(self._prefix)
        listed = blobs_and_links(self._repository, self._revision, [self._prefix[:-1]] if start else [])
        found, links = ({path[start:]: blob for path, blob in each.items()} for each in listed)
        self._ids |= found
        self._is_listed = True
        return found, links

    def read(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """Return the content of files, None for one that is not there or is too large.

        Raises:
            InputError: an object of the revision is missing from the repository.
        """
        wanted: dict[str, list[str]] = {}
        found: dict[str, bytes | None] = {}
        for path in paths:
            if self._is_listed and not self._ids.get(path):
                found[path] = None
            elif "\n" not in path:
                wanted.setdefault(self._name(path), []).append(path)
        for name, blob, data in self._answers(wanted, found):
            self._budget.spend(len(data or b""))
            for path in wanted[name]:
                if not blob and self._ids.get(path):
                    raise self._missing(path)
                self._ids.setdefault(path, blob)
                found[path] = data
        if not self._is_listed:
            self._check_there([path for path in found if not self._ids[path]])
        return found

    def _answers(
        self, wanted: dict[str, list[str]], found: dict[str, bytes | None]
    ) -> Iterator[tuple[str, str, bytes | None]]:
        """Yield what git answers; in a partial clone it dies of the first object that it would have to fetch."""
        try:
            yield from self._objects.read_many(wanted, MAX_SOURCE)
        except InputError:
            waiting = [path for paths in wanted.values() for path in paths if path not in found]
            if waiting and self._repository.is_partial():
                raise self._missing(waiting[0]) from None
            raise

    def _check_there(self, paths: list[str]) -> None:
        """Tell files that the revision does not have from those whose objects the repository lacks."""
        if not paths:
            return
        folders = sorted({f"{self._prefix}{path}".rpartition("/")[0] for path in paths})
        there = blobs(self._repository, self._revision, folders, deep=False)
        for path in paths:
            self._ids[path] = there.get(f"{self._prefix}{path}", "")
            if self._ids[path]:
                raise self._missing(path)

    def identify(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the ids of the contents of files, "" for one that is not there."""
        paths = list(paths)
        unknown = [] if self._is_listed else [path for path in paths if path not in self._ids]
        if len(unknown) > _MANY:
            self._list()
        else:
            self.read(unknown)
        return {path: self._ids.get(path, "") for path in paths}

    def close(self) -> None:
        """End the process that reads."""
        self._objects.close()

    def _name(self, path: str) -> str:
        return self._ids.get(path) or f"{self._revision}:{self._prefix}{path}"

    def _missing(self, path: str) -> InputError:
        problem = f"the repository lacks the object {self._ids.get(path) or self._name(path)} ({path})"
        return InputError(self.name, problem, advice=f"run `git fetch --refetch origin {self._revision}`")


class FolderTree:
    """A tree in a folder. Nothing outside of the folder is read: symbolic links are not followed.

    Args:
        name: what the user called it.
        root: the folder.
        suffixes: how the files end that `blobs` lists.
        left_out: returns the files that a sparse checkout leaves out; it is called where a file is not there.
    """

    def __init__(
        self,
        name: str,
        root: str,
        suffixes: tuple[str, ...],
        left_out: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        self.name = name
        self._list_left_out = left_out
        self._left_out: Collection[str] | None = None
        self.links: dict[str, str] = {}
        self._suffixes = suffixes
        self._root = os.path.realpath(root)
        self._data: dict[str, bytes | None] = {}
        self._too_large: dict[str, str] = {}
        self._plain: dict[str, bool] = {}
        self._budget = Budget(name)

    def blobs(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files below some folders, each with the id of its content.

        Raises:
            InputError: a sparse checkout leaves some of them out.
        """
        below = tuple(f"{folder}/" for folder in folders)
        self._refuse_left_out(
            path for path in self._sparse() if path.startswith(below) and path.endswith(self._suffixes)
        )
        paths: list[str] = []
        for folder in folders:
            for where, folders_inside, files in os.walk(os.path.join(self._root, folder)):
                inside = os.path.relpath(where, self._root).replace(os.sep, "/")
                for each in (*folders_inside, *files):
                    if os.path.islink(os.path.join(where, each)):
                        self.links[f"{inside}/{each}"] = os.readlink(os.path.join(where, each))
                paths += (f"{inside}/{file}" for file in files if file.endswith(self._suffixes))
        found = {path: blob for path, blob in self.identify(sorted(paths)).items() if blob}
        return found | self._too_large

    def read(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """Return the content of files, None for one that is not there, is no plain file, or is too large.

        Raises:
            InputError: a sparse checkout leaves one of them out.
        """
        found: dict[str, bytes | None] = {}
        for path in paths:
            if path not in self._data:
                self._data[path] = self._content(path)
                self._budget.spend(len(self._data[path] or b""))
                if self._data[path] is None and path in self._sparse():
                    self._refuse_left_out([path])
            found[path] = self._data[path]
        return found

    def identify(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the ids of the contents of files, as git would call them; "" for one that is not there."""
        found = self.read(paths).items()
        return {path: "" if data is None else content_id([data], len(data)) for path, data in found}

    def close(self) -> None:
        """Nothing is open."""

    def _sparse(self) -> Collection[str]:
        """Return the files that a sparse checkout leaves out."""
        if self._left_out is None:
            every = self._list_left_out()
            self._left_out = {path for path in every if not os.path.lexists(os.path.join(self._root, path))}
        return self._left_out

    def _refuse_left_out(self, paths: Iterable[str]) -> None:
        """Refuse to read a tree without some of its files: whatever they declare would count as removed."""
        first = min(paths, default=None)
        if first is not None:
            advice = f"check out the whole tree, `git sparse-checkout disable`, or name a revision: {self.name}@HEAD"
            raise InputError(self.name, f"the sparse checkout leaves out {first}", advice=advice)

    def _content(self, path: str) -> bytes | None:
        full = os.path.normpath(os.path.join(self._root, path))
        try:
            if not self._is_plain(os.path.dirname(full)):
                return None
            about = os.lstat(full)
            if not stat.S_ISREG(about.st_mode):
                return None
            if about.st_size > MAX_SOURCE:
                self._too_large[path] = f"{about.st_size} bytes"
                return None
            with open(full, "rb") as stream:
                return stream.read(MAX_SOURCE)
        except (OSError, ValueError):
            return None

    def _is_plain(self, folder: str) -> bool:
        """Tell whether no part of the path of a folder is a symbolic link."""
        if folder not in self._plain:
            self._plain[folder] = os.path.realpath(folder) == folder
        return self._plain[folder]
