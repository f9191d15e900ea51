"""The options for reading a spec: environment, build, cache, progress."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from opspec_lint.documents.memo import Memo
    from opspec_lint.sources.repositories import Repositories


def _silent(_: str) -> None:
    """Ignore a text."""


class Reading(Record):
    """The options for reading a spec.

    `environment` is the environment for git and interpreters, and names the cache directory. `build` is a build of the
    framework, None for the default. `include` has the folders, relative to the current one, in which included files are
    searched. `caches`: use the cache. `may_fetch`: fetch a missing revision. `progress` is called with a text about the
    current step. `standard_input` returns the content of standard input, the same on each call. `repositories` are the
    open ones, None if each tree opens its own. `memo` has the decoded parts of a similar spec, which are reused.
    `only` is the only op that is needed, None for all: a source tree may then name and place other ops without their
    arguments, leave them out, and make no remarks but on this op; yet it has some op if the whole tree has.
    `unsaved` has contents in place of the files on the disk, by real path. `folder` is a folder of the repository
    whose revisions a reference may name, None for no repository. If it is not the current one, a reference that is a
    relative path names no file.
    """

    environment: Mapping[str, str] = {}
    build: str | None = None
    include: tuple[str, ...] = ()
    caches: bool = True
    may_fetch: bool | None = None
    progress: Callable[[str], None] = _silent
    repositories: Repositories | None = None
    memo: Memo | None = None
    only: str | None = None
    standard_input: Callable[[], bytes] = bytes
    unsaved: Mapping[str, bytes] = {}
    folder: str | None = "."


def open_repositories(reading: Reading) -> AbstractContextManager[Repositories]:
    """Return the repositories that are open; if none are, new ones, which are closed when the context is left."""
    from opspec_lint.sources.repositories import Repositories

    if reading.repositories is None:
        return Repositories(reading.environment)
    from contextlib import nullcontext

    return nullcontext(reading.repositories)
