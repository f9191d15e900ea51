"""Files that git-lfs stores outside of git, in place of their pointers in a tree or in the index."""

from __future__ import annotations

import os
import re

from opspec_lint.kit import lfs_pointer
from opspec_lint.kit.limits import MAX_BYTES, too_large
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.git.repository import Repository

_POINTER = pattern(re.escape(lfs_pointer.START) + rb"[^\n]*\n(?:[^\n]*\n)*?oid sha256:([0-9a-f]{64})\n")
_LONGEST = 1024
"""A pointer is shorter, by the specification of git-lfs."""


def content_of(data: bytes, repository: Repository) -> bytes:
    """Return the file that a pointer of git-lfs represents, as `git add` or `git lfs pull` stored it.

    Args:
        data: the content of a file in a tree or in the index.
        repository: the repository.

    Returns:
        The file; `data` if they are no pointer, or if the repository does not have the file.

    Raises:
        InputError: the file is larger than any spec.
    """
    pointer = _POINTER.match(data) if len(data) < _LONGEST else None
    if pointer is None:
        return data
    name = pointer[1].decode()
    path = os.path.join(_common_folder(repository.git_dir), "lfs", "objects", name[:2], name[2:4], name)
    try:
        with open(path, "rb") as stream:
            stored = stream.read(MAX_BYTES + 1)
    except OSError:
        return data
    if len(stored) > MAX_BYTES:
        raise too_large(path)
    return stored


def _common_folder(git_dir: str) -> str:
    # A linked work tree has a git directory inside that of the main one; git-lfs stores files in the common one.
    """Return the folder that all work trees of a repository share."""
    try:
        with open(os.path.join(git_dir, "commondir"), encoding="utf-8") as stream:
            return os.path.join(git_dir, stream.read().strip())
    except OSError:
        return git_dir
