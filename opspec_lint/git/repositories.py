"""The repositories that are read together: each is found once, and one process reads its objects."""

from __future__ import annotations

import os

from opspec_lint.kit.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Self

    from opspec_lint.git.folders import Entries
    from opspec_lint.git.objects import Objects
    from opspec_lint.git.repository import Repository


class OpenRepository:
    """A repository, its objects, and what is known of the folders of its commits, by the ids of their contents."""

    def __init__(self, repository: Repository, objects: Objects) -> None:
        self.repository = repository
        self.objects = objects
        self.folders: dict[str, Entries] = {}

    def commit(self, revision: str) -> str | None:
        """Return the id of the commit that a revision names, None where it names none that is here."""
        try:
            return self.objects.commit(revision)
        except OpspecError:  # a partial clone would have to fetch it
            return self.repository.commit(revision)


class Repositories:
    """The repositories of a run. Leaving the context ends the processes that read them.

    Args:
        environment: the environment that git is to inherit.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._found: dict[str, OpenRepository] = {}

    def at(self, folder: str, *, advice: str = "run it in a repository") -> OpenRepository:
        """Return the repository that a folder belongs to.

        Args:
            folder: any folder of a work tree, or a bare repository.
            advice: what to do where there is none.

        Raises:
            UsageError: the folder belongs to none.
            InputError: git cannot be run, or refuses.
        """
        from opspec_lint.git.objects import Objects
        from opspec_lint.git.repository import repository_at

        key = os.path.realpath(folder)
        if key not in self._found:
            repository = repository_at(folder, self._environment, advice=advice)
            self._found[key] = OpenRepository(repository, Objects(repository))
        return self._found[key]

    def around(self, folder: str) -> OpenRepository | None:
        """Return the repository that a folder belongs to, None where it belongs to none, or git cannot tell."""
        try:
            return self.at(folder)
        except OpspecError:
            return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._found.values():
            each.objects.close()
