"""What was read of trees before, in the user's cache directory.

An entry is named for what it was made of: the ids of the contents, the build, and this very extractor. So it is never
out of date, and whoever finds it may use it. Entries are written whole or not at all; one that is damaged is as good as
none.
"""

from __future__ import annotations

import marshal
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_MAX_ENTRIES = 24
_MAX_BYTES = 96 << 20
_DIGEST = 32


class NoStore:
    """Keeps nothing."""

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
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def load(self, key: str) -> Any:
        """Return the value of an entry, None where there is none that is whole."""
        path = os.path.join(self._folder, key)
        try:
            with open(path, "rb") as stream:
                data = stream.read(_MAX_BYTES)
        except OSError:
            return None
        value = _decoded(data)
        if value is not None:
            _touch(path)
        return value

    def latest(self, kind: str) -> Any:
        """Return the value of this extractor's entry of a kind that was used last, None where there is none."""
        beginning = _beginning(kind)
        names = [name for name in self._names() if name.startswith(beginning)]
        return self.load(names[-1]) if names else None

    def save(self, key: str, value: Any) -> None:
        """Keep a value. Where that is impossible nothing is kept, and nobody need know."""
        import tempfile

        try:
            data = _encoded(value)
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self._folder, prefix=".new-")
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(data)
                os.replace(temporary, os.path.join(self._folder, key))
            except BaseException:
                os.unlink(temporary)
                raise
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


def open_store(environment: Mapping[str, str]) -> Store | NoStore:
    """Return the store in the user's cache directory, one that keeps nothing where there is none.

    Args:
        environment: says where it is: XDG_CACHE_HOME, or HOME.
    """
    root = environment.get("XDG_CACHE_HOME") or ""
    if not os.path.isabs(root):
        home = environment.get("HOME") or ""
        if not os.path.isabs(home):
            return NO_STORE
        root = os.path.join(home, ".cache")
    return Store(os.path.join(root, "opspec-lint", "paddle-source"))


def name(kind: str, *parts: str) -> str:
    """Return the name of an entry that is made of some parts, by this extractor."""
    return f"{_beginning(kind)}{_digest(chr(0).join(parts).encode())[:_DIGEST]}"


def _beginning(kind: str) -> str:
    """Return how the names of the entries of a kind begin: what another extractor made is not this one's."""
    return f"{kind}-{_digest(_extractor().encode())[:_DIGEST]}-"


def _extractor() -> str:
    """Return what tells this extractor from every other: its version, and the sizes and times of its modules."""
    import sys

    from opspec_lint import __version__

    folder = os.path.dirname(__file__)
    with os.scandir(folder) as found:
        modules = sorted(
            (entry.name, entry.stat().st_size, entry.stat().st_mtime_ns)
            for entry in found
            if entry.name.endswith(".py")
        )
    return f"{__version__} {sys.version_info[:2]} {modules}"


def _encoded(value: Any) -> bytes:
    data = marshal.dumps(value, 4)
    return _digest(data).encode() + data


def _decoded(data: bytes) -> Any:
    digest, content = data[:64], data[64:]
    if _digest(content).encode() != digest:
        return None
    return marshal.loads(content)  # noqa: S302 - our own words, and whole


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _touch(path: str) -> None:
    try:
        os.utime(path)
    except OSError:
        return
