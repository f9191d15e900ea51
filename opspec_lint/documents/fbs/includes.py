"""The files of a schema: the file itself and its includes, each once."""

from __future__ import annotations

import posixpath

from opspec_lint.documents.fbs.syntax import parse
from opspec_lint.documents.fbs.text import Text
from opspec_lint.kit.limits import MAX_DEPTH, MAX_SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.documents.fbs.syntax import RawFile
    from opspec_lint.documents.file_context import FileContext


def parse_all(data: bytes, path: str, around: FileContext) -> dict[str, RawFile]:
    """Return the content of the files of a schema, by their paths: included ones first, as `flatc` takes them.

    An include is looked for in the folder of the file that names it, in the folders that the user names, then in those
    above the file, up to the top of the tree. A file that is being read is not read again: includes may be circular.

    Args:
        data: the bytes of the schema.
        path: its path in the tree, with slashes.
        around: the files around it.

    Raises:
        InputError: a file is no schema, or is not in the tree; the message names the line.
    """
    gatherer = _Gatherer(around)
    gatherer.gather(data, path)
    return gatherer.found


class _Gatherer:
    """Reads files and what they include."""

    def __init__(self, around: FileContext) -> None:
        self._around = around
        self._open: list[str] = []
        self._bytes_left = MAX_SOURCE
        self.found: dict[str, RawFile] = {}

    def gather(self, data: bytes, path: str) -> None:
        """Parse a file, and before it the files that it includes; each file once."""
        text = Text(data, self._around.called(path), self._around.placed(path))
        raw = parse(text)
        self._open.append(path)
        for name, at in raw.includes:
            # `flatc` reads a backslash in the name of an include as a slash (PosixPath, src/util.cpp).
            included, content = self._find(name.replace("\\", "/"), path, text, at)
            if content is not None:
                self.gather(content, included)
        self._open.pop()
        self.found[path] = raw

    def _find(self, name: str, path: str, text: Text, at: int) -> tuple[str, bytes | None]:
        """Return the path of an include, and its bytes unless it was read before."""
        places = list(_places(name, path, self._around.folders))
        if not places:
            text.refuse(at, f"includes {name!r}, which is outside the tree", "include a file of the same repository")
        for place in places:
            if place in self._open or place in self.found:
                return place, None
            data = self._around.read(place)
            if data is not None:
                self._spend(len(data), name, text, at)
                return place, data
        problem = f"includes {name!r}, which is not in the tree: looked for {', '.join(places)}"
        return text.refuse(at, problem, "name the folder that it counts from, with --include or in the configuration")

    def _spend(self, size: int, name: str, text: Text, at: int) -> None:
        """Count the bytes of an include; refuse it if all files together are too large, or nested too deep."""
        # The sum is limited, as many files that are each below the limit could still fill the memory.
        self._bytes_left -= size
        if self._bytes_left < 0 or len(self._open) >= MAX_DEPTH:
            limit = f"{MAX_SOURCE >> 20} MiB" if self._bytes_left < 0 else f"{MAX_DEPTH} levels"
            text.refuse(at, f"with {name!r}, the includes exceed {limit}", "check that it is the right file")


def _places(name: str, path: str, folders: tuple[str, ...]) -> Iterator[str]:
    """Yield the possible paths of an include: in the folder of the file, in some folders, and in the folders above.

    No path leads out of the tree, except below a folder that lies outside, or into `.git`.
    """
    # `.git` in any case: file systems that ignore case open git's own folder under `.GIT` as well.
    if not name or name.startswith("/") or not name.isprintable() or ".git" in name.lower().split("/"):
        return
    own_folder, *above = _upwards(posixpath.dirname(path))
    for folder in (own_folder, *folders, *above):
        place = posixpath.normpath(posixpath.join(folder, name))
        is_inside = not place.startswith("../") and place not in ("..", ".")
        if is_inside or any(root.startswith("../") and place.startswith(f"{root}/") for root in folders):
            yield place


def _upwards(folder: str) -> Iterator[str]:
    """Yield a folder and those above it."""
    yield folder
    while folder not in ("", "/") and not folder.endswith(".."):
        folder = posixpath.dirname(folder)
        yield folder
