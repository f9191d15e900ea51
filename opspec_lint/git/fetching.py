"""Resolution of revisions to commits, which are fetched if they are missing. No ref is ever written.

A commit is fetched by name or by id, and found in FETCH_HEAD. If the name is known but its ancestor is missing
(`main~3`), a shallow repository is deepened by that number of generations.
"""

from __future__ import annotations

import re
from contextlib import suppress

from opspec_lint.git.remote_branches import REMOTE, USUAL_REMOTES, branch_of_remote, sort_remotes
from opspec_lint.git.repository import COMMIT_ID
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.git.repository import Repository

_REVISION = pattern(r"(?!.*\.\.)(?P<name>[\w@][\w@./-]*)(?P<steps>(?:[~^]\d*)*)")
"""A revision that may be fetched: no option, and no refspec."""
_STEP = pattern(r"([~^])(\d*)")
_ONLY_HERE = pattern(r"@|(?:[A-Z]+_)?HEAD")
_DIGITS = pattern(r"\d+")
_USUAL_BRANCHES = ("main", "master", "develop")
"""Names that default branches usually have."""
_NO_SUCH_REF = "couldn't find remote ref"
"""What `git fetch` says of a branch or tag that the remote lacks; the locale of git is C."""
_ALIKE = 0.75
"""Likeness of two names, from 0 to 1, from which on one may be a mistyped form of the other."""
_QUIETLY = ("--no-tags", "--no-recurse-submodules", "--refmap=")
"""Options for `git fetch` to write FETCH_HEAD only: --refmap= overrides the refspecs of the configuration."""


class _Fetch(Record):
    """A `git fetch`: its arguments, the revision that then names the commit, and the command to advise."""

    arguments: tuple[str, ...]
    revision: str
    command: tuple[str, ...]


def require_commit(repository: Repository, revision: str, *, may_fetch: bool | None = None, advice: str = "") -> str:
    """Return the id of the commit of a revision; a missing one is fetched if `may_fetch`.

    Args:
        repository: the repository.
        revision: any revision; the branch of a remote may lack its name, as for `git switch`.
        may_fetch: whether to fetch a missing commit; None if the command has no option for it. If False or None, the
            error advises the command.
        advice: the advice instead of a fetch, if there is one.

    Raises:
        InputError: there is no such commit; the advice is the command that may fetch it, if there is one.
    """
    commit = repository.commit(revision) or _commit_of_remote_branch(repository, revision)
    fetches = [] if commit is not None or advice else _possible_fetches(repository, revision)
    if may_fetch and fetches:
        commit = _try_fetches(repository, revision, fetches)
    if commit is None:
        advice = advice or _missing_commit_advice(repository, revision, fetches, may_fetch=may_fetch)
        raise InputError(revision, "is not a revision of the repository", advice=advice)
    return commit


def _missing_commit_advice(
    repository: Repository, revision: str, fetches: Sequence[_Fetch], *, may_fetch: bool | None
) -> str:
    """Return the advice for a revision that is not here: a name that is meant, or the command that may fetch it."""
    near = _suggest_name(repository, revision)
    if near:
        return f"did you mean {near!r}?"
    usual = _suggest_usual_branch(repository, revision)
    if fetches:
        option = ", or use --fetch" if may_fetch is False else ""
        command = f"run `{_command_line(fetches[0].command)}`{option}"
        return f"{usual} If not, {command}" if usual else command
    if usual:
        return usual
    if _REVISION.fullmatch(revision) and not repository.remotes():
        return "`git branch` and `git tag` list the names that it has"
    return ""


def _commit_of_remote_branch(repository: Repository, revision: str) -> str | None:
    """Return the commit of a branch that only a remote has, or of its ancestor; None if there is no such branch."""
    match = _REVISION.fullmatch(revision)
    if match is None or _ONLY_HERE.fullmatch(match["name"]) or COMMIT_ID.fullmatch(match["name"]):
        return None
    # A local name whose ancestor is missing is no branch of a remote.
    if match["steps"] and repository.commit(match["name"]) is not None:
        return None
    ref = branch_of_remote(repository, match["name"])
    return repository.commit(f"{ref}{match['steps']}") if ref else None


def _suggest_name(repository: Repository, revision: str) -> str:
    """Return the branch or tag that a mistyped revision means, "" if there is none.

    Names that differ in a number are two versions, and no part of a path may be another word.
    """
    match = _REVISION.fullmatch(revision)
    if match is None or repository.commit(match["name"]) is not None:
        return ""
    from difflib import SequenceMatcher

    def likeness(name: str) -> float:
        parts, given = name.split("/"), match["name"].split("/")
        if len(parts) != len(given) or _DIGITS.findall(name) != _DIGITS.findall(match["name"]):
            return 0
        return min(SequenceMatcher(None, part, mistyped).ratio() for part, mistyped in zip(parts, given, strict=True))

    tips = repository.tips()
    names = [ref.removeprefix("refs/").partition("/")[2] for ref in tips]
    # A branch that only a remote has is found without the name of the remote.
    names += [ref.removeprefix(REMOTE).partition("/")[2] for ref in tips if ref.startswith(REMOTE)]
    near = max((name for name in names if name != "HEAD"), key=likeness, default="")
    return f"{near}{match['steps']}" if near and likeness(near) >= _ALIKE else ""


def _suggest_usual_branch(repository: Repository, revision: str) -> str:
    """Return the question for the branch that a usual name means here, "" if there is none.

    A name that is usual elsewhere (`upstream/main`, `origin/master`) need not be a branch of this repository's remotes.
    """
    match = _REVISION.fullmatch(revision)
    if match is None or repository.commit(match["name"]) is not None:
        return ""
    remote, _, branch = match["name"].rpartition("/")
    remotes = repository.remotes()
    if remote and remote not in {*remotes, *USUAL_REMOTES}:
        return ""  # a branch with a slash in its name
    is_remote_missing = bool(remote) and remote not in remotes
    # The same branch of another remote comes first; then `master` in place of `main`, or the other way round.
    candidates = [branch] if is_remote_missing else []
    if branch in _USUAL_BRANCHES:
        candidates += [name for name in _USUAL_BRANCHES if name != branch]
    searched_remotes = [remote] if remote in remotes else sort_remotes(remotes)
    refs = [f"{REMOTE}{name}/{candidate}" for candidate in candidates for name in searched_remotes]
    refs += [f"refs/heads/{candidate}" for candidate in candidates]
    tips = repository.tips()
    ref = next((name for name in refs if name in tips), None)
    problem = f"there is no remote {remote!r}"
    if ref is None:
        return f"{problem}; the remotes are: {', '.join(remotes)}" if is_remote_missing and remotes else ""
    meant = ref.removeprefix(REMOTE).removeprefix("refs/heads/") + match["steps"]
    return f"{problem}: did you mean {meant!r}?" if is_remote_missing else f"did you mean {meant!r}?"


def unshallow(repository: Repository) -> None:
    """Fetch the complete history of a shallow repository.

    Raises:
        InputError: the history cannot be fetched.
    """
    # The commits without parents are fetched by id, so that no ref is written.
    repository.fetch("--unshallow", *_QUIETLY, _remote(repository), *repository.cut())


def fetch_tip(repository: Repository, remote: str) -> str:
    """Fetch the commit that HEAD of a remote names, and return its id.

    Raises:
        InputError: the commit cannot be fetched.
    """
    # --depth keeps the clone shallow; without it, git would fetch the whole history up to this commit.
    repository.fetch(*_QUIETLY, *_depth(repository), remote, "HEAD")
    return require_commit(repository, "FETCH_HEAD")


def _try_fetches(repository: Repository, revision: str, fetches: Sequence[_Fetch]) -> str | None:
    """Try the fetches until one works; return the commit, None if it is still missing."""
    *likely, last = fetches
    for fetch in likely:
        with suppress(InputError):
            repository.fetch(*_QUIETLY, *fetch.arguments)
            return repository.commit(fetch.revision)
    try:
        repository.fetch(*_QUIETLY, *last.arguments)
    except InputError as error:
        if _NO_SUCH_REF not in error.message:
            raise
        *_, remote, _ = last.arguments  # the last one is what is fetched (`_fetches_by_name`)
        advice = _suggest_usual_branch(repository, revision) or f"`git ls-remote {remote}` lists its branches and tags"
        raise InputError(revision, f"is no branch or tag of the remote {remote}", advice=advice) from None
    return repository.commit(last.revision)


def _possible_fetches(repository: Repository, revision: str) -> list[_Fetch]:
    """Return the fetches that may get a revision, the likeliest first; empty if none can."""
    match = _REVISION.fullmatch(revision)
    if match is None:
        return []
    name, steps = match["name"], match["steps"]
    # Each "^" or "~N" needs one more generation; "^2" is one generation, too.
    generations = sum(int(count or 1) if sign == "~" else 1 for sign, count in _STEP.findall(steps))
    start = repository.commit(name)
    if start is not None:
        return _deepening_fetches(repository, start, revision, generations)
    if _ONLY_HERE.fullmatch(name) or not repository.remotes():
        return []
    return _fetches_by_name(repository, name, steps, _depth(repository, generations + 1))


def _depth(repository: Repository, commits: int = 1) -> tuple[str, ...]:
    """Return the option that keeps a shallow repository shallow; it would make a complete one shallow, too."""
    return (f"--depth={commits}",) if repository.is_shallow() else ()


def _deepening_fetches(repository: Repository, start: str, revision: str, generations: int) -> list[_Fetch]:
    """Return the fetch of the ancestors of a commit that is here."""
    cut = repository.cut(start)
    if not cut or not generations:
        return []
    arguments = (f"--deepen={generations}", _remote(repository), *cut)
    return [_Fetch(arguments=arguments, revision=revision, command=arguments)]


def _fetches_by_name(repository: Repository, name: str, steps: str, depth: tuple[str, ...]) -> list[_Fetch]:
    """Return the fetches of a name that is not here.

    A name alone can be a tag or a branch; a name with a digit, such as v2.6, is tried as a tag first.
    """
    remote, _, branch = name.partition("/")

    def fetch_of(remote_name: str, source: str, *refspec: str) -> _Fetch:
        return _Fetch(
            arguments=(*depth, remote_name, source),
            revision=f"FETCH_HEAD{steps}",
            command=(*depth, remote_name, *refspec),
        )

    remotes = repository.remotes()
    if branch and remote in USUAL_REMOTES and remote not in remotes:
        return []
    if branch and remote in remotes:
        return [fetch_of(remote, f"refs/heads/{branch}", f"{branch}:refs/remotes/{name}")]
    remote = _remote(repository)
    if COMMIT_ID.fullmatch(name):
        return [fetch_of(remote, name, name)]
    of_tag = fetch_of(remote, f"refs/tags/{name}", "tag", name)
    of_branch = fetch_of(remote, f"refs/heads/{name}", f"{name}:{name}")
    return [of_tag, of_branch] if not branch and re.search(r"\d", name) else [of_branch, of_tag]


def _remote(repository: Repository) -> str:
    """Return the remote to fetch from if the revision names none."""
    remotes = repository.remotes()
    return remotes[0] if len(remotes) == 1 else "origin"


def _command_line(arguments: Sequence[str]) -> str:
    import shlex

    return shlex.join(["git", "fetch", *arguments])
