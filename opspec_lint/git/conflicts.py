"""Files with a merge conflict, for which the index has no content."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.git.repository import Repository


def refuse_conflict(repository: Repository, path: str) -> None:
    """Raise an error for a file with several versions in the index.

    Args:
        repository: the repository.
        path: the path from its top.

    Raises:
        InputError: the index has no merged version of the file.
    """
    if repository.output("ls-files", "--unmerged", "-z", "--", f":(top,literal){path}"):
        raise conflict_error(path)


def conflict_error(path: str) -> InputError:
    """Return the error that a file is in conflict."""
    return InputError(path, "has a merge conflict in the index", advice=f"resolve it, then run `git add {path}`")
