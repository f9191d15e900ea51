"""A cache of the results of reading source trees, in the user's cache directory.

The name of an entry depends on its inputs: the ids of the contents, the build, and the code that read them. So an entry
is never out of date. Its digest covers its name: an entry that was renamed or damaged, or that belongs to another user,
is ignored. Entries are written whole or not at all. Where little changed since the entry of a kind that was used last,
the next one is what changed.
"""

from __future__ import annotations

import marshal
import os
from functools import cache

from opspec_lint.kit.record import Record
from opspec_lint.sources.differences import changed, difference, snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_MAX_ENTRIES = 24
_MAX_BYTES = 96 << 20
_DIGEST = 32
_SEAL = 64
_PREFIX = ".new-"
_CHANGES = "+"
"""Ends the name of an entry that is what changed since another."""
_LITTLE = 4
"""An entry is what changed if that takes at most the share of the whole, one of so many."""
_TOP = os.path.dirname(os.path.dirname(__file__))
"""The folder of the package."""


class NoStore:
    """A store that keeps nothing."""

    def name(self, kind: str, *parts: str) -> str:
        """Return the name of an entry that depends on some parts."""
        return f"{self._beginning(kind)}{digest(chr(0).join(parts).encode())[:_DIGEST]}"

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


class Kept(NoStore):
    """A store in the memory of this process: of each kind it keeps what was saved last.

    Args:
        behind: a store that has what was saved before.
    """

    def __init__(self, behind: NoStore = NO_STORE) -> None:
        self._behind = behind
        self._parts: dict[str, tuple[str, ...]] = {}
        self._values: dict[str, Any] = {}

    def name(self, kind: str, *parts: str) -> str:
        """Return the name of the one entry of a kind."""
        self._parts[kind] = parts
        return kind

    def latest(self, kind: str) -> Any:
        """Return the value that was saved last of a kind, None if there is none."""
        return self._values[kind] if kind in self._values else self._behind.latest(kind)

    def save(self, key: str, value: Any) -> None:
        """Keep a value, which must not be changed any more."""
        self._values[key] = value

    def hand_over(self) -> None:
        """Save what is kept in the store behind this one."""
        for kind, value in self._values.items():
            self._behind.save(self._behind.name(kind, *self._parts[kind]), value)


class _Whole(Record):
    """An entry that others are the changes of: its name, its seal, its size, and its value as it was read."""

    name: str
    seal: bytes
    size: int
    value: Mapping[str, Any]


class Store(NoStore):
    """A folder of entries, `KEY` each; the newest of a kind is what `latest` returns.

    Args:
        folder: the folder; it is created when something is saved.
        code: the folders with the modules that make the entries: an entry of other code is not used.
    """

    def __init__(self, folder: str, code: tuple[str, ...]) -> None:
        self._folder = folder
        self._reader = digest(identity_of_code(code).encode())[:_DIGEST]
        self._wholes: dict[str, _Whole] = {}

    def _beginning(self, kind: str) -> str:
        return f"{kind}-{self._reader}-"

    def load(self, key: str) -> Any:
        """Return the value of an entry, None if there is none, or if it is damaged."""
        return _decoded(key, self._read(key))

    def latest(self, kind: str) -> Any:
        """Return the value of the entry of a kind that was used last, None if there is none."""
        beginning = self._beginning(kind)
        name = next((name for name in reversed(self._names()) if name.startswith(beginning)), None)
        if name is None:
            return None
        if not name.endswith(_CHANGES):
            return self._whole(beginning, name)
        found = self.load(name)
        if type(found) is not tuple or len(found) != 3:
            return None
        whole, seal, changes = found
        value = self._whole(beginning, whole, seal)
        _touch(os.path.join(self._folder, name))  # what changed counts as used after the whole
        return None if value is None else changed(value, changes)

    def _whole(self, beginning: str, name: str, seal: bytes | None = None) -> Any:
        """Return the value of an entry that is whole; None if it is damaged, or has another seal."""
        data = self._read(name)
        if seal not in (None, data[:_SEAL]):
            return None
        value = _decoded(name, data)
        if isinstance(value, dict):
            self._wholes[beginning] = _Whole(name=name, seal=data[:_SEAL], size=len(data), value=snapshot(value))
        return value

    def _read(self, name: str) -> bytes:
        """Return the content of an entry, b"" if it cannot be read; it counts as used now."""
        path = os.path.join(self._folder, name)
        try:
            with open(path, "rb") as stream:
                data = stream.read(_MAX_BYTES) if _is_ours(stream.fileno()) else b""
        except OSError:
            return b""
        _touch(path)
        return data

    def save(self, key: str, value: Any) -> None:
        """Keep a value. If that is impossible, nothing is kept, and that is no error."""
        from opspec_lint.kit import whole_file

        try:
            name, data = self._changes(key, value) or (key, _encoded(key, value))
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            path = os.path.join(self._folder, name)
            whole_file.write(path, data, prefix=_PREFIX, is_durable=False)
            _touch(path)
            self._prune()
        except (OSError, ValueError):
            return

    def _changes(self, key: str, value: Any) -> tuple[str, bytes] | None:
        """Return the name and the content of an entry of what changed, None where too much did."""
        whole = self._wholes.get(f"{key.rpartition('-')[0]}-")
        if whole is None or not isinstance(value, dict):
            return None
        name = f"{key}{_CHANGES}"
        data = _encoded(name, (whole.name, whole.seal, difference(whole.value, value)))
        return (name, data) if len(data) * _LITTLE <= whole.size else None

    def _names(self) -> list[str]:
        """Return the names of the entries, the one that was used last at the end."""
        try:
            with os.scandir(self._folder) as found:
                entries = [(entry.stat().st_mtime_ns, entry.name) for entry in found if not entry.name.startswith(".")]
        except OSError:
            return []
        return [name for _, name in sorted(entries)]

    def _prune(self) -> None:
        """Delete the entries that were not used for longest, until the limits hold."""
        names = self._names()
        sizes = {name: os.stat(os.path.join(self._folder, name)).st_size for name in names}
        total = sum(sizes.values())
        while names and (len(names) > _MAX_ENTRIES or total > _MAX_BYTES):
            name = names.pop(0)
            total -= sizes[name]
            os.unlink(os.path.join(self._folder, name))


def open_store(environment: Mapping[str, str], name: str, code: tuple[str, ...]) -> Store | NoStore:
    """Return a store in the user's cache directory; if there is none, a store that keeps nothing.

    Args:
        environment: contains its path: XDG_CACHE_HOME, or HOME.
        name: the name of the store.
        code: the folders with the modules that make its entries.
    """
    root = folder_of(environment)
    return NO_STORE if root is None else Store(os.path.join(root, name), code)


def folder_of(environment: Mapping[str, str]) -> str | None:
    """Return our folder in the user's cache directory, None if there is none."""
    root = environment.get("XDG_CACHE_HOME") or ""
    if not os.path.isabs(root):
        home = environment.get("HOME") or ""
        if not os.path.isabs(home):
            return None
        root = os.path.join(home, ".cache")
    return os.path.join(root, "opspec-lint")


@cache
def identity_of_code(code: tuple[str, ...]) -> str:
    """Return a text that identifies the modules in some folders, and our version.

    Of an installed package it is what the installer noted of their contents, unless one was edited since: so another
    installation of the same package uses the same entries. Elsewhere it is their sizes and times.
    """
    import sys

    from opspec_lint import __version__

    modules = sorted(each for folder in code for each in _modules(folder))
    contents = _noted(code, f"{_TOP}-{__version__}.dist-info", max(time for *_, time in modules))
    return f"{__version__} {sys.version_info[:2]} {contents or modules}"


def _noted(code: tuple[str, ...], about: str, edited: int) -> list[str]:
    """Return the lines of RECORD about our modules, none if the file is older than the latest edit or not there.

    Args:
        code: the folders with the modules.
        about: the folder in which an installer writes RECORD.
        edited: the time of the latest edit.
    """
    try:
        with open(os.path.join(about, "RECORD"), encoding="utf-8") as stream:
            is_later = os.fstat(stream.fileno()).st_mtime_ns >= edited
            lines = [line for line in stream if ".py,sha256=" in line]
    except (OSError, ValueError):
        return []
    return sorted(lines) if is_later and all(folder.startswith(os.path.join(_TOP, "")) for folder in code) else []


def _modules(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as found:
        for entry in found:
            if entry.name.endswith(".py"):
                about = entry.stat()
                yield entry.name, about.st_size, about.st_mtime_ns
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _modules(entry.path)


def _encoded(key: str, value: Any) -> bytes:
    data = marshal.dumps(value, 4)
    return _seal(key, data) + data


def _decoded(key: str, data: bytes) -> Any:
    """Return the value of an entry, None if it is not what was written under that key."""
    content = memoryview(data)[_SEAL:]  # some megabytes, which are not copied
    if _seal(key, content) != data[:_SEAL]:
        return None
    try:
        return marshal.loads(content)  # noqa: S302 - our own words, and whole
    except (EOFError, TypeError, ValueError):  # another version of the format
        return None


def _seal(key: str, content: bytes | memoryview) -> bytes:
    return digest(key.encode() + b"\0", content).encode()


def _is_ours(handle: int) -> bool:
    """Tell whether an open file belongs to the user of this process."""
    return not hasattr(os, "geteuid") or os.fstat(handle).st_uid == os.geteuid()


def digest(data: bytes, more: bytes | memoryview = b"") -> str:
    """Return the BLAKE2 digest of some bytes and of more behind them, 256 bits in hexadecimal digits."""
    try:
        from _blake2 import blake2b  # hashlib has it from there, and loads OpenSSL, which takes 3 ms
    except ImportError:
        from hashlib import blake2b
    made = blake2b(data, digest_size=_SEAL // 2)
    made.update(more)
    return made.hexdigest()


def _touch(path: str) -> None:
    """Note that a file is used now; the system's own clock is coarser than ours, and may be behind."""
    from time import time_ns

    now = time_ns()
    try:
        os.utime(path, ns=(now, now))
    except OSError:
        return
