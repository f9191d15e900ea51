"""Evaluation of the statements of Starlark, in a function or at the top of a file."""

from __future__ import annotations

import ast
from typing import Protocol, TypeVar

from opspec_lint.builds.python_uses import function_name
from opspec_lint.builds.starlark.lists import Listing
from opspec_lint.kit.record import Generic, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from opspec_lint.builds.starlark.values import Evaluator
    from opspec_lint.cpp.steps import StepLimit

W = TypeVar("W")

_NO_RULES = frozenset({"print", "load", "licenses", "package_group", "visibility"})
_CHANGES = frozenset({"append", "extend", "insert", "update"})


class Call(Record, Generic[W]):
    """A call that makes a rule: the function, its arguments, and the place of the call.

    `given` are the arguments without names, `named` the others. `strings` has the texts in each argument by its name,
    those in arguments without a name under "".
    """

    kind: str
    given: tuple[object, ...]
    named: Mapping[str, object]
    strings: Mapping[str, list[tuple[str, W]]]
    place: tuple[str, int]


class Functions(Protocol[W]):
    """A file of Starlark with its functions and those that it loads."""

    path: str
    steps: StepLimit
    unused: Collection[str]
    """Arguments of rules that are not evaluated."""

    def evaluator(self, variables: Mapping[str, object]) -> Evaluator[W]:
        """Return an evaluator of expressions of the file, with local variables."""

    def own_label(self, label: str) -> str:
        """Return a label that begins with a repository, without it if the tree itself is the repository."""

    def execute(
        self, name: str, given: list[object], named: Mapping[str, object], calls: list[Call[W]] | None
    ) -> object | None:
        """Evaluate a function, and add the rules that it makes to `calls`; one that is not known raises."""


class NotFollowedError(Exception):
    """A function that is not in the tree, or that has a statement which cannot be evaluated."""


class Returned(Record):
    """The value that a function returns."""

    value: object


class Body(Generic[W]):
    """The evaluation of the statements of a function; `calls` receives the rules that it makes, None for none."""

    def __init__(self, file: Functions[W], variables: Mapping[str, object], calls: list[Call[W]] | None) -> None:
        self._file = file
        self._evaluator = file.evaluator(variables)
        self._calls = calls

    @property
    def variables(self) -> dict[str, object]:
        """The local variables."""
        return self._evaluator.variables

    def run(self, statements: Iterable[ast.stmt]) -> Returned | None:
        """Evaluate statements, up to one that returns."""
        for statement in statements:
            self._file.steps.spend(1)
            returned = self._statement(statement)
            if returned is not None:
                return returned
        return None

    def _statement(self, statement: ast.stmt) -> Returned | None:
        evaluate = self._evaluator.value
        if isinstance(statement, ast.Return):
            return Returned(value=None if statement.value is None else evaluate(statement.value))
        if isinstance(statement, ast.If):
            holds = self._evaluator.truth(evaluate(statement.test))
            if holds is None:
                raise NotFollowedError
            return self.run(statement.body if holds else statement.orelse)
        if isinstance(statement, ast.For):
            return self._for(statement)
        if isinstance(statement, ast.Assign):
            value = evaluate(statement.value)
            for target in statement.targets:
                self._assign(target, value)
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
            before, added = evaluate(statement.target), evaluate(statement.value)
            if isinstance(before, Listing):  # also for its other names
                self._extend(before, added, statement)
            else:
                self._assign(statement.target, self._evaluator.sum(before, added, statement))
        elif isinstance(statement, ast.Expr):
            self._expression(statement.value)
        elif not isinstance(statement, ast.Pass):
            raise NotFollowedError
        return None

    def _for(self, statement: ast.For) -> Returned | None:
        elements = self._evaluator.plain(self._evaluator.elements(statement.iter))
        if not isinstance(elements, tuple):
            raise NotFollowedError
        for element in elements:
            self._evaluator.bind(statement.target, self._evaluator.listed(element))
            returned = self.run(statement.body)
            if returned is not None:
                return returned
        return None

    def _assign(self, target: ast.expr, value: object) -> None:
        if isinstance(target, ast.Subscript):
            container, key = self._evaluator.value(target.value), self._evaluator.value(target.slice)
            if not isinstance(container, dict) or not isinstance(key, str):
                raise NotFollowedError
            container[key] = value
        elif isinstance(target, (ast.Name, ast.Tuple, ast.List)):
            self._evaluator.bind(target, value)
        else:
            raise NotFollowedError

    def _expression(self, value: ast.expr) -> None:
        """Evaluate an expression whose value is not used."""
        if isinstance(value, ast.Constant):
            return
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and is_change(value):
            self._change(value, value.func)
        elif self._calls is None or not makes_rules(value):
            raise NotFollowedError
        else:
            for call in self.calls_of(value):
                if call.kind == "fail":
                    raise NotFollowedError
                made: list[Call[W]] = []
                try:
                    self._file.execute(call.kind, list(call.given), call.named, made)
                except NotFollowedError:
                    made = [call]
                self._calls += made

    def _change(self, call: ast.Call, function: ast.Attribute) -> None:
        """Evaluate `dict.update(x)`, `list.append(x)`, `list.extend(x)`, or `list.insert(i, x)` at any `i`."""
        container = self._evaluator.value(function.value)
        given = [self._evaluator.value(argument) for argument in call.args]
        if isinstance(container, dict) and function.attr == "update" and given and isinstance(given[0], dict):
            container.update(given[0])
            return
        if not isinstance(container, Listing) or not given or function.attr == "update":
            raise NotFollowedError
        self._extend(container, given[-1] if function.attr == "extend" else self._evaluator.listed([given[-1]]), call)

    def _extend(self, container: Listing[W], added: object, node: ast.AST) -> None:
        """Add the elements of a list to another one."""
        total = self._evaluator.sum(container, added, node)
        if not isinstance(total, Listing):
            raise NotFollowedError
        container.items, container.is_partial, container.unknown = total.items, total.is_partial, total.unknown

    def calls_of(self, value: ast.expr) -> list[Call[W]]:
        """Return the rules of a call, or of a list or comprehension of calls.

        Raises:
            NotFollowedError: it is another expression.
        """
        evaluator = self._evaluator
        if isinstance(value, ast.Call):
            kind = function_name(value.func)
            if kind in _NO_RULES:
                return []
            given = tuple(evaluator.value(argument) for argument in value.args)
            named = evaluator.named_arguments(value, self._file.unused)
            strings = {name: self._labels(argument) for name, argument in named.items()}
            for argument in given:
                strings.setdefault("", []).extend(self._labels(argument))
            place = (self._file.path, value.lineno)
            return [Call(kind=kind, given=given, named=named, strings=strings, place=place)]
        if isinstance(value, (ast.List, ast.Tuple)):
            return [call for element in value.elts for call in self.calls_of(element)]
        if not isinstance(value, ast.ListComp):
            raise NotFollowedError
        calls: list[Call[W]] = []
        outcome = evaluator.loop(value.generators, lambda _: calls.extend(self.calls_of(value.elt)))
        if outcome.unknown is not None or (outcome.is_partial and not calls):
            calls += self.calls_of(value.elt)  # read as one rule, without the variable of the loop
        return calls

    def _labels(self, argument: object) -> list[tuple[str, W]]:
        """Return the texts of an argument, without the name of the own repository in labels."""
        texts = self._evaluator.texts(argument)
        return [(self._file.own_label(text) if text.startswith("@") else text, where) for text, where in texts]


def makes_rules(value: ast.expr) -> bool:
    """Return whether a statement with an expression may only make rules: a call, or calls in a list."""
    return isinstance(value, (ast.Call, ast.ListComp, ast.List, ast.Tuple)) and not is_change(value)


def is_change(value: ast.expr) -> bool:
    """Return whether an expression is a call such as `list.append(x)`."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _CHANGES
