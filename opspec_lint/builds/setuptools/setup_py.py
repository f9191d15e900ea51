"""The sources that a build script in Python lists: `setup.py`.

Nothing is executed. Lists in branches that never run and in variables without effect on the build are left out. A list
in a branch that may run has the test of the branch as its condition, and so have the lists in a variable that is read
there.
"""

from __future__ import annotations

import ast
import sys
from typing import NamedTuple

from opspec_lint.builds.limits import MAX_STARLARK_STEPS, MAX_STARLARK_TOTAL
from opspec_lint.builds.python_uses import (
    REMOVES,
    Uses,
    changed_variable,
    constants_of,
    ends,
    function_name,
    leaves,
    test_condition,
)
from opspec_lint.builds.setuptools.constant_paths import constant_paths, copied_name
from opspec_lint.builds.setuptools.lists import (
    LiteralLists,
    evaluated_texts,
    is_path,
    literal_texts,
    names_no_source,
    path_filter,
    replaced_assignments,
)
from opspec_lint.builds.source_lists import SourceLists
from opspec_lint.cpp.steps import StepLimit
from opspec_lint.kit.python_text import parse_module, walk
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.builds.source_lists import PathFilter
    from opspec_lint.spec.condition import Condition

_LISTS_FOLDER = frozenset({"listdir", "walk", "scandir", "iterdir", "glob", "rglob", "iglob"})
_SPLITS = frozenset({"split", "splitlines"})
_TOOLS = frozenset({"setuptools", "distutils", "torch", "wheel", "numpy", "packaging", "pybind11", "Cython", "skbuild"})
"""Modules, besides those of Python itself, that add no source to an extension by themselves."""


def find_lists(text: str, lists: SourceLists) -> None:
    """Record the lists of sources in a build script.

    Raises:
        SyntaxError: the text is not Python, such as a script of Python 2.
    """
    try:
        tree = parse_module(text)
        names = (node for node in walk(tree) if isinstance(node, ast.Name))
        used = dict.fromkeys((name.id for name in names if isinstance(name.ctx, ast.Load)), ALWAYS)
        constants = constants_of(tree)
        uses = Uses(constants)
        steps = StepLimit(MAX_STARLARK_TOTAL, largest=MAX_STARLARK_STEPS)
        script = _Script(constants, constant_paths(tree), steps)
        if any(isinstance(statement, (ast.Assign, ast.FunctionDef)) for statement in tree.body):
            # First to learn which variables a build uses, without a record of the lists.
            _Finder(used, SourceLists(), script, uses).read(tree.body)
            used = uses.solve(set(used))
        _Finder(used, lists, script, uses).read(tree.body)
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error)) from None


class _Script(NamedTuple):
    """The variables of a script that are set once, and the steps that its expressions may take."""

    constants: Mapping[str, bool]
    paths: Mapping[str, list[str]]
    steps: StepLimit


class _Finder:
    """A walk over the statements of a build file in their order.

    `_used` has the condition under which something is built from each name. `_assigned` has a mark of the lists
    (`SourceLists.mark`) at the assignment of each variable. `_tested` is the condition of the branch, `_targets` are
    the variable and the function that the statement belongs to.
    """

    def __init__(self, used: Mapping[str, Condition], lists: SourceLists, script: _Script, uses: Uses) -> None:
        self._used = used
        self._lists = lists
        self._constants, self._paths, self._steps = script
        self._uses = uses
        self._tested = ALWAYS
        self._function: tuple[str, ...] = ()
        self._targets: tuple[str, ...] = ()
        self._is_certain = True
        self._assigned: dict[str, int] = {}
        self._filters: tuple[PathFilter, ...] = ()
        """The tests of the comprehensions around an expression."""

    def read(self, body: Iterable[ast.stmt]) -> None:
        """Record the lists in statements, up to one that ends the block."""
        before = self._tested
        statements = list(body)
        # In a branch at the top, a function of the whole script may read the variable.
        replaced = replaced_assignments(statements) if self._function or self._tested == ALWAYS else ()
        literals = LiteralLists(statements, self._steps)
        for statement in statements:
            if statement in replaced:
                continue
            if removed := literals.removed_by(statement):
                self._exclude(removed)
            self._statement(statement)
            if ends(statement):
                break
            if isinstance(statement, ast.If) and any(map(leaves, statement.body)):
                # `if not use_cuda: return []` is a condition of all that comes behind it.
                self._tested = conjunction(self._tested, negation(test_condition(statement.test, self._constants)))
                if self._tested == NEVER:
                    break
        self._tested = before

    def _condition(self) -> Condition:
        """Return the condition under which a list in the current expression is built."""
        condition = self._tested
        for target in self._targets:
            condition = conjunction(condition, self._used.get(target, NEVER))
        return condition

    def _value(self, value: ast.expr, variable: str | None = None) -> None:
        """Record the lists in an expression of a statement, and the names that it uses for a variable."""
        self._targets = self._function if variable is None else (variable, *self._function)
        self._uses.add(value, self._targets, self._tested)
        if self._condition() != NEVER:
            self._expression(value)
        self._targets = self._function

    def _list_texts(self, texts: Iterable[str], excluded: Iterable[str] = ()) -> None:
        self._lists.list(texts, excluded, self._condition(), self._filters)

    def _exclude(self, texts: Iterable[str]) -> None:
        self._lists.exclude(texts, is_certain=self._is_certain, condition=self._condition())

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.If):
            self._if(statement)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._define(statement)
        elif isinstance(statement, ast.ClassDef):
            self._class(statement)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            self._import(statement)
        elif isinstance(statement, (ast.For, ast.While, ast.With, ast.Try)):
            self._nested(statement)
        elif isinstance(statement, (ast.Assign, ast.AugAssign)):
            self._assignment(statement)
        else:
            self._simple(statement)

    def _define(self, statement: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Record the lists in a function that something calls."""
        for value in (*statement.decorator_list, statement.args):
            self._uses.add(value, (), self._tested)
        if statement.name in self._used or statement.decorator_list:
            before = self._function
            self._function = () if statement.decorator_list else (statement.name,)
            self._use_variables([statement.args])
            self.read(statement.body)
            self._function = before

    def _use_variables(self, nodes: Iterable[ast.AST]) -> None:
        """Record variables that may be other names of a list, such as parameters, as used by their function."""
        for node in nodes:
            for inner in walk(node):
                name = inner.arg if isinstance(inner, ast.arg) else inner.id if isinstance(inner, ast.Name) else None
                if name is not None:
                    self._uses.add(ast.Name(id=name), self._function, self._tested)

    def _simple(self, statement: ast.stmt) -> None:
        """Record the lists in a statement that is no block, or in a `match`."""
        if isinstance(statement, ast.Assert):
            self._uses.add_test(statement.test, self._function, self._tested)
        elif isinstance(statement, ast.Match):
            self._value(statement.subject)
            before, self._is_certain = self._is_certain, False
            for case in statement.cases:
                self.read(case.body)
            self._is_certain = before
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            changed = changed_variable(statement)
            for child in ast.iter_child_nodes(statement):
                if isinstance(child, ast.expr):
                    self._value(child, changed)

    def _assignment(self, statement: ast.Assign | ast.AugAssign) -> None:
        """Record the lists that are assigned or added to a variable that the file reads."""
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        name = target.id if isinstance(target, ast.Name) else None
        if isinstance(statement, ast.Assign) and name is not None:
            if name in self._used:
                self._assigned[name] = self._lists.mark()
                self._value(statement.value, name)
            if isinstance(statement.value, ast.Name):  # two names of one list
                self._uses.add(ast.Name(id=name), (statement.value.id,), self._tested)
            return
        if name is None:
            self._use_variables(statement.targets if isinstance(statement, ast.Assign) else ())
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr):
                self._value(child, name)
        # Between the assignment and the addition there may be lists of other variables: if more files than are count as
        # compiled together, a declaration in one of them is unresolved, which is reported.
        if name is not None and name in self._assigned and self._is_certain:
            self._lists.join(self._assigned[name])

    def _class(self, statement: ast.ClassDef) -> None:
        for value in (*statement.decorator_list, *statement.bases, *statement.keywords):
            self._uses.add(value, (), self._tested)
        before, self._function = self._function, ()
        for member in statement.body:
            # A base class calls the methods of a subclass (`build_ext.run`), which no text of the file shows.
            if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.read(member.body)
                for value in (*member.decorator_list, member.args):
                    self._uses.add(value, (), self._tested)
                self._use_variables([member.args])
            else:
                self._statement(member)
        self._function = before

    def _if(self, statement: ast.If) -> None:
        holds = test_condition(statement.test, self._constants)
        self._uses.add_test(statement.test, self._function, self._tested)
        self._expression(statement.test)
        before = self._tested
        for block, condition in ((statement.body, holds), (statement.orelse, negation(holds))):
            self._tested = conjunction(before, condition)
            if self._tested != NEVER:
                self.read(block)
        self._tested = before

    def _nested(self, statement: ast.For | ast.While | ast.With | ast.Try) -> None:
        """Record the lists in a loop, `with` or `try`. Only a `with`, or `else` without a loop, certainly runs."""
        if isinstance(statement, ast.While):
            self._uses.add_test(statement.test, self._function, self._tested)
            if test_condition(statement.test, self._constants) == NEVER:
                self.read(statement.orelse)
                return
        before = self._is_certain
        self._is_certain = before and isinstance(statement, ast.With)
        if isinstance(statement, ast.For):
            self._value(statement.iter)
            self._use_variables([statement.target])
        for item in getattr(statement, "items", ()):
            self._value(item.context_expr)
            self._use_variables([item.optional_vars] if item.optional_vars is not None else [])
        for name in ("body", "orelse", "finalbody"):
            self.read(getattr(statement, name, ()))
        for handler in getattr(statement, "handlers", ()):
            self.read(handler.body)
        self._is_certain = before

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Take the names of a module that is not known as possible lists of sources."""
        modules = [alias.name for alias in statement.names] if isinstance(statement, ast.Import) else [statement.module]
        names = {(module or "").partition(".")[0] for module in modules}
        if not all(name in _TOOLS or name in sys.stdlib_module_names for name in names):
            self._lists.list_unknown(statement.lineno, f"the import of `{min(names)}`")

    def _expression(self, value: ast.AST) -> None:
        """Record the lists in an expression, depth first."""
        if isinstance(value, ast.Call):
            self._call(value)
        elif isinstance(value, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.Subscript)):
            self._chosen(value)
        elif isinstance(value, ast.IfExp):
            self._choice(value)
        elif isinstance(value, ast.Compare):
            self._compare(value)
        elif isinstance(value, ast.BinOp):
            self._sum(value)
        elif isinstance(value, (ast.List, ast.Tuple, ast.Set)):
            self._list(value.elts)
        elif isinstance(value, (ast.Constant, ast.JoinedStr)):
            self._list_texts(literal_texts(value))
        else:
            for child in ast.iter_child_nodes(value):
                self._expression(child)

    def _sum(self, value: ast.BinOp) -> None:
        """Record a sum of lists as one list, and exclude the right side of a difference."""
        since = self._lists.mark()
        self._expression(value.left)
        if isinstance(value.op, ast.Sub):
            self._remove(value.right)
            return
        self._expression(value.right)
        is_chosen = any(isinstance(inner, ast.IfExp) for inner in ast.walk(value))
        if isinstance(value.op, ast.Add) and not is_chosen:
            self._lists.join(since)

    def _remove(self, value: ast.expr) -> None:
        """Exclude the paths in an expression, or in the variable that it names, from which others may be built."""
        self._exclude(literal_texts(value))
        name = copied_name(value)
        if name in self._paths:
            self._exclude(self._paths[name])
            self._lists.list(self._paths[name], condition=self._used.get(name, NEVER))

    def _list(self, elements: list[ast.expr]) -> None:
        """Record the paths in a list as one list, for an extension compiles the whole list."""
        self._list_texts(text for element in elements if is_path(element) for text in literal_texts(element))
        for element in elements:
            if not is_path(element):
                self._expression(element)

    def _chosen(self, value: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.Subscript) -> None:
        """Record the lists in a comprehension with tests or in a part of a list, without the items left out."""
        texts = evaluated_texts(value, self._steps)
        if texts is not None:
            self._list_texts(texts)
            return
        before, tested = self._filters, self._tested
        if isinstance(value, ast.Subscript):
            if isinstance(value.slice, ast.Slice):
                self._tested = conjunction(tested, requirement(f"`{ast.unparse(value)}` has it"))
        else:
            for generator in value.generators:
                if isinstance(generator.target, ast.Name):
                    self._filters += tuple(
                        path_filter(generator.target.id, test, self._steps) for test in generator.ifs
                    )
        for child in ast.iter_child_nodes(value):
            self._expression(child)
        self._filters, self._tested = before, tested

    def _choice(self, value: ast.IfExp) -> None:
        """Record the lists in the branches of a conditional expression that may be chosen."""
        holds = test_condition(value.test, self._constants)
        before = self._tested
        for branch, condition in ((value.body, holds), (value.orelse, negation(holds))):
            self._tested = conjunction(before, condition)
            if self._tested != NEVER:
                self._expression(branch)
        self._tested = before

    def _compare(self, value: ast.Compare) -> None:
        """Record the paths that a condition excludes: `path not in [...]`."""
        if any(isinstance(operator, (ast.NotIn, ast.NotEq)) for operator in value.ops):
            self._exclude(literal_texts(value))

    def _call(self, call: ast.Call) -> None:
        name = function_name(call.func)
        if name == "print":
            return
        if name == "filter" and len(call.args) > 1 and isinstance(call.args[0], ast.Lambda):
            test = call.args[0]
            parameter = test.args.args[0].arg if test.args.args else ""
            before, self._filters = self._filters, (*self._filters, path_filter(parameter, test.body, self._steps))
            self._expression(call.args[1])
            self._filters = before
            return
        if name in _SPLITS and (texts := evaluated_texts(call, self._steps)) is not None:
            self._list_texts(texts)
            return
        excluded = [
            text
            for keyword in call.keywords
            if (keyword.arg or "").startswith("exclude")
            for text in literal_texts(keyword.value)
        ]
        if name in REMOVES and isinstance(call.func, ast.Attribute):
            self._expression(call.func.value)
            for argument in call.args:
                self._remove(argument)
            return
        values = [keyword.value for keyword in call.keywords if not names_no_source(keyword.arg or "")]
        given = [*call.args, *values]
        if name in _LISTS_FOLDER:
            # `glob(["*.cc"], exclude = ["a.cc"])`: both halves are about the same files.
            patterns = [text for value in given for text in literal_texts(value)]
            self._list_texts(patterns, excluded)
            if not any("." in text for text in patterns):
                self._lists.list_unknown(call.lineno, f"`{name}()`")
            return
        self._lists.exclude(excluded, is_certain=False, condition=self._condition())
        if not isinstance(call.func, ast.Name):
            self._expression(call.func)
        for value in given:
            self._expression(value)
