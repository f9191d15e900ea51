"""The sources that a CMake file lists, without the lists in branches that never run and in commands that build nothing.

Variables are not evaluated: `${X}/a.cc` may be `a.cc` in any folder, and a condition on a variable may hold.
"""

from __future__ import annotations

from opspec_lint.cpp.cmake_commands import block_end, is_true, scan_commands
from opspec_lint.spec.condition import ALWAYS, conjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.cpp.source_lists import SourceLists
    from opspec_lint.spec.condition import Condition

    _Commands = list[tuple[str, list[str]]]

_CONSTANTS = frozenset({"0", "1", "ON", "OFF", "YES", "NO", "TRUE", "FALSE", "Y", "N"})
_BUILD_NOTHING = frozenset(
    {"message", "install", "configure_file", "set_property", "set_source_files_properties", "source_group", "add_test"}
)
_MORE_LISTS = frozenset({"include", "add_subdirectory"})
_ADDS_NO_FOLDER = ("add_custom_", "add_executable", "add_library", "find_", "include_", "option", "project", "target_")
"""The beginnings of the names of commands of which no argument is a folder that a macro may add."""
_WITHOUT_NAMES = frozenset({"aux_source_directory"})
_GLOBS = ("GLOB", "GLOB_RECURSE")
_NAMED_OUTSIDE = ("PARENT_SCOPE", "CACHE")
"""Arguments of `set` that show a variable to other files."""


def find_lists(text: str, lists: SourceLists) -> None:
    """Record the lists of sources in the text of a CMake file.

    Raises:
        SyntaxError: a command or an `if` has no end, so that a list behind it may be one of its arguments.
    """
    commands: _Commands = []
    opened: list[int] = []
    unknown: list[tuple[int, str, list[str]]] = []
    for name, arguments, line, is_closed in scan_commands(text):
        if not is_closed:
            raise SyntaxError(f"`{name}(` has no end", (None, line, None, None))
        if name == "if":
            opened.append(line)
        elif name == "endif" and not (opened and opened.pop()):
            raise SyntaxError("`endif()` ends no `if()`", (None, line, None, None))
        lists.adds_unknown |= name == "include"
        if name in _MORE_LISTS or name in _WITHOUT_NAMES:
            unknown.append((line, name, arguments))
        commands.append((name, arguments))
    if opened:
        raise SyntaxError("`if()` has no `endif()`", (None, opened[-1], None, None))
    unused = set() if unknown else _unused_variables(commands)
    _find(commands, lists, unused=unused, runs_if=ALWAYS)
    added = [folder for folder, _ in lists.folders]
    for line, name, arguments in unknown:
        if name != "add_subdirectory" or arguments[:1] == [] or arguments[0] in added:
            lists.list_unknown(line, f"`{name}()`")


def _find(  # noqa: PLR0912 - one branch for each command
    commands: _Commands, lists: SourceLists, *, unused: set[str], runs_if: Condition
) -> bool:
    """Record the lists in a block that runs under a condition; return whether a `return()` certainly ends it."""
    is_certain = runs_if == ALWAYS
    at = 0
    while at < len(commands):
        name, arguments = commands[at]
        if name == "if":
            end = block_end(commands, at, name)
            for branch, taken_if in _branches(commands[at:end]):
                is_ended = _find(branch, lists, unused=unused, runs_if=conjunction(runs_if, taken_if))
                if is_ended and is_certain and taken_if == ALWAYS:
                    return True
            at = end
        elif name == "return":
            return True
        elif name == "file" and arguments[:1] and arguments[0] in _GLOBS:
            if arguments[1:2] and arguments[1] not in unused:
                is_deep = arguments[0] == "GLOB_RECURSE"
                lists.list(_below(text) if is_deep else text for text in arguments[2:])
        elif name == "list" and arguments[:1] == ["REMOVE_ITEM"]:
            lists.exclude(arguments[2:], is_certain=is_certain)
        elif name == "list" and arguments[:1] == ["FILTER"]:
            # FILTER <list> INCLUDE|EXCLUDE REGEX <regex>: a name in a regex has escaped dots.
            regexes = [regex.replace("\\", "").strip("^$.*") for regex in arguments[4:]]
            if arguments[2:3] == ["EXCLUDE"]:
                lists.exclude(regexes, is_certain=is_certain)
        elif name == "add_subdirectory" and arguments:
            lists.add_folder(arguments[0], runs_if)
        elif name not in _BUILD_NOTHING | _WITHOUT_NAMES and not (
            name == "set" and arguments and arguments[0] in unused
        ):
            texts = [text for argument in arguments for text in argument.split(";")]
            lists.list(texts)
            if not name.startswith(_ADDS_NO_FOLDER):
                lists.possible_folders.update(texts)
        at += 1
    return False


def _below(text: str) -> str:
    """Return a pattern that matches at any depth below its folder: `src/**/*.cc` for `src/*.cc`."""
    folder, slash, name = text.rpartition("/")
    return f"{folder}{slash}**/{name}"


def _branches(block: _Commands) -> list[tuple[_Commands, Condition]]:
    """Return the branches of an `if` that may run, each with the condition under which it does."""
    depth = 0
    starts = [0]
    for index, (name, _) in enumerate(block):
        if depth == 1 and name in ("elseif", "else"):
            starts.append(index)
        depth += (name == "if") - (name == "endif")
    result = []
    reached_if = ALWAYS
    for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
        name, arguments = block[start]
        holds = True if name == "else" else _constant(arguments)
        if holds is None:
            condition = requirement(f"{' '.join(arguments)} of CMake")
            result.append((block[start + 1 : end], conjunction(reached_if, condition)))
            reached_if = conjunction(reached_if, negation(condition))
        elif holds:
            result.append((block[start + 1 : end], reached_if))
            break
    return result


def _constant(condition: list[str]) -> bool | None:
    """Return the value of a condition that is a constant, None for any other."""
    if condition[:1] == ["NOT"]:
        value = _constant(condition[1:])
        return None if value is None else not value
    if len(condition) == 1 and condition[0].upper() in _CONSTANTS:
        return is_true(condition[0])
    return None


def _unused_variables(commands: _Commands) -> set[str]:
    """Return the variables that a file sets and does not use. Only lists of a complete file can be unused."""
    set_here = {
        arguments[0] if name == "set" else arguments[1]
        for name, arguments in commands
        if (name == "set" and arguments and not any(keyword in arguments for keyword in _NAMED_OUTSIDE))
        or (name == "file" and len(arguments) > 1)
    }
    # Also `list(APPEND A ...)` and `if(A)` name a variable without `${}`, and so may `target_sources` of a macro.
    used = "\n".join(
        " ".join(arguments[(name in ("set", "file")) + (name == "file") :]) for name, arguments in commands
    )
    return {variable for variable in set_here if variable not in used}
