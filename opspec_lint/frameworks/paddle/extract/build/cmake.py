"""Which source files a build compiles: follows the CMakeLists.txt files of the op sources.

Only what decides that is understood: conditions, variables, lists, globs, folders, and the commands that make targets.
"""

from __future__ import annotations

import fnmatch
import operator
import re

from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

_COMMAND = pattern(r"(?<!\w)([A-Za-z_]\w*)[ \t]*\(")
_ARGUMENT = pattern(r'(?<!\\)"((?:[^"\\]|\\.)*)"|([^\s()"]+)|([()])', "s")
_COMMENT = pattern(r'((?<!\\)"(?:[^"\\]|\\.)*")|#\[\[.*?\]\]|#[^\n]*', "s")
_VARIABLE = pattern(r"\$\{(\w+)\}")
_VERSION = pattern(r"\d+(?:\.\d+)*")
_NUMBER = pattern(r"[+-]?\d{1,60}(?:\.\d{0,60})?")
_FALSE = frozenset({"", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND"})
_TRUE = frozenset({"1", "ON", "YES", "TRUE", "Y"})
_KEYWORDS = frozenset({"DEPS", "SRCS", "EXCLUDES", "UNITY", "PROTO", "HDRS", "ARGS", "ENVS", "SERIAL", "MODULES"})
_NOT_TARGETS = pattern(r".*test.*|register_unity_group|set_source_files_properties|target_link_libraries|message")
_MAX_COMMANDS = 200_000


class Lists:
    """The CMakeLists.txt files of a tree, and the names of the sources in each folder.

    Args:
        text_of: returns the text of a file of the tree, None where there is none.
        names: returns the names of the sources in a folder.
    """

    def __init__(self, text_of: Callable[[str], str | None], names: Callable[[str], Sequence[str]]) -> None:
        self._text_of = text_of
        self._scripts: dict[str, list[tuple[str, list[str]]] | None] = {}
        self.names = names

    def script(self, folder: str) -> list[tuple[str, list[str]]] | None:
        """Return the commands of a folder, None where it has no CMakeLists.txt."""
        if folder not in self._scripts:
            text = self._text_of(f"{folder}/CMakeLists.txt")
            self._scripts[folder] = None if text is None else commands(text)
        return self._scripts[folder]


class CMake:
    """The files that one build compiles below a folder.

    Args:
        lists: the files that say so.
        variables: the options of the build.
    """

    def __init__(self, lists: Lists, variables: Mapping[str, str]) -> None:
        self._lists = lists
        self._scopes = [dict(variables)]
        self._left = _MAX_COMMANDS
        self._depth = 0
        self.compiled: set[str] = set()
        self.options: set[str] = set()
        """The options that conditions test."""
        self.problem: UnresolvedError | None = None
        """Why not all of the files were followed to their end."""

    def follow(self, folder: str) -> None:
        """Follow the CMakeLists.txt of a folder, and of those that it adds."""
        script = self._lists.script(folder)
        if script is None:
            return
        self._scopes.append(dict(self._scopes[-1]))
        _Run(self, folder).run(script)
        self._scopes.pop()

    def enter(self, folder: str) -> bool:
        """Go one block, loop or folder deeper; tell whether that is allowed."""
        self._depth += 1
        return self._is_within(self._depth <= MAX_DEPTH, folder, f"more than {MAX_DEPTH} blocks are nested")

    def leave(self) -> None:
        """Leave what was entered."""
        self._depth -= 1

    def count(self, folder: str, commands: int = 1) -> bool:
        """Count commands that are run or passed over; tell whether there may be as many."""
        self._left -= commands
        return self._is_within(self._left >= 0, folder, f"it takes more than {_MAX_COMMANDS:,} commands")

    def _is_within(self, holds: bool, folder: str, reason: str) -> bool:
        if not holds and self.problem is None:
            self.problem = UnresolvedError(reason, f"{folder}/CMakeLists.txt", 1)
        return holds

    def names(self, folder: str) -> Sequence[str]:
        """Return the names of the sources in a folder."""
        return self._lists.names(folder)


class _Run:
    def __init__(self, cmake: CMake, folder: str) -> None:
        self._cmake = cmake
        self._folder = folder
        self._variables = cmake._scopes[-1]  # noqa: SLF001 - two halves of one

    def run(self, script: list[tuple[str, list[str]]]) -> bool:
        """Follow commands; tell whether a `return()` or a limit ended them."""
        ended = not self._cmake.enter(self._folder) or self._run(script)
        self._cmake.leave()
        return ended

    def _run(self, script: list[tuple[str, list[str]]]) -> bool:
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
                at = _end(script, at, name) + 1
            elif name in ("foreach", "while"):
                end = _end(script, at, name)
                if not self._cmake.count(self._folder, end - at):
                    return True
                if name == "foreach":
                    self._foreach(arguments, script[at + 1 : end])
                at = end + 1
            elif name == "return":
                return True
            else:
                if name == "string" and arguments[:1] == ["REPLACE"] and len(arguments) > 4:
                    _, old, new, variable, *values = (self._expand(word) for word in arguments)
                    self._variables[variable] = ";".join(values).replace(old, new)
                else:
                    self._command(name, self._expanded(arguments))
                at += 1
        return False

    def _if(self, script: list[tuple[str, list[str]]], at: int) -> tuple[int, bool]:
        end = _end(script, at, "if")
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
        values = self._expanded(arguments[1:])
        if values[:1] == ["IN"]:
            named = (
                values[2:]
                if values[1:2] == ["ITEMS"]
                else [item for name in values[2:] for item in self._variables.get(name, "").split(";")]
            )
            values = named
        for value in values:
            if value:
                self._variables[arguments[0]] = value
                self.run(body)

    def _command(self, name: str, arguments: list[str]) -> None:
        if name == "set" and arguments:
            self._set(*arguments)
        elif name == "unset" and arguments:
            self._variables.pop(arguments[0], None)
        elif name == "option" and arguments:
            self._variables.setdefault(arguments[0], arguments[2] if len(arguments) > 2 else "OFF")
        elif name == "list" and len(arguments) > 1:
            self._list(arguments)
        elif name == "file" and arguments[:1] == ["GLOB"] and len(arguments) > 2:
            patterns = [word for word in arguments[2:] if "*" in word]
            names = (
                each
                for each in self._cmake.names(self._folder)
                if any(fnmatch.fnmatchcase(each, p.rpartition("/")[2]) for p in patterns)
            )
            self._variables[arguments[1]] = ";".join(sorted(names))
        elif name == "add_subdirectory" and arguments:
            self._cmake.follow(f"{self._folder}/{arguments[0]}")
        elif name == "register_operators":
            excluded = _values(arguments, "EXCLUDES")
            for source in self._cmake.names(self._folder):
                if source.endswith("_op.cc") and source[:-3] not in excluded:
                    self._library([source[:-3]])
        elif not _NOT_TARGETS.fullmatch(name):
            self._target(name, arguments)

    def _set(self, name: str, *values: str) -> None:
        """Set a variable of this folder, of the folder above, or, where it is cached, of all."""
        scopes = self._cmake._scopes  # noqa: SLF001
        end = next((word for word in ("PARENT_SCOPE", "CACHE") if word in values), "")
        text = ";".join(values[: values.index(end)] if end else values)
        for scope in {"PARENT_SCOPE": scopes[-2:-1], "CACHE": scopes}.get(end, scopes[-1:]):
            scope[name] = text

    def _target(self, name: str, arguments: list[str]) -> None:
        if name == "op_library" and arguments and not _values(arguments, "SRCS"):
            self._library(arguments)
            return
        for source in _values(arguments, "SRCS"):
            self._compile(source)

    def _library(self, arguments: list[str]) -> None:
        self._compile(f"{arguments[0]}.cc")
        if _is_true(self._variables.get("WITH_GPU", "")) or _is_true(self._variables.get("WITH_ROCM", "")):
            self._compile(f"{arguments[0]}.cu.cc")

    def _compile(self, source: str) -> None:
        if source.endswith(".cc"):
            self._cmake.compiled.add(f"{self._folder}/{source}")

    def _list(self, arguments: list[str]) -> None:
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

    def _expanded(self, arguments: list[str]) -> list[str]:
        return [item for word in arguments for item in self._expand(word).split(";") if item]

    def _expand(self, word: str) -> str:
        for _ in range(8):
            if "${" not in word:
                break
            word = _VARIABLE.sub(lambda match: self._variables.get(match[1], ""), word)[:100_000]
        return word

    def _holds(self, condition: list[str]) -> bool:
        words = condition
        for word in words:
            if word.startswith("WITH_"):
                self._cmake.options.add(word)
        try:
            return _Condition(words, self._variables, self._expand).all()
        except (IndexError, RecursionError):
            return False


class _Condition:
    """One condition: NOT binds stronger than AND, AND than OR, as CMake documents them."""

    def __init__(self, words: list[str], variables: Mapping[str, str], expand: Callable[[str], str]) -> None:
        self._words = words
        self._variables = variables
        self._expand = expand
        self._at = 0

    def all(self) -> bool:
        value = self._and()
        while self._is("OR"):
            other = self._and()
            value = value or other
        return value

    def _and(self) -> bool:
        value = self._not()
        while self._is("AND"):
            other = self._not()
            value = value and other
        return value

    def _not(self) -> bool:
        if self._is("NOT"):
            return not self._not()
        if self._is("("):
            value = self.all()
            self._at += 1
            return value
        return self._test()

    def _test(self) -> bool:
        left = self._words[self._at]
        self._at += 1
        if left in ("DEFINED", "EXISTS", "TARGET", "COMMAND", "IS_DIRECTORY"):
            name = self._words[self._at]
            self._at += 1
            return left == "DEFINED" and name in self._variables
        word = self._words[self._at] if self._at < len(self._words) else ""
        comparison = _COMPARISON.fullmatch(word)
        if comparison is not None:
            right = self._words[self._at + 1]
            self._at += 2
            return _compared(self._operand(left), comparison[1], comparison[2], self._operand(right))
        if word in ("MATCHES", "IN_LIST"):
            self._at += 2
            return False
        return _is_true(self._value(left))

    def _operand(self, word: str) -> str:
        """Return the value of a variable; what names none stands for itself."""
        expanded = self._expand(word)
        return self._variables.get(expanded, expanded)

    def _value(self, word: str) -> str:
        """Return the value of a variable, "" for a name that is none."""
        expanded = self._expand(word)
        return self._variables.get(expanded, "" if _is_name(expanded) and expanded not in _TRUE else expanded)

    def _is(self, word: str) -> bool:
        if self._at < len(self._words) and self._words[self._at] == word:
            self._at += 1
            return True
        return False


def _compared(left: str, what: str, sign: str, right: str) -> bool:
    """Compare two values as texts, versions or numbers; what is none of the kind is neither less nor equal."""
    one, other = (_READ[what](value) for value in (left, right))
    return one is not None and other is not None and _SIGNS[sign](one, other)


def _version(text: str) -> tuple[int, ...] | None:
    """Return the parts of a version as far as they are numbers, without the zeros at its end, which may be left out."""
    match = _VERSION.match(text)
    if match is None or len(match[0]) > 60:
        return None
    parts = [int(part) for part in match[0].split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def _number(text: str) -> float | None:
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


def _is_name(word: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z_]\w*", word))


def _is_true(value: str) -> bool:
    return value.upper() not in _FALSE and not value.upper().endswith("-NOTFOUND")


def _values(arguments: list[str], keyword: str) -> list[str]:
    found: list[str] = []
    inside = False
    for word in arguments:
        if word in _KEYWORDS:
            inside = word == keyword
        elif inside:
            found.append(word)
    return found


def _end(script: list[tuple[str, list[str]]], at: int, name: str) -> int:
    """Return the index of the command that ends a block, that of the last one where none does."""
    depth = 0
    for index in range(at, len(script)):
        depth += (script[index][0] == name) - (script[index][0] == f"end{name}")
        if not depth:
            return index
    return len(script) - 1


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Return the commands of a CMake file, their names in lower case, with their arguments as they are written."""
    text = _COMMENT.sub(lambda match: match[1] or "", text)
    found: list[tuple[str, list[str]]] = []
    at = 0
    while True:
        match = _COMMAND.search(text, at)
        if match is None:
            return found
        arguments: list[str] = []
        depth = 1
        at = match.end()
        while depth:
            part = _ARGUMENT.search(text, at)
            if part is None:
                break
            at = part.end()
            depth += (part[3] == "(") - (part[3] == ")")
            if depth:
                arguments.append(part[1] if part[1] is not None else part[0])
        found.append((match[1].lower(), arguments))
