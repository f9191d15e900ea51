"""The execution of the commands of CMake, with conditions in place of what is unknown.

A variable that no file sets, an option, and the result of a command that is not followed are unknown. An
unknown test becomes a condition, an unknown text may name any source, and a command of another file may compile all
sources among its arguments.
"""

from __future__ import annotations

from opspec_lint.builds.cmake.assignments import ASSIGNMENTS
from opspec_lint.builds.cmake.commands import (
    BLOCKS,
    UNKNOWN_NUMBERS,
    Command,
    block_end,
    branches_of,
    is_error,
    loop_values,
)
from opspec_lint.builds.cmake.conditions import condition_of
from opspec_lint.builds.cmake.functions import Function, bind, positions_of
from opspec_lint.builds.cmake.items import Variable, is_resolved, texts_of
from opspec_lint.builds.cmake.state import State
from opspec_lint.builds.cmake.target_commands import TARGET_COMMANDS
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.builds.cmake.folders import Folder
    from opspec_lint.spec.condition import Condition

_COMMAND_STEPS = 1_500
_BLOCK_STEPS = 30
"""The steps that a command takes, and that each command inside of a block takes in addition to find its end."""
FAULTS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The exceptions that commands raise which nothing here expects."""
_MAX_CALLS = 20
"""Calls of functions inside of each other."""
_LIST_NOTHING = frozenset(
    {"add_test", "configure_file", "mark_as_advanced", "math", "message", "project", "source_group"}
    | {"set_tests_properties", "try_compile", "try_run"}
)
_LISTS_NOTHING = (
    *("add_compile_", "add_def", "cmake_", "enable_", "find_", "include_", "link_"),
    *("target_compile_", "target_include_", "target_link_"),
)
"""Commands of CMake, or beginnings of their names, that compile none of their arguments."""
_FILE_COMMANDS = frozenset({"add_subdirectory", "include"})
_ADDS_NO_FOLDER = ("add_", "target_", "find_", "include_")
"""The beginnings of the names of commands of which no argument is a folder that a macro may add."""


class Evaluator:
    """An execution of commands; each command has the condition under which it runs.

    `follow_file` executes a command that names another file.
    """

    def __init__(self, folder: Folder, *, is_root: bool) -> None:
        self.state = State(folder, is_whole=is_root)
        self.depth = 0
        """The functions and files that are executed inside of each other."""
        self.line = 1
        """The line of the last command in the first file."""
        self.succeeds_if = ALWAYS
        """The condition under which no error ends the build."""
        self._first_file = folder.build
        self._functions: dict[str, Function] = {}
        self._returned = NEVER
        self._broken = NEVER

    @property
    def is_too_deep(self) -> bool:
        """Return whether no further function or file may be executed inside of the others."""
        return self.depth >= _MAX_CALLS

    def follow_file(self, command: Command, runs_if: Condition) -> None:
        """Execute an `include` or `add_subdirectory` under a condition."""
        raise NotImplementedError

    def run_file(self, commands: list[Command], runs_if: Condition) -> None:
        """Execute the commands of a file, whose `return()` leaves only that file."""
        returned, self._returned = self._returned, NEVER
        broken, self._broken = self._broken, NEVER
        self.depth += 1
        try:
            self._run(commands, runs_if)
        finally:
            self.depth -= 1
            self._returned, self._broken = returned, broken

    def _run(self, commands: list[Command], runs_if: Condition) -> Condition:
        """Execute commands that run under a condition; return the condition under which the block is not left."""
        at = 0
        while at < len(commands) and runs_if != NEVER:
            command = commands[at]
            if command.file == self._first_file:
                self.line = command.line
            self.state.steps.spend(_COMMAND_STEPS)
            name = command.name
            if name in BLOCKS:
                end = block_end(commands, at, name)
                self.state.steps.spend(_BLOCK_STEPS * (end - at))
                runs_if = self._block(commands[at:end], runs_if)
                at = end
            elif name == "return":
                self._returned = disjunction((self._returned, runs_if))
                return NEVER
            elif name in ("break", "continue"):
                self._broken = disjunction((self._broken, runs_if)) if name == "break" else self._broken
                return NEVER
            elif is_error(command):
                self.succeeds_if = conjunction(self.succeeds_if, negation(runs_if))
                return runs_if  # a build that fails is none, so that the rest has no condition
            else:
                runs_if = self._guarded_command(command, runs_if)
            at += 1
        return runs_if

    def _guarded_command(self, command: Command, runs_if: Condition) -> Condition:
        """Execute a command that is no block; what raises an exception is not followed."""
        try:
            return self._command(command, runs_if)
        except FAULTS:
            self.state.doubt(command)
            self.state.add_unfollowed(command, runs_if)
            return runs_if

    def _block(self, block: list[Command], runs_if: Condition) -> Condition:
        """Execute a block without its end; return the condition under which the next command runs."""
        name, arguments, *_ = block[0]
        if name == "if":
            return self._if(block, runs_if)
        if name == "foreach":
            return self._foreach(block, runs_if)
        if name == "while":
            return self._while(block, runs_if)
        if name == "block":
            return self._scope(block, runs_if)
        if arguments:
            self._functions[arguments[0].lower()] = Function(
                name == "macro", arguments[1:], block[1:], self._is_idle(block[1:])
            )
        return runs_if

    def _if(self, block: list[Command], runs_if: Condition) -> Condition:
        reached, is_left = runs_if, False
        after = []
        for arguments, body in branches_of(block):
            holds = ALWAYS if arguments is None else condition_of(arguments, self.state.variables, reached)
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
        if self._is_idle(block[1:]):
            return runs_if
        variables = self.state.variables
        variable, values = loop_values(block[0].arguments)
        before = variables.get(variable, Variable())

        def turns() -> Iterator[Condition]:
            for item in variables.expand_all(values, runs_if):
                taken = conjunction(runs_if, item.condition)
                if is_resolved(item.text):
                    variables[variable] = Variable((item._replace(condition=ALWAYS),), NEVER)
                else:
                    variables[variable] = Variable(doubt=item.doubt)
                    if item.text != UNKNOWN_NUMBERS:  # an unknown list may be empty
                        name = item.text.removeprefix("${").removesuffix("}")
                        taken = conjunction(taken, requirement(f"{name} of CMake has items"))
                yield taken

        next_if = self._loop(block[1:], turns(), runs_if)
        variables[variable] = before
        return next_if

    def _while(self, block: list[Command], runs_if: Condition) -> Condition:
        """Execute the body of a loop once, under the condition that the loop tests."""
        taken = conjunction(runs_if, condition_of(block[0].arguments, self.state.variables, runs_if))
        if taken == NEVER:
            return runs_if
        self.state.doubt(block[0])
        return self._loop(block[1:], [taken], runs_if)

    def _scope(self, block: list[Command], runs_if: Condition) -> Condition:
        """Execute a `block()`, whose variables are separate except for those that it propagates."""
        arguments = block[0].arguments
        kinds = arguments[arguments.index("SCOPE_FOR") + 1 :] if "SCOPE_FOR" in arguments else ["VARIABLES"]
        if "VARIABLES" not in kinds:
            return self._run(block[1:], runs_if)
        propagated = arguments[arguments.index("PROPAGATE") + 1 :] if "PROPAGATE" in arguments else []
        outer = self.state.enter_scope()
        runs_if = self._run(block[1:], runs_if)
        inner = self.state.variables
        self.state.leave_scope()
        outer.update({name: inner[name] for name in propagated if name in inner})
        return runs_if

    def _is_idle(self, commands: list[Command]) -> bool:
        """Return whether commands only print messages, which large projects print for each of thousands of flags."""
        return "message" not in self._functions and all(
            (command.name == "message" and not is_error(command)) or command.name in ("foreach", "endforeach")
            for command in commands
        )

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
        name, arguments, *_ = command
        function = self._functions.get(name)
        follow, fewest = ASSIGNMENTS.get(name) or TARGET_COMMANDS.get(name) or (None, 0)
        if function is not None:
            return self._call(function, command, runs_if)
        if name == "cmake_language" and arguments[:1] == ["CALL"] and len(arguments) > 1:
            return self._command(command._replace(name=arguments[1].lower(), arguments=arguments[2:]), runs_if)
        if name in _FILE_COMMANDS:
            self.follow_file(command, runs_if)
        elif follow is not None and len(arguments) >= fewest:
            follow(self.state, command, runs_if)
        elif name in _LIST_NOTHING or (name.startswith(_LISTS_NOTHING) and name != "cmake_language"):
            self.state.doubt_variables(command)
            if name == "project" and arguments:
                self.state.bind_project(arguments[0], runs_if)
        else:
            items = self.state.add_unfollowed(command, runs_if)
            if not name.startswith(_ADDS_NO_FOLDER):
                self.state.lists.possible_folders.update(texts_of(items))
        return runs_if

    def _call(self, function: Function, command: Command, runs_if: Condition) -> Condition:
        """Execute the body of a function or macro of the file."""
        state = self.state
        if function.is_idle:
            return runs_if
        if self.is_too_deep:
            state.doubt(command)
            return runs_if
        positions, is_certain = positions_of(command.arguments, state.variables, runs_if)
        if not is_certain:  # an argument may be missing, so that the others have other names
            state.targets.add_others([item for items in positions for item in items], runs_if)
        outer, returned, self._returned = state.variables, self._returned, NEVER
        bound = bind(function.parameters, positions)
        hidden = {name: outer.get(name, Variable()) for name in bound}
        if not function.is_macro:
            state.enter_scope()
        state.variables.update(bound)
        self.depth += 1
        self._run(function.body, runs_if)
        self.depth -= 1
        if function.is_macro:  # `return()` of a macro leaves its caller
            outer.update(hidden)
            runs_if = conjunction(runs_if, negation(self._returned))
            self._returned = disjunction((returned, self._returned))
        else:
            state.leave_scope()
            self._returned = returned
        return runs_if
