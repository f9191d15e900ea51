"""Quick import of this package's modules, by Python's rules for .pyc files with a third of its system calls.

A check of two specs imports some 150 modules, and Python's finder takes a quarter of that time: for each folder it
makes a finder and lists the files, for each module it asks five times about the same two files. A module of this
package has one place, so one look at its source tells size and time, and one read gets the code. Nothing else is
stored, and whatever is unusual is left to Python.

Only the programs of the command line do this: a process that imports `opspec_lint` keeps its import system. Nothing
but what Python has loaded at start is imported here, hence the frozen modules in place of `importlib.machinery`.
"""

import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType

_PACKAGE = __name__.partition(".")[0]
_HEADER_SIZE = 16
"""Bytes of a .pyc file before the code (PEP 552)."""
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)


def install() -> None:
    """Find the modules of this package quickly from now on."""
    # With these options .pyc files have other names.
    if not sys.flags.optimize and sys.pycache_prefix is None and sys.implementation.cache_tag:
        sys.meta_path.insert(0, _Finder(f"{_PACKAGE}.", f".{sys.implementation.cache_tag}.pyc"))


class _Finder:
    """Finder of the modules whose names have a prefix, each with the code in its .pyc file."""

    def __init__(self, prefix: str, ending: str) -> None:
        self._prefix = prefix
        self._ending = ending

    def find_spec(self, name: str, path: "Sequence[str] | None" = None, _target: object = None) -> ModuleSpec | None:
        """Return the spec of a module or package in the folder of its parent; None leaves it to Python."""
        if path is None or not name.startswith(self._prefix):
            return None
        (folder, *others) = path
        if others:
            return None
        file_name = name.rpartition(".")[2]
        submodules = None
        source = f"{folder}{os.sep}{file_name}.py"
        status = _status(source)
        if status is None:
            folder = f"{folder}{os.sep}{file_name}"
            submodules, file_name = [folder], "__init__"
            source = f"{folder}{os.sep}__init__.py"
            status = _status(source)
            if status is None:
                return None
        cached = f"{folder}{os.sep}__pycache__{os.sep}{file_name}{self._ending}"
        spec = ModuleSpec(name, _Loader(name, source, cached, status), origin=source)
        spec.submodule_search_locations = submodules
        spec.cached = cached
        spec.has_location = True  # sets `__file__` of the module
        return spec


class _Loader(SourceFileLoader):
    """Loader of a module from its .pyc file, if that was made of the source as it is."""

    def __init__(self, name: str, source: str, cached: str, status: os.stat_result) -> None:
        super().__init__(name, source)
        self._cached = cached
        self._status = status

    def get_code(self, fullname: str) -> "CodeType | None":
        """Return the code of the module; Python compiles the source where the .pyc file is missing or not valid."""
        try:
            data = _read(self._cached)
            if data[:_HEADER_SIZE] == _header(self._status):
                code: CodeType = loads(memoryview(data)[_HEADER_SIZE:])  # noqa: S302 - as Python does
                if code.co_filename == self.path:  # not so in a copy of an installation
                    return code
        except (OSError, EOFError, ValueError, TypeError, AttributeError):
            pass
        return super().get_code(fullname)


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _read(path: str) -> bytes:
    # `open` would make four more system calls.
    descriptor = os.open(path, _READ)
    try:
        return os.read(descriptor, os.fstat(descriptor).st_size)
    finally:
        os.close(descriptor)


def _header(status: os.stat_result) -> bytes:
    """Return the first bytes of a .pyc file that was made of a source with this status (PEP 3147, PEP 552).

    The four zero bytes tell that the file is valid by time and size of the source, not by its hash.
    """
    numbers = (int(status.st_mtime), status.st_size)
    return MAGIC_NUMBER + bytes(4) + b"".join((number & 0xFFFFFFFF).to_bytes(4, "little") for number in numbers)
