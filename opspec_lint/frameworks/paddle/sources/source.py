"""A Paddle source tree, read without a build: at a revision, in the index, or as it lies in a folder.

What the tree declares is evaluated, and nothing of it is executed. See `opspec_lint.frameworks.paddle.tree`.
"""

from __future__ import annotations

import os

from opspec_lint import documents, git, sources, spec
from opspec_lint.frameworks import paddle
from opspec_lint.frameworks.paddle.build.builds import ALL, BUILDS
from opspec_lint.frameworks.paddle.tree.folders import FOLDERS, SUFFIXES
from opspec_lint.git.fetching import require_commit
from opspec_lint.git.repository import INDEX, WORK_TREE, repository_around
from opspec_lint.kit.errors import InputError, NothingThereError, UsageError
from opspec_lint.sources.source import Source
from opspec_lint.spec.model import Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.git.repository import Repository
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SCHEME = "paddle-source"

_INDEX = ":index"
_CODE = tuple(os.path.dirname(each.__file__ or "") for each in (paddle, documents, git, sources, spec))
"""What decides what is read of a tree, and so whether what is in the cache still holds."""


def at(argument: str, revision: str) -> str:
    """Return the argument of the same tree at a revision, in the index or in the work tree."""
    folder = argument or "."
    if revision == WORK_TREE:
        return folder
    return f"{folder}@{_INDEX if revision == INDEX else revision}"


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of a tree: `DIR@REVISION`, `DIR@:index`, or `DIR`; "" is the current folder.

    Args:
        argument: the tree. It is split at the last `@` behind which a revision stands.
        reading: the build, the environment that git inherits, where the cache is, and who is told of progress.

    Raises:
        InputError: there is no such tree or revision.
        NothingThereError: the tree is none of Paddle.
        UsageError: there is no such build.
    """
    from opspec_lint.frameworks.paddle.tree import extraction, to_spec
    from opspec_lint.sources import cache

    build = reading.build or ALL
    if build != ALL and build not in BUILDS:
        raise UsageError(f"unknown build {build!r}", advice=f"known are: {', '.join((ALL, *BUILDS))}")
    file = f"{SCHEME}:{argument}"
    tree, commit, key = _tree(file, argument, reading)
    try:
        store = cache.open_store(reading.environment, SCHEME, _CODE) if reading.caches else cache.NO_STORE
        found = extraction.extract(tree, build, store, key, reading.progress)
    finally:
        tree.close()
    if not found.ops and not found.unresolved:
        problem = "it has no op sources, such as paddle/fluid/operators"
        raise NothingThereError(file, problem, advice="name the root of a Paddle source tree")
    provenance = Provenance(framework="paddle", commit=commit, made_by=SCHEME)
    return to_spec.spec_of(found, file, provenance)


def _tree(file: str, argument: str, reading: Reading) -> tuple[SourceTree, str | None, str | None]:
    """Return the tree, its commit, and the id of what it holds; None where there is no such thing."""
    from opspec_lint.git.source_tree import FolderTree, RevisionTree

    folder, revision, repository = _split(argument, reading)
    if revision is None or repository is None:
        if not os.path.isdir(folder):
            raise InputError(
                file, f"there is no folder {folder!r}", advice=f"write {SCHEME}:DIR or {SCHEME}:DIR@REVISION"
            )
        return FolderTree(file, folder, SUFFIXES), None, None
    prefix = repository.prefix
    if revision == INDEX:
        return RevisionTree(file, repository, INDEX, prefix), None, None
    return RevisionTree(file, repository, revision, prefix), revision, f"{revision}:{prefix}"


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


SOURCE = Source(
    summary="a Paddle source tree without a build: paddle-source:DIR[@REVISION], or DIR@:index for what is staged",
    extract=extract,
    at=at,
    builds=(ALL, *BUILDS),
    folders=FOLDERS,
    mark=r"((?:[^/]+/)*?)paddle/(?:fluid/operators|phi/(?:api|ops|operators))/",
)
