"""Files that a merge left in conflict: the index has no content of them."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.git.repository import Repository


def refuse(repository: Repository, path: str) -> None:
    """Refuse a file that the index has several versions of.

    Args:
        repository: the repository.
        path: the path from its top.

    Raises:
        InputError: the index has no merged version of the file.
    """
    if repository.output("ls-files", "--unmerged", "-z", "--", f":(top,literal){path}"):
        raise unmerged(path)


def unmerged(path: str) -> InputError:
    """Return the error that a file is in conflict."""
    return InputError(path, "has a merge conflict in the index", advice=f"resolve it, then run `git add {path}`")
