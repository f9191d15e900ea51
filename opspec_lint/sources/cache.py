"""What was read of source trees before, in the user's cache directory.

An entry is named for what it was made of: the ids of the contents, the build, and the code that read them. So it is
never out of date, and whoever finds it may use it. Its digest covers its name: one that stands under another name, was
damaged, or was made by another user is as good as none. Entries are written whole or not at all.
"""

from __future__ import annotations

import marshal
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_MAX_ENTRIES = 24
_MAX_BYTES = 96 << 20
_DIGEST = 32
_SEAL = 64
_PREFIX = ".new-"


class NoStore:
    """Keeps nothing."""

    def name(self, kind: str, *parts: str) -> str:
        """Return the name of an entry that is made of some parts."""
        return f"{self._beginning(kind)}{_digest(chr(0).join(parts).encode())[:_DIGEST]}"

    def _beginning(self, kind: str) -> str:
        """Return how the names of the entries of a kind begin."""
        return f"{kind}-"

    def load(self, key: str) -> Any:  # noqa: ARG002
        """Return None."""
        return None

    def latest(self, kind: str) -> Any:  # noqa: ARG002
        """Return None."""
        return None

    def save(self, key: str, value: Any) -> None:
        """Do nothing."""


NO_STORE = NoStore()


class Store(NoStore):
    """A folder of entries, `KEY` each; the newest of a kind is what `latest` returns.

    Args:
        folder: the folder; it is made when something is saved.
        code: the folders with the modules that make the entries: what others made is not theirs.
    """

    def __init__(self, folder: str, code: tuple[str, ...]) -> None:
        self._folder = folder
        self._reader = _digest(_reader(code).encode())[:_DIGEST]

    def _beginning(self, kind: str) -> str:
        return f"{kind}-{self._reader}-"

    def load(self, key: str) -> Any:
        """Return the value of an entry, None where there is none that is whole."""
        path = os.path.join(self._folder, key)
        try:
            with open(path, "rb") as stream:
                data = stream.read(_MAX_BYTES) if _is_ours(stream.fileno()) else b""
        except OSError:
            return None
        value = _decoded(key, data)
        if value is not None:
            _touch(path)
        return value

    def latest(self, kind: str) -> Any:
        """Return the value of the entry of a kind that was used last, None where there is none."""
        beginning = self._beginning(kind)
        names = [name for name in self._names() if name.startswith(beginning)]
        return self.load(names[-1]) if names else None

    def save(self, key: str, value: Any) -> None:
        """Keep a value. Where that is impossible nothing is kept, and nobody need know."""
        from opspec_lint.kit import whole_file

        try:
            data = _encoded(key, value)
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            whole_file.write(os.path.join(self._folder, key), data, prefix=_PREFIX)
            self._prune()
        except (OSError, ValueError):
            return

    def _names(self) -> list[str]:
        """Return the names of the entries, the one that was used last at the end."""
        try:
            with os.scandir(self._folder) as found:
                entries = [(entry.stat().st_mtime_ns, entry.name) for entry in found if not entry.name.startswith(".")]
        except OSError:
            return []
        return [name for _, name in sorted(entries)]

    def _prune(self) -> None:
        """Delete what was not used for longest, until few and small enough entries are left."""
        names = self._names()
        sizes = {name: os.stat(os.path.join(self._folder, name)).st_size for name in names}
        total = sum(sizes.values())
        while names and (len(names) > _MAX_ENTRIES or total > _MAX_BYTES):
            name = names.pop(0)
            total -= sizes[name]
            os.unlink(os.path.join(self._folder, name))


def open_store(environment: Mapping[str, str], name: str, code: tuple[str, ...]) -> Store | NoStore:
    """Return a store in the user's cache directory, one that keeps nothing where there is none.

    Args:
        environment: says where it is: XDG_CACHE_HOME, or HOME.
        name: what the store is called.
        code: the folders with the modules that make its entries.
    """
    root = environment.get("XDG_CACHE_HOME") or ""
    if not os.path.isabs(root):
        home = environment.get("HOME") or ""
        if not os.path.isabs(home):
            return NO_STORE
        root = os.path.join(home, ".cache")
    return Store(os.path.join(root, "opspec-lint", name), code)


def _reader(code: tuple[str, ...]) -> str:
    """Return what tells modules from every other: our version, and the sizes and times of all in some folders."""
    import sys

    from opspec_lint import __version__

    modules = sorted(each for folder in code for each in _modules(folder))
    return f"{__version__} {sys.version_info[:2]} {modules}"


def _modules(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir():
                yield from _modules(entry.path)
            elif entry.name.endswith(".py"):
                about = entry.stat()
                yield entry.name, about.st_size, about.st_mtime_ns


def _encoded(key: str, value: Any) -> bytes:
    data = marshal.dumps(value, 4)
    return _seal(key, data) + data


def _decoded(key: str, data: bytes) -> Any:
    """Return what an entry holds, None where it is not what was written under that key."""
    seal, content = data[:_SEAL], data[_SEAL:]
    if _seal(key, content) != seal:
        return None
    try:
        return marshal.loads(content)  # noqa: S302 - our own words, and whole
    except (EOFError, TypeError, ValueError):  # another version of the format
        return None


def _seal(key: str, content: bytes) -> bytes:
    return _digest(key.encode() + b"\0" + content).encode()


def _is_ours(handle: int) -> bool:
    """Tell whether an open file belongs to who runs us."""
    return not hasattr(os, "geteuid") or os.fstat(handle).st_uid == os.geteuid()


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _touch(path: str) -> None:
    try:
        os.utime(path)
    except OSError:
        return
