"""Reads many objects of a repository at once, and lists what a tree or the index holds.

`objects` reads one file at a time. Here names are sent in portions that fit into a pipe, so that thousands of files
cost about as much as git alone needs for them.
"""

from __future__ import annotations

import subprocess

from opspec_lint import git
from opspec_lint.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from opspec_lint.git import Repository

_PORTION = 256
"""How many objects are asked for at once: their names fit into a pipe of 64 KiB."""


def blobs(repository: Repository, revision: str, folders: Iterable[str], *, deep: bool = True) -> dict[str, str]:
    """Return the ids of the regular files below some folders, by path from the top.

    Args:
        repository: the repository.
        revision: the id of a commit, or `git.INDEX`.
        folders: paths from the top, without a slash at their end.
        deep: whether the folders inside of them count too; those of the index always do.

    Raises:
        InputError: git cannot list them.
    """
    if revision == git.INDEX:
        listing = _output(repository, "ls-files", "--stage", "-z", "--full-name", "--", *(f":/{f}" for f in folders))
    else:
        paths = folders if deep else [f"{folder}/" for folder in folders]
        flags = ("-r", "-z", "--full-tree") if deep else ("-z", "--full-tree")
        listing = _output(repository, "ls-tree", *flags, revision, "--", *paths)
    found: dict[str, str] = {}
    for entry in listing.decode("utf-8", "surrogateescape").split("\0"):
        facts, _, path = entry.partition("\t")
        words = facts.split(" ")
        if words[0].startswith("100"):
            found[path] = words[1] if revision == git.INDEX else words[2]
    return found


def is_partial(repository: Repository) -> bool:
    """Tell whether a repository may lack objects that its commits name, to be fetched when they are needed."""
    process = _start(repository, "config", "--get-regexp", r"^remote\..*\.(promisor|partialclonefilter)$")
    output, _ = process.communicate()
    return bool(output.strip())


class Batch:
    """One `git cat-file --batch`; to be closed.

    Args:
        repository: the repository whose objects are read.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, names: Iterable[str], at_most: int) -> Iterator[tuple[str, str, bytes | None]]:
        """Yield the name, the id and the content of each object; the id is "" where there is none.

        The content is None for what is not there, is no file, or is larger than `at_most` bytes.

        Raises:
            InputError: git cannot be run, or died.
        """
        wanted = list(names)
        for start in range(0, len(wanted), _PORTION):
            yield from self._portion(wanted[start : start + _PORTION], at_most)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process.wait()
            self._process = None

    def _portion(self, names: list[str], at_most: int) -> Iterator[tuple[str, str, bytes | None]]:
        process = self._process = self._process or _start(self._repository, "cat-file", "--batch")
        requests, answers = process.stdin, process.stdout
        if requests is None or answers is None:
            raise _died()
        try:
            requests.write("".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape"))
            requests.flush()
        except OSError:
            raise _died() from None
        for name in names:
            words = answers.readline().rsplit(maxsplit=2)
            if not words:
                raise _died()
            if words[-1] in (b"missing", b"ambiguous") or not words[-1].isdigit():
                yield name, "", None
                continue
            size = int(words[2])
            data = _content(answers, size, keep=size <= at_most)
            yield name, words[0].decode(), data if words[1] == b"blob" else None


def _content(stream: IO[bytes], size: int, *, keep: bool) -> bytes | None:
    """Read an object and the line break behind it; None if it is not to be kept."""
    data = None
    if keep:
        data = stream.read(size)
        size -= len(data)
    while size > 0:
        skipped = len(stream.read(min(size, 1 << 20)))
        if not skipped:
            break
        size -= skipped
    if size or stream.read(1) != b"\n":
        raise _died()
    return data


def _died() -> InputError:
    return InputError(
        "git", "`git cat-file --batch` ended early", advice="run `git fsck`: the repository may be damaged"
    )


def _start(repository: Repository, *arguments: str) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 - git alone, and no shell
            ["git", "--no-pager", *arguments],  # noqa: S607 - the git that everybody means
            cwd=repository.folder,
            env=dict(repository.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise InputError("git", f"cannot be run: {error.strerror}", advice="install git") from None


def _output(repository: Repository, *arguments: str) -> bytes:
    process = _start(repository, *arguments)
    output, _ = process.communicate()
    if process.returncode:
        raise InputError("git", f"`git {arguments[0]}` failed", advice="run `git fsck`: the repository may be damaged")
    return output
