"""Reads many objects of a repository at once, and lists what a tree or the index holds.

`objects` reads one file at a time. Here names are sent in portions that fit into a pipe, so that thousands of files
cost about as much as git alone needs for them.
"""

from __future__ import annotations

from opspec_lint import git
from opspec_lint.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
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
        listing = repository.output("ls-files", "--stage", "-z", "--full-name", "--", *(f":/{f}" for f in folders))
    else:
        paths = folders if deep else [f"{folder}/" for folder in folders]
        flags = ("-r", "-z", "--full-tree") if deep else ("-z", "--full-tree")
        listing = repository.output("ls-tree", *flags, revision, "--", *paths)
    found: dict[str, str] = {}
    for entry in listing.decode("utf-8", "surrogateescape").split("\0"):
        facts, _, path = entry.partition("\t")
        words = facts.split(" ")
        if words[0].startswith("100"):
            found[path] = words[1] if revision == git.INDEX else words[2]
    return found


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
        process = self._process = self._process or git.serve(self._repository)
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
