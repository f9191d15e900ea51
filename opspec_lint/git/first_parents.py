"""First-parent history of a commit: its revisions, each with the files that it changes."""

from __future__ import annotations

import os
import re

from opspec_lint.git.repository import stream_output
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.git.repository import Repository

_HEADER = "%x01%H%x02%cI%x02%s"
_RAW = ("--raw", "-z", "--no-abbrev", "--no-renames")
_FLAGS = ("--first-parent", "--diff-merges=first-parent", *_RAW)
_PULL_REQUEST = pattern(r"^Merge pull request [#!](\d+)\b|\([#!](\d+)\)\s*$")


class Revision(Record):
    """A commit of a branch: its id, the time at which it was committed, and its subject."""

    commit: str
    date: str
    subject: str

    @property
    def pull_request(self) -> int | None:
        """The number of the pull request in the subject, as GitHub writes it."""
        match = _PULL_REQUEST.search(self.subject)
        return None if match is None else int(match[1] or match[2])


class PathChange(Record):
    """A path that a revision changes, with its new mode and the id of its new content, "" if it is deleted."""

    path: str
    mode: str
    blob: str


def commits(repository: Repository, tip: str, since: str | None = None) -> list[str]:
    """Return the ids of the commits from `since` to `tip` along first parents, oldest first; `since` is among them.

    Args:
        repository: the repository.
        tip: the id of a commit.
        since: the id of the first commit, None for the root, or for the end of a shallow clone.

    Raises:
        InputError: git cannot list them.
    """
    listed = repository.output("rev-list", "--first-parent", "--reverse", tip).decode().split()
    if since is None:
        return listed
    return listed[listed.index(since) :] if since in listed else []


def oldest_first(repository: Repository, base: str | None, tip: str) -> Iterator[tuple[Revision, list[PathChange]]]:
    """Yield each revision after `base` up to `tip` along first parents, oldest first, with its changes.

    The changes of a merge are those against its first parent. The root, or the end of a shallow clone, adds all files.

    Args:
        repository: the repository.
        base: the id of a commit, None to begin with the first one.
        tip: the id of a commit.

    Raises:
        InputError: git broke off.
    """
    return _log(repository, base, tip, is_reversed=False)


def newest_first(
    repository: Repository, base: str | None, tip: str, paths: Iterable[str] = ()
) -> Iterator[tuple[Revision, list[PathChange]]]:
    """Yield each revision after `base` up to `tip` along first parents, newest first, with the reverse of its changes.

    Args:
        repository: the repository.
        base: the id of a commit, None to end with the first one.
        tip: the id of a commit.
        paths: the files whose changes count; none for all files.

    Raises:
        InputError: git broke off.
    """
    return _log(repository, base, tip, is_reversed=True, paths=paths)


def naming(repository: Repository, base: str | None, tip: str, name: str, suffixes: Iterable[str]) -> Iterator[str]:
    """Yield the ids of the commits after `base` up to `tip` that add or remove a name, newest first.

    Args:
        repository: the repository.
        base: the id of a commit, None to end with the first one.
        tip: the id of a commit.
        name: the name, which counts as a whole word.
        suffixes: the extensions of the files that count; none for all files.

    Raises:
        InputError: git broke off.
    """
    # The expressions of git have no \b on every system.
    escaped = re.sub(r"[^\w]", r"[\g<0>]", name)
    expression = f"(^|[^[:alnum:]_.]){escaped}([^[:alnum:]_.]|$)"
    flags = ("--first-parent", "--diff-merges=first-parent", "--no-renames", "--root", "--no-patch", "--format=%H")
    files = (f":(top,glob)**/*{suffix}" for suffix in suffixes)
    ends = tip if base is None else f"{base}..{tip}"
    rest = b""
    for portion in stream_output(repository, "log", *flags, "--pickaxe-regex", f"-S{expression}", ends, "--", *files):
        *lines, rest = (rest + portion).split(b"\n")
        yield from (line.decode() for line in lines if line)


def changes_between(repository: Repository, old: str, new: str) -> list[PathChange]:
    """Return the changes that turn the tree of one commit into the tree of another.

    Raises:
        InputError: git cannot compare the two.
    """
    fields = iter(repository.output("diff-tree", "-r", *_RAW, old, new, "--").split(b"\0"))
    return [_parse_change(field, fields, side=1) for field in fields if field]


def _log(
    repository: Repository, base: str | None, tip: str, *, is_reversed: bool, paths: Iterable[str] = ()
) -> Iterator[tuple[Revision, list[PathChange]]]:
    """Yield the revisions of a range with their changed files; the newest first if `is_reversed`."""
    order = () if is_reversed else ("--reverse",)
    ends = tip if base is None else f"{base}..{tip}"
    literal = (f":(top,literal){path}" for path in paths)
    fields = _split_fields(
        stream_output(repository, "log", *order, *_FLAGS, "--root", f"--format={_HEADER}", ends, "--", *literal)
    )
    revision: Revision | None = None
    changed: list[PathChange] = []
    # With -z, header and changes are separated by zeros only; \x01 marks a header, as no change begins with it.
    for field in fields:
        if field.startswith(b"\x01"):
            if revision is not None:
                yield revision, changed
            revision, changed = _parse_header(field), []
        elif field.lstrip(b"\n").startswith(b":"):
            changed.append(_parse_change(field, fields, side=0 if is_reversed else 1))
    if revision is not None:
        yield revision, changed


def _parse_change(field: bytes, fields: Iterator[bytes], *, side: int) -> PathChange:
    """Return the change of a path, which is the next field; with the old mode and id for side 0, the new ones for 1."""
    # ":OLDMODE NEWMODE OLDID NEWID STATUS"
    *modes_and_blobs, _ = field.lstrip(b"\n:").decode().split(" ")
    mode, blob = modes_and_blobs[side::2]  # old and new alternate
    return PathChange(path=os.fsdecode(next(fields)), mode=mode, blob=blob if blob.strip("0") else "")


def revision_of(repository: Repository, commit: str) -> Revision:
    """Return a revision.

    Raises:
        InputError: git cannot show it.
    """
    return _parse_header(repository.output("log", "-1", f"--format={_HEADER}", commit, "--").rstrip(b"\n"))


def _parse_header(header: bytes) -> Revision:
    commit, date, subject = header[1:].decode("utf-8", "replace").split("\x02", 2)
    return Revision(commit=commit, date=date, subject=subject)


def _split_fields(portions: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for portion in portions:
        *whole, rest = (rest + portion).split(b"\0")
        yield from whole
    if rest:
        yield rest


def paths_by_commit(repository: Repository, tip: str, path: str) -> dict[str, str]:
    """Return the commits along first parents that change a file, newest first, each with its new path.

    Git detects the renames. The path of a deletion is "".

    Args:
        repository: the repository.
        tip: the id of a commit.
        path: the path of the file at the tip, from the top of the repository.

    Raises:
        InputError: git broke off.
    """
    flags = ("--first-parent", "--diff-merges=first-parent", "--follow", "-M", "--name-status", "-z")
    fields = _split_fields(stream_output(repository, "log", *flags, "--format=%x01%H", tip, "--", path))
    names: dict[str, str] = {}
    commit = ""
    for field in fields:
        if field.startswith(b"\x01"):
            commit = field[1:].decode()
        elif status := field.strip(b"\n"):
            name = os.fsdecode(next(fields))
            # A rename or copy has two paths; the log runs backwards, so the second one is the name after this commit.
            if status[:1] in (b"R", b"C"):
                name = os.fsdecode(next(fields))
            names[commit] = "" if status == b"D" else name
    return names
