"""The grammar of references to specs, as the command line and the configuration use them.

`-` is standard input. Otherwise, a reference is the first of these that exists: a file, in any format; a source with a
known scheme, `NAME` or `NAME:ARGUMENT`; a released spec, `NAME@VERSION`; a file at a revision of the current
repository, `REVISION:PATH`, or in its index, `:PATH`.
"""

from __future__ import annotations

import os

from opspec_lint.kit.errors import InputError, UsageError, nearest_advice, unknown_name
from opspec_lint.sources import released
from opspec_lint.sources.loaded import Loaded
from opspec_lint.sources.source import SOURCES

TYPE_CHECKING = False
STANDARD_INPUT = "-"
_WHEEL = ".whl"
_STAGES = {"0:": "", "1:": ":1", "2:": ":2", "3:": ":3"}
"""The stages of the index, by how they stand in `:N:PATH`, as the revisions that they are of."""
_PLACES = {"": "in the index"} | {f":{stage}": f"in stage {stage} of the index" for stage in (1, 2, 3)}

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.documents.file_context import FileContext
    from opspec_lint.git.repository import Repository
    from opspec_lint.sources.loaded import Around
    from opspec_lint.sources.reading import Reading
    from opspec_lint.sources.source import Source


def resolve(reference: str, reading: Reading) -> Loaded:
    """Return the spec that a reference names.

    Args:
        reference: a file, a source, a released spec, a file at a revision, or `-`.
        reading: how it is to be read.

    Raises:
        InputError: there is no such file, scheme or revision, or what there is cannot be read or extracted.
    """
    named = _source(reference)
    if named is not None and not os.path.exists(reference):
        return Loaded(spec=named.spec(reference.partition(":")[2], reading), path=reference)
    from opspec_lint.sources import recognise

    if reference == STANDARD_INPUT:
        name = "standard input"
        return recognise.loaded(recognise.document_of(reading.standard_input(), name, reading.memo), name)
    if os.path.lexists(reference):
        if reference.endswith(_WHEEL):
            raise InputError(reference, "is a wheel, and not a spec file", advice=_of_wheel(reference))
        return recognise.read(reference, reading.memo, reading.include)
    if released.is_name(reference):
        return _released(reference, reading)
    repository = _around(reading.environment) if ":" in reference else None
    if repository is None:
        raise _unknown(reference)
    return _at_revision(reference, repository, reading)


def around(reference: str, reading: Reading) -> Around | None:
    """Return the files around the spec that a reference names, None where it names none that has any.

    Args:
        reference: what `resolve` takes.
        reading: how it is to be read.
    """
    from opspec_lint.sources import trees
    from opspec_lint.sources.loaded import Around, around_file

    named = _source(reference)
    if named is not None and not os.path.exists(reference):
        scheme, _, argument = reference.partition(":")
        return None if named.tree is None else trees.around(scheme, argument, named.tree, reading)
    if os.path.lexists(reference):
        return around_file(reference) if os.path.isfile(reference) else None
    repository = _around(reading.environment) if ":" in reference and not released.is_name(reference) else None
    if repository is None:
        return None
    commit, _ = _located(reference, repository, may_fetch=reading.may_fetch)
    return Around(read=lambda path: repository.read(commit, path))


def resolve_tracked(reference: str, repository: Repository, reading: Reading) -> Loaded:
    """Return the spec of a reference that a file of a repository names: a source, `NAME@VERSION` or `REVISION:PATH`.

    Such a reference must not run anything, and is never read as a file of the work tree. The folder of a source is
    relative to the top of the repository.

    Args:
        reference: a source, a released spec, or a file at a revision.
        repository: the repository.
        reading: how it is to be read.

    Raises:
        UsageError: the reference names something to run.
        InputError: there is no such revision or file, or what there is cannot be read.
    """
    named = _source(reference)
    if named is not None:
        if named.runs_code:
            raise UsageError(
                f"{reference!r} runs a program, but is named in a file of the repository",
                advice="extract it once, and name the spec file instead: `opspec-lint extract SOURCE --output FILE`",
            )
        spec = named.spec(_from_here(reference, repository.top), reading).but(file=reference)
        return Loaded(spec=spec, path=reference)
    if released.is_name(reference):
        return _released(reference, reading)
    return Loaded(spec=_at_revision(reference, repository, reading).spec, path=reference)


def _at_revision(reference: str, repository: Repository, reading: Reading) -> Loaded:
    from opspec_lint.git import conflicts, lfs
    from opspec_lint.git.repository import INDEX
    from opspec_lint.sources import recognise

    commit, path = _located(reference, repository, may_fetch=reading.may_fetch)
    data = repository.read(commit, path)
    if data is None:
        data = _of_folder(repository, commit, path)
    if data is None:
        if commit == INDEX:
            conflicts.refuse(repository, path)
        files = repository.files(INDEX if commit in _PLACES else commit)
        found = recognise.spec_of_folder(path, files, lambda each: repository.read(commit, each) or b"")
        if found is None:
            raise _not_there(reference, commit, path, files)
        return Loaded(spec=found, path=path)
    data = lfs.content_of(data, repository)
    document = recognise.document_of(data, reference, reading.memo, lambda: _around_it(reference, repository, reading))
    return recognise.loaded(document, path)


def _around_it(reference: str, repository: Repository, reading: Reading) -> FileContext:
    """Return the files around one at a revision, as they stand there."""
    from opspec_lint.documents.file_context import of_tree

    revision, own = _split(reference, repository)
    commit = revision if revision in _PLACES else repository.tree(revision) or revision
    prefix = reference.partition(":")[0]
    return of_tree(
        own,
        lambda path: repository.read(commit, path),
        lambda path: reference if path == own else f"{prefix}:{path}",
        (os.path.normpath(os.path.join(repository.prefix, each)) for each in reading.include),
    )


def at(reference: str, revision: str, top: str = ".") -> str:
    """Return the reference of a source as it stands at a revision, in the index or in the work tree.

    Args:
        reference: `SCHEME` or `SCHEME:ARGUMENT`.
        revision: the id of a commit, `INDEX` or `WORK_TREE`.
        top: the folder from which the argument counts, as it stands in a file there.

    Raises:
        UsageError: the reference is no source, or one without revisions.
    """
    scheme = reference.partition(":")[0]
    named = _source(reference)
    if named is None:
        raise unknown_name("source", scheme, SOURCES.names())
    if named.tree is None:
        raise UsageError(
            f"{scheme} has no revisions, so there is no base to compare with",
            advice="keep its spec as a file and name it under `specs`; `opspec-lint sync` compares the two",
        )
    from opspec_lint.sources import trees

    return f"{scheme}:{trees.at(_from_here(reference, top), revision)}"


def beside(reference: str) -> list[str]:
    """Return the references of the sources that read other ops of the tree that a reference names."""
    named = None if os.path.exists(reference) else _source(reference)
    _, *argument = reference.split(":", 1)
    return [] if named is None else [":".join((scheme, *argument)) for scheme in named.beside]


def is_no_file(reference: str) -> bool:
    """Tell whether a reference names a source, a released spec or a file at a revision, and no file that is there."""
    if os.path.lexists(reference):
        return False
    return _source(reference) is not None or released.is_name(reference) or ":" in reference


def has_revisions(reference: str) -> bool:
    """Tell whether a reference is a source that can be read at a revision."""
    named = _source(reference)
    return named is not None and named.tree is not None


def in_index(path: str, repository: Repository) -> str | None:
    """Return the reference of a file or folder as it stands in the index, None for one that git does not track.

    Args:
        path: the path from the top of the repository.
        repository: the repository.
    """
    from opspec_lint.git.repository import INDEX

    path = os.path.normpath(path)
    is_tracked = any(each == path or each.startswith(f"{path}/") for each in repository.files(INDEX))
    return f":{path}" if is_tracked else None


def _released(reference: str, reading: Reading) -> Loaded:
    from opspec_lint.sources import recognise

    name = released.exact(reference)
    spec = recognise.spec_of(recognise.document_of(released.read(name), name, reading.memo))
    return Loaded(spec=spec, path=name)


def _source(reference: str) -> Source | None:
    """Return the source that a reference names, None where its scheme is none."""
    scheme = reference.partition(":")[0]
    return SOURCES.load(scheme) if scheme in SOURCES else None


def _from_here(reference: str, top: str) -> str:
    """Return the argument of a source whose folder counts from `top`, as the current folder sees it."""
    return os.path.relpath(os.path.join(top, reference.partition(":")[2]))


def _around(environment: Mapping[str, str]) -> Repository | None:
    from opspec_lint.git.repository import repository_around

    return repository_around(".", environment)


def _located(reference: str, repository: Repository, *, may_fetch: bool | None) -> tuple[str, str]:
    """Return the revision and the path that `REVISION:PATH` names.

    Raises:
        InputError: the repository has no such revision, or a folder of it has two entries of one name.
    """
    from opspec_lint.git.fetching import require_commit
    from opspec_lint.git.listing import refuse_repeated_names

    revision, path = _split(reference, repository)
    commit = revision
    if revision not in _PLACES:
        near = nearest_advice(revision, SOURCES.names())
        try:
            commit = repository.tree(revision) or require_commit(
                repository, revision, may_fetch=may_fetch, advice=near if near.startswith("did") else ""
            )
        except InputError as error:
            problem = f"{revision!r} is neither a known scheme nor a revision of the repository"
            raise InputError(reference, problem, advice=error.advice) from None
        refuse_repeated_names(repository, commit)
    return commit, path


def _not_there(reference: str, commit: str, path: str, files: list[str]) -> InputError:
    place = _PLACES.get(commit, f"at {reference.partition(':')[0]}")
    near = nearest_advice(path, files)
    return InputError(reference, f"there is no file {path!r} {place}", advice=near if near.startswith("did") else "")


def _of_folder(repository: Repository, commit: str, folder: str) -> bytes | None:
    """Return the file that stands for a folder at a revision, such as that of a saved model; None where none does."""
    from opspec_lint.sources.format import every

    paths = (f"{folder.rstrip('/')}/{name}" for each in every() for name in each.folder_files)
    return next((data for path in paths if (data := repository.read(commit, path)) is not None), None)


def _split(reference: str, repository: Repository) -> tuple[str, str]:
    """Return the revision, and the path from the top of the repository; one that begins with a dot is from here."""
    revision, _, path = reference.partition(":")
    if not revision and path[:2] in _STAGES:
        revision, path = _STAGES[path[:2]], path[2:]
    return revision, os.path.normpath(repository.prefix + path) if path.startswith(("./", "../")) else path


def from_top(found: Loaded, environment: Mapping[str, str]) -> Loaded:
    """Return a loaded spec with the path of its file from the top of the repository that the file is in, if any."""
    if not found.is_file:
        return found
    from opspec_lint.git.repository import repository_around

    path = found.path
    repository = repository_around(os.path.dirname(path) or ".", environment)
    if repository is None:
        return found
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(repository.top))
    return found if relative.startswith(os.pardir) else found.but(path=relative)


def _of_wheel(path: str) -> str:
    """Return advice on how the specs of a wheel are read."""
    every = [(scheme, SOURCES.load(scheme)) for scheme in SOURCES.names()]
    readers = (scheme for scheme, each in every if each.wheel)
    known = [f"{scheme}:{path} reads a wheel of {SOURCES.framework_of(scheme)}" for scheme in readers]
    runtimes = [f"{scheme}:PYTHON" for scheme, each in every if each.runs_code]
    return "; ".join([*known, f"or install the wheel, and name the interpreter: {', '.join(runtimes)}"])


def _unknown(reference: str) -> InputError:
    if reference.endswith(_WHEEL):
        return InputError(reference, "no such file", advice=f"check the path; {_of_wheel(reference)}")
    near = _nearest(reference)
    known = f"known schemes: {', '.join(SOURCES.names())}; `opspec-lint specs` lists the released specs"
    return InputError(
        reference,
        "no such file, and not a known scheme",
        advice=f"{near} {known}" if near.startswith("did") else known,
    )


def _nearest(reference: str) -> str:
    """Return advice on what a reference may mean: a released spec, or a name nearby."""
    where, file = os.path.split(reference)
    stem, suffix = os.path.splitext(file)
    name = released.meant(stem if suffix[1:].isalpha() else file)
    if name is not None:
        return f"did you mean {name!r}?"
    entries = _entries(where or ".") if os.path.isdir(where or ".") else []
    return nearest_advice(file, [*entries, *SOURCES.names()])


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
