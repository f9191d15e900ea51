"""The names of source trees: `DIR@REVISION`, `DIR@:index` for what is staged, or `DIR` for the files in the folder."""

from __future__ import annotations

import os
from contextlib import contextmanager

from opspec_lint.git.fetching import require_commit
from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.sources.reading import open_repositories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.git.repositories import OpenRepository, Repositories
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.sources.reading import Reading

_INDEX = ":index"


class OpenTree(Record):
    """A tree that is open.

    `commit` is the id of its commit, and `key` identifies its content; each is None if there is none.
    """

    files: SourceTree
    commit: str | None = None
    key: str | None = None


def at(argument: str, revision: str) -> str:
    """Return the argument of the same tree at a revision, in the index or in the work tree."""
    folder = argument or "."
    if revision == WORK_TREE:
        return folder
    return f"{folder}@{_INDEX if revision == INDEX else revision}"


@contextmanager
def open_tree(scheme: str, argument: str, suffixes: tuple[str, ...], reading: Reading) -> Iterator[OpenTree]:
    """Open the tree that an argument names; "" is the current folder. It can be read until the context is left.

    Args:
        scheme: the source's, for messages.
        argument: the tree. It is split at the last `@` behind which a revision stands.
        suffixes: how the files end that a listing of a folder is to have.
        reading: the environment that git inherits, the repositories that are open, and whether a revision may be
            fetched.

    Raises:
        InputError: there is no such folder or revision.
    """
    file = f"{scheme}:{argument}"
    with open_repositories(reading) as opened:
        folder, revision, repository = _split(argument, reading, opened)
        if revision is None or repository is None:
            yield _of_folder(scheme, file, folder, suffixes, reading)
        else:
            yield _of_repository(file, repository, revision)


def _of_folder(scheme: str, file: str, folder: str, suffixes: tuple[str, ...], reading: Reading) -> OpenTree:
    from opspec_lint.git import sparse
    from opspec_lint.git.folder_tree import FolderTree

    if not os.path.isdir(folder):
        advice = f"write {scheme}:DIR or {scheme}:DIR@REVISION"
        raise InputError(file, f"there is no folder {folder!r}", advice=advice)
    return OpenTree(
        files=FolderTree(file, folder, suffixes, lambda: sparse.left_out(folder, reading.environment)),
    )


def _of_repository(file: str, opened: OpenRepository, revision: str) -> OpenTree:
    from opspec_lint.git.stored_tree import CommitTree, IndexTree

    prefix = opened.repository.prefix
    if revision == INDEX:
        return OpenTree(files=IndexTree(file, opened, prefix))
    return OpenTree(files=CommitTree(file, opened, revision, prefix), commit=revision, key=f"{revision}:{prefix}")


def _split(
    argument: str, reading: Reading, repositories: Repositories
) -> tuple[str, str | None, OpenRepository | None]:
    """Return the folder, and the id of the commit or `git.INDEX` behind the last `@` that one stands behind.

    Raises:
        InputError: there is an `@`, but neither a folder of that name nor a revision.
    """
    end = len(argument)
    first: tuple[str, str, OpenRepository] | None = None
    while (at := argument.rfind("@", 0, end)) >= 0:
        folder, word = argument[:at] or ".", argument[at + 1 :]
        end = at
        found = repositories.around(folder) if os.path.isdir(folder) else None
        if found is None or not word:
            continue
        if word == _INDEX:
            return folder, INDEX, found
        commit = found.commit(word)
        if commit is not None:
            return folder, commit, found
        first = first or (folder, word, found)
    if first is not None and not os.path.isdir(argument):
        folder, word, found = first
        return folder, require_commit(found.repository, word, may_fetch=reading.may_fetch), found
    return argument or ".", None, None
