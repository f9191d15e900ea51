"""Files out of git's object store, any number of them through one process."""

from __future__ import annotations

import os
from contextlib import suppress

from opspec_lint import git
from opspec_lint.errors import InputError
from opspec_lint.values import MAX_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from opspec_lint.git import Repository


class Objects:
    """A `git cat-file --batch` that runs until it is closed, or the program ends.

    Args:
        repository: the repository whose objects are read.

    Raises:
        InputError: git cannot be run.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._process = git.serve(repository)

    def read(self, revision: str, path: str) -> bytes | None:
        """Return a file as it stands at a revision or in the index; None where there is no such file.

        Args:
            revision: a revision, or `git.INDEX`.
            path: the path from the top of the repository.

        Raises:
            InputError: the file is larger than any spec is, or git broke off.
        """
        if "\n" in path:  # which would be two requests
            return self._repository.read(revision, path)
        kind, data = self._answer(git.name_of(revision, path), path)
        if kind == b"" and revision != git.INDEX and self._is_listed(revision, path):
            raise InputError(path, f"is listed at {revision[:10]}, but is not here", advice="run `git fsck`")
        return data if kind == b"blob" else None

    def _is_listed(self, revision: str, path: str) -> bool:
        """Tell whether a revision lists a path that cannot be read: its object is gone, and not the file."""
        folder, _, name = path.rpartition("/")
        kind, listing = self._answer(f"{revision}:{folder}", path)
        if kind == b"":
            return bool(folder) and self._is_listed(revision, folder)
        return kind == b"tree" and b" " + os.fsencode(name) + b"\0" in listing

    def _answer(self, name: str, path: str) -> tuple[bytes, bytes]:
        """Return the kind of an object, b"" where there is none of that name, and what it holds."""
        asked, answers = self._pipes()
        try:
            asked.write(os.fsencode(name) + b"\n")
            asked.flush()
        except OSError:
            raise self._broken(path) from None
        header = answers.readline()
        if header.endswith((b" missing\n", b" ambiguous\n", b" submodule\n")):
            return b"", b""
        try:
            _, kind, length = header.split(b" ")
            size = int(length)
        except ValueError:
            raise self._broken(path) from None
        if size > MAX_BYTES:
            self.close()
            raise InputError(path, f"is larger than {MAX_BYTES >> 20} MiB, which no spec is")
        data = answers.read(size + 1)
        if len(data) != size + 1:
            raise self._broken(path)
        return kind, data[:-1]

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        for pipe in self._pipes():
            with suppress(OSError):  # of what was asked for last, when the process had ended
                pipe.close()
        self._process.wait()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        asked, answers = self._process.stdin, self._process.stdout
        if asked is None or answers is None:
            raise AssertionError("the process was started with both pipes")
        return asked, answers

    def _broken(self, path: str) -> InputError:
        return InputError(path, "git broke off while it was read", advice="run `git fsck`")
