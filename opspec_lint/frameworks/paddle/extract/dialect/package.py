"""The files of an installed package or a wheel of Paddle, which are read and never run."""

from __future__ import annotations

import os

from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.kit.named_file import open_named
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Package(Protocol):
        """The files of a package, by paths below its folder `paddle`."""

        def read(self, path: str) -> bytes | None:
            """Return the content of a file; None if it does not exist."""


_MAX_FILE = 1 << 30
"""The limit on the size of a file in bytes."""
_VERSION = pattern(r"^full_version\s*=\s*['\"]([^'\"]+)", "m")
_COMMIT = pattern(r"^commit\s*=\s*['\"]([0-9a-f]{7,40})", "m")
_PLACES = ("site-packages", "dist-packages")


def open_package(scheme: str, argument: str, path_variable: str, prefix: str) -> Package:
    """Return the package that an argument names: a wheel file, a folder, or an interpreter ("" for this one).

    `scheme` is the source's, for messages. `path_variable` lists the folders of programs, and `prefix` is the folder of
    this interpreter. Raises InputError for a missing file, and NothingThereError for a place without Paddle.
    """
    file = f"{scheme}:{argument}" if argument else scheme
    if argument.endswith(".whl"):
        return _Wheel(file, argument)
    for folder in _candidate_folders(argument, path_variable, prefix):
        if os.path.isfile(os.path.join(folder, "version", "__init__.py")):
            return _Folder(file, folder)
    if argument and not os.path.exists(argument):
        advice = f"write {scheme}:PYTHON, {scheme}:FILE.whl, or {scheme}:FOLDER"
        raise InputError(file, f"there is no {argument!r}", advice=advice)
    raise NothingThereError(
        file, "it has no Paddle installed", advice="install paddlepaddle there, or name a wheel file"
    )


def read_version(package: Package) -> tuple[str | None, str | None]:
    """Return the version and the commit of a package, None for what it does not state."""
    text = (package.read("version/__init__.py") or b"").decode("utf-8", "replace")
    version, commit = _VERSION.search(text), _COMMIT.search(text)
    return version[1] if version else None, commit[1] if commit else None


def _candidate_folders(argument: str, path_variable: str, prefix: str) -> list[str]:
    """Return the folders that may be the package: the argument, its folder `paddle`, or an interpreter's packages."""
    if os.path.isdir(argument):
        return [argument, os.path.join(argument, "paddle"), *_package_folders(argument)]
    if not argument:
        return _package_folders(prefix)
    import shutil

    program = argument if os.path.exists(argument) else shutil.which(argument, path=path_variable)
    return [] if program is None else _package_folders(os.path.dirname(os.path.dirname(os.path.abspath(program))))


def _package_folders(prefix: str) -> list[str]:
    """Return the folders in which an interpreter below `prefix` may have the package."""
    folders: list[str] = []
    # Unix, some 64-bit distributions, Windows, and Debian's own scheme.
    for library in ("lib", "lib64", "Lib", "local/lib"):
        folder = os.path.join(prefix, library)
        if os.path.isdir(folder):
            pythons = (python for python in sorted(os.listdir(folder)) if python.startswith("python"))
            inside = [folder, *(os.path.join(folder, python) for python in pythons)]
            folders += (os.path.join(parent, place, "paddle") for parent in inside for place in _PLACES)
    return folders


class _Folder:
    """A package in a folder."""

    def __init__(self, file: str, folder: str) -> None:
        self._file = file
        self._folder = folder

    def read(self, path: str) -> bytes | None:
        """Return the content of a file; None if it does not exist."""
        try:
            with open(os.path.join(self._folder, path), "rb") as stream:
                return _check_size(self._file, path, stream.read(_MAX_FILE + 1))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(self._file, f"cannot read {path}: {error.strerror}") from None


class _Wheel:
    """A package in a wheel file."""

    def __init__(self, file: str, path: str) -> None:
        import zipfile

        self._file = file
        try:
            self._archive = zipfile.ZipFile(open_named(path))
            self._names = frozenset(self._archive.namelist())
        except FileNotFoundError:
            raise InputError(file, f"there is no file {path!r}") from None
        except (OSError, zipfile.BadZipFile, ValueError) as error:
            raise InputError(file, f"is not a wheel: {error}", advice="it may be truncated: copy it again") from None
        if "paddle/version/__init__.py" not in self._names:
            raise NothingThereError(file, "it holds no Paddle", advice="name a wheel of paddlepaddle")

    def read(self, path: str) -> bytes | None:
        """Return the content of a file; None if it does not exist."""
        import zipfile
        import zlib

        name = f"paddle/{path}"
        if name not in self._names:
            return None
        try:
            with self._archive.open(name) as stream:
                return _check_size(self._file, path, stream.read(_MAX_FILE + 1))
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
            raise InputError(
                self._file, f"cannot read {path}: {error}", advice="it may be truncated: copy it again"
            ) from None


def _check_size(file: str, path: str, data: bytes) -> bytes:
    """Return data, or raise InputError if it exceeds the size limit."""
    if len(data) > _MAX_FILE:
        raise InputError(file, f"{path} is larger than {_MAX_FILE >> 20} MiB, as no file of Paddle is")
    return data
