"""The files of a work tree.

Git compares a work tree through the filters that its attributes name, and ignores files that are marked
`--assume-unchanged`. Here the bytes of the files themselves are compared, and no filter runs.
"""

from __future__ import annotations

import os
from contextlib import suppress

from opspec_lint.git.listing import blobs, content_id
from opspec_lint.git.repository import INDEX, ChangedFile
from opspec_lint.git.sparse import LEFT_OUT
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.limits import MAX_BYTES, too_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from opspec_lint.git.objects import Objects
    from opspec_lint.git.repository import Repository


class WorkTree:
    """The work tree of a repository: tracked files, and files that are neither tracked nor ignored.

    A file that a sparse checkout leaves out has the content of the index.

    Args:
        repository: the repository.
        objects: its objects.
        unsaved: contents in place of the files on the disk, by real path.
    """

    def __init__(self, repository: Repository, objects: Objects, unsaved: Mapping[str, bytes] | None = None) -> None:
        self._repository = repository
        self._objects = objects
        self._unsaved = unsaved or {}
        self._known: dict[str, str] | None = None
        self._staged: dict[str, str] | None = None

    def files(self) -> list[str]:
        """Return the paths of all files, from the top of the repository.

        Raises:
            InputError: git cannot list them.
        """
        left_out = self._left_out()
        return [path for path in self._tags() if path in left_out or os.path.lexists(self._absolute(path))]

    def read(self, path: str) -> bytes | None:
        """Return a file, None if there is no regular file of that name.

        Raises:
            InputError: the file cannot be read, is larger than any spec, or is outside of the repository.
        """
        if not os.path.lexists(self._absolute(path)):
            staged = self._objects.read(INDEX, path)
            return staged if staged is not None and path in self._left_out() else None
        if not self._is_regular(path):
            return None
        # A link inside of a folder of the repository may lead to any file of the machine, also in a pull request of a
        # stranger.
        if self._leads_out(path):
            raise InputError(path, "is a symbolic link out of the repository", advice="replace the link with the file")
        if (unsaved := self._unsaved_bytes(path)) is not None:
            return unsaved
        try:
            with open(self._absolute(path), "rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except OSError as error:
            raise InputError(path, f"cannot be read: {error.strerror}", advice="check its permissions") from None
        if len(data) > MAX_BYTES:
            raise too_large(path)
        return data

    def changes(self, base: str, concerned: Container[str] | None = None) -> list[ChangedFile]:
        """Return the regular files that differ from a revision, with the renames in the index.

        Args:
            base: the id of a commit or tree.
            concerned: the paths whose content is compared; None for all.

        Raises:
            InputError: git cannot list the files.
        """
        before, now = blobs(self._repository, base, ()), [path for path in self.files() if self._is_regular(path)]
        added, gone = set(now) - before.keys(), before.keys() - set(now)
        # Renames come from the index only: git detects them by content, and the work tree has no ids to compare.
        origins = self._origins(base, gone) if added and gone else {}
        added_files = [ChangedFile(old=origins.get(path), new=path) for path in now if path in added]
        gone -= {change.old for change in added_files if change.old is not None}
        return [
            *added_files,
            *(ChangedFile(old=path, new=None) for path in sorted(gone)),
            *(
                ChangedFile(old=path, new=path)
                for path in now
                if path in before
                and (concerned is None or path in concerned)
                and not self._has_content(path, before[path])
            ),
        ]

    def _origins(self, base: str, gone: Container[str]) -> dict[str, str]:
        """Return the old path of each renamed file, by its new path."""
        moves = self._repository.changes(base, INDEX)
        return {move.new: move.old for move in moves if move.new and move.old and move.old in gone}

    def _tags(self) -> dict[str, str]:
        """Return the tag of `git ls-files -t` of each file in the index or the work tree, by path."""
        if self._known is None:
            listing = self._repository.output("ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard")
            entries = (entry.partition(" ") for entry in os.fsdecode(listing).split("\0") if entry)
            self._known = {path: tag for tag, _, path in entries}
        return self._known

    def _left_out(self) -> dict[str, str]:
        """Return the regular files that only the index has, each with the id of its content."""
        if self._staged is None:
            tags = self._tags()
            staged = blobs(self._repository, INDEX, ()) if LEFT_OUT in tags.values() else {}
            self._staged = {path: blob for path, blob in staged.items() if tags.get(path) == LEFT_OUT}
        return self._staged

    def _unsaved_bytes(self, path: str) -> bytes | None:
        """Return the unsaved content of a file, or None."""
        return self._unsaved.get(os.path.realpath(self._absolute(path))) if self._unsaved else None

    def _absolute(self, path: str) -> str:
        return os.path.join(self._repository.top, path)

    def _is_regular(self, path: str) -> bool:
        full = self._absolute(path)
        if not os.path.lexists(full):
            return path in self._left_out()
        return os.path.isfile(full) and not os.path.islink(full)

    def _leads_out(self, path: str) -> bool:
        top = self._repository.top
        return os.path.commonpath([os.path.realpath(self._absolute(path)), top]) != top

    def _has_content(self, path: str, identity: str) -> bool:
        """Return whether the content of a file has an id; False if it is unreadable: a later read reports the error."""
        if not os.path.lexists(self._absolute(path)):
            return self._left_out().get(path) == identity  # None: the file has just gone
        if (unsaved := self._unsaved_bytes(path)) is not None:
            return content_id([unsaved], len(unsaved), identity) == identity
        with suppress(OSError):
            if not self._leads_out(path):
                return content_id(self._portions(path), os.path.getsize(self._absolute(path)), identity) == identity
        return False

    def _portions(self, path: str) -> Iterator[bytes]:
        with open(self._absolute(path), "rb") as stream:
            while data := stream.read(1 << 20):
                yield data
