"""The files that a sparse checkout leaves out of the work tree."""

from __future__ import annotations

import os

from opspec_lint.git.repository import repository_around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LEFT_OUT = "S"
"""The tag of a file that a sparse checkout, or `--skip-worktree`, leaves out of the work tree."""


def left_out(folder: str, environment: Mapping[str, str]) -> frozenset[str]:
    """Return the files that a sparse checkout leaves out of a folder, by their paths from it.

    Args:
        folder: any folder, of a repository or not.
        environment: the environment for git.

    Raises:
        InputError: git cannot list the files.
    """
    # Without this test, `git ls-files` would run in every repository, and most have no sparse checkout.
    repository = repository_around(folder, environment)
    if repository is None or not repository.is_sparse():
        return frozenset()
    listed = repository.output("ls-files", "-z", "-t", "--cached", "--", f":(top,literal){repository.prefix}")
    entries = (os.fsdecode(entry).partition(" ") for entry in listed.split(b"\0") if entry)
    return frozenset(path.removeprefix(repository.prefix) for tag, _, path in entries if tag == LEFT_OUT)
