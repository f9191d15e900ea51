"""Access to the files around a file, such as the includes of a schema, in the tree that the file was read from."""

from __future__ import annotations

import os

from opspec_lint.kit.limits import MAX_SOURCE
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


def _read_nothing(_: str) -> None:
    """Read nothing: there is no tree."""


class FileContext(Record):
    """The tree that contains a file.

    `path` is the path of the file in the tree, with slashes, "" without a tree. `read` returns the content of another
    file of the tree, None if it does not exist. `called` returns the name of a file in messages, `placed` its path in
    reports. `folders` are the folders of the tree that are searched for includes as well; a folder that begins with
    ".." is outside of the tree, and was named by the user.
    """

    path: str = ""
    read: Callable[[str], bytes | None] = _read_nothing
    called: Callable[[str], str] = str
    placed: Callable[[str], str] = str
    folders: tuple[str, ...] = ()


NO_FILES = FileContext()
"""No tree."""


def context_of_file(path: str, folders: Iterable[str] = ()) -> FileContext:
    """Return the tree of a file on the disk: the repository around it, or else its folder.

    Args:
        path: the file.
        folders: folders that are searched for includes as well; they may be outside of the tree.
    """
    top = _repository_top(os.path.dirname(os.path.abspath(path)))
    own_path = _relative_to(top, path)
    include_folders = [_relative_to(top, folder) for folder in folders]
    roots = [top, *(os.path.join(top, folder) for folder in include_folders if folder.startswith(os.pardir))]

    def called(file: str) -> str:
        """Return the path under which the user can open a file."""
        return path if file == own_path else os.path.relpath(os.path.join(top, file))

    return FileContext(
        path=own_path,
        read=lambda file: _read(roots, file),
        called=called,
        # Reports of a repository count paths from its top; without one, a path has to be one that the user can open.
        placed=str if os.path.lexists(os.path.join(top, ".git")) else called,
        folders=tuple(include_folders),
    )


def context_in_tree(
    path: str, read: Callable[[str], bytes | None], called: Callable[[str], str], folders: Iterable[str] = ()
) -> FileContext:
    """Return the tree of a file at a revision or in the index.

    Args:
        path: the path of the file in the tree.
        read: returns the content of another file of the tree.
        called: returns the name of a file in messages.
        folders: folders that are searched for includes as well, from the top of the tree.
    """
    return FileContext(path=path, read=read, called=called, folders=tuple(folders))


def top_of(path: str) -> str | None:
    """Return the top of the repository around a file, None if it is in none."""
    top = _repository_top(os.path.dirname(os.path.abspath(path)))
    return top if os.path.lexists(os.path.join(top, ".git")) else None


def _relative_to(top: str, path: str) -> str:
    return os.path.relpath(os.path.abspath(path), top).replace(os.sep, "/")


def _repository_top(folder: str) -> str:
    """Return the top of the repository around a folder; the folder itself if there is none."""
    candidate = folder
    # In a worktree or submodule, `.git` is a file.
    while not os.path.lexists(os.path.join(candidate, ".git")):
        parent = os.path.dirname(candidate)
        if parent == candidate:
            return folder
        candidate = parent
    return candidate


def _read(roots: Sequence[str], path: str) -> bytes | None:
    """Return the content of a file below one of some folders, None if there is none.

    At most one byte more than the limit of its size is read. `path` is relative to the first folder.
    """
    # Links are resolved first: neither a link nor `..` may lead out of the folders, as schemas may come from others.
    full = os.path.realpath(os.path.join(roots[0], path))
    # The slash that `join` appends keeps `/src/repo-2` out of `/src/repo`.
    is_inside = any(full.startswith(os.path.join(os.path.realpath(root), "")) for root in roots)
    if not is_inside or not os.path.isfile(full):
        return None
    try:
        with open(full, "rb") as stream:
            return stream.read(MAX_SOURCE + 1)
    except OSError:
        return None
