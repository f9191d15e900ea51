"""Reader of git's object store: any number of objects with one `git cat-file --batch`.

A request is a line with a name such as `REVISION:PATH`; the answer is a header with the id, the kind and the size of
the object, and its content.
"""

from __future__ import annotations

import os
from contextlib import suppress

from opspec_lint.git.repository import INDEX, object_name, start_object_reader
from opspec_lint.kit.errors import RepositoryError
from opspec_lint.kit.limits import MAX_BYTES, too_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Iterator
    from typing import IO

    from opspec_lint.git.repository import Repository

_PORTION = 4 << 10
"""Bytes of names that are sent before answers are read: they fit into the smallest pipe, so neither side blocks."""

_NOT_THERE = (b" missing\n", b" ambiguous\n", b" submodule\n")


class Objects:
    """A `git cat-file --batch`, started when it is first needed; it runs until it is closed, or the program ends.

    Args:
        repository: the repository whose objects are read.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._process: subprocess.Popen[bytes] | None = None
        self._unread = 0

    def read(self, revision: str, path: str) -> bytes | None:
        """Return a file at a revision or in the index; None if there is no such file.

        Args:
            revision: a revision, or `INDEX`.
            path: the path from the top of the repository.

        Raises:
            InputError: the file is larger than any spec, or its object is missing, or git cannot be run or stopped.
        """
        if "\n" in path:  # which would be two requests
            return self._repository.read(revision, path)
        kind, data = self._read_object(object_name(revision, path), path)
        if kind == "" and revision != INDEX and self._is_listed(revision, path):
            raise RepositoryError(path, f"is listed at {revision[:10]}, but missing here", advice="run `git fsck`")
        return data if kind == "blob" else None

    def read_many(
        self, names: Iterable[str], at_most: int, *, kind: str = "blob"
    ) -> Iterator[tuple[str, str, bytes | None]]:
        """Yield the name, the id and the content of each object; the id of a missing one is "".

        The content of an object that is missing, of another kind, or larger than `at_most` bytes is None. A name with
        a line break is skipped.

        Raises:
            InputError: git cannot be run, or broke off.
        """
        # A group of names is sent before its answers are read: one round trip for many objects.
        for portion in _portions(names):
            self._send(portion)
            self._unread = len(portion)
            for name in portion:
                identity, actual_kind, size = self._header(name)
                is_requested = actual_kind == kind and size <= at_most
                if not is_requested:
                    self._skip(size, name)
                data = self._content(size, name) if is_requested else None
                self._unread -= 1
                yield name, identity, data

    def commit(self, revision: str) -> str | None:
        """Return the id of the commit that a revision names, None if there is none here.

        Raises:
            InputError: git cannot be run, or broke off, as in a partial clone that would have to fetch the commit.
        """
        answers = self.read_many([f"{revision}^{{commit}}"], MAX_BYTES, kind="commit")
        return next((identity for _, identity, data in answers if data is not None), None)

    def close(self) -> None:
        """End the process; another one is started when it is needed."""
        self._unread = 0
        if self._process is not None:
            self._process.kill()
            for pipe in _pipes(self._process):
                with suppress(OSError):  # closing flushes the last request to a process that has ended
                    pipe.close()
            self._process.wait()
            self._process = None

    def _read_object(self, name: str, path: str) -> tuple[str, bytes | None]:
        """Return the kind of an object, "" if it does not exist, and its content."""
        self._send([name], path)
        _, kind, size = self._header(path)
        if size > MAX_BYTES:
            self.close()
            raise too_large(path)
        return kind, self._content(size, path) if kind else None

    def _is_listed(self, revision: str, path: str) -> bool:
        """Return whether a revision lists an unreadable path: then its object is missing, not the file."""
        folder, _, name = path.rpartition("/")
        kind, listing = self._read_object(f"{revision}:{folder}", path)
        if kind == "":
            return bool(folder) and self._is_listed(revision, folder)
        return kind == "tree" and b" " + os.fsencode(name) + b"\0" in (listing or b"")

    def _send(self, names: list[str], subject: str = "") -> None:
        """Send the requests for some names to git, started at need; `subject` is the name for an error."""
        # Answers come in the order of requests, so leftover answers would be taken for those of the next request.
        if self._unread:  # the previous caller did not read all answers
            self.close()
        self._process = self._process or start_object_reader(self._repository)
        try:
            requests, _ = _pipes(self._process)
            requests.write("".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape"))
            requests.flush()
        except OSError:
            raise self._stopped_error(subject or names[0]) from None

    def _header(self, subject: str) -> tuple[str, str, int]:
        """Return the id, the kind and the size of the requested object; "", "" and -1 if it is missing.

        Raises:
            InputError: git broke off.
        """
        header = self._output(subject).readline()
        if header.endswith(_NOT_THERE):
            return "", "", -1
        fields = header.split()
        if len(fields) != 3:
            raise self._stopped_error(subject)
        identity, kind, size = fields
        if not size.isdigit():
            raise self._stopped_error(subject)
        return identity.decode(), kind.decode(), int(size)

    def _content(self, size: int, subject: str) -> bytes:
        """Read an object and the line break after it."""
        data = self._output(subject).read(size + 1)
        if len(data) != size + 1:
            raise self._stopped_error(subject)
        return data[:-1]

    def _skip(self, size: int, subject: str) -> None:
        """Skip an object and the line break after it; for size -1, there is nothing to skip."""
        left = size + 1
        while left > 0:
            read = len(self._output(subject).read(min(left, 1 << 20)))
            if not read:
                raise self._stopped_error(subject)
            left -= read

    def _output(self, subject: str) -> IO[bytes]:
        if self._process is None:
            raise self._stopped_error(subject)
        _, answers = _pipes(self._process)
        return answers

    def _stopped_error(self, subject: str) -> RepositoryError:
        self.close()
        return RepositoryError(
            subject, "git stopped while opspec-lint read it", advice="run `git fsck`: the repository may be damaged"
        )


def _portions(names: Iterable[str]) -> Iterator[list[str]]:
    """Yield names in groups that fit into a pipe; a longer name alone, as git reads it before it answers."""
    portion: list[str] = []
    size = 0
    for name in names:
        if "\n" in name:
            continue
        length = len(os.fsencode(name)) + 1
        if portion and size + length > _PORTION:
            yield portion
            portion, size = [], 0
        portion.append(name)
        size += length
    if portion:
        yield portion


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise AssertionError("the process was started with both pipes")
    return process.stdin, process.stdout
