"""The one grammar of everything a spec can be taken from.

An existing file comes first, in whichever format it is; then a known scheme, `NAME` or `NAME:ARGUMENT`; then
`REVISION:PATH`, a file as it stands at a revision of the repository around us, and `:PATH`, as it stands in the index.
"""

from __future__ import annotations

import os

from opspec_lint import catalogue
from opspec_lint.errors import InputError, UsageError, nearest_advice, unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Protocol

    from opspec_lint.git import Repository
    from opspec_lint.model import Spec
    from opspec_lint.settings import Settings

    class Extractor(Protocol):
        """What a module of `extractors` offers."""

        SCHEME: str
        SUMMARY: str
        RUNS_CODE: bool
        """Whether what the argument names is executed, so that no file of a repository may name it."""

        def extract(self, argument: str) -> Spec:
            """Return the spec of what `argument` names under the scheme; "" where nothing was named."""


def extractors() -> dict[str, str]:
    """Return the module of each known scheme; a module's name is its scheme with underscores."""
    return {name.replace("_", "-"): name for name in catalogue.names("extractors")}


def resolve(
    reference: str,
    environment: Mapping[str, str] | None = None,
    *,
    may_fetch: bool = False,
    settings: Settings | None = None,
) -> Spec:
    """Return the spec that a reference names.

    Args:
        reference: a file, a source, or a file at a revision.
        environment: the environment that git inherits, None for an empty one.
        may_fetch: whether a revision that is not here may be fetched.
        settings: how a source is to be read; None for the ordinary way.

    Raises:
        InputError: there is no such file, scheme or revision, or what there is cannot be read or extracted.
    """
    scheme, _, argument = reference.partition(":")
    schemes = extractors()
    if scheme in schemes and not os.path.exists(reference):
        extractor: Extractor = catalogue.module("extractors", schemes[scheme])
        if not getattr(extractor, "WANTS_SETTINGS", False):
            return extractor.extract(argument)
        from opspec_lint.settings import Settings

        own = settings or Settings(environment=environment or {}, caches=True, may_fetch=may_fetch)
        return extractor.extract(argument, own)  # type: ignore[call-arg]
    from opspec_lint import document, files

    if os.path.lexists(reference):
        return files.read_spec(reference)
    repository = _around(environment) if ":" in reference else None
    if repository is None:
        raise _unknown(reference, schemes)
    return files.spec_of(document.decode(_at_revision(reference, repository, may_fetch=may_fetch), reference))


def resolve_harmless(reference: str, repository: Repository, *, may_fetch: bool = False) -> Spec:
    """Return the spec of a source, or of `REVISION:PATH`, that stands in a file of a repository.

    It must not run anything, and no file of the work tree takes the place of what it names.

    Args:
        reference: a source, or a file at a revision.
        repository: the repository.
        may_fetch: whether a revision that is not here may be fetched.

    Raises:
        UsageError: the reference names something to run.
        InputError: there is no such revision or file, or what there is cannot be read.
    """
    module = _extractor(reference)
    if module is not None:
        if module.RUNS_CODE:
            raise UsageError(
                f"{reference!r} runs a program, and stands in a file of the repository",
                advice="extract it once, and name the spec file: `opspec-lint extract SOURCE --output FILE`",
            )
        return module.extract(reference.partition(":")[2])
    from opspec_lint import document, files

    return files.spec_of(document.decode(_at_revision(reference, repository, may_fetch=may_fetch), reference))


def at(reference: str, revision: str, top: str = ".") -> str:
    """Return the reference of a source as it stands at a revision, in the index or in the work tree.

    Args:
        reference: `SCHEME` or `SCHEME:ARGUMENT`.
        revision: the id of a commit, `git.INDEX` or `git.WORK_TREE`.
        top: the folder from which the argument counts, as it stands in a file there.

    Raises:
        UsageError: it is no source, or one without revisions.
    """
    module = _extractor(reference)
    if module is None:
        raise unknown_name("source", reference.partition(":")[0], extractors())
    if not hasattr(module, "at"):
        raise UsageError(
            f"{module.SCHEME} has no revisions, so that there is no base to compare with",
            advice="keep its spec as a file, name that under `specs`, and `opspec-lint sync` holds the two together",
        )
    argument: str = module.at(os.path.relpath(os.path.join(top, reference.partition(":")[2])), revision)
    return f"{module.SCHEME}:{argument}"


def has_revisions(reference: str) -> bool:
    """Tell whether a reference is a source that can be read at a revision."""
    return hasattr(_extractor(reference), "at")


def _extractor(reference: str) -> Extractor | None:
    """Return the extractor of a reference's scheme, None where it has none."""
    schemes = extractors()
    scheme = reference.partition(":")[0]
    return catalogue.module("extractors", schemes[scheme]) if scheme in schemes else None


def text(reference: str, environment: Mapping[str, str] | None = None) -> tuple[str, str | None]:
    """Return the path, from the top of its repository, and the JSON text of the spec file that a reference names.

    The text is None for what is no JSON file. The reference has been resolved without an error.
    """
    from opspec_lint import document

    if os.path.exists(reference):
        path = _in_repository(reference, environment or {})
        return path, document.read(reference).text if os.path.isfile(reference) else None
    repository = _around(environment)
    if reference.partition(":")[0] in extractors() or repository is None:
        return reference, None
    revision, path = _split(reference, repository)
    data = repository.read(revision, path)
    return path, None if data is None else document.decode(data, reference).text


def _around(environment: Mapping[str, str] | None) -> Repository | None:
    from opspec_lint import git

    return git.find(".", environment or {})


def _at_revision(reference: str, repository: Repository, *, may_fetch: bool) -> bytes:
    """Return the file that `REVISION:PATH` names.

    Raises:
        InputError: the repository has no such revision, or the revision no such file.
    """
    from opspec_lint import git

    revision, path = _split(reference, repository)
    commit = git.INDEX
    if revision != git.INDEX:
        near = nearest_advice(revision, extractors())
        try:
            commit = git.require(
                repository, revision, may_fetch=may_fetch, advice=near if near.startswith("did") else ""
            )
        except InputError as error:
            problem = f"{revision!r} is no known scheme, and no revision of the repository"
            raise InputError(reference, problem, advice=error.advice) from None
    data = repository.read(commit, path)
    if data is None:
        place = f"at {revision}" if revision else "in the index"
        near = nearest_advice(path, repository.files(commit))
        raise InputError(reference, f"there is no file {path!r} {place}", advice=near if near.startswith("did") else "")
    return data


def _split(reference: str, repository: Repository) -> tuple[str, str]:
    """Return the revision, and the path from the top of the repository; one that begins with a dot is from here."""
    revision, _, path = reference.partition(":")
    return revision, os.path.normpath(repository.prefix + path) if path.startswith(("./", "../")) else path


def _in_repository(path: str, environment: Mapping[str, str]) -> str:
    """Return the path of a file from the top of the repository that it is in; as it is, where it is in none."""
    from opspec_lint import git

    repository = git.find(os.path.dirname(path) or ".", environment)
    if repository is None:
        return path
    relative = os.path.relpath(os.path.realpath(path), os.path.realpath(repository.top))
    return path if relative.startswith(os.pardir) else relative


def _unknown(reference: str, schemes: Iterable[str]) -> InputError:
    where = os.path.dirname(reference) or "."
    entries = _entries(where) if os.path.isdir(where) else []
    near = nearest_advice(os.path.basename(reference), [*entries, *schemes])
    known = f"known schemes: {', '.join(sorted(schemes))}"
    return InputError(
        reference,
        "no such file, and no known scheme",
        advice=f"{near} {known}" if near.startswith("did") else known,
    )


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
