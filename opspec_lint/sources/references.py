"""The grammar of references to specs, as the command line and the configuration use them.

`-` is standard input. Otherwise, a reference is the first of these that exists: a file, in any format; a source with a
known scheme, `NAME` or `NAME:ARGUMENT`; a released spec, `NAME@VERSION`; a file at a revision of the current
repository, `REVISION:PATH`, or in its index, `:PATH`.
"""

from __future__ import annotations

import os

from opspec_lint.kit.errors import InputError, UsageError, similar_name_advice, unknown_name
from opspec_lint.sources import released
from opspec_lint.sources.loaded import Loaded
from opspec_lint.sources.source import SOURCES

TYPE_CHECKING = False
STANDARD_INPUT = "-"
_WHEEL = ".whl"
_STAGES = {"0:": "", "1:": ":1", "2:": ":2", "3:": ":3"}
"""The stages of the index as revisions, by their form in `:N:PATH`."""
_PLACES = {"": "in the index"} | {f":{stage}": f"in stage {stage} of the index" for stage in (1, 2, 3)}

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.documents.file_context import FileContext
    from opspec_lint.git.repository import Repository
    from opspec_lint.sources.loaded import FileAccess
    from opspec_lint.sources.reading import Reading
    from opspec_lint.sources.source import Source


def resolve(reference: str, reading: Reading) -> Loaded:
    """Return the spec that a reference names.

    Args:
        reference: a file, a source, a released spec, a file at a revision, or `-`.
        reading: the options for reading it.

    Raises:
        InputError: there is no such file, scheme or revision, or it cannot be read or extracted.
    """
    named = None if _is_path(reference, reading) else _source(reference)
    if named is not None:
        return Loaded(spec=named.spec(reference.partition(":")[2], reading), path=reference)
    from opspec_lint.sources import recognise

    if reference == STANDARD_INPUT:
        name = "standard input"
        return recognise.load_spec(recognise.document_of(reading.standard_input(), name, reading.memo), name)
    if _is_path(reference, reading):
        if reference.endswith(_WHEEL):
            raise InputError(reference, "is a wheel, and not a spec file", advice=_wheel_advice(reference))
        return recognise.read(reference, reading.memo, reading.include)
    if released.is_name(reference):
        return _load_released(reference, reading)
    repository = _current_repository(reading) if ":" in reference else None
    if repository is None:
        raise _unknown_reference_error(reference)
    return _at_revision(reference, repository, reading)


def file_access(reference: str, reading: Reading) -> FileAccess | None:
    """Return access to the files of the tree that a spec is from, None if it is from no tree.

    Args:
        reference: a reference that `resolve` takes.
        reading: the options for reading it.
    """
    from opspec_lint.sources import trees
    from opspec_lint.sources.loaded import FileAccess, access_around

    named = None if _is_path(reference, reading) else _source(reference)
    if named is not None:
        scheme, _, argument = reference.partition(":")
        return None if named.tree is None else trees.file_access(scheme, argument, named.tree, reading)
    if _is_path(reference, reading):
        return access_around(reference) if os.path.isfile(reference) else None
    repository = _current_repository(reading) if ":" in reference and not released.is_name(reference) else None
    if repository is None:
        return None
    commit, _ = _split_and_resolve(reference, repository, may_fetch=reading.may_fetch)
    return FileAccess(read=lambda path: repository.read(commit, path))


def resolve_tracked(reference: str, repository: Repository, reading: Reading) -> Loaded:
    """Return the spec of a reference that a file of a repository names: a source, `NAME@VERSION` or `REVISION:PATH`.

    Such a reference must not run anything, and is never read as a file of the work tree. The folder of a source is
    relative to the top of the repository.

    Args:
        reference: a source, a released spec, or a file at a revision.
        repository: the repository.
        reading: the options for reading it.

    Raises:
        UsageError: the reference names a program to run.
        InputError: there is no such revision or file, or it cannot be read.
    """
    named = _source(reference)
    if named is not None:
        if named.runs_code:
            raise UsageError(
                f"{reference!r} runs a program, but is named in a file of the repository",
                advice="extract it once, and name the spec file instead: `opspec-lint extract SOURCE --output FILE`",
            )
        spec = named.spec(_argument_from_here(reference, repository.top), reading).replace(file=reference)
        return Loaded(spec=spec, path=reference)
    if released.is_name(reference):
        return _load_released(reference, reading)
    return Loaded(spec=_at_revision(reference, repository, reading).spec, path=reference)


def _at_revision(reference: str, repository: Repository, reading: Reading) -> Loaded:
    """Return the spec of a file, or of a folder of a spec, at a revision or in the index."""
    from opspec_lint.git import conflicts, lfs
    from opspec_lint.git.repository import INDEX
    from opspec_lint.sources import recognise

    commit, path = _split_and_resolve(reference, repository, may_fetch=reading.may_fetch)
    data = repository.read(commit, path)
    if data is None:
        data = _folder_file(repository, commit, path)
    if data is None:
        # A file in conflict has the stages 1 to 3 and no stage 0 (gitrevisions(7)), and would seem to be missing.
        if commit == INDEX:
            conflicts.refuse_conflict(repository, path)
        files = repository.files(INDEX if commit in _PLACES else commit)
        spec = recognise.spec_of_folder(path, files, lambda file: repository.read(commit, file) or b"")
        if spec is None:
            raise _missing_file_error(reference, commit, path, files)
        return Loaded(spec=spec, path=path)
    # An object of git may be a pointer of git-lfs, as no filter is applied when an object is read.
    data = lfs.content_of(data, repository)
    document = recognise.document_of(
        data, reference, reading.memo, lambda: _includable_files(reference, repository, reading)
    )
    return recognise.load_spec(document, path)


def _includable_files(reference: str, repository: Repository, reading: Reading) -> FileContext:
    """Return the files that a file at a revision may include, as they are there."""
    from opspec_lint.documents.file_context import context_in_tree
    from opspec_lint.git.base_names import merge_base_of_range

    revision, own = _split(reference, repository)
    commit = revision
    if revision not in _PLACES:
        commit = merge_base_of_range(repository, revision) or repository.tree(revision) or revision
    prefix = reference.partition(":")[0]
    return context_in_tree(
        own,
        lambda path: repository.read(commit, path),
        lambda path: reference if path == own else f"{prefix}:{path}",
        (os.path.normpath(os.path.join(repository.prefix, folder)) for folder in reading.include),
    )


def source_at_revision(reference: str, revision: str, top: str = ".") -> str:
    """Return the reference of a source at a revision, in the index or in the work tree.

    Args:
        reference: `SCHEME` or `SCHEME:ARGUMENT`.
        revision: the id of a commit, `INDEX` or `WORK_TREE`.
        top: the folder that the argument is relative to.

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

    return f"{scheme}:{trees.argument_at_revision(_argument_from_here(reference, top), revision)}"


def split_source(reference: str) -> tuple[str, str, str]:
    """Return a source without its range, the folder of its tree, and the range, "" if there is none.

    Args:
        reference: a source with revisions: `SCHEME`, `SCHEME:DIR`, or with a range, `SCHEME:DIR@A...B`.
    """
    from opspec_lint.sources import trees

    scheme, _, argument = reference.partition(":")
    folder, named = trees.split_range(argument)
    return f"{scheme}:{folder}", folder, named


def from_top(reference: str, top: str) -> str:
    """Return a reference of a source, relative to the current folder, as one relative to the top of a repository."""
    scheme, _, argument = reference.partition(":")
    return f"{scheme}:{os.path.relpath(os.path.realpath(argument or '.'), os.path.realpath(top))}"


def related_sources(reference: str) -> list[str]:
    """Return the references of the sources that read other ops of the tree that a reference names."""
    named = None if os.path.exists(reference) else _source(reference)
    _, colon, argument = reference.partition(":")
    return [] if named is None else [f"{scheme}{colon}{argument}" for scheme in named.related]


def is_no_file(reference: str) -> bool:
    """Return whether a reference names a source, a released spec or a file at a revision, and no existing file."""
    if os.path.lexists(reference):
        return False
    return _source(reference) is not None or released.is_name(reference) or ":" in reference


def has_revisions(reference: str) -> bool:
    """Return whether a reference is a source that can be read at a revision."""
    named = _source(reference)
    return named is not None and named.tree is not None


def in_index(path: str, repository: Repository) -> str | None:
    """Return the reference of a file or folder in the index, None if git does not track it.

    Args:
        path: the path from the top of the repository.
        repository: the repository.
    """
    from opspec_lint.git.repository import INDEX

    path = os.path.normpath(path)
    is_tracked = any(tracked == path or tracked.startswith(f"{path}/") for tracked in repository.files(INDEX))
    return f":{path}" if is_tracked else None


def _load_released(reference: str, reading: Reading) -> Loaded:
    from opspec_lint.sources import recognise

    name = released.full_name(reference)
    spec = recognise.spec_of(recognise.document_of(released.read(name), name, reading.memo))
    return Loaded(spec=spec, path=name)


def _source(reference: str) -> Source | None:
    """Return the source that a reference names, None if its scheme is unknown."""
    scheme = reference.partition(":")[0]
    # A revision such as `HEAD:PATH` is no reason to look for plug-ins: each of their schemes has a hyphen.
    may_be_plugged = "-" in scheme and scheme.replace("-", "").isalnum()
    return SOURCES.load(scheme) if SOURCES.is_built_in(scheme) or (may_be_plugged and scheme in SOURCES) else None


def _argument_from_here(reference: str, top: str) -> str:
    """Return the argument of a source that is relative to `top`, relative to the current folder."""
    return os.path.relpath(os.path.join(top, reference.partition(":")[2]))


def _is_path(reference: str, reading: Reading) -> bool:
    """Return whether a reference is an existing path; a relative one counts from the current folder alone."""
    return (reading.folder == os.curdir or os.path.isabs(reference)) and os.path.lexists(reference)


def _current_repository(reading: Reading) -> Repository | None:
    """Return the repository whose revisions a reference may name."""
    from opspec_lint.git.repository import repository_around

    return None if reading.folder is None else repository_around(reading.folder, reading.environment)


def _split_and_resolve(reference: str, repository: Repository, *, may_fetch: bool | None) -> tuple[str, str]:
    """Return the revision and the path that `REVISION:PATH` names.

    Raises:
        InputError: the repository has no such revision, or one of its folders has two entries with one name.
    """
    from opspec_lint.git.base_names import merge_base_of_range
    from opspec_lint.git.fetching import require_commit
    from opspec_lint.git.listing import refuse_repeated_names

    revision, path = _split(reference, repository)
    commit = revision
    if revision not in _PLACES:
        # A misspelt scheme, such as `padle-source:DIR`, has the form of `REVISION:PATH`.
        near = similar_name_advice(revision, SOURCES.names())
        try:
            commit = (
                merge_base_of_range(repository, revision, may_fetch=may_fetch)
                or repository.tree(revision)
                or require_commit(repository, revision, may_fetch=may_fetch, advice=near)
            )
        except InputError as error:
            problem = f"{revision!r} is neither a known scheme nor a revision of the repository"
            raise InputError(reference, problem, advice=error.advice) from None
        refuse_repeated_names(repository, commit)
    return commit, path


def _missing_file_error(reference: str, commit: str, path: str, files: list[str]) -> InputError:
    place = _PLACES.get(commit, f"at {reference.partition(':')[0]}")
    # Not `nearest_advice`, which without a similar name would list the files of the repository.
    near = similar_name_advice(path, files)
    return InputError(reference, f"there is no file {path!r} {place}", advice=near)


def _folder_file(repository: Repository, commit: str, folder: str) -> bytes | None:
    """Return the file that represents a folder at a revision, such as the folder of a saved model; or None."""
    from opspec_lint.sources.format import all_formats

    paths = (f"{folder.rstrip('/')}/{name}" for file_format in all_formats() for name in file_format.folder_files)
    return next((data for path in paths if (data := repository.read(commit, path)) is not None), None)


def _split(reference: str, repository: Repository) -> tuple[str, str]:
    """Return the revision, and the path from the top; a path that begins with a dot counts from the current folder."""
    revision, _, path = reference.partition(":")
    # gitrevisions(7): `:2:PATH` names a stage of the index, and a path with a dot counts from the current folder.
    if not revision and path[:2] in _STAGES:
        revision, path = _STAGES[path[:2]], path[2:]
    return revision, os.path.normpath(repository.prefix + path) if path.startswith(("./", "../")) else path


def with_path_from_top(loaded: Loaded, environment: Mapping[str, str]) -> Loaded:
    """Return a loaded spec with the path of its file from the top of the repository of the file, if there is one."""
    if not loaded.is_file:
        return loaded
    from opspec_lint.git.repository import repository_around

    path = loaded.path
    repository = repository_around(os.path.dirname(path) or ".", environment)
    if repository is None:
        return loaded
    # Without links: one in either path would make the file seem to be outside of the repository.
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(repository.top))
    return loaded if relative.startswith(os.pardir) else loaded.replace(path=relative)


def _wheel_advice(path: str) -> str:
    """Return advice for reading the specs of a wheel."""
    every = [(scheme, SOURCES.load(scheme)) for scheme in SOURCES.names()]
    readers = (scheme for scheme, source in every if source.wheel)
    known = [f"{scheme}:{path} reads a wheel of {SOURCES.framework_of(scheme)}" for scheme in readers]
    runtimes = [f"{scheme}:PYTHON" for scheme, source in every if source.runs_code]
    return "; ".join([*known, f"or install the wheel, and name the interpreter: {', '.join(runtimes)}"])


def _unknown_reference_error(reference: str) -> InputError:
    """Return the error for an argument that is neither a file nor a source, with the nearest known name."""
    if reference.endswith(_WHEEL):
        return InputError(reference, "no such file", advice=f"check the path; {_wheel_advice(reference)}")
    if (advice := released.version_advice(reference)) is not None:
        return InputError(reference, "the version of the release is missing", advice=advice)
    near = _nearest_name_advice(reference)
    known = f"known schemes: {', '.join(SOURCES.names())}; `opspec-lint specs` lists the released specs"
    return InputError(
        reference,
        "no such file, and not a known scheme",
        advice=f"{near} {known}" if near else known,
    )


def _nearest_name_advice(reference: str) -> str:
    """Return the advice with a name that a wrong reference may mean: a released spec, or a similar name; or ""."""
    where, file = os.path.split(reference)
    stem, suffix = os.path.splitext(file)
    # The suffix of `paddle-2.6.json` is dropped; in `paddle-2.6` it is a part of the version.
    name = released.similar_name(stem if suffix[1:].isalpha() else file)
    if name is not None:
        return f"did you mean {name!r}?"
    entries = _entries(where or ".") if os.path.isdir(where or ".") else []
    return similar_name_advice(file, [*entries, *SOURCES.names()])


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
