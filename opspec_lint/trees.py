"""All files of a repository as they stand at one point: at a revision, in the index, or in the work tree."""

from __future__ import annotations

import os

from opspec_lint import git
from opspec_lint.errors import InputError
from opspec_lint.values import MAX_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.git import Repository
    from opspec_lint.objects import Objects


class Tree:
    """The files at one point.

    Args:
        repository: the repository.
        objects: its objects, shared by all trees.
        revision: the id of a commit or tree, `git.INDEX` or `git.WORK_TREE`.
    """

    def __init__(self, repository: Repository, objects: Objects, revision: str) -> None:
        self.repository = repository
        self.revision = revision
        self._objects = objects

    def read(self, path: str) -> bytes | None:
        """Return a file, None where there is no regular file of that name.

        Args:
            path: the path from the top of the repository.

        Raises:
            InputError: the file cannot be read, or lies outside of the repository.
        """
        if self.revision != git.WORK_TREE:
            return self._objects.read(self.revision, path)
        full = os.path.join(self.repository.top, path)
        if os.path.islink(full) or not os.path.isfile(full):
            return None
        if os.path.commonpath([os.path.realpath(full), self.repository.top]) != self.repository.top:
            raise InputError(path, "leads out of the repository by a link", advice="put the file itself there")
        try:
            with open(full, "rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except OSError as error:
            raise InputError(path, f"cannot be read: {error.strerror}", advice="check its permissions") from None
        if len(data) > MAX_BYTES:
            raise InputError(path, f"is larger than {MAX_BYTES >> 20} MiB, which no spec is")
        return data

    def at(self, revision: str) -> Tree:
        """Return the files of the same repository at another point."""
        return Tree(self.repository, self._objects, revision)

    def files(self) -> list[str]:
        """Return the paths of all files, from the top of the repository."""
        return self.repository.files(self.revision)

    def reference(self, path: str) -> str:
        """Return how a file of this tree is written on the command line: `REVISION:PATH`, `:PATH` or the path."""
        return path if self.revision == git.WORK_TREE else f"{self.revision[:10]}:{path}"
