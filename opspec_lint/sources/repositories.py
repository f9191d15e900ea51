"""The repositories that a run reads: each is found once, and one process reads its objects."""

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
        from opspec_lint.git.open_repository import OpenRepository
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
