"""The one grammar of everything a spec can be taken from.

An existing file comes first, in whichever format it is; then a known scheme, `NAME` or `NAME:ARGUMENT`; then
`REVISION:PATH`, a file as it stands at a revision of the repository around us, and `:PATH`, as it stands in the index.
"""

from __future__ import annotations

import os

from opspec_lint import catalogue
from opspec_lint.errors import InputError, nearest_advice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Protocol

    from opspec_lint.model import Spec

    class Extractor(Protocol):
        """What a module of `extractors` offers."""

        SCHEME: str
        SUMMARY: str

        def extract(self, argument: str) -> Spec:
            """Return the spec of what `argument` names under the scheme; "" where nothing was named."""


def extractors() -> dict[str, str]:
    """Return the module of each known scheme; a module's name is its scheme with underscores."""
    return {name.replace("_", "-"): name for name in catalogue.names("extractors")}


def resolve(reference: str, environment: Mapping[str, str] | None = None) -> Spec:
    """Return the spec that a reference names.

    Args:
        reference: a file, a source, or a file at a revision.
        environment: the environment that git inherits, None for an empty one.

    Raises:
        InputError: there is no such file, scheme or revision, or what there is cannot be read or extracted.
    """
    scheme, _, argument = reference.partition(":")
    schemes = extractors()
    if scheme in schemes and not os.path.exists(reference):
        extractor: Extractor = catalogue.module("extractors", schemes[scheme])
        return extractor.extract(argument)
    from opspec_lint import document, files

    if os.path.lexists(reference):
        return files.read_spec(reference)
    data = _at_revision(reference, environment or {}) if ":" in reference else None
    if data is None:
        raise _unknown(reference, schemes)
    return files.spec_of(document.decode(data, reference))


def text(reference: str, environment: Mapping[str, str] | None = None) -> tuple[str, str | None]:
    """Return the path and the JSON text of the spec file that a reference names; None for what is no JSON file.

    The reference has been resolved without an error.
    """
    scheme = reference.partition(":")[0]
    if os.path.isfile(reference):
        from opspec_lint import document

        return reference, document.read(reference).text
    if os.path.exists(reference) or scheme in extractors():
        return reference, None
    from opspec_lint import document

    data = _at_revision(reference, environment or {})
    return reference.partition(":")[2], None if data is None else document.decode(data, reference).text


def _at_revision(reference: str, environment: Mapping[str, str]) -> bytes | None:
    """Return the file that `REVISION:PATH` names; None outside of any repository.

    Raises:
        InputError: the repository has no such revision, or the revision no such file.
    """
    from opspec_lint import git

    repository = git.find(".", environment)
    if repository is None:
        return None
    revision, _, path = reference.partition(":")
    if revision != git.INDEX and repository.commit(revision) is None:
        command = git.fetch_command(repository, revision)
        raise InputError(reference, f"the repository has no revision {revision!r}", advice=f"run `{command}`")
    if path.startswith(("./", "../")):
        path = os.path.normpath(repository.prefix + path)
    data = repository.read(revision, path)
    if data is None:
        place = f"at {revision}" if revision else "in the index"
        near = nearest_advice(path, repository.files(revision))
        raise InputError(reference, f"there is no file {path!r} {place}", advice=near if near.startswith("did") else "")
    return data


def _unknown(reference: str, schemes: Iterable[str]) -> InputError:
    where = os.path.dirname(reference) or "."
    near = nearest_advice(os.path.basename(reference), _entries(where)) if os.path.isdir(where) else ""
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
