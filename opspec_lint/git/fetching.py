"""Finds the commit of a revision, and fetches it if it is missing. No ref is ever written.

A commit is fetched by name or by id, and found by FETCH_HEAD. If the name is known and its ancestor is missing
(`main~3`), a shallow repository is deepened by that number of generations.
"""

from __future__ import annotations

import re
from contextlib import suppress

from opspec_lint.git.repository import COMMIT_ID
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.git.repository import Repository

_REVISION = pattern(r"(?!.*\.\.)(?P<name>[\w@][\w@./-]*)(?P<steps>(?:[~^]\d*)*)")
"""What a revision that may be fetched looks like: no option, and no refspec."""
_STEP = pattern(r"([~^])(\d*)")
_ONLY_HERE = pattern(r"@|(?:[A-Z]+_)?HEAD")
_QUIETLY = ("--no-tags", "--no-recurse-submodules", "--refmap=")
"""The options with which `git fetch` writes no ref but FETCH_HEAD."""


class _Fetch(Record):
    """A `git fetch`: its arguments, the revision that then names the commit, and the command to advise."""

    arguments: tuple[str, ...]
    revision: str
    command: tuple[str, ...]


def require_commit(repository: Repository, revision: str, *, may_fetch: bool | None = None, advice: str = "") -> str:
    """Return the id of the commit of a revision; a missing one is fetched if `may_fetch`.

    Args:
        repository: the repository.
        revision: any revision.
        may_fetch: whether to fetch a missing commit; None if the command has no option for it. If False or None, the
            error advises the command.
        advice: what to do instead of fetching, if that is known.

    Raises:
        InputError: there is no such commit; the advice is the command that may fetch it, if there is one.
    """
    found = repository.commit(revision)
    ways = [] if found is not None or advice else _ways(repository, revision)
    if may_fetch and ways:
        found = _fetched(repository, ways)
    if found is None:
        if ways:
            advice = f"run `{_shown(ways[0].command)}`" + (", or use --fetch" if may_fetch is False else "")
        raise InputError(revision, "is not a revision of the repository", advice=advice)
    return found


def unshallow(repository: Repository) -> None:
    """Fetch all history that a shallow repository lacks.

    Raises:
        InputError: the history cannot be fetched.
    """
    repository.fetch("--unshallow", *_QUIETLY, _remote(repository), *repository.cut())


def fetch_tip(repository: Repository, remote: str) -> str:
    """Return the commit that HEAD of a remote names, after fetching it.

    Raises:
        InputError: the commit cannot be fetched.
    """
    repository.fetch(*_QUIETLY, *_depth(repository), remote, "HEAD")
    return require_commit(repository, "FETCH_HEAD")


def _fetched(repository: Repository, ways: Sequence[_Fetch]) -> str | None:
    """Fetch in the first way that works; return the commit, None if it is still missing."""
    *likely, last = ways
    for way in likely:
        with suppress(InputError):
            repository.fetch(*_QUIETLY, *way.arguments)
            return repository.commit(way.revision)
    repository.fetch(*_QUIETLY, *last.arguments)
    return repository.commit(last.revision)


def _ways(repository: Repository, revision: str) -> list[_Fetch]:
    """Return the fetches that may get a revision, the likeliest first; empty if none can."""
    found = _REVISION.fullmatch(revision)
    if found is None:
        return []
    name, steps = found["name"], found["steps"]
    generations = sum(int(count or 1) if sign == "~" else 1 for sign, count in _STEP.findall(steps))
    start = repository.commit(name)
    if start is not None:
        return _deeper(repository, start, revision, generations)
    if _ONLY_HERE.fullmatch(name):
        return []
    return _by_name(repository, name, steps, _depth(repository, generations + 1))


def _depth(repository: Repository, commits: int = 1) -> tuple[str, ...]:
    """Return the option that keeps a shallow repository so; a whole one would become shallow by it."""
    return (f"--depth={commits}",) if repository.is_shallow() else ()


def _deeper(repository: Repository, start: str, revision: str, generations: int) -> list[_Fetch]:
    """Return the fetch of what lies before a commit that is here."""
    cut = repository.cut(start)
    if not cut or not generations:
        return []
    arguments = (f"--deepen={generations}", _remote(repository), *cut)
    return [_Fetch(arguments=arguments, revision=revision, command=arguments)]


def _by_name(repository: Repository, name: str, steps: str, depth: tuple[str, ...]) -> list[_Fetch]:
    """Return the fetches of a name that is not here.

    A name alone does not tell a tag from a branch; one with a digit in it, such as v2.6, is rather a tag.
    """
    remote, _, branch = name.partition("/")

    def way(of: str, source: str, *named: str) -> _Fetch:
        return _Fetch(arguments=(*depth, of, source), revision=f"FETCH_HEAD{steps}", command=(*depth, of, *named))

    if branch and remote in {*repository.remotes(), "origin"}:
        return [way(remote, f"refs/heads/{branch}", f"{branch}:refs/remotes/{name}")]
    remote = _remote(repository)
    if COMMIT_ID.fullmatch(name):
        return [way(remote, name, name)]
    of_tag = way(remote, f"refs/tags/{name}", "tag", name)
    of_branch = way(remote, f"refs/heads/{name}", f"{name}:{name}")
    return [of_tag, of_branch] if not branch and re.search(r"\d", name) else [of_branch, of_tag]


def _remote(repository: Repository) -> str:
    """Return the remote that is asked where none is named."""
    remotes = repository.remotes()
    return remotes[0] if len(remotes) == 1 else "origin"


def _shown(arguments: Sequence[str]) -> str:
    import shlex

    return shlex.join(["git", "fetch", *arguments])
