"""An interpreter for the CMakeLists.txt files of the op sources, which finds the files that a build compiles.

It knows only commands that decide this: conditions, variables, lists, globs, folders, and commands that make targets.
"""

from __future__ import annotations

import fnmatch
import operator
import re

from opspec_lint.builds.cmake.commands import block_end, is_true, parse_commands
from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

_VARIABLE = pattern(r"\$\{(\w+)\}")
_VERSION = pattern(r"\d+(?:\.\d+)*")
_NUMBER = pattern(r"[+-]?\d{1,60}(?:\.\d{0,60})?")
_TRUE = frozenset({"1", "ON", "YES", "TRUE", "Y"})
# The keywords of op_library() and commands like it, and commands that make no target although nothing else runs them.
_KEYWORDS = frozenset({"DEPS", "SRCS", "EXCLUDES", "UNITY", "PROTO", "HDRS", "ARGS", "ENVS", "SERIAL", "MODULES"})
_NOT_TARGETS = pattern(r".*test.*|register_unity_group|set_source_files_properties|target_link_libraries|message")
_MAX_COMMANDS = 200_000
"""The limit on commands that run or are skipped in one build."""


class CMakeLists:
    """The CMakeLists.txt files of a tree, and the names of the sources in each folder.

    `text_of` returns the text of a file, None for a missing one; `names` returns the names of the sources in a folder.
    """

    def __init__(self, text_of: Callable[[str], str | None], names: Callable[[str], Sequence[str]]) -> None:
        self._text_of = text_of
        self._scripts: dict[str, list[tuple[str, list[str]]] | None] = {}
        self.names = names

    def script(self, folder: str) -> list[tuple[str, list[str]]] | None:
        """Return the commands in the CMakeLists.txt of a folder, as (name, arguments); None if it has none."""
        if folder not in self._scripts:
            text = self._text_of(f"{folder}/CMakeLists.txt")
            self._scripts[folder] = None if text is None else parse_commands(text)
        return self._scripts[folder]


class CMake:
    """The files that one build compiles, found by following CMakeLists.txt files from a folder down."""

    def __init__(self, lists: CMakeLists, variables: Mapping[str, str]) -> None:
        self._lists = lists
        self._scopes = [dict(variables)]
        self._commands_left = _MAX_COMMANDS
        self._depth = 0
        self.compiled: set[str] = set()
        self.options: set[str] = set()
        """The options (`WITH_...`) that conditions test."""
        self.problem: UnresolvedError | None = None
        """The first reason for which some files were not followed to their end."""

    def follow(self, folder: str) -> None:
        """Follow the CMakeLists.txt of a folder and of the folders that it adds."""
        script = self._lists.script(folder)
        if script is None:
            return
        # add_subdirectory() starts a new variable scope: a copy of the variables of the folder above.
        self._scopes.append(dict(self._scopes[-1]))
        _FolderRun(self, folder).run(script)
        self._scopes.pop()

    def enter(self, folder: str) -> bool:
        """Go one block, loop or folder deeper; return False if the nesting limit is reached."""
        self._depth += 1
        return self._check_limit(self._depth <= MAX_DEPTH, folder, f"more than {MAX_DEPTH} blocks are nested")

    def leave(self) -> None:
        """Return from the innermost block, loop or folder."""
        self._depth -= 1

    def count(self, folder: str, commands: int = 1) -> bool:
        """Count commands that run or are skipped; return False if the limit is reached."""
        self._commands_left -= commands
        return self._check_limit(self._commands_left >= 0, folder, f"it takes more than {_MAX_COMMANDS:,} commands")

    def _check_limit(self, holds: bool, folder: str, reason: str) -> bool:
        """Return `holds`; a limit that does not hold is the problem of this run."""
        if not holds and self.problem is None:
            self.problem = UnresolvedError(reason, f"{folder}/CMakeLists.txt", 1)
        return holds

    def names(self, folder: str) -> Sequence[str]:
        """Return the names of the sources in a folder."""
        return self._lists.names(folder)


class _FolderRun:
    """One execution of the script of a folder: its commands, with the variables of the folder."""

    def __init__(self, cmake: CMake, folder: str) -> None:
        self._cmake = cmake
        self._folder = folder
        self._variables = cmake._scopes[-1]  # noqa: SLF001 - two halves of one

    def run(self, script: list[tuple[str, list[str]]]) -> bool:
        """Run commands; return True if a `return()` or a limit ended them."""
        ended = not self._cmake.enter(self._folder) or self._run(script)
        self._cmake.leave()
        return ended

    def _run(self, script: list[tuple[str, list[str]]]) -> bool:
        """Run commands without counting a level of nesting."""
        at = 0
        while at < len(script):
            if not self._cmake.count(self._folder):
                return True
            name, arguments = script[at]
            if name == "if":
                at, ended = self._if(script, at)
                if ended:
                    return True
            elif name in ("function", "macro"):
                # The functions of these files (detection_library, reader_library) make a target of the SRCS of their
                # call, which `_target` reads.
                at = block_end(script, at, name) + 1
            elif name in ("foreach", "while"):
                end = block_end(script, at, name)
                if not self._cmake.count(self._folder, end - at):
                    return True
                if name == "foreach":
                    self._foreach(arguments, script[at + 1 : end])
                at = end + 1
            elif name == "return":
                return True
            else:
                if name == "string" and arguments[:1] == ["REPLACE"] and len(arguments) > 4:
                    # Unlike other commands, REPLACE keeps the `;` in its values: it turns lists into texts and back.
                    _, old, new, variable, *values = (self._expand(argument) for argument in arguments)
                    self._variables[variable] = ";".join(values).replace(old, new)
                else:
                    self._command(name, self._expand_list(arguments))
                at += 1
        return False

    def _if(self, script: list[tuple[str, list[str]]], at: int) -> tuple[int, bool]:
        """Run the branch whose condition holds; return the index behind the `if`, and whether a `return()` ended it."""
        end = block_end(script, at, "if")
        if not self._cmake.count(self._folder, end - at):
            return end + 1, True
        depth = 0
        begin, condition = at + 1, script[at][1]
        for index in range(at + 1, end + 1):
            name, arguments = script[index]
            if not depth and (name in ("elseif", "else") or index == end):
                if self._holds(condition):
                    return end + 1, self.run(script[begin:index])
                begin, condition = index + 1, arguments if name == "elseif" else ["TRUE"]
            depth += (name == "if") - (name == "endif")
        return end + 1, False

    def _foreach(self, arguments: list[str], body: list[tuple[str, list[str]]]) -> None:
        """Run the body of a loop for each of its values."""
        values = self._expand_list(arguments[1:])
        if values[:2] == ["IN", "ITEMS"]:
            values = values[2:]
        elif values[:1] == ["IN"]:
            values = [item for name in values[2:] for item in self._variables.get(name, "").split(";")]
        for value in values:
            if value:
                self._variables[arguments[0]] = value
                self.run(body)

    def _command(self, name: str, arguments: list[str]) -> None:
        """Run a command other than control flow; unknown commands are taken to make targets."""
        if name == "set" and arguments:
            self._set(*arguments)
        elif name == "unset" and arguments:
            self._variables.pop(arguments[0], None)
        elif name == "option" and arguments:
            self._variables.setdefault(arguments[0], arguments[2] if len(arguments) > 2 else "OFF")
        elif name == "list" and len(arguments) > 1:
            self._list(arguments)
        elif name == "file" and arguments[:1] == ["GLOB"] and len(arguments) > 2:
            patterns = [pattern_text for pattern_text in arguments[2:] if "*" in pattern_text]
            names = (
                name_in_folder
                for name_in_folder in self._cmake.names(self._folder)
                if any(fnmatch.fnmatchcase(name_in_folder, p.rpartition("/")[2]) for p in patterns)
            )
            self._variables[arguments[1]] = ";".join(sorted(names))
        elif name == "add_subdirectory" and arguments:
            self._cmake.follow(f"{self._folder}/{arguments[0]}")
        elif name == "register_operators":
            excluded = _keyword_values(arguments, "EXCLUDES")
            for source in self._cmake.names(self._folder):
                if source.endswith("_op.cc") and source[:-3] not in excluded:
                    self._library([source[:-3]])
        elif not _NOT_TARGETS.fullmatch(name):
            self._target(name, arguments)

    def _set(self, name: str, *values: str) -> None:
        """Set a variable of this folder, of the folder above, or, if it is cached, of all folders."""
        scopes = self._cmake._scopes  # noqa: SLF001
        end = next((keyword for keyword in ("PARENT_SCOPE", "CACHE") if keyword in values), "")
        text = ";".join(values[: values.index(end)] if end else values)
        scopes_by_keyword = {"PARENT_SCOPE": scopes[-2:-1], "CACHE": scopes, "": scopes[-1:]}
        for scope in scopes_by_keyword[end]:
            scope[name] = text

    def _target(self, name: str, arguments: list[str]) -> None:
        """Compile the sources of a target: `SRCS`, or the file that an op_library is named for."""
        if name == "op_library" and arguments and not _keyword_values(arguments, "SRCS"):
            self._library(arguments)
            return
        for source in _keyword_values(arguments, "SRCS"):
            self._compile(source)

    def _library(self, arguments: list[str]) -> None:
        """Compile the files that `op_library` finds by name."""
        self._compile(f"{arguments[0]}.cc")
        # Files that end in .cu.cc are registered by GPU builds alone (cmake/operators.cmake).
        if is_true(self._variables.get("WITH_GPU", "")) or is_true(self._variables.get("WITH_ROCM", "")):
            self._compile(f"{arguments[0]}.cu.cc")

    def _compile(self, source: str) -> None:
        """Count a C++ file as compiled."""
        if source.endswith(".cc"):
            self._cmake.compiled.add(f"{self._folder}/{source}")

    def _list(self, arguments: list[str]) -> None:
        """Run `list(APPEND | REMOVE_ITEM | REMOVE_DUPLICATES ...)`."""
        verb, name, *values = arguments
        items = [item for item in self._variables.get(name, "").split(";") if item]
        if verb == "APPEND":
            items += values
        elif verb == "REMOVE_ITEM":
            items = [item for item in items if item not in values]
        elif verb == "REMOVE_DUPLICATES":
            items = list(dict.fromkeys(items))
        else:
            return
        self._variables[name] = ";".join(items)

    def _expand_list(self, arguments: list[str]) -> list[str]:
        """Return arguments with variables replaced and lists (`a;b`) split."""
        return [item for argument in arguments for item in self._expand(argument).split(";") if item]

    def _expand(self, text: str) -> str:
        """Return an argument with its variables replaced, those in their values as well."""
        # Variables may refer to each other; the rounds and the length stop those that refer to themselves.
        for _ in range(8):
            if "${" not in text:
                break
            text = _VARIABLE.sub(lambda match: self._variables.get(match[1], ""), text)[:100_000]
        return text

    def _holds(self, condition: list[str]) -> bool:
        """Return whether a condition holds; an incomplete one does not."""
        for token in condition:
            if token.startswith("WITH_"):
                self._cmake.options.add(token)
        try:
            return _Condition(condition, self._variables, self._expand).evaluate()
        # A condition that ends early is an error in CMake; here it hides its branch, and the files in it are in no
        # build.
        except (IndexError, RecursionError):
            return False


class _Condition:
    """A recursive-descent parser of one condition: NOT binds stronger than AND, AND stronger than OR."""

    def __init__(self, tokens: list[str], variables: Mapping[str, str], expand: Callable[[str], str]) -> None:
        self._tokens = tokens
        self._variables = variables
        self._expand = expand
        self._at = 0

    def evaluate(self) -> bool:
        """Return the value of a whole condition."""
        value = self._and()
        while self._accept("OR"):
            right = self._and()
            value = value or right
        return value

    def _and(self) -> bool:
        """Parse `NOT-term AND NOT-term ...`."""
        value = self._not()
        while self._accept("AND"):
            right = self._not()
            value = value and right
        return value

    def _not(self) -> bool:
        """Parse `NOT term`, a condition in parentheses, or a test."""
        if self._accept("NOT"):
            return not self._not()
        if self._accept("("):
            value = self.evaluate()
            self._at += 1
            return value
        return self._test()

    def _test(self) -> bool:
        """Return the value of one test; tests of files and targets are false, as nothing is built here."""
        left = self._tokens[self._at]
        self._at += 1
        if left in ("DEFINED", "EXISTS", "TARGET", "COMMAND", "IS_DIRECTORY"):
            name = self._tokens[self._at]
            self._at += 1
            return left == "DEFINED" and name in self._variables
        sign = self._tokens[self._at] if self._at < len(self._tokens) else ""
        comparison = _COMPARISON.fullmatch(sign)
        if comparison is not None:
            right = self._tokens[self._at + 1]
            self._at += 2
            return _compare(self._operand(left), comparison[1], comparison[2], self._operand(right))
        if sign in ("MATCHES", "IN_LIST"):
            self._at += 2
            return False
        return is_true(self._value(left))

    def _operand(self, text: str) -> str:
        """Return the value of a variable; a name without a variable is its own value."""
        expanded = self._expand(text)
        return self._variables.get(expanded, expanded)

    def _value(self, text: str) -> str:
        """Return the value of a variable, "" if there is none; texts that are no names are their own value."""
        expanded = self._expand(text)
        is_missing_variable = _is_name(expanded) and expanded not in _TRUE
        return self._variables.get(expanded, "" if is_missing_variable else expanded)

    def _accept(self, token: str) -> bool:
        """Consume the next token if it is `token`; return whether it was."""
        if self._at < len(self._tokens) and self._tokens[self._at] == token:
            self._at += 1
            return True
        return False


def _compare(left: str, kind: str, sign: str, right: str) -> bool:
    """Compare two texts, versions or numbers; a value that is none of the kind is neither less nor equal."""
    first, second = (_READ[kind](value) for value in (left, right))
    return first is not None and second is not None and _SIGNS[sign](first, second)


def _version(text: str) -> tuple[int, ...] | None:
    """Return the numbers at the start of a version, without trailing zeros: 11.0 equals 11."""
    match = _VERSION.match(text)
    if match is None or len(match[0]) > 60:
        return None
    parts = [int(part) for part in match[0].split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def _number(text: str) -> float | None:
    """Return the number in a text; None if it is none."""
    return float(text) if _NUMBER.fullmatch(text) else None


_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "EQUAL": operator.eq,
    "LESS": operator.lt,
    "GREATER": operator.gt,
    "LESS_EQUAL": operator.le,
    "GREATER_EQUAL": operator.ge,
}
_READ: dict[str, Callable[[str], Any]] = {"STR": str, "VERSION_": _version, "": _number}
_COMPARISON = pattern(rf"({'|'.join(_READ)})({'|'.join(_SIGNS)})")


def _is_name(text: str) -> bool:
    """Return whether a text can be the name of a variable."""
    return bool(re.fullmatch(r"[A-Za-z_]\w*", text))


def _keyword_values(arguments: list[str], keyword: str) -> list[str]:
    """Return the arguments behind a keyword such as SRCS, up to the next keyword."""
    values: list[str] = []
    inside = False
    for argument in arguments:
        if argument in _KEYWORDS:
            inside = argument == keyword
        elif inside:
            values.append(argument)
    return values
