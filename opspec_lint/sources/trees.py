"""The names of source trees: `DIR@REVISION`, `DIR@:index` for what is staged, or `DIR` for the files in the folder."""

from __future__ import annotations

import os

from opspec_lint.git.fetching import require_commit
from opspec_lint.git.repository import INDEX, WORK_TREE, repository_around
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.git.repository import Repository
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


def open_tree(scheme: str, argument: str, suffixes: tuple[str, ...], reading: Reading) -> OpenTree:
    """Open the tree that an argument names; "" is the current folder.

    Args:
        scheme: the source's, for messages.
        argument: the tree. It is split at the last `@` behind which a revision stands.
        suffixes: how the files end that a listing of a folder is to have.
        reading: the environment that git inherits, and whether a revision may be fetched.

    Raises:
        InputError: there is no such folder or revision.
    """
    from opspec_lint.git import sparse
    from opspec_lint.git.source_tree import FolderTree, RevisionTree

    file = f"{scheme}:{argument}"
    folder, revision, repository = _split(argument, reading)
    if revision is None or repository is None:
        if not os.path.isdir(folder):
            advice = f"write {scheme}:DIR or {scheme}:DIR@REVISION"
            raise InputError(file, f"there is no folder {folder!r}", advice=advice)
        left_out = lambda: sparse.left_out(folder, reading.environment)  # noqa: E731
        return OpenTree(files=FolderTree(file, folder, suffixes, left_out))
    prefix = repository.prefix
    tree = RevisionTree(file, repository, revision, prefix)
    if revision == INDEX:
        return OpenTree(files=tree)
    return OpenTree(files=tree, commit=revision, key=f"{revision}:{prefix}")


def _split(argument: str, reading: Reading) -> tuple[str, str | None, Repository | None]:
    """Return the folder, and the id of the commit or `git.INDEX` behind the last `@` that one stands behind.

    Raises:
        InputError: there is an `@`, but neither a folder of that name nor a revision.
    """
    end = len(argument)
    first: tuple[str, str] | None = None
    while (at := argument.rfind("@", 0, end)) >= 0:
        folder, word = argument[:at] or ".", argument[at + 1 :]
        end = at
        repository = repository_around(folder, reading.environment) if os.path.isdir(folder) else None
        if repository is None or not word:
            continue
        if word == _INDEX:
            return folder, INDEX, repository
        commit = repository.commit(word)
        if commit is not None:
            return folder, commit, repository
        first = first or (folder, word)
    if first is not None and not os.path.isdir(argument):
        folder, word = first
        repository = repository_around(folder, reading.environment)
        if repository is not None:
            commit = require_commit(repository, word, may_fetch=reading.may_fetch)
            return folder, commit, repository
    return argument or ".", None, None
