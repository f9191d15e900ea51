"""Plug-ins: installed packages that add frameworks, rules, reporters or loaders by entry points.

A framework's package may bring the specs of its releases in the folder `specs/`, a file `NAME-VERSION.json` each.

They are looked up when a name is requested that is not built in, and only then: finding the entry points of an
environment takes longer than importing the whole command line. From then on they take part in every list, behind what
is built in, so that a plug-in never replaces or delays anything built in.
"""

from __future__ import annotations

import os
import threading

from opspec_lint.kit.errors import OpspecError, PluginError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from importlib.metadata import EntryPoint
    from typing import Any, Literal, TypeAlias

    Kind: TypeAlias = Literal["frameworks", "rules", "reporters", "loaders"]

KINDS: tuple[Kind, ...] = ("frameworks", "rules", "reporters", "loaders")
_GROUP = "opspec_lint."
_SPECS, _SPEC_SUFFIX = "specs", ".json"


class Plugin(Record):
    """An entry point of an installed package.

    `name` is the name of the entry point: of a framework or of the loaders of a framework, the framework. `package` is
    the import name of the package with its modules, and `folder` its folder. `distribution` and `version` describe the
    installed project. `problem` is the reason why it cannot be used, "" if it can.
    """

    kind: Kind
    name: str
    package: str
    folder: str = ""
    distribution: str = ""
    version: str = ""
    problem: str = ""

    @property
    def title(self) -> str:
        """The name, and the project that installs it."""
        return f"{self.name!r} of {self.distribution} {self.version}" if self.distribution else repr(self.name)

    def released_specs(self) -> dict[str, str]:
        """Return the files of the released specs of a framework, by names such as `mill@1.2` for `mill-1.2.json`."""
        return {
            f"{self.name}@{file[len(self.name) + 1 : -len(_SPEC_SUFFIX)]}": path
            for file, path in self._spec_files()
            if file.startswith(f"{self.name}-") and file.endswith(_SPEC_SUFFIX)
        }

    def misnamed_specs(self) -> list[str]:
        """Return the names of the files among the released specs that name no release of the framework."""
        known = set(self.released_specs().values())
        return [file for file, path in self._spec_files() if path not in known]

    def _spec_files(self) -> list[tuple[str, str]]:
        folder = os.path.join(self.folder, _SPECS)
        if self.kind != "frameworks" or not os.path.isdir(folder):
            return []
        return [(file, os.path.join(folder, file)) for file in sorted(os.listdir(folder)) if file[0] not in "_."]


class PluginModule(Record):
    """A module of a plug-in.

    `layout_name` is the name that it would have in this package, such as `frameworks.mill.sources.wheel`; `module` is
    its import name.
    """

    plugin: Plugin
    layout_name: str
    module: str
    file: str


class _State:
    """The plug-ins of this process, empty until they are looked up, and the errors of the ones that failed."""

    def __init__(self) -> None:
        self.is_active = False
        self.all: tuple[Plugin, ...] = ()
        self.usable: tuple[Plugin, ...] = ()
        self.failing: dict[Plugin, str] = {}
        self.lock = threading.Lock()


_STATE = _State()


def activate() -> tuple[Plugin, ...]:
    """Look plug-ins up, unless that was done before, and return them."""
    with _STATE.lock:
        if not _STATE.is_active:
            _STATE.all = tuple(_discover())
            _STATE.usable = tuple(plugin for plugin in _STATE.all if not plugin.problem)
            _STATE.is_active = True
        return _STATE.all


def active() -> tuple[Plugin, ...]:
    """Return the plug-ins that were looked up and can be used; none before the first look-up."""
    return _STATE.usable


def absent() -> tuple[Plugin, ...]:
    """Return the plug-ins that were looked up and whose package cannot be found; none before the first look-up."""
    return tuple(plugin for plugin in _STATE.all if plugin.problem)


def failing() -> dict[Plugin, str]:
    """Return the plug-ins that failed in this process, each with the first error."""
    return dict(_STATE.failing)


def plugin_error(module: PluginModule, problem: str) -> PluginError:
    """Return the error for a module of a plug-in, and note that it fails; `problem` follows the plug-in's name."""
    message = f"the plug-in {module.plugin.title} {problem}"
    _STATE.failing.setdefault(module.plugin, message)
    return PluginError(
        message,
        advice=f"update or uninstall {module.plugin.distribution or module.plugin.package}",
        file=module.file,
    )


class GuardedFunction(Record):
    """A function of a plug-in whose mistakes are errors that name the plug-in, and not bugs of this program.

    `result` is the name of the class of its result, "" for any; for "Iterator", the items are guarded too. A record,
    unlike a closure, can be sent to other processes.
    """

    function: Callable[..., Any]
    result: str
    module: PluginModule

    def __call__(self, *arguments: Any) -> Any:
        """Call the function.

        Raises:
            OpspecError: the function raises it; or any other exception, or its result is of another class.
        """
        try:
            result = self.function(*arguments)
        except (Exception, SystemExit) as error:
            raise self._error(error) from error
        if self.result == "Iterator":
            return self._items(result)
        # By name, as the class itself would have to be imported before it is needed.
        if self.result and self.result not in (base.__name__ for base in type(result).__mro__):
            problem = f"returns {type(result).__name__} instead of {self.result}"
            raise plugin_error(self.module, f"fails: {self.module.module}: {problem}")
        return result

    def _items(self, result: Any) -> Iterator[Any]:
        try:
            yield from result
        except (Exception, SystemExit) as error:
            raise self._error(error) from error

    def _error(self, error: BaseException) -> BaseException:
        """Return the error to raise: an expected one as it is, as it is about an input and not about the plug-in."""
        if isinstance(error, OpspecError):
            return error
        return plugin_error(self.module, f"fails: {self.module.module}: {type(error).__name__}: {error}")


def modules_of(plugin: Plugin, places: Sequence[str], only: str | None) -> Iterator[PluginModule]:
    """Yield the modules of a plug-in for a catalogue.

    Args:
        plugin: the plug-in.
        places: the folders of the catalogue, such as `frameworks/*/sources`.
        only: the name of the only file in each folder that counts; None for all files.
    """
    framework = plugin.name.replace("-", "_")
    for place in places:
        inner: str | None = None
        layout = ""
        if plugin.kind == "frameworks" and place.startswith("frameworks/*"):
            inner = place.removeprefix("frameworks/*").lstrip("/")
            layout = ".".join(filter(None, ("frameworks", framework, inner)))
        elif plugin.kind == "loaders" and place == "frameworks/*/loaders":
            inner, layout = "", f"frameworks.{framework}.loaders"
        elif plugin.kind == "reporters" and place == "report/reporters":
            inner, layout = "", "report.reporters"
        elif plugin.kind == "rules" and place == "lint/rules/*":
            inner, layout = "", f"lint.rules.{framework}"
        if inner is not None:
            yield from _modules_in(plugin, inner, layout, only)


def _modules_in(plugin: Plugin, inner: str, layout: str, only: str | None) -> Iterator[PluginModule]:
    """Yield the public modules in the folder `inner` of a plug-in; if `only` is a name, that one."""
    folder = os.path.join(plugin.folder, inner)
    package = ".".join(filter(None, (plugin.package, inner)))
    for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        stem, dot, ending = file.rpartition(".")
        if ending == "py" and dot and not stem.startswith("_") and only in (None, stem):
            yield PluginModule(
                plugin=plugin,
                layout_name=f"{layout}.{stem}",
                module=f"{package}.{stem}",
                file=os.path.join(folder, file),
            )


def _discover() -> Sequence[Plugin]:
    from importlib.metadata import entry_points

    points = [(kind, point) for kind in KINDS for point in entry_points(group=f"{_GROUP}{kind}")]
    points.sort(key=lambda item: (KINDS.index(item[0]), item[1].name, item[1].value))
    return [_plugin(kind, point) for kind, point in points]


def _plugin(kind: Kind, point: EntryPoint) -> Plugin:
    """Return the plug-in of an entry point; one that cannot be found has its problem."""
    plugin = Plugin(
        kind=kind,
        name=point.name,
        package=point.value,
        distribution="" if point.dist is None else point.dist.name,
        version="" if point.dist is None else point.dist.version,
    )
    try:
        folder = _folder_of(point.value)
    except (Exception, SystemExit) as error:  # the package runs its own code when it is found
        return plugin.replace(problem=f"{type(error).__name__}: {error}")
    if folder is None:
        return plugin.replace(problem=f"there is no package {point.value!r}")
    return plugin.replace(folder=folder)


def _folder_of(package: str) -> str | None:
    """Return the folder of a package, None if there is none. Its modules are not imported."""
    from importlib.util import find_spec

    spec = find_spec(package)
    if spec is None or spec.origin is None or not spec.submodule_search_locations:
        return None
    return os.path.dirname(spec.origin)
