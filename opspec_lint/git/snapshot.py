"""All files of a repository at a revision, in the index, or in the work tree."""

from __future__ import annotations

from opspec_lint.git.repository import WORK_TREE
from opspec_lint.git.work_tree import WorkTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from opspec_lint.git.objects import Objects
    from opspec_lint.git.repository import ChangedFile, Repository


class Snapshot:
    """The files of a repository at a revision, in the index, or in the work tree.

    Args:
        repository: the repository.
        objects: its objects, shared by all trees.
        revision: the id of a commit or tree, `git.INDEX` or `git.WORK_TREE`.
        include: the folders, from the top, in which included files are searched.
        unsaved: contents in place of files of the work tree, by real path.
    """

    def __init__(
        self,
        repository: Repository,
        objects: Objects,
        revision: str,
        include: tuple[str, ...] = (),
        unsaved: Mapping[str, bytes] | None = None,
    ) -> None:
        self.repository = repository
        self.revision = revision
        self.include = include
        self._objects = objects
        self._unsaved = unsaved
        self._work_tree = WorkTree(repository, objects, unsaved) if revision == WORK_TREE else None

    def read(self, path: str) -> bytes | None:
        """Return a file, None if there is no regular file of that name.

        Args:
            path: the path from the top of the repository.

        Raises:
            InputError: the file cannot be read, or is outside of the repository.
        """
        return self._objects.read(self.revision, path) if self._work_tree is None else self._work_tree.read(path)

    def at(self, revision: str) -> Snapshot:
        """Return the files of the same repository at another revision."""
        return Snapshot(self.repository, self._objects, revision, self.include, self._unsaved)

    def with_include(self, folders: tuple[str, ...]) -> Snapshot:
        """Return the same files, with other folders in which included files are searched."""
        return Snapshot(self.repository, self._objects, self.revision, folders, self._unsaved)

    def files(self) -> list[str]:
        """Return the paths of all files, from the top of the repository."""
        return self.repository.files(self.revision) if self._work_tree is None else self._work_tree.files()

    def changes(self, base: str, concerned: Container[str] | None = None) -> list[ChangedFile]:
        """Return the regular files that differ from another revision.

        Args:
            base: the id of a commit or tree.
            concerned: the paths whose content is compared; None for all.

        Raises:
            InputError: git cannot compare the two.
        """
        if self._work_tree is None:
            return self.repository.changes(base, self.revision)
        return self._work_tree.changes(base, concerned)

    def reference(self, path: str) -> str:
        """Return the reference of a file for the command line: `REVISION:PATH`, `:PATH` or the path."""
        return path if self.revision == WORK_TREE else f"{self.revision[:10]}:{path}"
