"""The files around one: what a schema includes is read from where the schema itself was read."""

from __future__ import annotations

import os

from opspec_lint.kit.limits import MAX_SOURCE
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


def _nothing(_: str) -> None:
    """Read nothing: there is no tree."""


class FileContext(Record):
    """The tree that a file stands in.

    `path` is the file's own path in the tree, with slashes, "" where it is in none. `read` returns what another file of
    the tree holds, None where there is none. `called` is what messages call a file of the tree, `placed` where reports
    say that it stands. `folders` are the folders of the tree in which included files are looked for as well; one that
    begins with ".." lies outside, and was named by the user.
    """

    path: str = ""
    read: Callable[[str], bytes | None] = _nothing
    called: Callable[[str], str] = str
    placed: Callable[[str], str] = str
    folders: tuple[str, ...] = ()


NOTHING = FileContext()
"""No tree."""


def of_file(path: str, folders: Iterable[str] = ()) -> FileContext:
    """Return the tree of a file as it lies on the disk: the repository around it, or else its folder.

    Args:
        path: the file.
        folders: where included files are looked for as well; they may lie outside of the tree.
    """
    top = _top(os.path.dirname(os.path.abspath(path)))
    own = _from(top, path)
    named = [_from(top, each) for each in folders]
    roots = [top, *(os.path.join(top, each) for each in named if each.startswith(os.pardir))]

    def called(other: str) -> str:
        """Return the path under which the user would find a file."""
        return path if other == own else os.path.relpath(os.path.join(top, other))

    return FileContext(
        path=own,
        read=lambda other: _read(roots, other),
        called=called,
        placed=str if os.path.lexists(os.path.join(top, ".git")) else called,
        folders=tuple(named),
    )


def of_tree(
    path: str, read: Callable[[str], bytes | None], called: Callable[[str], str], folders: Iterable[str] = ()
) -> FileContext:
    """Return the tree of a file at a revision or in the index.

    Args:
        path: the path of the file in the tree.
        read: reads another file of it.
        called: returns what messages call one.
        folders: where included files are looked for as well, from the top of the tree.
    """
    return FileContext(path=path, read=read, called=called, folders=tuple(folders))


def top_of(path: str) -> str | None:
    """Return the top of the repository around a file, None if it is in none."""
    top = _top(os.path.dirname(os.path.abspath(path)))
    return top if os.path.lexists(os.path.join(top, ".git")) else None


def _from(top: str, path: str) -> str:
    return os.path.relpath(os.path.abspath(path), top).replace(os.sep, "/")


def _top(folder: str) -> str:
    """Return the nearest folder around one that git knows; the folder itself where there is none."""
    around = folder
    while not os.path.lexists(os.path.join(around, ".git")):
        above = os.path.dirname(around)
        if above == around:
            return folder
        around = above
    return around


def _read(roots: Sequence[str], path: str) -> bytes | None:
    """Return a regular file below one of some folders, a little more than the limit of it at most; no link leads out.

    `path` is that from the first folder.
    """
    full = os.path.realpath(os.path.join(roots[0], path))
    is_inside = any(full.startswith(os.path.join(os.path.realpath(root), "")) for root in roots)
    if not is_inside or not os.path.isfile(full):
        return None
    try:
        with open(full, "rb") as stream:
            return stream.read(MAX_SOURCE + 1)
    except OSError:
        return None
