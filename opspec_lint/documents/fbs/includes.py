"""The files that a schema is made of: its own, and those that it includes, each once."""

from __future__ import annotations

import posixpath

from opspec_lint.documents.fbs.syntax import parse
from opspec_lint.documents.fbs.text import Text
from opspec_lint.kit.limits import MAX_DEPTH, MAX_SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.documents.fbs.syntax import RawFile

    Read = Callable[[str], bytes | None]
    """Returns what a file of the tree holds, by its path; None where there is no such file in the tree."""


def parse_all(
    data: bytes, path: str, read: Read, called: Callable[[str], str], placed: Callable[[str], str]
) -> dict[str, RawFile]:
    """Return what the files of a schema say, by their paths: included ones first, as `flatc` takes them.

    An include is looked for in the folder of the file that names it, then in the folders above that, up to the top of
    the tree.

    Args:
        data: the bytes of the schema.
        path: its path in the tree, with slashes.
        read: reads another file of the tree.
        called: returns what messages call a file, by its path.
        placed: returns the file of the origins, by its path.

    Raises:
        InputError: one of the files is no schema, is not in the tree, or includes itself; the message names the line.
    """
    gatherer = _Gatherer(read, called, placed)
    gatherer.gather(data, path)
    return gatherer.found


class _Gatherer:
    """Reads files and what they include."""

    def __init__(self, read: Read, called: Callable[[str], str], placed: Callable[[str], str]) -> None:
        self._read = read
        self._placed = placed
        self._called = called
        self._open: list[str] = []
        self._left = MAX_SOURCE
        self.found: dict[str, RawFile] = {}

    def gather(self, data: bytes, path: str) -> None:
        text = Text(data, self._called(path), self._placed(path))
        raw = parse(text)
        self._open.append(path)
        for name, at in raw.includes:
            included, content = self._find(name, path, text, at)
            if content is not None:
                self.gather(content, included)
        self._open.pop()
        self.found[path] = raw

    def _find(self, name: str, path: str, text: Text, at: int) -> tuple[str, bytes | None]:
        """Return the path of an include, and its bytes unless it was read before."""
        places = list(_places(name, path))
        if not places:
            text.refuse(at, f"includes {name!r}, which is outside the tree", "include a file of the same repository")
        for place in places:
            if place in self._open:
                way = " -> ".join([*self._open[self._open.index(place) :], place])
                text.refuse(at, f"includes itself: {way}", "move what both declare to a third file")
            if place in self.found:
                return place, None
            data = self._read(place)
            if data is not None:
                self._spend(len(data), name, text, at)
                return place, data
        looked = ", ".join(places)
        return text.refuse(at, f"includes {name!r}, which is not in the tree", f"looked for {looked}")

    def _spend(self, size: int, name: str, text: Text, at: int) -> None:
        self._left -= size
        if self._left < 0 or len(self._open) >= MAX_DEPTH:
            limit = f"{MAX_SOURCE >> 20} MiB" if self._left < 0 else f"{MAX_DEPTH} levels"
            text.refuse(at, f"with {name!r}, the includes exceed {limit}", "is it the right file?")


def _places(name: str, path: str) -> Iterator[str]:
    """Yield where an include may be: in the folder of the file, and above it.

    Nothing that leads out of the tree, and nothing that git keeps for itself.
    """
    if not name or name.startswith("/") or not name.isprintable() or "\\" in name or ".git" in name.lower().split("/"):
        return
    folder = posixpath.dirname(path)
    while True:
        place = posixpath.normpath(posixpath.join(folder, name))
        if not place.startswith("../") and place not in ("..", "."):
            yield place
        if folder in ("", "/"):
            return
        folder = posixpath.dirname(folder)
