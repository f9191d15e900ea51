"""The repositories of a run: each is opened once, and one process reads its objects."""

from __future__ import annotations

import os

from opspec_lint.kit.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Self

    from opspec_lint.git.open_repository import OpenRepository


class Repositories:
    """The repositories of a run. Leaving the context ends the processes that read them.

    Args:
        environment: the environment for git.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._opened: dict[str, OpenRepository] = {}

    def at(self, folder: str, *, advice: str = "run it in a repository") -> OpenRepository:
        """Return the repository that a folder belongs to.

        Args:
            folder: any folder of a work tree, or a bare repository.
            advice: the advice if there is none.

        Raises:
            UsageError: the folder belongs to none.
            InputError: git cannot be run, or refuses.
        """
        from opspec_lint.git.objects import Objects
        from opspec_lint.git.open_repository import OpenRepository
        from opspec_lint.git.repository import repository_at

        # A folder and a link to it are in the same repository, which needs one process only.
        key = os.path.realpath(folder)
        if key not in self._opened:
            repository = repository_at(folder, self._environment, advice=advice)
            self._opened[key] = OpenRepository(repository, Objects(repository))
        return self._opened[key]

    def around(self, folder: str) -> OpenRepository | None:
        """Return the repository that a folder belongs to, None if there is none, or git fails."""
        try:
            return self.at(folder)
        except OpspecError:
            return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for repository in self._opened.values():
            repository.objects.close()
