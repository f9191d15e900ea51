"""The source `history:FILE@REVISION`: the spec that a history file has at one of its revisions."""

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
    """Return the spec of `FILE@REVISION`, or of `FILE` at its last revision.

    Raises InputError if there is no such file or revision, or the revision could not be read, NothingThereError if the
    source had no ops at the revision.
    """
    from opspec_lint.history import facts, store

    file, revision = _split(argument)
    name = f"{SCHEME}:{argument}"
    with store.open_history(file) as history:
        commit = history.commit(revision)
        problem = history.unread(commit.number)
        if problem is not None:
            raise InputError(name, f"could not be read when the history was built: {problem}")
        rows = ((fact.op, fact.key, fact.value) for fact in history.facts(commit.number))
        return facts.spec_of(rows, name, commit.id)


def _split(argument: str) -> tuple[str, str]:
    """Split FILE@REVISION at the last `@`; the revision is HEAD if a file with the whole name exists."""
    file, at_sign, revision = argument.rpartition("@")
    return (argument, "HEAD") if not at_sign or os.path.exists(argument) else (file, revision or "HEAD")


SOURCE = Source(
    summary="a spec of a history, which `opspec-lint history` builds: history:FILE[@REVISION]",
    extract=extract,
)
