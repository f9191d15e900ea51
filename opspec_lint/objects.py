"""Files out of git's object store, any number of them through one process."""

from __future__ import annotations

import os
import subprocess

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
        try:
            self._process = subprocess.Popen(
                [  # noqa: S607 - the git that everybody means
                    "git",
                    "--no-pager",
                    "cat-file",
                    "--batch",
                ],
                cwd=repository.folder,
                env=dict(repository.environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise InputError("git", f"cannot be run: {error.strerror}", advice="install git") from None

    def read(self, revision: str, path: str) -> bytes | None:
        """Return a file as it stands at a revision or in the index; None where there is no such file.

        Args:
            revision: a revision, or `git.INDEX`.
            path: the path from the top of the repository.

        Raises:
            InputError: the file is larger than any spec is, or git broke off.
        """
        name = os.fsencode(f"{revision}:{path}")
        if b"\n" in name:
            return None
        asked, answers = self._pipes()
        try:
            asked.write(name + b"\n")
            asked.flush()
        except OSError:
            raise self._broken(path) from None
        header = answers.readline().split(b" ")
        if len(header) < 3 or header[-2] not in (b"blob", b"tree", b"commit", b"tag"):
            if header[-1] in (b"missing\n", b"ambiguous\n"):
                return None
            raise self._broken(path)
        size = int(header[-1])
        if size > MAX_BYTES:
            self.close()
            raise InputError(path, f"is larger than {MAX_BYTES >> 20} MiB, which no spec is")
        data = answers.read(size + 1)
        if len(data) != size + 1:
            raise self._broken(path)
        return data[:-1] if header[-2] == b"blob" else None

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        for pipe in self._pipes():
            pipe.close()
        self._process.wait()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        asked, answers = self._process.stdin, self._process.stdout
        if asked is None or answers is None:
            raise AssertionError("the process was started with both pipes")
        return asked, answers

    def _broken(self, path: str) -> InputError:
        return InputError(path, "git broke off while it was read", advice="run `git fsck`")
