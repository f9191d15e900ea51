"""The commands of CMake that change targets."""

from __future__ import annotations

from opspec_lint.builds.cmake.conditions import condition_of
from opspec_lint.builds.cmake.generators import NAMES
from opspec_lint.builds.cmake.items import texts_of
from opspec_lint.spec.condition import NEVER, conjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.builds.cmake.commands import Command
    from opspec_lint.builds.cmake.state import State
    from opspec_lint.spec.condition import Condition

_LISTING_PROPERTIES = frozenset({"SOURCES", "INTERFACE_SOURCES"})


def _add_target(state: State, command: Command, runs_if: Condition) -> None:
    items = state.expand(command.arguments, runs_if)
    is_library = command.name == "add_library"
    shared_if = condition_of(["BUILD_SHARED_LIBS"], state.variables, runs_if) if is_library else None
    state.targets.add(items, runs_if, shared_if)


def _add_sources(state: State, command: Command, runs_if: Condition) -> None:
    items = state.expand(command.arguments, runs_if)
    if items:
        state.targets.add_sources(items, runs_if)


def _link(state: State, command: Command, runs_if: Condition) -> None:
    """Record the targets that another one needs; the libraries of `link_libraries` are for each target."""
    items = state.expand(command.arguments, runs_if)
    user = "" if command.name == "link_libraries" else items.pop(0).text if items else ""
    for item in items:
        # An option may contain a library: "-Wl,--whole-archive $<TARGET_FILE:a>".
        for name in {item.text, *NAMES.findall(item.text)}:
            state.targets.use(name, user, conjunction(runs_if, item.condition))


def _install(state: State, command: Command, runs_if: Condition) -> None:
    if state.targets.folder_excluded_if != NEVER:
        return  # an installation leaves the folder out as well
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
    if is_single and is_target and texts[at + 1 : at + 2] == ["SOURCES"]:
        is_added = not {"APPEND", "APPEND_STRING"}.isdisjoint(texts[:at])
        for target in items[1:at]:
            if target.text not in ("APPEND", "APPEND_STRING"):
                state.targets.set_sources(target, items[at + 2 :], runs_if, is_added=is_added)
        return
    if (is_single and texts[:1] not in (["TARGET"], ["SOURCE"])) or not _LISTING_PROPERTIES.isdisjoint(texts[at:]):
        state.targets.add_others(items[at:], runs_if)  # a command that reads the property may compile its sources
        return
    for name, value in zip(texts[at + 1 :: 2], texts[at + 2 :: 2], strict=False):
        state.targets.set_property(name, value, items[is_single:at], runs_if, is_target=is_target)


TARGET_COMMANDS: dict[str, tuple[Callable[[State, Command, Condition], None], int]] = {
    "add_custom_command": (_add_custom_target, 1),
    "add_custom_target": (_add_custom_target, 1),
    "add_dependencies": (_link, 1),
    "add_executable": (_add_target, 1),
    "add_library": (_add_target, 1),
    "export": (_install, 1),
    "install": (_install, 1),
    "link_libraries": (_link, 1),
    "set_property": (_set_properties, 1),
    "set_source_files_properties": (_set_properties, 1),
    "set_target_properties": (_set_properties, 1),
    "target_link_libraries": (_link, 1),
    "target_sources": (_add_sources, 1),
}
"""The function that executes each command, and the fewest arguments with which CMake accepts the command."""
