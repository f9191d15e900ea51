"""The sources that a CMake project compiles: the files that a first one includes, and the folders that it adds."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from opspec_lint.builds.cmake.commands import is_cmake_module, parse_blocks
from opspec_lint.builds.cmake.evaluator import FAULTS, Evaluator
from opspec_lint.builds.cmake.folders import Folder, absolute, build_in, resolve
from opspec_lint.builds.cmake.state import doubt_of
from opspec_lint.builds.cmake.values import Variables
from opspec_lint.cpp.steps import TooLongError
from opspec_lint.kit.text_cache import TextCache
from opspec_lint.spec.condition import ALWAYS, NEVER, assume, conjunction, disjunction, implies, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from opspec_lint.builds.cmake.commands import Command
    from opspec_lint.spec.condition import Condition

_MAX_CACHED = 256
_EXCLUDED = "EXCLUDE_FROM_ALL"


class Project(NamedTuple):
    """The folders that a project executes, by path, and the texts of all files that it tried to read."""

    folders: dict[str, Folder]
    texts: dict[str, str | None]


_PROJECTS: TextCache[Project] = TextCache(_MAX_CACHED)
"""The projects that were evaluated last, by their first files."""


def cached(build: str, text_of: Callable[[str], str | None], *, is_root: bool) -> Project:
    """Return the project that begins with a file, from the cache if possible."""
    folder = build.rpartition("/")[0]
    return _PROJECTS.get((build, is_root), text_of, lambda read: evaluate(folder, read, is_root=is_root))


def evaluate(folder: str, text_of: Callable[[str], str | None], *, is_root: bool = True) -> Project:
    """Return the project that begins in a folder. No other file adds the folder of a root.

    Of a project that cannot be evaluated, the first file counts as one in a language that is not parsed.
    """
    evaluator = _ProjectEvaluator(folder, text_of, is_root=is_root)
    line, reason = 0, ""
    try:
        evaluator.run_project()
    except RecursionError:
        reason = "it is nested too deep"
    except TooLongError:
        reason = "its commands take too long"
    except FAULTS:
        reason = "it cannot be evaluated"
    except SyntaxError as error:
        line, reason = error.lineno or 0, error.msg
    if not reason:
        return Project(evaluator.folders, evaluator.texts)
    first = Folder(folder)
    first.execute(ALWAYS)
    first.lists.unparsed = line or evaluator.line, reason
    first.lists.list_tokens(evaluator.texts[first.build] or "")
    return Project({folder: first}, evaluator.texts)


class _ProjectEvaluator(Evaluator):
    """An execution of the files of a project; a function returns their texts."""

    def __init__(self, folder: str, text_of: Callable[[str], str | None], *, is_root: bool) -> None:
        self._text_of = text_of
        self.texts: dict[str, str | None] = {}
        self._commands: dict[str, list[Command]] = {}
        root = Folder(folder)
        super().__init__(root, is_root=is_root)
        self.folders = {folder: root}
        self._is_root = is_root

    def run_project(self) -> None:
        """Execute the commands of the first folder, and record what the targets of the project compile."""
        state = self.state
        root = state.folder
        root.execute(ALWAYS)
        commands = self._read(root.build)
        state.bind_folder()
        if self._is_root:
            state.bind("CMAKE_SOURCE_DIR", absolute(root.path))
        self.run_file(commands or [], ALWAYS)
        if self.succeeds_if == NEVER:
            return
        # Few conditions belong to most sources.
        simplify = lru_cache(None)(self._in_default_build)
        for folder in self.folders.values():
            folder.lists.defaults.update(state.defaults.values())
            folder.executed_if = simplify(folder.executed_if)
            for text, condition in folder.added:
                folder.lists.add_folder(folder.relative(text), simplify(condition))
            doubts = {(file != folder.build, file, line, statement) for file, line, statement in folder.doubts}
            for is_elsewhere, file, line, statement in sorted(doubts):
                folder.lists.list_unknown(line, statement, file if is_elsewhere else None)
        state.targets.record(root.lists, simplify)

    def _read(self, path: str) -> list[Command] | None:
        """Return the commands of a file; None for a missing file.

        Raises:
            SyntaxError: a command or a block has no end.
        """
        if path not in self.texts:
            self.texts[path] = self._text_of(path)
        text = self.texts[path]
        if text is not None and path not in self._commands:
            self.state.steps.spend(len(text))
            self._commands[path] = parse_blocks(text, path)
        return None if text is None else self._commands[path]

    def _in_default_build(self, condition: Condition) -> Condition:
        """Return a condition for builds that succeed, without what the defaults of the options of the file fulfil."""
        if condition == ALWAYS or implies(self.succeeds_if, condition):
            return ALWAYS
        return _without_definitions(assume(condition, self.state.defaults.values()), self.state.missing)

    def follow_file(self, command: Command, runs_if: Condition) -> None:
        """Execute an `include` or `add_subdirectory` under a condition."""
        (self._include if command.name == "include" else self._add_folder)(command, runs_if)

    def _include(self, command: Command, runs_if: Condition) -> None:
        """Execute the commands of a file of the tree in the scope of an `include`."""
        state = self.state
        is_followed = bool(command.arguments)
        may_change = False
        for item in state.expand(command.arguments[:1], runs_if):
            path, commands = self._included(item.text)
            if commands is None:
                is_followed = False
                may_change |= not path
            elif (taken := conjunction(runs_if, item.condition)) != NEVER:
                before = state.variables.get("CMAKE_CURRENT_LIST_DIR")
                state.bind("CMAKE_CURRENT_LIST_DIR", absolute(path.rpartition("/")[0]))
                self.run_file(commands, taken)
                if before is not None:
                    state.variables["CMAKE_CURRENT_LIST_DIR"] = before
        if not is_followed and not is_cmake_module(command.arguments):
            state.targets.is_whole = False
            state.doubt(command)
            state.lists.adds_unknown = True
            # A file of another repository, such as a package, changes no variable that this one has set.
            for name in state.variables if may_change else ():
                state.variables.suspect(name, doubt_of(command))

    def _included(self, text: str) -> tuple[str, list[Command] | None]:
        """Return the path and commands of the file that an `include` names.

        There are no commands if the file is not in the tree, and also no path if the tree may have it.
        """
        if self.is_too_deep:
            return "", None
        folder = self.state.folder
        paths = [resolve(text, folder.path)]
        if text.isidentifier():  # a module
            modules = self.state.variables.lookup("CMAKE_MODULE_PATH", ALWAYS).items
            paths = [resolve(f"{item.text}/{text}.cmake", folder.path) for item in modules]
        for path in paths:
            try:
                commands = self._read(path) if path else None
            except SyntaxError as error:
                folder.doubts.append((path or "", error.lineno or 1, f"this file, in which {error.msg},"))
                return "", None
            if path and commands is not None:
                return path, commands
        return text if text.isidentifier() or all(paths) else "", None

    def _add_folder(self, command: Command, runs_if: Condition) -> None:
        """Execute the CMakeLists.txt of a folder in a new scope."""
        state = self.state
        excluded_if = disjunction(
            (
                NEVER,
                *(item.condition for item in state.expand(command.arguments[1:], runs_if) if item.text == _EXCLUDED),
            )
        )
        for item in state.expand(command.arguments[:1], runs_if):
            taken = conjunction(runs_if, item.condition)
            if taken == NEVER:
                continue
            path = resolve(item.text, state.folder.path)
            if path is None or not self._run_folder(path, taken, excluded_if):
                state.targets.is_whole &= path is not None
                state.doubt(command)
                made_if = disjunction((negation(excluded_if), requirement(f"a build makes targets of `{item.text}`")))
                taken = conjunction(taken, made_if)
            state.folder.added.append((item.text, taken))

    def _run_folder(self, path: str, runs_if: Condition, excluded_if: Condition) -> bool:
        """Execute a folder under a condition; return whether it was followed."""
        state, targets = self.state, self.state.targets
        try:
            commands = self._read(build_in(path)) if not self.is_too_deep else None
        except SyntaxError:
            commands = None
        if commands is None:
            # A folder of another repository links no target of this one.
            targets.is_whole &= self.texts.get(build_in(path), "") is None
            return False
        if runs_if != ALWAYS and any(command.name == "project" for command in commands):
            targets.is_whole = False
            return False  # it may also be built on its own
        outer, excluded_before, variables = targets.folder, targets.folder_excluded_if, state.variables
        targets.folder = self.folders.setdefault(path, Folder(path))
        targets.folder.execute(runs_if)
        targets.folder_excluded_if = disjunction((excluded_before, excluded_if))
        state.callers.append(variables)
        state.variables = Variables(variables.items(), state.steps)
        state.steps.spend(len(variables))
        try:
            state.bind_folder()
            self.run_file(commands, runs_if)
        finally:
            state.variables = state.callers.pop()
            targets.folder, targets.folder_excluded_if = outer, excluded_before
        return True


def _without_definitions(condition: Condition, names: Collection[str]) -> Condition:
    """Return a condition that requires no definition of a variable whose value it requires as well."""
    values = {f"DEFINED {name} of CMake": f"{name} " for name in names}
    if not values:
        return condition
    return disjunction(
        (
            tuple(
                text
                for text in texts
                if text not in values or not any(value.startswith(values[text]) for value in texts)
            ),
        )
        for texts in condition
    )
