"""Opens the history that a user names: a history file, or a source, whose history is built in the cache directory."""

from __future__ import annotations

import os
from contextlib import contextmanager

from opspec_lint.history import store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.history.requested_op import RequestedOp
    from opspec_lint.history.store import History
    from opspec_lint.sources.reading import Reading


@contextmanager
def history_of(
    name: str,
    reading: Reading,
    progress: Callable[[int, int, str], None],
    ends: tuple[str | None, str | None] = (None, None),
    op: RequestedOp | None = None,
) -> Iterator[History]:
    """Yield the history in a file, or the history of a source, which is built or continued first.

    `ends` are the first and last revision that are needed; None for the ends of the source. If `op` is the only op
    that is needed, and the cache has no history of a source tree, the history has the revisions that concern this op
    alone. Raises InputError if there is no such file, source or revision, UsageError if the source has no revisions.
    """
    if os.path.isfile(name) and store.is_history(name):
        with store.open_history(name) as history:
            yield history
        return
    from opspec_lint.kit import scratch

    with scratch.folder() as folder:
        file, names = _build(name, reading, progress, (*ends, op), str(folder))
        with store.open_history(file) as history:
            history.names = names
            yield history


def _build(
    name: str,
    reading: Reading,
    progress: Callable[[int, int, str], None],
    needed: tuple[str | None, str | None, RequestedOp | None],
    folder: str,
) -> tuple[str, dict[str, str]]:
    """Build or continue the history of a source, and return its file, which is in `folder` if there is no cache.

    The second value has the ids of the ends, by the names that the repository knows and the history may not.
    """
    from opspec_lint.git.fetching import require_commit
    from opspec_lint.history import contracts, walk
    from opspec_lint.sources import cache
    from opspec_lint.sources.reading import open_repositories

    since, last, op = needed
    with open_repositories(reading) as repositories:
        topic = contracts.topic_of(name, reading, repositories, last)
        repository = topic.opened.repository
        first = None if since is None else require_commit(repository, since)
        root = cache.folder_of(reading.environment) if reading.caches else None
        place = folder if root is None else os.path.join(root, "history")
        os.makedirs(place, mode=0o700, exist_ok=True)
        # The last revision is not a part of the key: a history in the cache is continued.
        key = cache.digest("\0".join((repository.git_dir, topic.place, reading.build or "", first or "")).encode())
        file = os.path.join(place, f"{key[:32]}.sqlite")
        if op is not None and topic.contracts[0].name != contracts.FILE and not os.path.exists(file):
            from opspec_lint.history import op_search

            file = os.path.join(folder, "op.sqlite")
            with store.open_history_to_write(file) as writer:
                op_search.build_op_history(writer, topic, op, first, progress)
        else:
            with store.open_history_to_write(file) as writer:
                walk.build_history(writer, topic, first, progress)
    named = {} if last is None else {last: topic.tip}
    return file, (named if since is None or first is None else {since: first, **named})
