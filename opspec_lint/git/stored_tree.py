"""The files of a source tree in the object store: of a commit, or of the index.

Paths are relative to a folder of the repository, the prefix. Contents are named by the ids of their blobs, so that a
cache serves each revision in which a file has this content.
"""

from __future__ import annotations

from opspec_lint.git.folders import FILES, FOLDERS, LINKS, parse_entries
from opspec_lint.git.listing import blobs_and_links
from opspec_lint.git.repository import INDEX
from opspec_lint.git.source_tree import Budget, targets_inside
from opspec_lint.kit.errors import InputError, RepositoryError
from opspec_lint.kit.limits import MAX_SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.git.folders import Entries
    from opspec_lint.git.open_repository import OpenRepository


class _StoredTree:
    """A tree whose files are read by their ids, within a budget."""

    def __init__(self, name: str, opened: OpenRepository, revision: str, prefix: str) -> None:
        self.name = name
        self.links: dict[str, str] = {}
        self.folders: dict[str, Entries] = {}
        self._opened = opened
        self._revision = revision
        self._prefix = prefix
        self._budget = Budget(name)

    def _targets(self, links: Mapping[str, str]) -> dict[str, str]:
        """Return the paths inside of the tree that symbolic links, given with their ids, lead to."""
        contents = self._contents({path: identity for path, identity in links.items() if identity})
        # Names of files that are not UTF-8 have the same form as in folders.
        return targets_inside(
            {link: (data or b"").decode("utf-8", "surrogateescape") for link, data in contents.items()}
        )

    def _contents(self, ids: Mapping[str, str]) -> dict[str, bytes | None]:
        """Return the content of files by path, None for one without an id.

        Raises:
            InputError: an object is missing from the repository.
        """
        paths_by_id: dict[str, list[str]] = {}
        for path, blob in ids.items():
            if blob:
                paths_by_id.setdefault(blob, []).append(path)
        contents: dict[str, bytes | None] = dict.fromkeys(ids)
        # By id: many paths have the same content, which is read, and counted, once.
        for blob, identity, data in self._answers(paths_by_id, "blob"):
            if not identity:
                raise self._missing_object_error(paths_by_id[blob][0], blob)
            self._budget.spend(len(data or b""))
            for path in paths_by_id[blob]:
                contents[path] = data
        return contents

    def _answers(self, paths_by_id: Mapping[str, list[str]], kind: str) -> Iterator[tuple[str, str, bytes | None]]:
        """Yield (requested id, id, content) of objects.

        The id of a missing object is "". A missing object, and one of more than `MAX_SOURCE` bytes, has the content
        None. In a partial clone, git exits at the first object that it would have to fetch.
        """
        count = 0
        try:
            for answer in self._opened.objects.read_many(paths_by_id, MAX_SOURCE, kind=kind):
                count += 1
                yield answer
        except InputError:
            missing = next(iter(list(paths_by_id)[count:]), None)  # answers come in the order of requests
            if missing is not None and self._opened.repository.is_partial():
                raise self._missing_object_error(paths_by_id[missing][0], missing) from None
            raise

    def _missing_object_error(self, path: str, identity: str) -> RepositoryError:
        problem = f"the repository lacks the object {identity} ({path})"
        return RepositoryError(self.name, problem, advice=f"run `git fetch --refetch origin {self._revision}`")


class CommitTree(_StoredTree):
    """The tree of a commit. A folder is read when one of its entries is requested.

    Args:
        name: the name that the user gave for it.
        opened: the repository.
        commit: the id of the commit.
        prefix: the path of the tree's root in the repository, with a slash at its end, or "".
    """

    def __init__(self, name: str, opened: OpenRepository, commit: str, prefix: str) -> None:
        super().__init__(name, opened, commit, prefix)
        self.folders = opened.folders
        self._ids: dict[str, str] = {}

    def blobs(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files below some folders, each with the id of its content, and add the symbolic links to `links`.

        Raises:
            InputError: an object is missing from the repository, or a folder has two entries with one name.
        """
        start = len(self._prefix)
        files_below: dict[str, str] = {}
        # Layer by layer: one request to git has all folders of a depth, and not one request per folder.
        layer = [f"{self._prefix}{folder}".rstrip("/") for folder in folders]
        while layer:
            self._open(layer)
            existing = [folder for folder in layer if self._ids[folder]]
            layer = []
            for folder in existing:
                files, links, subfolders = self.folders[self._ids[folder]]
                # The path with a slash at its end: from the top of the repository, and from the root of this tree.
                from_top = f"{folder}/" if folder else ""
                from_root = from_top[start:]
                files_below.update({from_root + name: blob for name, blob in files.items()})
                self.links.update({from_root + name: link for name, link in links.items()})
                layer += (from_top + name for name in subfolders)
        return files_below

    def direct_files(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files that are directly in some folders, each with the id of its content."""
        above = {folder: f"{self._prefix}{folder}".rstrip("/") for folder in folders}
        self._open(above.values())
        return {
            f"{folder}/{name}".lstrip("/"): blob
            for folder, path in above.items()
            if self._ids[path]
            for name, blob in self.folders[self._ids[path]][FILES].items()
        }

    def identify(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the ids of the contents of files and folders, "" for a missing one."""
        return {path: self._entry(path, FILES) or self._entry(path, FOLDERS) for path in self._open_parents(paths)}

    def follow(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the paths inside of the tree that symbolic links lead to, by link; other paths are left out."""
        return self._targets({path: self._entry(path, LINKS) for path in self._open_parents(paths)})

    def read(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """Return the content of files, None for one that is not there or is too large.

        Raises:
            InputError: an object of the revision is missing from the repository.
        """
        return self._contents({path: self._entry(path, FILES) for path in self._open_parents(paths)})

    def read_folders(self) -> dict[str, Entries]:
        """Return the folders that were read, by the ids of their contents."""
        return {identity: self.folders[identity] for identity in self._ids.values() if identity}

    def _open_parents(self, paths: Iterable[str]) -> list[str]:
        """Open the folders of some paths, and return the paths."""
        listed = list(paths)
        self._open({f"{self._prefix}{path}".rpartition("/")[0] for path in listed})
        return listed

    def _entry(self, path: str, kind: int) -> str:
        return self._entry_id(f"{self._prefix}{path}", kind)

    def _entry_id(self, path: str, kind: int) -> str:
        """Return the id of an entry of an open folder, "" if there is none of that kind."""
        folder, _, name = path.rpartition("/")
        identity = self._ids[folder]
        return self.folders[identity][kind].get(name, "") if identity else ""

    def _open(self, folders: Iterable[str]) -> None:
        """Read some folders and their parents, all folders of one depth in one request."""
        by_depth: dict[int, list[str]] = {}
        for folder in self._unknown_folders(folders):
            by_depth.setdefault(folder.count("/") + 1 if folder else 0, []).append(folder)
        for depth in sorted(by_depth):
            for folder in by_depth[depth]:
                self._ids[folder] = self._entry_id(folder, FOLDERS) if folder else self._root()
            self._load(by_depth[depth])

    def _unknown_folders(self, folders: Iterable[str]) -> set[str]:
        """Return the folders and their parents that were not opened, "" for the top."""
        unknown: set[str] = set()
        for folder in folders:
            above = folder
            # The parents of an open folder are open.
            while above not in self._ids and above not in unknown:
                unknown.add(above)
                above = above.rpartition("/")[0]
        return unknown

    def _root(self) -> str:
        """Return the id of the root folder, from the first line of the commit."""
        for _, _, data in self._answers({self._revision: [""]}, "commit"):
            if data is not None:
                return data[len("tree ") :].partition(b"\n")[0].decode()
        raise self._missing_object_error("", self._revision)

    def _load(self, paths: Iterable[str]) -> None:
        """Read the folders that are not cached.

        Raises:
            InputError: a folder is missing from the repository, or has two entries with one name.
        """
        unknown = {self._ids[path]: [path] for path in paths if self._ids[path] and self._ids[path] not in self.folders}
        for identity, _, data in self._answers(unknown, "tree"):
            (path,) = unknown[identity]
            if data is None:
                raise self._missing_object_error(path, identity)
            self.folders[identity] = parse_entries(data, len(identity) // 2, path, self._revision)


class ListedTree(_StoredTree):
    """Files that are listed in advance, and whose folders have no ids.

    Args:
        name: the name that the user gave for it.
        opened: the repository.
        revision: the revision, for messages.
        prefix: the path of the tree's root in the repository, with a slash at its end, or "".
        listed: the ids of the regular files below it, and of the symbolic links, by path from the top.
    """

    def __init__(
        self,
        name: str,
        opened: OpenRepository,
        revision: str,
        prefix: str,
        listed: tuple[dict[str, str], dict[str, str]],
    ) -> None:
        super().__init__(name, opened, revision, prefix)
        start = len(prefix)
        self._ids, self._links = ({path[start:]: identity for path, identity in ids.items()} for ids in listed)

    def blobs(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files below some folders, each with the id of its content, and add the links to `links`."""
        below = tuple(f"{folder}/" if folder else "" for folder in folders)
        self.links |= {path: link for path, link in self._links.items() if path.startswith(below)}
        return {path: blob for path, blob in self._ids.items() if path.startswith(below)}

    def direct_files(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files that are directly in some folders, each with the id of its content."""
        return {path: blob for path, blob in self._ids.items() if path.rpartition("/")[0] in folders}

    def identify(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the ids of the contents of files, "" for a missing file."""
        return {path: self._ids.get(path, "") for path in paths}

    def follow(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the paths inside of the tree that symbolic links lead to, by link; other paths are left out."""
        return self._targets({path: self._links.get(path, "") for path in paths})

    def read(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """Return the content of files, None for one that is not there or is too large.

        Raises:
            InputError: an object is missing from the repository.
        """
        return self._contents(self.identify(paths))

    def read_folders(self) -> dict[str, Entries]:
        """Return nothing: no folder has an id."""
        return {}


def index_tree(name: str, opened: OpenRepository, prefix: str) -> ListedTree:
    """Return the files in the index of a repository.

    Args:
        name: the name that the user gave for it.
        opened: the repository.
        prefix: the path of the tree's root in the repository, with a slash at its end, or "".

    Raises:
        InputError: the index has a merge conflict, or a name twice.
    """
    folders = [prefix[:-1]] if prefix else []
    return ListedTree(name, opened, INDEX, prefix, blobs_and_links(opened.repository, INDEX, folders))
