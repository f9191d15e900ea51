"""The sources that a CMake file compiles, found by executing its commands with conditions in place of what is unknown.

A variable that the file does not set, an option, and the result of a command that is not followed are unknown. An
unknown test becomes a condition, an unknown text may name any source, and a command of another file may compile all
sources among its arguments.
"""

from __future__ import annotations

from opspec_lint.cpp.cmake_commands import (
    BLOCKS,
    UNKNOWN_NUMBERS,
    block_end,
    branches_of,
    is_cmake_module,
    is_true,
    loop_values,
    parse_blocks,
    shares_targets,
)
from opspec_lint.cpp.cmake_conditions import condition_of
from opspec_lint.cpp.cmake_functions import Function, bind, positions_of, split_arguments
from opspec_lint.cpp.cmake_lists import change_list, folder_items, glob_items
from opspec_lint.cpp.cmake_targets import Targets
from opspec_lint.cpp.cmake_values import Variable, Variables, conjunction, is_resolved, negation, texts_of
from opspec_lint.cpp.source_lists import ENDS
from opspec_lint.spec.condition import ALWAYS, NEVER, assume, disjunction, implies, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from opspec_lint.cpp.cmake_commands import Command
    from opspec_lint.cpp.source_lists import SourceLists
    from opspec_lint.spec.condition import Condition

_MAX_COMMANDS = 20_000
_MAX_CALLS = 20
"""Calls of functions inside of each other."""
_LIST_NOTHING = frozenset(
    {"add_test", "configure_file", "execute_process", "get_directory_property", "get_filename_component"}
    | {"get_property", "get_source_file_property", "get_target_property", "math", "message", "project"}
    | {"separate_arguments", "source_group", "string", "try_compile", "try_run"}
)
_LISTS_NOTHING = (
    *("add_compile_", "add_def", "cmake_", "enable_", "find_", "include_", "link_"),
    *("target_compile_", "target_include_", "target_link_"),
)
"""Commands of CMake, or beginnings of their names, that compile none of their arguments."""
_ADDS_NO_FOLDER = ("add_", "target_", "find_", "include_")
"""The beginnings of the names of commands of which no argument is a folder that a macro may add."""


def find_lists(text: str, lists: SourceLists, *, is_root: bool = True) -> None:
    """Record the sources that a CMake file compiles. No other file adds the folder of a root.

    Raises:
        SyntaxError: a command or a block has no end, or the file takes too many commands.
    """
    commands = parse_blocks(text)
    evaluator = _Evaluator(lists, is_whole=is_root and not any(map(shares_targets, commands)))
    try:
        evaluator.run_file(commands)
    except RecursionError:
        raise SyntaxError("it is nested too deep", (None, evaluator.line, None, None)) from None
    except SyntaxError as error:
        raise SyntaxError(error.msg, (None, error.lineno or evaluator.line, None, None)) from None


class _Evaluator:
    """An execution of the commands of one file, in which each command has the condition under which it runs."""

    def __init__(self, lists: SourceLists, *, is_whole: bool) -> None:
        self._lists = lists
        self._targets = Targets(is_whole=is_whole)
        self._variables = Variables()
        self._callers: list[Variables] = []
        """The variables of the callers of a function, the file first."""
        self._functions: dict[str, Function] = {}
        self._folders: list[tuple[str, Condition]] = []
        self._unknown: list[tuple[int, str]] = []
        self._succeeds_if = ALWAYS
        """The condition under which no error ends the build."""
        self._defaults: dict[str, str] = {}
        """The requirement that each option fulfils by its default."""
        self._returned = NEVER
        self._broken = NEVER
        self._commands_left = _MAX_COMMANDS
        self.line = 1
        """The line of the last command."""
        self._depth = 0

    def run_file(self, commands: list[Command]) -> None:
        """Execute the commands of the file, and record what its targets compile."""
        self._run(commands, ALWAYS)
        if self._succeeds_if == NEVER:
            return
        self._lists.defaults.update(self._defaults.values())
        for folder, condition in self._folders:
            self._lists.add_folder(folder, self._in_default_build(condition))
        for line, statement in self._unknown:
            self._lists.list_unknown(line, statement)
        self._targets.record(self._lists, self._in_default_build)

    def _in_default_build(self, condition: Condition) -> Condition:
        """Return a condition for builds that succeed, without what the defaults of the options of the file fulfil."""
        if condition == ALWAYS or implies(self._succeeds_if, condition):
            return ALWAYS
        return assume(condition, self._defaults.values())

    def _run(self, commands: list[Command], runs_if: Condition) -> Condition:
        """Execute commands that run under a condition; return the condition under which the block is not left."""
        at = 0
        while at < len(commands) and runs_if != NEVER:
            command = commands[at]
            self.line = command.line
            self._commands_left -= 1
            if self._commands_left < 0:
                raise SyntaxError(f"it takes more than {_MAX_COMMANDS:,} commands")
            name = command.name
            if name in BLOCKS:
                end = block_end(commands, at, name)
                runs_if = self._block(commands[at:end], runs_if)
                at = end
            elif name == "return":
                self._returned = disjunction((self._returned, runs_if))
                return NEVER
            elif name in ("break", "continue"):
                self._broken = disjunction((self._broken, runs_if)) if name == "break" else self._broken
                return NEVER
            elif name == "message" and command.arguments[:1] in (["FATAL_ERROR"], ["SEND_ERROR"]):
                self._succeeds_if = conjunction(self._succeeds_if, negation(runs_if))
                return runs_if  # a build that fails is none, so that the rest has no condition
            else:
                runs_if = self._command(command, runs_if)
            at += 1
        return runs_if

    def _block(self, block: list[Command], runs_if: Condition) -> Condition:
        """Execute a block without its end; return the condition under which the next command runs."""
        name, arguments, line = block[0]
        if name == "if":
            return self._if(block, runs_if)
        if name == "foreach":
            return self._foreach(block, runs_if)
        if name == "while":
            self._unknown.append((line, "`while()`"))
            return self._loop(
                block[1:], [conjunction(runs_if, condition_of(arguments, self._variables, runs_if))], runs_if
            )
        if arguments:
            self._functions[arguments[0].lower()] = Function(name == "macro", arguments[1:], block[1:])
        return runs_if

    def _if(self, block: list[Command], runs_if: Condition) -> Condition:
        reached, is_left = runs_if, False
        after = []
        for arguments, body in branches_of(block):
            holds = ALWAYS if arguments is None else condition_of(arguments, self._variables, reached)
            taken = conjunction(reached, holds)
            if taken != NEVER:
                after.append(self._run(body, taken))
                is_left |= after[-1] != taken
            reached = conjunction(reached, negation(holds))
            if reached == NEVER:
                break
        return disjunction((*after, reached)) if is_left else runs_if

    def _foreach(self, block: list[Command], runs_if: Condition) -> Condition:
        """Execute the body of a loop for each item."""
        variables = self._variables
        variable, values = loop_values(block[0].arguments)
        before = variables.get(variable, Variable())

        def turns() -> Iterator[Condition]:
            for item in variables.expand_all(values, runs_if):
                taken = conjunction(runs_if, item.condition)
                if is_resolved(item.text):
                    variables[variable] = Variable((item._replace(condition=ALWAYS),), NEVER)
                else:
                    variables.pop(variable, None)
                    if item.text != UNKNOWN_NUMBERS:  # an unknown list may be empty
                        name = item.text.removeprefix("${").removesuffix("}")
                        taken = conjunction(taken, requirement(f"{name} of CMake has items"))
                yield taken

        next_if = self._loop(block[1:], turns(), runs_if)
        variables[variable] = before
        return next_if

    def _loop(self, body: list[Command], turns: Iterable[Condition], runs_if: Condition) -> Condition:
        """Execute turns of a loop under their conditions; return the condition under which the next command runs."""
        returned, broken = self._returned, self._broken
        self._broken = NEVER
        for turn in turns:
            self._run(body, conjunction(turn, negation(disjunction((self._broken, self._returned)))))
        self._broken = broken
        return runs_if if self._returned == returned else conjunction(runs_if, negation(self._returned))

    def _command(self, command: Command, runs_if: Condition) -> Condition:
        """Execute a command that is no block; return the condition under which the next one runs."""
        name, arguments, _ = command
        function = self._functions.get(name)
        follow = _FOLLOWED.get(name)
        if function is not None:
            return self._call(function, command, runs_if)
        if follow is not None:
            follow(self, command, runs_if)
        elif name in _LIST_NOTHING or name.startswith(_LISTS_NOTHING):
            self._doubt(command, arguments)
        else:
            items = self._variables.expand_all(arguments, runs_if)
            self._targets.add_others(items, runs_if)
            named = [name for name in arguments if name in self._variables]
            self._targets.add_others(self._variables.expand_all((f"${{{name}}}" for name in named), runs_if), runs_if)
            self._doubt(command, arguments)
            if not name.startswith(_ADDS_NO_FOLDER):
                self._lists.possible_folders.update(texts_of(items))
        return runs_if

    def _doubt(self, command: Command, names: Sequence[str]) -> None:
        """Record that a command that is not followed may change the variables that it names."""
        for name in names:
            if any(item.text.endswith(ENDS) for item in self._variables.get(name, Variable()).items):
                self._unknown.append((command.line, f"`{command.name}()`"))
            self._variables.doubt(name)

    def _call(self, function: Function, command: Command, runs_if: Condition) -> Condition:
        """Execute the body of a function or macro of the file."""
        if self._depth >= _MAX_CALLS:
            self._unknown.append((command.line, f"`{command.name}()`"))
            return runs_if
        positions, is_certain = positions_of(command.arguments, self._variables, runs_if)
        if not is_certain:  # an argument may be missing, so that the others have other names
            self._targets.add_others([item for items in positions for item in items], runs_if)
        outer, returned, self._returned = self._variables, self._returned, NEVER
        inner = outer if function.is_macro else Variables(outer)
        bound = bind(function.parameters, positions)
        hidden = {name: outer.get(name, Variable()) for name in bound}
        inner.update(bound)
        if not function.is_macro:
            self._callers.append(outer)
            self._variables = inner
        self._depth += 1
        self._run(function.body, runs_if)
        self._depth -= 1
        if function.is_macro:  # `return()` of a macro leaves its caller
            outer.update(hidden)
            runs_if = conjunction(runs_if, negation(self._returned))
            self._returned = disjunction((returned, self._returned))
        else:
            self._variables = self._callers.pop()
            self._returned = returned
        return runs_if

    def _set(self, command: Command, runs_if: Condition) -> None:
        arguments = command.arguments
        if not arguments:
            return
        name = self._variables.value(arguments[0], runs_if)
        at = next((at for at, text in enumerate(arguments) if text in ("PARENT_SCOPE", "CACHE")), len(arguments))
        items = self._variables.expand_all(arguments[1:at], runs_if)
        if name is None or (at < len(arguments) and not self._callers):
            self._targets.add_others(items, runs_if)  # the files that read the variable may compile its sources
        if name is None:
            return
        scope = self._callers[-1] if arguments[at:] == ["PARENT_SCOPE"] and self._callers else self._variables
        if arguments[at:] == ["PARENT_SCOPE"] and not self._callers:
            return
        scope.assign(name, items, runs_if)
        if "CACHE" in arguments[at:] and not {"FORCE", "INTERNAL"}.intersection(arguments):
            scope.doubt(name)  # the user of the build may set another value
            self._set_default(name, self._variables.value(arguments[1], runs_if))

    def _unset(self, command: Command, runs_if: Condition) -> None:
        name = self._variables.value(command.arguments[0], runs_if) if command.arguments else None
        if name is not None:
            self._variables.assign(name, (), runs_if)

    def _option(self, command: Command, runs_if: Condition) -> None:
        """Record the default of an option, which the user of the build may change."""
        name, _, *default = (*command.arguments, "", "")
        if self._variables.lookup(name, runs_if) != Variable():
            self._variables.doubt(name)  # the policies of the file decide whether the option replaces the variable
        else:
            self._set_default(name, self._variables.value(default[0], runs_if) if len(command.arguments) > 2 else "OFF")

    def _set_default(self, name: str, value: str | None) -> None:
        if value is not None and name not in self._defaults:
            (((self._defaults[name],),)) = requirement(f"{name} of CMake", holds=is_true(value))

    def _list(self, command: Command, runs_if: Condition) -> None:
        if not change_list(command.arguments, self._variables, runs_if):
            self._doubt(command, command.arguments[1:])
            for item in self._variables.expand_all(command.arguments[1:], runs_if):
                if item.text.endswith(ENDS):
                    self._unknown.append((command.line, "`list()`"))
                    break

    def _file(self, command: Command, runs_if: Condition) -> None:
        items = self._variables.expand_all(command.arguments, runs_if)
        operations = {item.text for item in items[:2]} & {"GLOB", "GLOB_RECURSE"}
        if not operations:
            self._doubt(command, command.arguments)
            return
        after = next(at for at in (1, 0) if items[at].text in operations) + 1
        if len(items) > after:
            globbed = glob_items(items[after + 1 :], is_deep="GLOB_RECURSE" in operations)
            self._variables.assign(items[after].text, globbed, runs_if)

    def _folder_sources(self, command: Command, runs_if: Condition) -> None:
        values = [self._variables.value(argument, runs_if) for argument in command.arguments]
        if len(values) == 2 and values[0] is not None and values[1] is not None:
            before = self._variables.lookup(values[1], runs_if)
            self._variables.assign(values[1], (*before.items, *folder_items(values[0])), runs_if)
        else:
            self._unknown.append((command.line, f"`{command.name}()`"))

    def _parse_arguments(self, command: Command, runs_if: Condition) -> None:
        """Split the arguments of a function by keywords, as `cmake_parse_arguments` does."""
        arguments = command.arguments
        if arguments[:1] == ["PARSE_ARGV"]:
            arguments = [*arguments[2:], "${ARGN}"]
        prefix, *keywords = (self._variables.value(text, runs_if) for text in arguments[:4])
        if len(keywords) < 3 or prefix is None or None in keywords:
            self._doubt(command, arguments)
            return
        sets = [frozenset((text or "").split(";")) - {""} for text in keywords]
        items = self._variables.expand_all(arguments[4:], runs_if)
        for name, value in split_arguments(items, *sets).items():
            self._variables[f"{prefix}_{name}"] = Variable(tuple(value), NEVER)

    def _add_library(self, command: Command, runs_if: Condition) -> None:
        items = self._variables.expand_all(command.arguments, runs_if)
        self._targets.add(items, runs_if, is_executable=command.name == "add_executable")

    def _add_sources(self, command: Command, runs_if: Condition) -> None:
        items = self._variables.expand_all(command.arguments, runs_if)
        if items:
            self._targets.add_sources(items, runs_if)

    def _link(self, command: Command, runs_if: Condition) -> None:
        """Record the targets that another one needs, by `target_link_libraries` or `add_dependencies`."""
        items = self._variables.expand_all(command.arguments, runs_if)
        for item in items[1:]:
            self._targets.use(item.text, items[0].text, conjunction(runs_if, item.condition))

    def _install(self, command: Command, runs_if: Condition) -> None:
        for item in self._variables.expand_all(command.arguments, runs_if):
            self._targets.use(item.text, "", conjunction(runs_if, item.condition))

    def _custom_target(self, command: Command, runs_if: Condition) -> None:
        if "ALL" in command.arguments:
            self._targets.add_others(self._variables.expand_all(command.arguments, runs_if), runs_if)

    def _set_properties(self, command: Command, runs_if: Condition) -> None:
        """Execute `set_target_properties`, `set_source_files_properties` or `set_property`."""
        items = self._variables.expand_all(command.arguments, runs_if)
        texts = texts_of(items)
        is_target = command.name == "set_target_properties" or texts[:1] == ["TARGET"]
        keyword = "PROPERTY" if command.name == "set_property" else "PROPERTIES"
        if keyword in texts and (command.name != "set_property" or texts[0] in ("TARGET", "SOURCE")):
            at = texts.index(keyword)
            named = items[command.name == "set_property" : at]
            for name, value in zip(texts[at + 1 :: 2], texts[at + 2 :: 2], strict=False):
                self._targets.set_property(name, value, named, runs_if, is_target=is_target)

    def _include(self, command: Command, runs_if: Condition) -> None:  # noqa: ARG002 - one signature for all commands
        if not is_cmake_module(command.arguments):
            self._unknown.append((command.line, "`include()`"))
            self._lists.adds_unknown = True
            for name in list(self._variables):
                self._variables[name] = self._variables[name]._replace(is_sure=False)

    def _add_folder(self, command: Command, runs_if: Condition) -> None:
        items = self._variables.expand_all(command.arguments[:1], runs_if)
        self._folders += [(item.text, conjunction(runs_if, item.condition)) for item in items]
        self._unknown.append((command.line, "`add_subdirectory()`"))


_FOLLOWED: dict[str, Callable[[_Evaluator, Command, Condition], None]] = {
    "add_custom_target": _Evaluator._custom_target,  # noqa: SLF001 - the table of the class
    "add_dependencies": _Evaluator._link,  # noqa: SLF001
    "add_executable": _Evaluator._add_library,  # noqa: SLF001
    "add_library": _Evaluator._add_library,  # noqa: SLF001
    "add_subdirectory": _Evaluator._add_folder,  # noqa: SLF001
    "aux_source_directory": _Evaluator._folder_sources,  # noqa: SLF001
    "cmake_parse_arguments": _Evaluator._parse_arguments,  # noqa: SLF001
    "export": _Evaluator._install,  # noqa: SLF001
    "file": _Evaluator._file,  # noqa: SLF001
    "include": _Evaluator._include,  # noqa: SLF001
    "install": _Evaluator._install,  # noqa: SLF001
    "list": _Evaluator._list,  # noqa: SLF001
    "option": _Evaluator._option,  # noqa: SLF001
    "set": _Evaluator._set,  # noqa: SLF001
    "set_property": _Evaluator._set_properties,  # noqa: SLF001
    "set_source_files_properties": _Evaluator._set_properties,  # noqa: SLF001
    "set_target_properties": _Evaluator._set_properties,  # noqa: SLF001
    "target_link_libraries": _Evaluator._link,  # noqa: SLF001
    "target_sources": _Evaluator._add_sources,  # noqa: SLF001
    "unset": _Evaluator._unset,  # noqa: SLF001
}
