"""An open repository, which one git process reads."""

from __future__ import annotations

from opspec_lint.kit.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.git.folders import Entries
    from opspec_lint.git.objects import Objects
    from opspec_lint.git.repository import Repository


class OpenRepository:
    """A repository, its objects, and the folders of its commits that were read, by their ids."""

    def __init__(self, repository: Repository, objects: Objects) -> None:
        self.repository = repository
        self.objects = objects
        self.folders: dict[str, Entries] = {}

    def commit(self, revision: str) -> str | None:
        """Return the id of the commit that a revision names, None if there is none here."""
        try:
            return self.objects.commit(revision)
        except OpspecError:  # a partial clone would have to fetch it
            return self.repository.commit(revision)
