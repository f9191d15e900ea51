"""The state of the execution of a CMake project: its variables, options, targets and folders."""

from __future__ import annotations

from opspec_lint.builds.cmake.commands import is_true
from opspec_lint.builds.cmake.folders import absolute
from opspec_lint.builds.cmake.items import Item, Variable, is_resolved, restrict
from opspec_lint.builds.cmake.targets import Targets
from opspec_lint.builds.cmake.values import Variables
from opspec_lint.builds.limits import MAX_CMAKE_STEPS
from opspec_lint.builds.source_lists import ENDS
from opspec_lint.cpp.steps import StepLimit
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, implies, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from opspec_lint.builds.cmake.commands import Command
    from opspec_lint.builds.cmake.folders import Folder
    from opspec_lint.builds.cmake.items import Doubt
    from opspec_lint.builds.source_lists import SourceLists
    from opspec_lint.spec.condition import Condition

_PART = pattern(r"[^\s\"()]+")
_UNFOLLOWED_STEPS = 300
"""The steps that an item of a command takes which is not followed."""
_NAME = pattern(r"[\w.+-]+")


class State:
    """The variables, targets, options and folders after the commands so far.

    Attributes:
        callers: the variables of the callers of a function and of the folders above, the first folder first.
        defaults: the requirement that each option fulfils by its default.
        missing: the variables that the project sets only where its user does not.
    """

    def __init__(self, folder: Folder, *, is_whole: bool) -> None:
        self.targets = Targets(folder, is_whole=is_whole)
        self.steps = StepLimit(MAX_CMAKE_STEPS)
        self.variables = Variables((), self.steps)
        self.callers: list[Variables] = []
        self.defaults: dict[str, str] = {}
        self.missing: set[str] = set()

    @property
    def folder(self) -> Folder:
        """The folder whose commands are executed."""
        return self.targets.folder

    @property
    def lists(self) -> SourceLists:
        """The lists of the folder whose commands are executed."""
        return self.folder.lists

    def enter_scope(self) -> Variables:
        """Begin a scope with the variables so far; return the variables of the scope around."""
        outer = self.variables
        self.steps.spend(len(outer))
        self.callers.append(outer)
        self.variables = Variables(outer.items(), self.steps)
        return outer

    def leave_scope(self) -> None:
        """End the scope that was begun last."""
        self.variables = self.callers.pop()

    def bind(self, name: str, text: str) -> None:
        """Set a variable to a text, whatever the commands of the project set."""
        self.variables[name] = Variable((Item(text),), NEVER)

    def bind_folder(self) -> None:
        """Set the variables of CMake that name the folder."""
        for name in ("CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR"):
            self.bind(name, absolute(self.folder.path))

    def bind_project(self, argument: str, runs_if: Condition) -> None:
        """Set the variables of CMake that `project()` sets."""
        name = self.value(argument, runs_if)
        if name:
            self.bind("PROJECT_NAME", name)
            self.bind(f"{name}_SOURCE_DIR", absolute(self.folder.path))
        self.bind("PROJECT_SOURCE_DIR", absolute(self.folder.path))

    def expand(self, arguments: Iterable[str], runs_if: Condition) -> list[Item]:
        """Return the items of the arguments of a command."""
        return self.variables.expand_all(arguments, runs_if)

    def value(self, argument: str, runs_if: Condition) -> str | None:
        """Return the single value of an argument; None if it is unknown or depends on a condition."""
        return self.variables.value(argument, runs_if)

    def doubt(self, command: Command) -> None:
        """Record that a command may list sources which the file does not name."""
        self.folder.doubts.append(doubt_of(command))

    def set_default(self, name: str, value: str | None) -> None:
        """Record the default of an option, the first one of several."""
        if value is not None and name not in self.defaults:
            (((self.defaults[name],),)) = requirement(f"{name} of CMake", holds=is_true(value))

    def set_if_missing(self, name: str, runs_if: Condition) -> None:
        """Record that a project sets a variable only where its user does not, so that the value is a default."""
        is_missing = requirement(f"DEFINED {name} of CMake", holds=False)
        if runs_if != ALWAYS and implies(runs_if, is_missing) and name not in self.variables:
            (((self.defaults[f"DEFINED {name}"],),)) = is_missing
            self.missing.add(name)

    def add_unfollowed(self, command: Command, runs_if: Condition) -> list[Item]:
        """Record that a command may compile the sources in its arguments, and change the variables that they name.

        Return the items of the arguments.
        """
        items = self._items_in(command.arguments, runs_if)
        self.steps.spend(_UNFOLLOWED_STEPS * len(items))
        self.targets.add_others(items, runs_if)
        self._change(command, self._names_in(command.arguments, runs_if), (), runs_if)
        return items

    def doubt_variables(self, command: Command) -> None:
        """Record that a command, which compiles nothing, may change the variables that it names."""
        for name in command.arguments:
            self.variables.doubt(name, doubt_of(command))

    def make_value(
        self,
        command: Command,
        arguments: Sequence[str],
        runs_if: Condition,
        *,
        read: Collection[str] = (),
    ) -> None:
        """Record that a command may make each source in its arguments an item of each variable that they name.

        The variables in `read` keep their values.
        """
        sources = [item for item in self._items_in(arguments, runs_if) if item.text.endswith(ENDS)]
        items = [self.expand((argument,), runs_if) for argument in arguments if argument.startswith("${")]
        if sources and any(not is_resolved(item.text) and item.text.endswith("}") for part in items for item in part):
            self.targets.add_others(sources, runs_if)  # the variable with the result may have an unknown name
        self._change(command, self._names_in(arguments, runs_if) - {*read}, sources, runs_if)

    def overwrite(self, command: Command, name: str, arguments: Sequence[str], runs_if: Condition) -> None:
        """Record that a command gives a variable an unknown value, which may be any source in its arguments."""
        sources = [item for item in self._items_in(arguments, runs_if) if item.text.endswith(ENDS)]
        kept = restrict(self.variables.get(name, Variable()).items, negation(runs_if))
        self.variables.store(name, Variable((*kept, *restrict(sources, runs_if)), doubt=doubt_of(command)))

    def _change(self, command: Command, names: Iterable[str], items: Sequence[Item], runs_if: Condition) -> None:
        for name in names:
            self.variables.may_add(name, items, runs_if, doubt_of(command))

    def _items_in(self, arguments: Sequence[str], runs_if: Condition) -> list[Item]:
        """Return the items of arguments and of the variables that they name; of a text with spaces, each part."""
        parts = [part for argument in arguments for part in _parts(argument)]
        named = [f"${{{part}}}" for part in dict.fromkeys(parts) if part in self.variables]
        items = self.expand((*parts, *named), runs_if)
        return [item._replace(text=part) for item in items for part in _parts(item.text)]

    def _names_in(self, arguments: Sequence[str], runs_if: Condition) -> set[str]:
        """Return the arguments that may be names of variables."""
        values = {self.value(argument, runs_if) or "" for argument in arguments}
        return {value for value in values if _NAME.fullmatch(value) and not value.endswith(ENDS)}


def _parts(text: str) -> list[str]:
    return [text] if _PART.fullmatch(text) else _PART.findall(text)


def doubt_of(command: Command) -> Doubt:
    """Return the doubt that a command, which is not followed, leaves behind."""
    return command.file, command.line, f"`{command.name}()`"
