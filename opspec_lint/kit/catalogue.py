"""Open folders, whose modules are found by their file names, and imported when they are needed.

A rule, a profile, a report format, a file format or a source is one file. No other module imports it, so adding one
changes no other file.
"""

from __future__ import annotations

import os
import sys
from functools import cache

from opspec_lint.kit.errors import unknown_name
from opspec_lint.kit.record import Generic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType
    from typing import Any, TypeVar

    _T = TypeVar("_T")
else:
    _T = None

_PACKAGE = __name__.partition(".")[0]
_ROOT = os.path.dirname(os.path.dirname(__file__))


def _file_name(module: str) -> str:
    return module.rpartition(".")[2]


def framework_of(module: str) -> str:
    """Return the framework of a module: `paddle-pir` for `frameworks.paddle_pir.wording`."""
    return module.split(".")[1].replace("_", "-")


def with_hyphens(module: str) -> str:
    """Return the name of a module's file with hyphens: `tensorflow-both` for `tensorflow_both`."""
    return _file_name(module).replace("_", "-")


def with_dots(module: str) -> str:
    """Return the name of a module's file with a dot for each two underscores: `tflite.Interpreter`."""
    return _file_name(module).replace("__", ".")


class Catalogue(Generic[_T]):
    """The modules of one kind, and the objects that they offer.

    Args:
        places: the folders, relative to the package, such as `lint/rules/*`; `*` matches every folder there.
        offers: the name of the offered object in each module; None for the module itself.
        noun: the noun for a module in messages; the default is `offers` in lower case.
        only: the name of the only file in each folder that counts; None for all files.
        spell: returns the name of a module, given as `lint.rules.attrs.attr_removed`; the default is its file name.
        complete: returns an offered object with the facts from its file: the name, the framework and the docstring. By
            default, the fields `name` and `framework` of a record are set.
    """

    def __init__(
        self,
        *places: str,
        offers: str | None = None,
        noun: str = "",
        only: str | None = None,
        spell: Callable[[str], str] = _file_name,
        complete: Callable[[_T, str, str, str], _T] | None = None,
    ) -> None:
        self._places = places
        self._offers = offers
        self._noun = noun or (offers or "module").lower()
        self._only = only
        self._spell = spell
        self._complete = complete
        self._modules_by_name: dict[str, str] | None = None
        self._loaded: dict[str, _T] = {}

    def names(self) -> list[str]:
        """Return the names of all modules, sorted. Nothing is imported."""
        return sorted(self._modules())

    def of(self, framework: str) -> list[str]:
        """Return the sorted names of the modules in the folder of a framework, or of the general ones for ""."""
        return [name for name in self.names() if self.framework_of(name) == framework]

    def framework_of(self, name: str) -> str:
        """Return the framework of a module, "" for a general one. Nothing is imported.

        Raises:
            KeyError: there is no module of that name.
        """
        module = self._modules()[name]
        return framework_of(module) if module.startswith("frameworks.") else ""

    def file_of(self, name: str) -> str:
        """Return the path of a module's file.

        Raises:
            KeyError: there is none of that name.
        """
        return os.path.join(_ROOT, f"{self._modules()[name].replace('.', os.sep)}.py")

    def __contains__(self, name: object) -> bool:
        return name in self._modules()

    def load(self, name: str) -> _T:
        """Return the object that a module offers, completed by the facts from its file.

        Raises:
            UsageError: there is no module of that name.
        """
        if name not in self._loaded:
            if name not in self:
                raise unknown_name(self._noun, name, self.names())
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def every(self) -> Iterator[_T]:
        """Yield the objects that all modules offer, in order of their names; each is imported when it is yielded."""
        return map(self.load, self.names())

    def module(self, name: str) -> ModuleType:
        """Import a module and return it.

        Raises:
            KeyError: there is none of that name.
        """
        module = f"{_PACKAGE}.{self._modules()[name]}"
        __import__(module)  # importlib.import_module does no more, and takes half a millisecond to import
        return sys.modules[module]

    def _load(self, name: str) -> Any:
        module = self.module(name)
        if self._offers is None:
            return module
        offered = getattr(module, self._offers)
        framework = self.framework_of(name)
        if self._complete is not None:
            return self._complete(offered, name, framework, module.__doc__ or "")
        from_file = {"name": name, "framework": framework}
        own = {field: value for field, value in from_file.items() if field in getattr(offered, "_fields", ())}
        return offered.replace(**own) if own else offered

    def _modules(self) -> dict[str, str]:
        if self._modules_by_name is None:
            folders = (folder for place in self._places for folder in _folders("", place))
            self._modules_by_name = {
                self._spell(module): module for folder in folders for module in _modules_in(folder, self._only)
            }
        return self._modules_by_name


def _folders(below: str, place: str) -> Iterator[str]:
    """Yield the folders of a place, as paths from the package."""
    first, _, rest = place.partition("/")
    present = _subfolders(below)
    for name in present if first == "*" else present & {first}:
        path = os.path.join(below, name)
        if rest:
            yield from _folders(path, rest)
        else:
            yield path


@cache
def _subfolders(folder: str) -> frozenset[str]:
    with os.scandir(os.path.join(_ROOT, folder)) as entries:
        return frozenset(entry.name for entry in entries if entry.is_dir() and entry.name != "__pycache__")


def _modules_in(folder: str, only: str | None) -> Iterator[str]:
    path = os.path.join(_ROOT, folder)
    if only is None:
        files = [file for file in os.listdir(path) if file.endswith(".py") and not file.startswith("_")]
    else:
        files = [f"{only}.py"] if os.path.isfile(os.path.join(path, f"{only}.py")) else []
    yield from (f"{folder.replace(os.sep, '.')}.{file[:-3]}" for file in files)
