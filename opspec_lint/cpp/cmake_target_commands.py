"""The commands of CMake that change targets, or execute other files."""

from __future__ import annotations

from opspec_lint.cpp.cmake_commands import is_cmake_module
from opspec_lint.cpp.cmake_values import texts_of
from opspec_lint.spec.condition import conjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.cpp.cmake_commands import Command
    from opspec_lint.cpp.cmake_state import State
    from opspec_lint.spec.condition import Condition

_LISTING_PROPERTIES = frozenset({"SOURCES", "INTERFACE_SOURCES"})


def _add_target(state: State, command: Command, runs_if: Condition) -> None:
    items = state.expand(command.arguments, runs_if)
    state.targets.add(items, runs_if, is_executable=command.name == "add_executable")


def _add_sources(state: State, command: Command, runs_if: Condition) -> None:
    items = state.expand(command.arguments, runs_if)
    if items:
        state.targets.add_sources(items, runs_if)


def _link(state: State, command: Command, runs_if: Condition) -> None:
    """Record the targets that another one needs, by `target_link_libraries` or `add_dependencies`."""
    items = state.expand(command.arguments, runs_if)
    for item in items[1:]:
        state.targets.use(item.text, items[0].text, conjunction(runs_if, item.condition))


def _install(state: State, command: Command, runs_if: Condition) -> None:
    for item in state.expand(command.arguments, runs_if):
        state.targets.use(item.text, "", conjunction(runs_if, item.condition))


def _add_custom_target(state: State, command: Command, runs_if: Condition) -> None:
    if command.name == "add_custom_command" or "ALL" in command.arguments:
        items = state.expand(command.arguments, runs_if)
        # The commands of a custom target compile no source that an unknown text names.
        state.targets.add_others([item._replace(doubt=None) for item in items], runs_if)


def _set_properties(state: State, command: Command, runs_if: Condition) -> None:
    """Execute `set_target_properties`, `set_source_files_properties` or `set_property`."""
    items = state.expand(command.arguments, runs_if)
    texts = texts_of(items)
    is_single = command.name == "set_property"
    is_target = command.name == "set_target_properties" or texts[:1] == ["TARGET"]
    keyword = "PROPERTY" if is_single else "PROPERTIES"
    at = texts.index(keyword) if keyword in texts else len(texts)
    if (is_single and texts[:1] not in (["TARGET"], ["SOURCE"])) or not _LISTING_PROPERTIES.isdisjoint(texts[at:]):
        state.targets.add_others(items[at:], runs_if)  # a command that reads the property may compile its sources
        return
    for name, value in zip(texts[at + 1 :: 2], texts[at + 2 :: 2], strict=False):
        state.targets.set_property(name, value, items[is_single:at], runs_if, is_target=is_target)


def _include(state: State, command: Command, runs_if: Condition) -> None:  # noqa: ARG001 - one signature for all commands
    if not is_cmake_module(command.arguments):
        state.doubt(command)
        state.lists.adds_unknown = True
        for name in state.variables:
            state.variables.suspect(name, (command.line, "`include()`"))


def _add_folder(state: State, command: Command, runs_if: Condition) -> None:
    items = state.expand(command.arguments[:1], runs_if)
    state.folders += [(item.text, conjunction(runs_if, item.condition)) for item in items]
    state.doubt(command)


TARGET_COMMANDS: dict[str, tuple[Callable[[State, Command, Condition], None], int]] = {
    "add_custom_command": (_add_custom_target, 1),
    "add_custom_target": (_add_custom_target, 1),
    "add_dependencies": (_link, 1),
    "add_executable": (_add_target, 1),
    "add_library": (_add_target, 1),
    "add_subdirectory": (_add_folder, 1),
    "export": (_install, 1),
    "include": (_include, 1),
    "install": (_install, 1),
    "set_property": (_set_properties, 1),
    "set_source_files_properties": (_set_properties, 1),
    "set_target_properties": (_set_properties, 1),
    "target_link_libraries": (_link, 1),
    "target_sources": (_add_sources, 1),
}
"""The function that executes each command, and the fewest arguments with which CMake accepts the command."""
