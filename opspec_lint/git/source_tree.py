"""The files of a source tree, wherever they come from."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.limits import MAX_SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from opspec_lint.git.folders import Entries

    class SourceTree(Protocol):
        """Where files come from. Paths are relative to the root of the tree, with slashes.

        `links` are the symbolic links that `blobs` came by, each with what tells it from others; none is followed.
        `folders` is what is known of the folders of commits, by the ids of their contents. What was read earlier may be
        added to it.
        """

        name: str
        links: dict[str, str]
        folders: dict[str, Entries]

        def blobs(self, folders: tuple[str, ...]) -> dict[str, str]:
            """Return the files below some folders, "" for the root, each with the id of its content."""

        def read(self, paths: Iterable[str]) -> dict[str, bytes | None]:
            """Return the content of files, None for one that is not there or is too large."""

        def identify(self, paths: Iterable[str]) -> dict[str, str]:
            """Return the ids of the contents of files, "" for one that is not there.

            Folders of a commit have ids as well; those of other trees have none.
            """

        def opened(self) -> dict[str, Entries]:
            """Return those of the folders of a commit that were looked into."""


class Budget:
    """Counts what was read of one tree."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = MAX_SOURCES

    def spend(self, size: int) -> None:
        """Count some bytes.

        Raises:
            InputError: the bytes exceed the limit.
        """
        self._left -= size
        if self._left < 0:
            problem = (
                f"needs more than {MAX_SOURCES >> 20} MiB of sources to be read, many times the size of any framework"
            )
            raise InputError(self._name, problem, advice="is this the source tree of the framework?")
