"""The subject of a history: a source with revisions or a spec file in a repository, and how its contracts are read."""

from __future__ import annotations

import os

from opspec_lint.documents.memo import Memo
from opspec_lint.git import first_parents
from opspec_lint.git.repository import INDEX
from opspec_lint.kit.errors import InputError, NothingThereError, UsageError
from opspec_lint.kit.record import Record
from opspec_lint.sources import trees
from opspec_lint.sources.cache import MemoryStore
from opspec_lint.sources.source import SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from opspec_lint.git.moving_tree import MovingTree
    from opspec_lint.git.open_repository import OpenRepository
    from opspec_lint.git.repository import Repository
    from opspec_lint.sources.reading import Reading
    from opspec_lint.sources.repositories import Repositories
    from opspec_lint.sources.trees import TreeReader
    from opspec_lint.spec.model import Spec

FILE = "file"
"""The name of the source of a contract that is a spec file."""


class Contract(Record):
    """A contract whose revisions a history records, such as the ops of a source tree.

    `name` is the scheme of its source. `read` returns the spec at the commit that the tree is at, and caches what it
    needs for the next commit. `close` writes these caches to the disk. `renames` are the commits that renamed its file.
    `suffixes` are the extensions of the files that matter in listings of the tree, none for all files. `narrowed`
    returns the contract of one op alone, None if all ops are read in any case.
    """

    name: str
    read: Callable[[MovingTree, str], Spec]
    close: Callable[[], None] = lambda: None
    renames: Collection[str] = ()
    suffixes: tuple[str, ...] = ()
    narrowed: Callable[[str], Contract] | None = None


class Topic(Record):
    """The subject of a history: `name` as the user wrote it, the open repository, the last commit, and the contracts.

    `reading` has the options for reading specs. `prefix` is the folder of the tree in the repository, with a slash at
    its end, or "". `place` identifies the topic: the source, and the folder or file in the repository.
    """

    name: str
    reading: Reading
    opened: OpenRepository
    tip: str
    prefix: str
    place: str
    contracts: tuple[Contract, ...]


def topic_of(reference: str, reading: Reading, repositories: Repositories, tip: str | None = None) -> Topic:
    """Return the topic that a reference names.

    `reference` is `SCHEME:DIR[@REVISION]`, or a spec file as `PATH` or `REVISION:PATH`. `tip` is the last revision;
    None for the one in the reference, or HEAD. Raises InputError if there is no such revision, UsageError if the source
    has no revisions.
    """
    scheme = reference.partition(":")[0]
    if scheme in SOURCES and not os.path.exists(reference):
        return _tree_topic(scheme, reference, reading, repositories, tip)
    return _file_topic(reference, reading, repositories, tip)


def _tree_topic(scheme: str, reference: str, reading: Reading, repositories: Repositories, tip: str | None) -> Topic:
    """Return the topic of a source tree: `SCHEME:FOLDER`, with an optional revision."""
    main = SOURCES.load(scheme)
    if main.tree is None:
        known = ", ".join(name for name in SOURCES.names() if SOURCES.load(name).tree is not None)
        advice = f"sources with revisions: {known}; or name a spec file of a repository"
        raise UsageError(f"{scheme} has no revisions, so it has no history", advice=advice)
    _, _, argument = reference.partition(":")
    tree = trees.split_revision(argument, reading, repositories)
    opened = tree.repository or _enclosing_repository(tree.folder, reference, repositories)
    readers = {scheme: main.tree}
    readers |= {name: tree_reader for name in main.related if (tree_reader := SOURCES.load(name).tree) is not None}
    prefix = opened.repository.prefix
    return Topic(
        name=reference,
        reading=reading,
        opened=opened,
        tip=_last_commit(reference, opened, tip or tree.revision),
        prefix=prefix,
        place=f"{scheme}:{prefix}",
        contracts=tuple(_tree_contract(name, reader, reading) for name, reader in readers.items()),
    )


def _enclosing_repository(folder: str, reference: str, repositories: Repositories) -> OpenRepository:
    repository = repositories.around(folder) if os.path.isdir(folder) else None
    if repository is None:
        problem = f"{reference} is in no git repository, so it has no history"
        raise UsageError(problem, advice="name a source tree, or a spec file, of a git repository")
    return repository


def _last_commit(reference: str, opened: OpenRepository, revision: str | None) -> str:
    if revision == INDEX:
        raise UsageError("the index is no revision, so it has no history", advice="name a commit")
    commit = opened.repository.head if revision is None else opened.commit(revision)
    if commit is None:
        advice = "name a commit, a branch or a tag"
        raise InputError(reference, f"there is no revision {revision or 'HEAD'!r}", advice=advice)
    return commit


def _tree_contract(name: str, reader: TreeReader, reading: Reading) -> Contract:
    """Return the contract that a reader extracts from the trees of revisions."""
    quiet = reading.replace(progress=_ignore_progress)
    stores = [MemoryStore(trees.store_of(name, reader, reading))]  # one, or none after an error

    def read(tree: MovingTree, commit: str) -> Spec:
        """Return the spec of a revision; the store has the parts that did not change since the one before."""
        store = stores.pop() if stores else MemoryStore()
        spec = reader.read(trees.OpenTree(files=tree, commit=commit), f"{name}@{commit[:10]}", quiet, store)
        stores.append(store)  # only after success: an error may have left the store half changed
        return spec

    def close() -> None:
        # Other readings of the tree have little use for the results of a reading for one op.
        for store in stores if reading.only is None else ():
            store.hand_over()

    def narrowed(op: str) -> Contract:
        return _tree_contract(name, reader, reading.replace(only=op))

    return Contract(name=name, read=read, close=close, suffixes=reader.suffixes, narrowed=narrowed)


def _file_topic(reference: str, reading: Reading, repositories: Repositories, tip: str | None) -> Topic:
    """Return the topic of a spec file of a repository: `PATH`, or `REVISION:PATH`."""
    revision = ""
    if os.path.lexists(reference) or ":" not in reference:
        opened = _enclosing_repository(os.path.dirname(reference) or ".", reference, repositories)
        path = os.path.relpath(os.path.realpath(reference), opened.repository.top)
    else:
        opened = _enclosing_repository(".", reference, repositories)
        revision, _, path = reference.partition(":")
        if path.startswith(("./", "../")):
            path = os.path.normpath(opened.repository.prefix + path)
    commit = _last_commit(reference, opened, tip or revision or None)
    names = first_parents.paths_by_commit(opened.repository, commit, path)
    if not names:
        raise InputError(reference, "no revision has a file of that name", advice="name a file that git tracks")
    return Topic(
        name=reference,
        reading=reading,
        opened=opened,
        tip=commit,
        prefix="",
        place=f"{FILE}:{path}",
        contracts=(_SpecFile(opened.repository, names, reading).contract(),),
    )


class _SpecFile:
    """A spec file of a repository, under all names that it had."""

    def __init__(self, repository: Repository, names: dict[str, str], reading: Reading) -> None:
        self._repository = repository
        self._names = names
        self._reading = reading
        self._memo = Memo()
        self._commits: dict[str, str] | None = None

    def contract(self) -> Contract:
        return Contract(name=FILE, read=self._read, renames=self._names)

    def _read(self, tree: MovingTree, commit: str) -> Spec:
        """Return the spec in the file at a revision. Raises NothingThereError if the revision lacks it."""
        from opspec_lint.documents.file_context import context_in_tree
        from opspec_lint.git import lfs
        from opspec_lint.sources import recognise

        path = self._name_at(commit)
        name = f"{commit[:10]}:{path}"
        data = tree.read([path])[path] if path else None
        if data is None:
            raise NothingThereError(name, "there is no such file at this revision")
        folders = (os.path.normpath(os.path.join(self._repository.prefix, folder)) for folder in self._reading.include)
        around = lambda: context_in_tree(path, lambda file: tree.read([file])[file], str, folders)  # noqa: E731
        data = lfs.content_of(data, self._repository)
        self._memo.counts.clear()  # keyed by id(): objects of the revision before last are gone, and ids are reused
        return recognise.spec_of(recognise.document_of(data, name, self._memo, around))

    def _name_at(self, commit: str) -> str:
        """Return the name of the file at a commit: its name since the last revision that changed it, "" if deleted."""
        if self._commits is None:
            self._commits = {}
            name = ""
            for changed in first_parents.commits(self._repository, next(iter(self._names))):
                name = self._names.get(changed, name)
                self._commits[changed] = name
        return self._commits.get(commit, next(iter(self._names.values())))


def _ignore_progress(_: str) -> None:
    """Ignore a progress message: a walk reports its own progress, by revisions."""
