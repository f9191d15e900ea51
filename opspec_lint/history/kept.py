"""Opens a history by what a user names: a file, or a source, whose history is kept in the cache directory."""

from __future__ import annotations

import os
from contextlib import contextmanager

from opspec_lint.history import store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.history.store import History
    from opspec_lint.sources.reading import Reading


@contextmanager
def history_of(
    name: str,
    reading: Reading,
    progress: Callable[[int, int, str], None],
    ends: tuple[str | None, str | None] = (None, None),
) -> Iterator[History]:
    """Yield the history that a name stands for.

    That of a source is built or continued first.

    Args:
        name: the file of a history, or a source with revisions.
        reading: how the source is read, and where the cache is.
        progress: is told how far a walk is.
        ends: the first and the last revision that are needed; None for those of the source.

    Raises:
        InputError: there is no such file, source or revision.
        UsageError: the source has no revisions.
    """
    if os.path.isfile(name) and store.is_history(name):
        with store.opened(name) as history:
            yield history
        return
    from opspec_lint.kit import scratch

    with scratch.folder() as folder:
        file = _built(name, reading, progress, ends, str(folder))
        with store.opened(file) as history:
            yield history


def _built(
    name: str,
    reading: Reading,
    progress: Callable[[int, int, str], None],
    ends: tuple[str | None, str | None],
    folder: str,
) -> str:
    """Return the file of the history of a source, built or continued; without a cache it is in `folder`."""
    from opspec_lint.git.fetching import require_commit
    from opspec_lint.history import contracts, walk
    from opspec_lint.sources import cache
    from opspec_lint.sources.reading import open_repositories

    with open_repositories(reading) as repositories:
        topic = contracts.topic_of(name, reading, repositories, ends[1])
        repository = topic.opened.repository
        first = None if ends[0] is None else require_commit(repository, ends[0])
        root = cache.folder_of(reading.environment) if reading.caches else None
        place = folder if root is None else os.path.join(root, "history")
        os.makedirs(place, mode=0o700, exist_ok=True)
        key = cache.digest("\0".join((repository.git_dir, topic.place, reading.build or "", first or "")).encode())
        file = os.path.join(place, f"{key[:32]}.sqlite")
        with store.opened_to_write(file) as writer:
            walk.follow(writer, topic, first, progress)
    return file
