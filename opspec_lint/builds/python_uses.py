"""The variables of a build script in Python from which something is built, and the tests of its branches."""

from __future__ import annotations

import ast
from functools import reduce
from typing import Generic, TypeVar

from opspec_lint.kit.python_text import walk
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from opspec_lint.spec.condition import Condition

T = TypeVar("T")

NO_SOURCES = frozenset(
    {
        *("packages", "package_data", "data_files", "py_modules", "include_dirs", "library_dirs", "name", "visibility"),
        *("depends", "extra_link_args", "extra_compile_args", "define_macros", "undef_macros", "libraries"),
        *("description", "long_description", "version", "install_requires", "data"),
    }
)
"""Arguments of `setup`, of an extension and of a rule of Bazel that name no source to compile."""
REMOVES = frozenset({"remove", "discard", "difference", "difference_update"})
"""Methods that remove their arguments from a collection."""
CHANGES = frozenset({"append", "extend", "insert", "add", "update"})
"""Methods that add their arguments to a collection."""
COPIES = frozenset({"list", "set", "frozenset", "tuple", "sorted"})
"""Functions that return a collection with the items of their argument."""
GLOBS = frozenset({"glob", "iglob"})
"""Functions that return the files that match a pattern."""
_WITHOUT_EFFECT = frozenset({"print", "info", "debug", "warn", "warning", "len"})
_EXISTS = frozenset({"exists", "isfile", "isdir", "is_file", "is_dir"})
_READS_ANY_NAME = frozenset({"globals", "locals", "vars", "exec", "eval", "getattr"})
_OPPOSITES: Mapping[type[ast.cmpop], type[ast.cmpop]] = {ast.NotEq: ast.Eq, ast.NotIn: ast.In, ast.IsNot: ast.Is}
_MAX_STEPS = 20
"""Steps in which conditions of uses are passed on; a longer chain of variables counts as used."""


def constants_of(tree: ast.Module) -> dict[str, bool]:
    """Return the truth of each variable that a script sets once, at its top, to a constant."""
    count: dict[str, int] = {}
    for node in walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            count[node.id] = count.get(node.id, 0) + 1
        elif isinstance(node, ast.arg):
            count[node.arg] = 2
    return {
        target.id: bool(statement.value.value)
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
        for target in statement.targets
        if isinstance(target, ast.Name) and count[target.id] == 1
    }


def test_condition(test: ast.expr, constants: Mapping[str, bool]) -> Condition:
    """Return the condition that a test holds: ALWAYS or NEVER for a constant, else its text."""
    if isinstance(test, ast.Constant):
        return ALWAYS if test.value else NEVER
    if isinstance(test, ast.Name) and test.id in constants:
        return ALWAYS if constants[test.id] else NEVER
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return negation(test_condition(test.operand, constants))
    if isinstance(test, ast.BoolOp):
        conditions = [test_condition(value, constants) for value in test.values]
        if isinstance(test.op, ast.Or):
            return disjunction(conditions)
        return reduce(conjunction, conditions, ALWAYS)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _comparison(test)
    if isinstance(test, ast.Call) and function_name(test.func) in _EXISTS:
        return ALWAYS  # only files of the tree are looked up
    return requirement(ast.unparse(test))


def _comparison(test: ast.Compare) -> Condition:
    """Return the condition of a comparison; a build runs the script as the main program."""
    operator, right = test.ops[0], test.comparators[0]
    if isinstance(test.left, ast.Name) and test.left.id == "__name__" and isinstance(right, ast.Constant):
        return ALWAYS if (right.value == "__main__") == isinstance(operator, ast.Eq) else NEVER
    if type(operator) in _OPPOSITES:
        opposite = ast.Compare(test.left, [_OPPOSITES[type(operator)]()], [right])
        return requirement(ast.unparse(opposite), holds=False)
    if isinstance(test.left, ast.Call) and function_name(test.left.func) == "len" and isinstance(operator, ast.Gt):
        return ALWAYS  # a list that contains the source is not empty
    return requirement(ast.unparse(test))


def is_effect_free(call: ast.Call) -> bool:
    """Return whether a call builds nothing from its arguments, such as `print`."""
    return function_name(call.func) in _WITHOUT_EFFECT


class Uses(Generic[T]):
    """The conditions under which something is built from the variables and functions of a script.

    A use of a name passes it on to the variable that is assigned and to the function whose body has the use: these in
    turn have to be used. A name that is used in a way that is not followed is built from.
    """

    def __init__(self, constants: Mapping[str, bool]) -> None:
        self._constants = constants
        self._edges: dict[str, dict[tuple[tuple[str, ...], Condition], None]] = {}
        """The uses of each name, once each: their targets and conditions."""
        self._passing_on: dict[str, set[str]] = {}
        """The names whose uses have a name as target."""
        self._is_any_read = False
        self._kept_if: dict[str, Condition] = {}
        self._tests: dict[str, dict[ast.stmt, list[T]]] = {}
        """The tests of each statement that takes items out of a variable, by the variable and the statement."""

    def limit(self, name: str, kept_if: Condition) -> None:
        """Record that a variable keeps its content only under a condition."""
        self._kept_if[name] = conjunction(self._kept_if.get(name, ALWAYS), kept_if)

    def limit_items(self, name: str, statement: ast.stmt, tests: Iterable[T]) -> None:
        """Record that a variable keeps only the items that pass the tests of a statement."""
        self._tests.setdefault(name, {})[statement] = list(tests)

    def tests_of_items(self, name: str) -> list[T]:
        """Return the tests that the items of a variable have to pass, also where it becomes a part of another one."""
        tests: list[T] = []
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            tests += (test for tests in self._tests.get(name, {}).values() for test in tests)
            passed_to = {targets[0] if targets else "" for targets, _ in self._edges.get(name, ())} - {name}
            if len(passed_to) == 1:
                name = passed_to.pop()
        return tests

    def add(self, value: ast.AST, targets: tuple[str, ...], condition: Condition) -> None:
        """Record the names that an expression uses: all of `targets` have to be used for it to have an effect."""
        if isinstance(value, ast.Name):
            self._is_any_read |= value.id in _READS_ANY_NAME
            if condition != NEVER:
                self._edges.setdefault(value.id, {})[targets, condition] = None
                for target in targets:
                    self._passing_on.setdefault(target, set()).add(value.id)
        elif isinstance(value, ast.IfExp):
            holds = test_condition(value.test, self._constants)
            self.add_test(value.test, targets, condition)
            self.add(value.body, targets, conjunction(condition, holds))
            self.add(value.orelse, targets, conjunction(condition, negation(holds)))
        elif isinstance(value, ast.Call) and is_effect_free(value):
            self.add_test(value, targets, condition)
        elif isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub):
            self.add(value.left, targets, condition)
            self.add_test(value.right, targets, condition)
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in REMOVES:
            self.add(value.func.value, targets, condition)
            for argument in value.args:
                self.add_test(argument, targets, condition)
        elif isinstance(value, ast.keyword) and value.arg in NO_SOURCES:
            self.add_test(value.value, targets, condition)
        else:
            for child in ast.iter_child_nodes(value):
                self.add(child, targets, condition)

    def add_test(self, value: ast.AST, targets: tuple[str, ...], condition: Condition) -> None:
        """Record the functions that a test calls: it builds nothing from the other names in it."""
        for node in walk(value):
            if isinstance(node, ast.Call) and not is_effect_free(node):
                self.add(node.func, targets, condition)

    def solve(self, names: set[str]) -> dict[str, Condition]:
        """Return the condition under which something is built from each name; one from which nothing is has none."""
        if self._is_any_read:
            return {name: self._kept_if.get(name, ALWAYS) for name in names}
        result: dict[str, Condition] = {}
        waiting: Collection[str] = self._edges
        for _ in range(_MAX_STEPS):
            step = {name: self._used_if(name, result) for name in waiting}
            changed = {name for name, condition in step.items() if condition != result.get(name, NEVER)}
            if not changed:
                return {name: condition for name, condition in result.items() if condition != NEVER}
            result |= step
            # Only these conditions may be others in the next step.
            waiting = {name for target in changed for name in self._passing_on.get(target, ())}
        return dict.fromkeys(names, ALWAYS)

    def _used_if(self, name: str, used: Mapping[str, Condition]) -> Condition:
        """Return the condition under which something is built from a name, given the conditions of all names so far."""
        reached: list[Condition] = [NEVER]
        for targets, tested in self._edges[name]:
            condition = tested
            for target in targets:
                condition = conjunction(condition, used.get(target, NEVER))
            reached.append(condition)
        return conjunction(disjunction(reached), self._kept_if.get(name, ALWAYS))


def function_name(function: ast.expr) -> str:
    """Return the name of a function that is called, "" for any other expression."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def changed_variable(statement: ast.stmt) -> str | None:
    """Return the variable to which a statement adds something; None for another statement."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES:
        return call.func.value.id if isinstance(call.func.value, ast.Name) else None
    return None
