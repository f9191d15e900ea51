"""Interface of the files of a source tree, and a limit of what is read."""

from __future__ import annotations

import posixpath

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.limits import MAX_SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Protocol

    from opspec_lint.git.folders import Entries

    class SourceTree(Protocol):
        """A source tree. Paths are relative to its root, with slashes.

        `links` are the symbolic links that `blobs` encountered, each with the id of its content or its target; only
        `follow` follows them. `folders` caches the folders of commits, by their ids; folders that were read earlier may
        be added.
        """

        name: str
        links: dict[str, str]
        folders: dict[str, Entries]

        def blobs(self, folders: tuple[str, ...]) -> dict[str, str]:
            """Return the files below some folders, "" for the root, each with the id of its content."""

        def direct_files(self, folders: tuple[str, ...]) -> dict[str, str]:
            """Return the files that are directly in some folders, of any ending, each with the id of its content."""

        def follow(self, paths: Iterable[str]) -> dict[str, str]:
            """Return the paths inside of the tree that symbolic links lead to, by link; other paths are left out."""

        def read(self, paths: Iterable[str]) -> dict[str, bytes | None]:
            """Return the content of files, None for one that is missing or too large."""

        def identify(self, paths: Iterable[str]) -> dict[str, str]:
            """Return the ids of the contents of files, "" for a missing file.

            Folders of a commit have ids as well; folders of other trees have none.
            """

        def read_folders(self) -> dict[str, Entries]:
            """Return the folders of the commit that were read."""


def targets_inside(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the paths that links with given texts lead to, by link; those that lead out of the tree are left out."""
    # A text that begins with a slash replaces the folder, and the path is then no path of the tree.
    targets = {link: posixpath.normpath(posixpath.join(posixpath.dirname(link), texts[link])) for link in texts}
    return {link: target for link, target in targets.items() if not target.startswith(("/", ".."))}


class Budget:
    """A limit of the bytes that are read from one tree."""

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
            raise InputError(self._name, problem, advice="name the source tree of the framework")
