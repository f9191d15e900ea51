"""The first-parent history of a commit: its revisions, and the files that each of them changes."""

from __future__ import annotations

import os

from opspec_lint.git.repository import stream
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.git.repository import Repository

_HEADER = "%x01%H%x02%cI%x02%s"
_FLAGS = ("--first-parent", "--diff-merges=first-parent", "--raw", "-z", "--no-abbrev", "--no-renames")
_PULL_REQUEST = pattern(r"^Merge pull request [#!](\d+)\b|\([#!](\d+)\)\s*$")


class Revision(Record):
    """A commit of a branch: its id, the time at which it was committed, and its subject."""

    commit: str
    date: str
    subject: str

    @property
    def pull_request(self) -> int | None:
        """The number of the pull request that the subject names, as GitHub writes it."""
        found = _PULL_REQUEST.search(self.subject)
        return None if found is None else int(found[1] or found[2])


class PathChange(Record):
    """A path that a revision changes: its mode and the id of its content from then on, "" for one that is gone."""

    path: str
    mode: str
    blob: str


def commits(repository: Repository, tip: str, since: str | None = None) -> list[str]:
    """Return the ids of the commits from `since` to `tip` along first parents, oldest first; `since` is among them.

    Args:
        repository: the repository.
        tip: the id of a commit.
        since: the id of the first commit, None for the root, or where a shallow clone is cut.

    Raises:
        InputError: git cannot list them.
    """
    listed = repository.output("rev-list", "--first-parent", "--reverse", tip).decode().split()
    return listed if since is None else listed[listed.index(since) :] if since in listed else []


def changes(repository: Repository, base: str | None, tip: str) -> Iterator[tuple[Revision, list[PathChange]]]:
    """Yield each revision behind `base` up to `tip` along first parents, oldest first, with what it changes.

    A merge changes what is different from its first parent. The root, or where a shallow clone is cut, adds all files.

    Args:
        repository: the repository.
        base: the id of a commit, None to begin with the first one.
        tip: the id of a commit.

    Raises:
        InputError: git broke off.
    """
    return _listed(repository, base, tip, is_back=False)


def back(repository: Repository, base: str | None, tip: str) -> Iterator[tuple[Revision, list[PathChange]]]:
    """Yield each revision behind `base` up to `tip` along first parents, newest first, with what undoes its changes.

    Args:
        repository: the repository.
        base: the id of a commit, None to end with the first one.
        tip: the id of a commit.

    Raises:
        InputError: git broke off.
    """
    return _listed(repository, base, tip, is_back=True)


def _listed(
    repository: Repository, base: str | None, tip: str, *, is_back: bool
) -> Iterator[tuple[Revision, list[PathChange]]]:
    order = () if is_back else ("--reverse",)
    ends = tip if base is None else f"{base}..{tip}"
    words = _fields(stream(repository, "log", *order, *_FLAGS, "--root", f"--format={_HEADER}", ends, "--"))
    revision: Revision | None = None
    changed: list[PathChange] = []
    for word in words:
        if word.startswith(b"\x01"):
            if revision is not None:
                yield revision, changed
            revision, changed = _revision(word), []
        elif word.lstrip(b"\n").startswith(b":"):
            *modes_and_blobs, _ = word.lstrip(b"\n:").decode().split(" ")
            mode, blob = modes_and_blobs[0 if is_back else 1 :: 2]
            path = os.fsdecode(next(words))
            changed.append(PathChange(path=path, mode=mode, blob=blob if blob.strip("0") else ""))
    if revision is not None:
        yield revision, changed


def one(repository: Repository, commit: str) -> Revision:
    """Return a revision.

    Raises:
        InputError: git cannot show it.
    """
    return _revision(repository.output("log", "-1", f"--format={_HEADER}", commit, "--").rstrip(b"\n"))


def _revision(header: bytes) -> Revision:
    commit, date, subject = header[1:].decode("utf-8", "replace").split("\x02", 2)
    return Revision(commit=commit, date=date, subject=subject)


def _fields(portions: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for portion in portions:
        *whole, rest = (rest + portion).split(b"\0")
        yield from whole
    if rest:
        yield rest


def names_of(repository: Repository, tip: str, path: str) -> dict[str, str]:
    """Return the revisions along first parents that change a file, newest first, each with its name from then on.

    A rename is the one that git sees; one that is deleted has no name, "".

    Args:
        repository: the repository.
        tip: the id of a commit.
        path: the path of the file at the tip, from the top of the repository.

    Raises:
        InputError: git broke off.
    """
    flags = ("--first-parent", "--diff-merges=first-parent", "--follow", "-M", "--name-status", "-z")
    words = _fields(stream(repository, "log", *flags, "--format=%x01%H", tip, "--", path))
    found: dict[str, str] = {}
    commit = ""
    for word in words:
        if word.startswith(b"\x01"):
            commit = word[1:].decode()
        elif status := word.strip(b"\n"):
            name = os.fsdecode(next(words))
            if status[:1] in (b"R", b"C"):
                name = os.fsdecode(next(words))
            found[commit] = "" if status == b"D" else name
    return found
