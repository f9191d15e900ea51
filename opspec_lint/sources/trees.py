"""Names of source trees: `DIR@REVISION`, `DIR@:index` for the index, or `DIR` for the files in the folder."""

from __future__ import annotations

import os
from contextlib import contextmanager

from opspec_lint import git, sources, spec
from opspec_lint.documents.file_context import top_of
from opspec_lint.git.base_names import ends_of_range, merge_base_of_range
from opspec_lint.git.fetching import require_commit
from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.sources.loaded import FileAccess
from opspec_lint.sources.reading import open_repositories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from opspec_lint.git.open_repository import OpenRepository
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.sources.reading import Reading
    from opspec_lint.sources.repositories import Repositories
    from opspec_lint.spec.model import Spec

INDEX_NAME = ":index"


class OpenTree(Record):
    """An open tree.

    `commit` is the id of its commit, and `key` identifies its content; each is None if there is none.
    """

    files: SourceTree
    commit: str | None = None
    key: str | None = None


class TreeReader(Record):
    """The way in which a source reads an open tree.

    `suffixes` are the endings of the files that a listing of a folder must have. `read` returns the spec of a tree,
    given its name in messages, and the store for results that the next tree can reuse. `code` are the packages that,
    besides those that every source needs, determine the results, and so whether stored ones are still valid.
    """

    suffixes: tuple[str, ...]
    read: Callable[[OpenTree, str, Reading, NoStore], Spec]
    code: tuple[ModuleType, ...]

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of the code that determines the results."""
        return tuple(os.path.dirname(package.__file__ or "") for package in (*self.code, git, sources, spec))


def argument_at_revision(argument: str, revision: str) -> str:
    """Return the argument of the same tree at a revision, in the index or in the work tree."""
    folder = argument or "."
    if revision == WORK_TREE:
        return folder
    return f"{folder}@{INDEX_NAME if revision == INDEX else revision}"


def extract(scheme: str, argument: str, reader: TreeReader, reading: Reading) -> Spec:
    """Return the spec of a tree: `DIR@REVISION`, `DIR@:index`, or `DIR`; "" is the current folder.

    Args:
        scheme: the scheme of the source.
        argument: the tree. It is split at the last `@` that a revision follows.
        reader: the reader of the source.
        reading: the options for reading it.

    Raises:
        InputError: there is no such tree or revision.
        NothingThereError: the tree has no such ops.
        UsageError: there is no such build.
    """
    with open_tree(scheme, argument, reader.suffixes, reading) as tree:
        return reader.read(tree, f"{scheme}:{argument}", reading, store_of(scheme, reader, reading))


def store_of(scheme: str, reader: TreeReader, reading: Reading) -> NoStore:
    """Return the store for the results of reading trees: one that keeps nothing if there is no cache."""
    from opspec_lint.sources import cache

    return cache.open_store(reading.environment, scheme, reader.folders) if reading.caches else cache.NO_STORE


@contextmanager
def open_tree(scheme: str, argument: str, suffixes: tuple[str, ...], reading: Reading) -> Iterator[OpenTree]:
    """Open the tree that an argument names; "" is the current folder. It can be read until the context is left.

    Args:
        scheme: the scheme of the source, for messages.
        argument: the tree. It is split at the last `@` that a revision follows.
        suffixes: the endings of the files that a listing of a folder must have.
        reading: the environment of git, the open repositories, and whether a revision may be fetched.

    Raises:
        InputError: there is no such folder or revision.
    """
    file = f"{scheme}:{argument}"
    with open_repositories(reading) as opened:
        named = split_revision(argument, reading, opened)
        if named.revision is None or named.repository is None:
            yield _open_folder(scheme, file, named.folder, suffixes, reading)
        else:
            yield _open_revision(file, named.repository, named.revision)


def _open_folder(scheme: str, file: str, folder: str, suffixes: tuple[str, ...], reading: Reading) -> OpenTree:
    """Open the files of a folder. Raises InputError if there is no such folder."""
    from opspec_lint.git import sparse
    from opspec_lint.git.folder_tree import FolderTree

    if not os.path.isdir(folder):
        advice = f"write {scheme}:DIR or {scheme}:DIR@REVISION"
        raise InputError(file, f"there is no folder {folder!r}", advice=advice)
    return OpenTree(
        files=FolderTree(file, folder, suffixes, lambda: sparse.left_out(folder, reading.environment), reading.unsaved),
    )


def _open_revision(file: str, opened: OpenRepository, revision: str) -> OpenTree:
    from opspec_lint.git.stored_tree import CommitTree, index_tree

    prefix = opened.repository.prefix
    if revision == INDEX:
        # Without a key: the index has no id, and changes while its name stays the same.
        return OpenTree(files=index_tree(file, opened, prefix))
    return OpenTree(files=CommitTree(file, opened, revision, prefix), commit=revision, key=f"{revision}:{prefix}")


def file_access(scheme: str, argument: str, reader: TreeReader, reading: Reading) -> FileAccess:
    """Return access to the files of the tree that an argument names, by their paths in it.

    Args:
        scheme: the scheme of the source, for messages.
        argument: the tree.
        reader: the reader of the source.
        reading: the options that `open_tree` takes.

    Raises:
        InputError: there is no such tree or revision.
    """

    def read(path: str) -> bytes | None:
        with open_tree(scheme, argument, reader.suffixes, reading) as tree:
            return tree.files.read([path])[path]

    with open_repositories(reading) as opened:
        named = split_revision(argument, reading, opened)
    top = top_of(os.path.join(named.folder, "."))
    inside = os.path.relpath(os.path.realpath(named.folder), os.path.realpath(top or named.folder))
    prefix = "" if inside == os.curdir else f"{inside.replace(os.sep, '/')}/"
    # Only files in a folder can be fixed, not those of a revision.
    writable_top = (top or os.path.abspath(named.folder)) if named.revision is None else None
    return FileAccess(read=read, prefix=prefix, top=writable_top)


def split_range(argument: str) -> tuple[str, str]:
    """Return the folder, and `A...B` after the last `@` that is followed by such a range; "" if there is none."""
    end = len(argument)
    # A path may contain `@` too, so that the last one that a revision follows counts.
    while (at := argument.rfind("@", 0, end)) >= 0:
        folder, end = argument[:at] or ".", at
        if ends_of_range(argument[at + 1 :]) is not None and os.path.isdir(folder):
            return folder, argument[at + 1 :]
    return argument or ".", ""


class NamedTree(Record):
    """The folder that an argument names, and the id of its commit, or `git.INDEX`, with the repository around it.

    Without a revision, both that and the repository are None.
    """

    folder: str
    revision: str | None = None
    repository: OpenRepository | None = None


def split_revision(argument: str, reading: Reading, repositories: Repositories) -> NamedTree:
    """Return the tree that `DIR` or `DIR@REVISION` names: the last `@` counts that a revision follows.

    `A...B` is the merge base of the two; one that is left out is HEAD.

    Raises:
        InputError: there is an `@`, but neither a folder of that name nor a revision.
    """
    end = len(argument)
    first: tuple[str, str, OpenRepository] | None = None
    while (at := argument.rfind("@", 0, end)) >= 0:
        folder, revision = argument[:at] or ".", argument[at + 1 :]
        end = at
        repository = repositories.around(folder) if os.path.isdir(folder) else None
        if repository is None or not revision:
            continue
        commit = _commit_named(repository, revision, reading)
        if commit is not None:
            return NamedTree(folder=folder, revision=commit, repository=repository)
        # If no candidate is a commit, the error is about the last `@`.
        first = first or (folder, revision, repository)
    # A folder whose own name contains `@` is meant itself.
    if first is not None and not os.path.isdir(argument):
        folder, revision, repository = first
        commit = require_commit(repository.repository, revision, may_fetch=reading.may_fetch)
        return NamedTree(folder=folder, revision=commit, repository=repository)
    return NamedTree(folder=argument or ".")


def _commit_named(repository: OpenRepository, revision: str, reading: Reading) -> str | None:
    """Return the id of the commit that a revision or a range names, or `git.INDEX`; None if there is none."""
    if revision == INDEX_NAME:
        return INDEX
    parting = merge_base_of_range(repository.repository, revision, may_fetch=reading.may_fetch)
    return repository.commit(revision) if parting is None else parting
