"""The expressions of a build script in Python that list sources, and the calls that remove some."""

from __future__ import annotations

import ast
from typing import NamedTuple

from opspec_lint.builds.python_uses import REMOVES, function_name, test_condition
from opspec_lint.builds.setuptools.constant_paths import copied_name
from opspec_lint.builds.setuptools.lists import (
    evaluated_texts,
    is_path,
    literal_texts,
    names_no_source,
    path_filter,
)
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from opspec_lint.builds.python_uses import Uses
    from opspec_lint.builds.setuptools.lists import NamedTexts
    from opspec_lint.builds.source_lists import PathFilter, SourceLists
    from opspec_lint.cpp.steps import StepLimit
    from opspec_lint.spec.condition import Condition

_LISTS_FOLDER = frozenset({"listdir", "walk", "scandir", "iterdir", "glob", "rglob", "iglob"})
_SPLITS = frozenset({"split", "splitlines"})


class Script(NamedTuple):
    """The facts about a whole script.

    Attributes:
        constants: the truth of variables that are constants.
        uses: the conditions under which something is built from the variables.
        steps: the limit of evaluations.
        ending: the functions that never return.
        texts: the literal texts in the values of the variables.
        paths: the paths and patterns in variables that are set once and hold nothing else.
    """

    constants: Mapping[str, bool]
    uses: Uses[PathFilter]
    steps: StepLimit
    ending: Collection[str]
    texts: NamedTexts
    paths: Mapping[str, list[str]]


class ListExpressions:
    """The lists of sources in expressions.

    `_used` has the condition under which something is built from each name. `_tested` is the condition of the branch,
    and `_is_certain` whether its statements are certainly executed under it. `_targets` are the variable and the
    function that the expression belongs to, and `_filters` are the tests of the comprehensions around it.
    """

    def __init__(self, used: Mapping[str, Condition], lists: SourceLists, script: Script) -> None:
        self._used = used
        self._lists = lists
        self._constants, self._uses, self._steps, self._ending, self._texts, self._paths = script
        self._tested = ALWAYS
        self._is_certain = True
        self._targets: tuple[str, ...] = ()
        self._filters: tuple[PathFilter, ...] = ()

    def _condition(self) -> Condition:
        """Return the condition under which a list in the current expression is built."""
        condition = self._tested
        for target in self._targets:
            condition = conjunction(condition, self._used.get(target, NEVER))
        return condition

    def _list_texts(self, texts: Iterable[str], excluded: Iterable[str] = ()) -> None:
        kept_by = (keeps for target in self._targets[:1] for keeps in self._uses.tests_of_items(target))
        self._lists.list(texts, excluded, self._condition(), (*self._filters, *kept_by))

    def _exclude(self, texts: Iterable[str]) -> None:
        self._lists.exclude(texts, is_certain=self._is_certain, condition=self._condition())

    def read_expression(self, value: ast.AST) -> None:
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
                self.read_expression(child)

    def _sum(self, value: ast.BinOp) -> None:
        """Record a sum of lists as one list, and exclude the right side of a difference."""
        since = self._lists.mark()
        self.read_expression(value.left)
        if isinstance(value.op, ast.Sub):
            self._remove(value.right)
            return
        self.read_expression(value.right)
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
                self.read_expression(element)

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
            self.read_expression(child)
        self._filters, self._tested = before, tested

    def _choice(self, value: ast.IfExp) -> None:
        """Record the lists in the branches of a conditional expression that may be chosen."""
        holds = test_condition(value.test, self._constants)
        before = self._tested
        for branch, condition in ((value.body, holds), (value.orelse, negation(holds))):
            self._tested = conjunction(before, condition)
            if self._tested != NEVER:
                self.read_expression(branch)
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
            self.read_expression(call.args[1])
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
            self.read_expression(call.func.value)
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
            self.read_expression(call.func)
        for value in given:
            self.read_expression(value)
