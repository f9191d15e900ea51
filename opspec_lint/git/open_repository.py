"""A repository that is being read, by one process of git."""

from __future__ import annotations

from opspec_lint.kit.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
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
