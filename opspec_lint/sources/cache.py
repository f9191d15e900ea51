"""A cache of the results of reading source trees, in the user's cache directory.

The name of an entry depends on its inputs: the ids of the contents, the build, and the code that read them. So an entry
is never out of date. Its digest covers its name: an entry that was renamed or damaged, or that belongs to another user,
is ignored. Entries are written whole or not at all. If little has changed since the last used entry of a kind, the next
entry stores only the difference.
"""

from __future__ import annotations

import marshal
import os
from functools import cache

from opspec_lint.kit.record import Record
from opspec_lint.sources.differences import apply, difference, snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_MAX_ENTRIES = 24
_MAX_BYTES = 96 << 20
_DIGEST = 32
"""Characters of a digest in the name of an entry."""
_SEAL = 64
"""Bytes at the beginning of an entry: the digest of its name and its content."""
_PREFIX = ".new-"
"""Prefix of the names of files that are being written."""
_DIFFERENCE_SUFFIX = "+"
"""Suffix of the name of an entry that stores the difference to another one."""
_SMALL_SHARE = 4
"""A difference is stored if it takes at most 1/4 of the full entry."""
_PACKAGE = os.path.dirname(os.path.dirname(__file__))
"""The folder of the package."""


class NoStore:
    """A store that keeps nothing."""

    def name(self, kind: str, *parts: str) -> str:
        """Return the name of an entry that depends on some parts."""
        # NUL is in no path, id or text of the parts, so that different parts are never joined to the same text.
        return f"{self._name_prefix(kind)}{digest(chr(0).join(parts).encode())[:_DIGEST]}"

    def _name_prefix(self, kind: str) -> str:
        """Return the prefix of the names of the entries of a kind."""
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


class MemoryStore(NoStore):
    """A store in the memory of this process, with the last saved value of each kind.

    Args:
        behind: a store with the values that were saved before.
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
        """Keep a value, which must not be changed afterwards."""
        self._values[key] = value

    def hand_over(self) -> None:
        """Save the kept values in the store behind this one."""
        for kind, value in self._values.items():
            self._behind.save(self._behind.name(kind, *self._parts[kind]), value)


class _FullEntry(Record):
    """A full entry, to which others store the difference: its name, its seal, its size, and its value as read."""

    name: str
    seal: bytes
    size: int
    value: Mapping[str, Any]


_last_full_entry: dict[str, _FullEntry] = {}
"""The full entry that was read last in this process, by its path: base and head of a check begin with the same one."""


class Store(NoStore):
    """A folder of entries, `KEY` each; the newest of a kind is what `latest` returns.

    Args:
        folder: the folder; it is created when something is saved.
        code: the folders with the modules that make the entries: an entry of other code is not used.
    """

    def __init__(self, folder: str, code: tuple[str, ...]) -> None:
        self._folder = folder
        self._reader = digest(identity_of_code(code).encode())[:_DIGEST]
        self._full_entries: dict[str, _FullEntry] = {}

    def _name_prefix(self, kind: str) -> str:
        return f"{kind}-{self._reader}-"

    def load(self, key: str) -> Any:
        """Return the value of an entry, None if there is none, or if it is damaged."""
        return _decode(key, self._read(key))

    def latest(self, kind: str) -> Any:
        """Return the value of the last used entry of a kind, None if there is none."""
        beginning = self._name_prefix(kind)
        name = next((name for name in reversed(self._names()) if name.startswith(beginning)), None)
        if name is None:
            return None
        if not name.endswith(_DIFFERENCE_SUFFIX):
            return self._load_full(beginning, name)
        # The newest entry is a difference: the new value follows from the full entry that it names.
        entry = self.load(name)
        if type(entry) is not tuple or len(entry) != 3:
            return None
        full_name, seal, changes = entry
        value = self._load_full(beginning, full_name, seal)
        _touch(os.path.join(self._folder, name))  # the difference was used after the full entry
        return None if value is None else apply(value, changes)

    def _load_full(self, beginning: str, name: str, seal: bytes | None = None) -> Any:
        """Return the value of a full entry; None if it is damaged, or has another seal."""
        path = os.path.join(self._folder, name)
        entry = _last_full_entry.get(path)
        # The seal covers the content: with the same seal, the value is the one that was decoded before.
        if entry is None or self._read(name, _SEAL) != entry.seal:
            data = self._read(name)
            value = _decode(name, data)
            if not isinstance(value, dict):
                return value
            entry = _FullEntry(name=name, seal=data[:_SEAL], size=len(data), value=value)
            _last_full_entry.clear()
            _last_full_entry[path] = entry
        # The full entry may have been written again with other content, to which the difference does not apply.
        if seal not in (None, entry.seal):
            return None
        self._full_entries[beginning] = entry
        return snapshot(entry.value)

    def _read(self, name: str, size: int = _MAX_BYTES) -> bytes:
        """Return the first bytes of an entry, b"" if it cannot be read; mark it as used now."""
        path = os.path.join(self._folder, name)
        try:
            with open(path, "rb") as stream:
                # The owner is asked of the open file: between two calls, the path could come to name another one.
                data = stream.read(size) if _is_of_this_user(stream.fileno()) else b""
        except OSError:
            return b""
        _touch(path)
        return data

    def save(self, key: str, value: Any) -> None:
        """Keep a value. If that is impossible, nothing is kept, and that is no error."""
        from opspec_lint.kit import whole_file

        try:
            name, data = self._encode_difference(key, value) or (key, _encode(key, value))
            # Entries are decoded with marshal, which is not safe for data of others: nobody else may write here.
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            path = os.path.join(self._folder, name)
            # Not durable: the seal shows damage by a power failure, and the entry can be made again.
            whole_file.write(path, data, prefix=_PREFIX, is_durable=False)
            _touch(path)
            self._prune()
        # marshal raises ValueError for a value of a type that it cannot write.
        except (OSError, ValueError):
            return

    def _encode_difference(self, key: str, value: Any) -> tuple[str, bytes] | None:
        """Return the name and the content of an entry with the difference, None if too much has changed."""
        full_entry = self._full_entries.get(f"{key.rpartition('-')[0]}-")
        if full_entry is None or not isinstance(value, dict):
            return None
        name = f"{key}{_DIFFERENCE_SUFFIX}"
        data = _encode(name, (full_entry.name, full_entry.seal, difference(full_entry.value, value)))
        return (name, data) if len(data) * _SMALL_SHARE <= full_entry.size else None

    def _names(self) -> list[str]:
        """Return the names of the entries, the last used one at the end."""
        try:
            with os.scandir(self._folder) as directory:
                # A file that another process is still writing begins with `_PREFIX`.
                entries = [
                    (entry.stat().st_mtime_ns, entry.name) for entry in directory if not entry.name.startswith(".")
                ]
        except OSError:
            return []
        return [name for _, name in sorted(entries)]

    def _prune(self) -> None:
        """Delete the least recently used entries, until the limits hold."""
        names = self._names()
        sizes = {name: os.stat(os.path.join(self._folder, name)).st_size for name in names}
        total = sum(sizes.values())
        # `_names` has the least recently used entry first, since reading an entry sets its time.
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
    """Return the folder of opspec-lint in the user's cache directory, None if there is none."""
    root = environment.get("XDG_CACHE_HOME") or ""
    # XDG Base Directory Specification: a relative path in the variable is invalid, and has to be ignored.
    if not os.path.isabs(root):
        home = environment.get("HOME") or ""
        if not os.path.isabs(home):
            return None
        root = os.path.join(home, ".cache")
    return os.path.join(root, "opspec-lint")


@cache
def identity_of_code(code: tuple[str, ...]) -> str:
    """Return a text that identifies the modules in some folders, and the version of opspec-lint.

    For an installed package, it has the digests that the installer recorded, unless a module was edited since: so all
    installations of a package use the same entries. Otherwise, it has the sizes and times of the modules.
    """
    import sys

    from opspec_lint import __version__

    modules = sorted(module for folder in code for module in _modules(folder))
    contents = _recorded_digests(code, f"{_PACKAGE}-{__version__}.dist-info", max(time for *_, time in modules))
    # The format of marshal may change with any minor version of Python, so its number is part of the identity.
    return f"{__version__} {sys.version_info[:2]} {contents or modules}"


def _recorded_digests(code: tuple[str, ...], metadata: str, edited: int) -> list[str]:
    """Return the lines of RECORD about the modules, none if the file is missing or older than the latest edit.

    Args:
        code: the folders with the modules.
        metadata: the folder in which an installer writes RECORD.
        edited: the time of the latest edit.
    """
    try:
        with open(os.path.join(metadata, "RECORD"), encoding="utf-8") as stream:
            is_later = os.fstat(stream.fileno()).st_mtime_ns >= edited
            lines = [line for line in stream if ".py,sha256=" in line]
    except (OSError, ValueError):
        return []
    return sorted(lines) if is_later and all(folder.startswith(os.path.join(_PACKAGE, "")) for folder in code) else []


def _modules(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as directory:
        for entry in directory:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.name, status.st_size, status.st_mtime_ns
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _modules(entry.path)


def _encode(key: str, value: Any) -> bytes:
    data = marshal.dumps(value, 4)
    return _seal(key, data) + data


def _decode(key: str, data: bytes) -> Any:
    """Return the value of an entry, None if it was not written under that key."""
    content = memoryview(data)[_SEAL:]  # some megabytes, which are not copied
    if _seal(key, content) != data[:_SEAL]:
        return None
    try:
        return marshal.loads(content)  # noqa: S302 - the seal shows that this user wrote it
    except (EOFError, TypeError, ValueError):  # another version of the format
        return None


def _seal(key: str, content: bytes | memoryview) -> bytes:
    return digest(key.encode() + b"\0", content).encode()


def _is_of_this_user(handle: int) -> bool:
    """Return whether an open file belongs to the user of this process."""
    return not hasattr(os, "geteuid") or os.fstat(handle).st_uid == os.geteuid()


def digest(data: bytes, more: bytes | memoryview = b"") -> str:
    """Return the BLAKE2 digest of the concatenation of two byte strings, 256 bits in hexadecimal digits."""
    try:
        from _blake2 import blake2b  # importing hashlib loads OpenSSL, which takes 3 ms
    except ImportError:
        from hashlib import blake2b
    hasher = blake2b(data, digest_size=_SEAL // 2)
    hasher.update(more)
    return hasher.hexdigest()


def _touch(path: str) -> None:
    """Set the times of a file to now, by `time_ns`: the clock of the file system is coarser, and may be behind."""
    from time import time_ns

    now = time_ns()
    try:
        os.utime(path, ns=(now, now))
    except OSError:
        return
