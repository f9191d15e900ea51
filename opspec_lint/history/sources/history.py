"""A file of a history, at one of its revisions: `history:FILE@REVISION`."""

from __future__ import annotations

import os

from opspec_lint.kit.errors import InputError
from opspec_lint.sources.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SCHEME = "history"


def extract(argument: str, reading: Reading) -> Spec:  # noqa: ARG001 - nothing of it counts
    """Return the spec that a history has at a revision: `FILE@REVISION`, or `FILE` for its last one.

    Raises:
        InputError: there is no such file or revision, or the revision could not be read.
        NothingThereError: the source had no ops at the revision.
    """
    from opspec_lint.history import facts, store

    file, revision = _split(argument)
    name = f"{SCHEME}:{argument}"
    with store.opened(file) as history:
        commit = history.commit(revision)
        problem = history.unread(commit.number)
        if problem is not None:
            raise InputError(name, f"could not be read when the history was built: {problem}")
        found = ((each.op, each.key, each.value) for each in history.facts(commit.number))
        return facts.spec_of(found, name, commit.id)


def _split(argument: str) -> tuple[str, str]:
    """Return the file, and the revision behind the last `@`; that is HEAD where a file of the whole name exists."""
    file, at_sign, revision = argument.rpartition("@")
    return (argument, "HEAD") if not at_sign or os.path.exists(argument) else (file, revision or "HEAD")


SOURCE = Source(
    summary="a spec of a history, which `opspec-lint history` builds: history:FILE[@REVISION]",
    extract=extract,
)
