"""The files around one: what a schema includes is read from where the schema itself was read."""

from __future__ import annotations

import os

from opspec_lint.kit.limits import MAX_SOURCE
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def _nothing(_: str) -> None:
    """Read nothing: there is no tree."""


class Around(Record):
    """The tree that a file stands in.

    `path` is the file's own path in the tree, with slashes, "" where it is in none. `read` returns what another file of
    the tree holds, None where there is none. `called` is what messages call a file of the tree, `placed` where reports
    say that it stands.
    """

    path: str = ""
    read: Callable[[str], bytes | None] = _nothing
    called: Callable[[str], str] = str
    placed: Callable[[str], str] = str


NOTHING = Around()
"""No tree."""


def of_file(path: str) -> Around:
    """Return the tree of a file as it lies on the disk: the repository around it, or else its folder."""
    folder = os.path.dirname(os.path.abspath(path))
    top = _top(folder)
    own = os.path.relpath(os.path.abspath(path), top).replace(os.sep, "/")

    def named(other: str) -> str:
        """Return the path under which the user would find a file."""
        return path if other == own else os.path.join(os.path.relpath(top), other)

    return Around(
        path=own,
        read=lambda other: _read(top, other),
        called=named,
        placed=str if os.path.lexists(os.path.join(top, ".git")) else named,
    )


def of_tree(path: str, read: Callable[[str], bytes | None], called: Callable[[str], str]) -> Around:
    """Return the tree of a file at a revision or in the index."""
    return Around(path=path, read=read, called=called)


def _top(folder: str) -> str:
    """Return the nearest folder around one that git knows; the folder itself where there is none."""
    around = folder
    while not os.path.lexists(os.path.join(around, ".git")):
        above = os.path.dirname(around)
        if above == around:
            return folder
        around = above
    return around


def _read(top: str, path: str) -> bytes | None:
    """Return a regular file below a folder, a little more than the limit of it at most; no link leads out."""
    full = os.path.realpath(os.path.join(top, path))
    if not full.startswith(os.path.join(os.path.realpath(top), "")) or not os.path.isfile(full):
        return None
    try:
        with open(full, "rb") as stream:
            return stream.read(MAX_SOURCE + 1)
    except OSError:
        return None
