"""Open folders, whose modules are found by their file names, and imported when they are needed.

A rule, a profile, a report format, a file format or a source is one file. No other module imports it, so adding one
changes no other file.
"""

from __future__ import annotations

import os
import sys
from functools import cache

from opspec_lint.kit.errors import OpspecError, unknown_name
from opspec_lint.kit.record import Generic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType
    from typing import Any, TypeVar

    from opspec_lint.kit.plugins import Plugin, PluginModule

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


def active_plugins() -> tuple[Plugin, ...]:
    """Return the usable plug-ins that were looked up; their module is not imported before the first look-up."""
    plugins = sys.modules.get(f"{_PACKAGE}.kit.plugins")
    return () if plugins is None else plugins.active()


class Catalogue(Generic[_T]):
    """The modules of one kind, and the objects that they offer.

    Args:
        places: the folders, relative to the package, such as `lint/rules/*`; `*` matches every folder there.
        offers: the name of the offered object in each module; None for the module itself.
        noun: the noun for a module in messages; the default is `offers` in lower case.
        only: the name of the only file in each folder that counts; None for all files.
        spell: returns the name of a module, given as `lint.rules.attrs.attr_removed`; the default is its file name.
        is_open: whether plug-ins are looked up for a name that is not built in. Plug-ins that were looked up before
            take part in every catalogue.
        results: the functions of an offered record that the program calls on inputs, each with the name of the class
            of its result. If one of a plug-in raises anything unexpected or returns anything else, the error names the
            plug-in.
        complete: returns an offered object with the facts from its file: the name, the framework and the docstring. By
            default, the fields `name` and `framework` of a record are set.
    """

    def __init__(  # noqa: PLR0913 - what a catalogue is
        self,
        *places: str,
        offers: str | None = None,
        noun: str = "",
        only: str | None = None,
        is_open: bool = False,
        spell: Callable[[str], str] = _file_name,
        complete: Callable[[_T, str, str, str], _T] | None = None,
        results: Mapping[str, str] = {},
    ) -> None:
        self._places = places
        self._offers = offers
        self._noun = noun or (offers or "module").lower()
        self._only = only
        self._is_open = is_open
        self._spell = spell
        self._complete = complete
        self._results = results
        self._modules_by_name: dict[str, str] | None = None
        # The plug-ins that `_modules_of_plugins` was made of: later look-ups may find others.
        self._known_plugins: tuple[Plugin, ...] = ()
        self._modules_of_plugins: dict[str, PluginModule] = {}
        self._loaded: dict[str, _T] = {}

    def names(self) -> list[str]:
        """Return the sorted names of the built-in modules, then of plug-ins. Nothing is imported."""
        return [*sorted(self._modules()), *sorted(self._plugin_modules())]

    def of(self, framework: str) -> list[str]:
        """Return the sorted names of the modules in the folder of a framework, or of the general ones for ""."""
        return [name for name in self.names() if self.framework_of(name) == framework]

    def plugin_names(self) -> list[str]:
        """Return the sorted names of the modules of the plug-ins that were looked up."""
        return sorted(self._plugin_modules())

    def plugin_count(self) -> int:
        """Return the number of modules of the plug-ins that were looked up."""
        return len(self._plugin_modules())

    def plugin_of(self, name: str) -> Plugin | None:
        """Return the plug-in that has a module, None for a module of this package."""
        return None if name in self._modules() else self._plugin_modules()[name].plugin

    def names_of(self, plugin: Plugin) -> list[str]:
        """Return the sorted names of the modules of a plug-in."""
        return [name for name, module in sorted(self._plugin_modules().items()) if module.plugin == plugin]

    def is_built_in(self, name: str) -> bool:
        """Return True if the module is a part of this package."""
        return name in self._modules()

    def is_plugged(self, name: str) -> bool:
        """Return True if a plug-in has the module."""
        return name not in self._modules() and name in self._plugin_modules()

    def framework_of(self, name: str) -> str:
        """Return the framework of a module, "" for a general one. Nothing is imported.

        Raises:
            KeyError: there is no module of that name.
        """
        module = self._layout_name(name)
        return framework_of(module) if module.startswith("frameworks.") else ""

    def file_of(self, name: str) -> str:
        """Return the path of a module's file.

        Raises:
            KeyError: there is none of that name.
        """
        if name in self._modules():
            return os.path.join(_ROOT, f"{self._modules()[name].replace('.', os.sep)}.py")
        return self._plugin_modules()[name].file

    def __contains__(self, name: object) -> bool:
        if name in self._modules() or name in self._plugin_modules():
            return True
        if not self._is_open or not isinstance(name, str):
            return False
        from opspec_lint.kit import plugins

        plugins.activate()
        return name in self._plugin_modules()

    def load(self, name: str) -> _T:
        """Return the object that a module offers, completed by the facts from its file.

        Raises:
            UsageError: there is no module of that name.
            OpspecError: a plug-in has the module, and it fails.
        """
        if name not in self._loaded:
            if name not in self:
                raise unknown_name(self._noun, name, self.names())
            self._loaded[name] = self._load(name) if name in self._modules() else self._load_plugged(name)
        return self._loaded[name]

    def every(self) -> Iterator[_T]:
        """Yield the objects that all modules offer, in order of their names; each is imported when it is yielded."""
        yield from map(self.load, sorted(self._modules()))
        yield from self.plugged()

    def plugged(self) -> Iterator[_T]:
        """Yield the objects that modules of plug-ins offer. One that fails is passed over; `plugins` names it."""
        for name in sorted(self._plugin_modules()):
            if (offered := self._load_or_none(name)) is not None:
                yield offered

    def can_load(self, name: str) -> bool:
        """Return whether a module can be used: it is built in, or belongs to a plug-in and can be imported."""
        return self.is_built_in(name) or self._load_or_none(name) is not None

    def failure_hint(self) -> str:
        """Return the errors of the plug-ins that fail, for an input that no module takes; "" if none fails."""
        if not active_plugins() and f"{_PACKAGE}.kit.plugins" not in sys.modules:
            return ""
        from opspec_lint.kit import plugins

        for name in self._plugin_modules():
            self.can_load(name)
        absent = ((plugin, f"the plug-in {plugin.title} fails: {plugin.problem}") for plugin in plugins.absent())
        failing = {**dict(absent), **plugins.failing()}
        return "; ".join(sorted(message for plugin, message in failing.items() if plugin.kind == "frameworks"))

    def _load_or_none(self, name: str) -> _T | None:
        try:
            return self.load(name)
        except OpspecError:
            return None

    def module(self, name: str) -> ModuleType:
        """Import a module and return it.

        Raises:
            KeyError: there is none of that name.
        """
        own = self._modules().get(name)
        module = self._plugin_modules()[name].module if own is None else f"{_PACKAGE}.{own}"
        __import__(module)  # importlib.import_module does no more, and takes half a millisecond to import
        return sys.modules[module]

    def _load(self, name: str) -> Any:
        """Return what a module offers, completed by its name, its framework and its docstring."""
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

    def _load_plugged(self, name: str) -> Any:
        """Return what a module of a plug-in offers, with its functions guarded; its errors name the plug-in."""
        from opspec_lint.kit import plugins

        plugged = self._plugin_modules()[name]
        try:
            offered = self._load(name)
            guards = {
                field: plugins.GuardedFunction(function=function, result=result, module=plugged)
                for field, result in self._results.items()
                if (function := getattr(offered, field)) is not None
            }
            return offered.replace(**guards) if guards else offered
        # Whatever a plug-in raises, the message names the plug-in: sys.exit must not end this program silently.
        except (Exception, SystemExit) as error:
            problem = f"cannot be used: {plugged.module}: {type(error).__name__}: {error}"
            raise plugins.plugin_error(plugged, problem) from error

    def _modules(self) -> dict[str, str]:
        if self._modules_by_name is None:
            folders = (folder for place in self._places for folder in _folders("", place))
            self._modules_by_name = {
                self._spell(module): module for folder in folders for module in _modules_in(folder, self._only)
            }
        return self._modules_by_name

    def _plugin_modules(self) -> dict[str, PluginModule]:
        """Return the modules of the plug-ins that were looked up, by their names; a built-in name is never replaced."""
        active = active_plugins()
        if not active:
            return {}
        from opspec_lint.kit import plugins

        if self._known_plugins is not active:
            modules = [module for plugin in active for module in plugins.modules_of(plugin, self._places, self._only)]
            named = {self._spell(module.layout_name): module for module in reversed(modules)}
            own = self._modules()
            self._known_plugins = active
            self._modules_of_plugins = {name: module for name, module in named.items() if name not in own}
        return self._modules_of_plugins

    def _layout_name(self, name: str) -> str:
        """Return the name that a module has, or would have, in this package."""
        return self._modules().get(name) or self._plugin_modules()[name].layout_name


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
