"""A Paddle source tree, read without a build: at a revision, in the index, or as it lies in a folder.

What the tree declares is evaluated, and nothing of it is executed. See `opspec_lint.paddle_tree`.
"""

from __future__ import annotations

import os

from opspec_lint import git
from opspec_lint.errors import InputError, NothingThereError, UsageError
from opspec_lint.model import Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.git import Repository
    from opspec_lint.model import Spec
    from opspec_lint.paddle_tree.tree import Tree
    from opspec_lint.settings import Settings

SCHEME = "paddle-source"
SUMMARY = "a Paddle source tree without a build: paddle-source:DIR[@REVISION], or DIR@:index for what is staged"
RUNS_CODE = False
WANTS_SETTINGS = True

_INDEX = ":index"


def at(argument: str, revision: str) -> str:
    """Return the argument of the same tree at a revision, in the index or in the work tree."""
    folder = argument or "."
    if revision == git.WORK_TREE:
        return folder
    return f"{folder}@{_INDEX if revision == git.INDEX else revision}"


def extract(argument: str, settings: Settings | None = None) -> Spec:
    """Return the spec of a tree: `DIR@REVISION`, `DIR@:index`, or `DIR`; "" is the current folder.

    Args:
        argument: the tree. It is split at the last `@` behind which a revision stands.
        settings: the build, the environment that git inherits, where the cache is, and who is told of progress.

    Raises:
        InputError: there is no such tree or revision.
        NothingThereError: the tree is none of Paddle.
        UsageError: there is no such build.
    """
    from opspec_lint.paddle_tree import cache, extraction, spec
    from opspec_lint.paddle_tree.builds import ALL, BUILDS
    from opspec_lint.settings import Settings

    settings = settings or Settings()
    build = settings.build or ALL
    if build != ALL and build not in BUILDS:
        raise UsageError(f"unknown build {build!r}", advice=f"known are: {', '.join((ALL, *BUILDS))}")
    file = f"{SCHEME}:{argument}"
    tree, commit, key = _tree(file, argument, settings)
    try:
        store = cache.open_store(settings.environment) if settings.caches else cache.NO_STORE
        found = extraction.extract(tree, build, store, key, settings.progress)
    finally:
        tree.close()
    if not found.ops and not found.unresolved:
        problem = "there are no op sources in it, such as paddle/fluid/operators"
        raise NothingThereError(file, problem, advice="name the root of a Paddle source tree")
    provenance = Provenance(framework="paddle", commit=commit, made_by=SCHEME)
    return spec.spec_of(found, file, provenance)


def _tree(file: str, argument: str, settings: Settings) -> tuple[Tree, str | None, str | None]:
    """Return the tree, its commit, and the id of what it holds; None where there is no such thing."""
    from opspec_lint.paddle_tree.tree import Folder, Revision

    folder, revision, repository = _split(argument, settings)
    if revision is None or repository is None:
        if not os.path.isdir(folder):
            raise InputError(
                file, f"there is no folder {folder!r}", advice=f"write {SCHEME}:DIR or {SCHEME}:DIR@REVISION"
            )
        return Folder(file, folder), None, None
    prefix = repository.prefix
    if revision == git.INDEX:
        return Revision(file, repository, git.INDEX, prefix), None, None
    return Revision(file, repository, revision, prefix), revision, f"{revision}:{prefix}"


def _split(argument: str, settings: Settings) -> tuple[str, str | None, Repository | None]:
    """Return the folder, and the id of the commit or `git.INDEX` behind the last `@` that one stands behind.

    Raises:
        InputError: there is an `@`, but neither a folder of that name nor a revision.
    """
    end = len(argument)
    first: tuple[str, str] | None = None
    while (at := argument.rfind("@", 0, end)) >= 0:
        folder, word = argument[:at] or ".", argument[at + 1 :]
        end = at
        repository = git.find(folder, settings.environment) if os.path.isdir(folder) else None
        if repository is None or not word:
            continue
        if word == _INDEX:
            return folder, git.INDEX, repository
        commit = repository.commit(word)
        if commit is not None:
            return folder, commit, repository
        first = first or (folder, word)
    if first is not None and not os.path.isdir(argument):
        folder, word = first
        repository = git.find(folder, settings.environment)
        if repository is not None:
            commit = git.require(repository, word, may_fetch=settings.may_fetch)
            return folder, commit, repository
    return argument or ".", None, None
