"""The commands of CMake that change variables."""

from __future__ import annotations

from opspec_lint.builds.cmake.functions import split_arguments
from opspec_lint.builds.cmake.items import Variable, texts_of
from opspec_lint.builds.cmake.lists import change_list, folder_items, glob_items, read_list
from opspec_lint.builds.cmake.state import doubt_of
from opspec_lint.builds.cmake.strings import set_text
from opspec_lint.spec.condition import NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.builds.cmake.commands import Command
    from opspec_lint.builds.cmake.state import State
    from opspec_lint.spec.condition import Condition

_GLOBS = frozenset({"GLOB", "GLOB_RECURSE"})
_HERE = "${CMAKE_CURRENT_SOURCE_DIR}"
_READING = frozenset({"FIND", "GET", "JOIN", "LENGTH", "SUBLIST"})
"""The operations of `list()` that leave the list as it is."""
_RESULTS_OF_STRING = {
    **dict.fromkeys(("CONCAT", "JSON", "TIMESTAMP", "UUID"), 0),
    **dict.fromkeys(("CONFIGURE", "GENEX_STRIP", "HEX", "JOIN", "LENGTH", "MAKE_C_IDENTIFIER"), 1),
    **dict.fromkeys(("STRIP", "TOLOWER", "TOUPPER"), 1),
    **dict.fromkeys(("FIND", "REGEX MATCH", "REGEX MATCHALL", "REPEAT", "REPLACE"), 2),
    **dict.fromkeys(("COMPARE", "REGEX REPLACE", "SUBSTRING"), 3),
}
"""The position, after the first argument, of the variable that each operation of `string()` overwrites."""


def _set(state: State, command: Command, runs_if: Condition) -> None:
    first, *rest = command.arguments
    name = state.value(first, runs_if)
    at = next((at for at, text in enumerate(rest) if text in ("PARENT_SCOPE", "CACHE")), len(rest))
    items, options = state.expand(rest[:at], runs_if), rest[at:]
    is_of_parent = options == ["PARENT_SCOPE"]
    if name is None or (options and not state.callers):
        state.targets.add_others(items, runs_if)  # the files that read the variable may compile its sources
    if name is None or (is_of_parent and not state.callers):
        return
    scopes = [state.callers[-1] if is_of_parent else state.variables]
    if "CACHE" in options:
        scopes += state.callers
    state.set_if_missing(name, runs_if)
    for scope in scopes:
        scope.assign(name, items, runs_if)
    if "CACHE" in options and not {"FORCE", "INTERNAL"}.intersection(options):
        for scope in scopes:
            scope.doubt(name, doubt_of(command))  # the user of the build may set another value
        values = [state.value(text, runs_if) for text in rest[:at]]
        state.set_default(name, None if None in values else ";".join(value or "" for value in values))


def _unset(state: State, command: Command, runs_if: Condition) -> None:
    name = state.value(command.arguments[0], runs_if)
    if name is not None:
        state.variables.assign(name, (), runs_if)


def _option(state: State, command: Command, runs_if: Condition) -> None:
    """Record the default of an option, which the user of the build may change."""
    name, *rest = command.arguments
    if state.variables.lookup(name, runs_if) != Variable():
        state.variables.doubt(
            name, doubt_of(command)
        )  # the policies of the file decide whether the option replaces the variable
    else:
        state.set_default(name, state.value(rest[1], runs_if) if len(rest) > 1 else "OFF")


def _list(state: State, command: Command, runs_if: Condition) -> None:
    operation, *rest = command.arguments
    if operation in ("GET", "SUBLIST") and read_list(command.arguments, state.variables, runs_if):
        return
    if not change_list(command.arguments, state.variables, runs_if):
        state.make_value(command, rest, runs_if, read=rest[:1] if operation in _READING else ())


def _file(state: State, command: Command, runs_if: Condition) -> None:
    items = state.expand(command.arguments, runs_if)
    texts = texts_of(items)
    at = next((at for at, text in enumerate(texts[:2]) if text in _GLOBS), None)
    if at is None or len(texts) < 2:
        state.make_value(command, command.arguments, runs_if)
        return
    # The operation may follow the variable.
    name = texts[at + 1] if len(texts) > at + 1 else texts[0]
    globbed = glob_items(items[at + 2 :], is_deep=texts[at] == "GLOB_RECURSE")
    state.variables.assign(name, globbed, runs_if)


def _folder_sources(state: State, command: Command, runs_if: Condition) -> None:
    folder, name, *_ = (state.value(argument, runs_if) for argument in command.arguments)
    if folder is not None and name is not None:
        before = state.variables.lookup(name, runs_if)
        state.variables.assign(name, (*before.items, *folder_items(folder)), runs_if)
    else:
        state.doubt(command)


def _parse_arguments(state: State, command: Command, runs_if: Condition) -> None:
    """Split the arguments of a function by keywords, as `cmake_parse_arguments` does."""
    arguments = command.arguments
    if arguments[0] == "PARSE_ARGV":
        arguments = [*arguments[2:], "${ARGN}"]
    prefix, *keywords = (state.value(text, runs_if) for text in arguments[:4])
    if len(keywords) < 3 or prefix is None or None in keywords:
        state.add_unfollowed(command, runs_if)  # the names of the variables are unknown
        return
    sets = [frozenset((text or "").split(";")) - {""} for text in keywords]
    items = state.expand(arguments[4:], runs_if)
    for name, value in split_arguments(items, *sets).items():
        state.variables.store(f"{prefix}_{name}", Variable(tuple(value), NEVER))


def _get_component(state: State, command: Command, runs_if: Condition) -> None:
    """Set a variable to a component of a path; only an absolute path is followed."""
    first, path, kind, *_ = command.arguments
    name = state.value(first, runs_if)
    if name is None or kind == "PROGRAM":  # PROGRAM_ARGS names a second variable
        state.make_value(command, command.arguments, runs_if)
        return
    if kind not in ("ABSOLUTE", "REALPATH"):
        state.overwrite(command, name, (path,), runs_if)
        return
    items = state.expand((path,), runs_if)
    here = state.value(_HERE, runs_if) or _HERE
    absolute = [
        item if item.text.startswith(("/", "$")) else item._replace(text=f"{here}/{item.text}") for item in items
    ]
    state.variables.assign(name, absolute, runs_if)


def _string(state: State, command: Command, runs_if: Condition) -> None:
    """Give the variable with the result its value, or an unknown one; `string(APPEND)` and the like add to a value."""
    operation, *rest = command.arguments or [""]
    if set_text(operation, rest, state.variables, runs_if):
        return
    if operation == "REGEX":
        operation = " ".join(command.arguments[:2])
    at = _RESULTS_OF_STRING.get(operation, len(rest))
    name = state.value(rest[at], runs_if) if at < len(rest) else None
    if name is None:
        state.make_value(command, command.arguments, runs_if)
    else:
        state.overwrite(command, name, [*rest[:at], *rest[at + 1 :]], runs_if)


def _make_value(state: State, command: Command, runs_if: Condition) -> None:
    state.make_value(command, command.arguments, runs_if)


ASSIGNMENTS: dict[str, tuple[Callable[[State, Command, Condition], None], int]] = {
    "aux_source_directory": (_folder_sources, 2),
    "cmake_parse_arguments": (_parse_arguments, 4),
    "cmake_path": (_make_value, 0),
    "execute_process": (_make_value, 0),
    "file": (_file, 1),
    "get_directory_property": (_make_value, 0),
    "get_filename_component": (_get_component, 3),
    "get_property": (_make_value, 0),
    "get_source_file_property": (_make_value, 0),
    "get_target_property": (_make_value, 0),
    "list": (_list, 2),
    "option": (_option, 1),
    "separate_arguments": (_make_value, 0),
    "set": (_set, 1),
    "string": (_string, 0),
    "unset": (_unset, 1),
}
"""The function that executes each command, and the fewest arguments with which CMake accepts the command."""
