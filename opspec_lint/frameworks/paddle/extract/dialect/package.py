"""A package of Paddle, installed or as a wheel file: its files are read, and nothing of it is run."""

from __future__ import annotations

import os

from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.kit.named_file import open_named
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Package(Protocol):
        """The files of a package, by their paths in its folder `paddle`."""

        def read(self, path: str) -> bytes | None:
            """Return the content of a file, None where there is none."""


_MAX_FILE = 1 << 30
"""Bytes of one file that are read at most."""
_VERSION = pattern(r"^full_version\s*=\s*['\"]([^'\"]+)", "m")
_COMMIT = pattern(r"^commit\s*=\s*['\"]([0-9a-f]{7,40})", "m")
_PLACES = ("site-packages", "dist-packages")


def open_package(scheme: str, argument: str, path_variable: str, prefix: str) -> Package:
    """Return the package that an argument names.

    Args:
        scheme: the source's, for messages.
        argument: a wheel file, a folder with the package, or an interpreter; "" is this one.
        path_variable: where programs are looked for.
        prefix: the folder that this interpreter is installed in.

    Raises:
        InputError: the file does not exist.
        NothingThereError: the place has no Paddle.
    """
    file = f"{scheme}:{argument}" if argument else scheme
    if argument.endswith(".whl"):
        return _Wheel(file, argument)
    for folder in _folders(argument, path_variable, prefix):
        if os.path.isfile(os.path.join(folder, "version", "__init__.py")):
            return _Folder(file, folder)
    if argument and not os.path.exists(argument):
        advice = f"write {scheme}:PYTHON, {scheme}:FILE.whl, or {scheme}:FOLDER"
        raise InputError(file, f"there is no {argument!r}", advice=advice)
    raise NothingThereError(
        file, "it has no Paddle installed", advice="install paddlepaddle there, or name a wheel file"
    )


def provenance(package: Package) -> tuple[str | None, str | None]:
    """Return the version and the commit of a package, None for what it does not say."""
    text = (package.read("version/__init__.py") or b"").decode("utf-8", "replace")
    found = _VERSION.search(text), _COMMIT.search(text)
    return found[0][1] if found[0] else None, found[1][1] if found[1] else None


def _folders(argument: str, path_variable: str, prefix: str) -> list[str]:
    """Return where the package may lie: the folder itself, one below it, or what an interpreter sees."""
    if os.path.isdir(argument):
        return [argument, os.path.join(argument, "paddle"), *_installed(argument)]
    if not argument:
        return _installed(prefix)
    import shutil

    program = argument if os.path.exists(argument) else shutil.which(argument, path=path_variable)
    return [] if program is None else _installed(os.path.dirname(os.path.dirname(os.path.abspath(program))))


def _installed(prefix: str) -> list[str]:
    """Return where the packages of an interpreter lie that is installed in a folder."""
    found: list[str] = []
    for library in ("lib", "lib64", "Lib", "local/lib"):
        folder = os.path.join(prefix, library)
        if os.path.isdir(folder):
            pythons = (each for each in sorted(os.listdir(folder)) if each.startswith("python"))
            inside = [folder, *(os.path.join(folder, each) for each in pythons)]
            found += (os.path.join(each, place, "paddle") for each in inside for place in _PLACES)
    return found


class _Folder:
    def __init__(self, file: str, folder: str) -> None:
        self._file = file
        self._folder = folder

    def read(self, path: str) -> bytes | None:
        try:
            with open(os.path.join(self._folder, path), "rb") as stream:
                return _bounded(self._file, path, stream.read(_MAX_FILE + 1))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(self._file, f"cannot read {path}: {error.strerror}") from None


class _Wheel:
    def __init__(self, file: str, path: str) -> None:
        import zipfile

        self._file = file
        try:
            self._archive = zipfile.ZipFile(open_named(path))
            self._names = frozenset(self._archive.namelist())
        except FileNotFoundError:
            raise InputError(file, f"there is no file {path!r}") from None
        except (OSError, zipfile.BadZipFile, ValueError) as error:
            raise InputError(file, f"is not a wheel: {error}", advice="is it complete?") from None
        if "paddle/version/__init__.py" not in self._names:
            raise NothingThereError(file, "it holds no Paddle", advice="name a wheel of paddlepaddle")

    def read(self, path: str) -> bytes | None:
        import zipfile
        import zlib

        name = f"paddle/{path}"
        if name not in self._names:
            return None
        try:
            with self._archive.open(name) as stream:
                return _bounded(self._file, path, stream.read(_MAX_FILE + 1))
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
            raise InputError(self._file, f"cannot read {path}: {error}", advice="is it complete?") from None


def _bounded(file: str, path: str, data: bytes) -> bytes:
    if len(data) > _MAX_FILE:
        raise InputError(file, f"{path} is larger than {_MAX_FILE >> 20} MiB, as no file of Paddle is")
    return data
