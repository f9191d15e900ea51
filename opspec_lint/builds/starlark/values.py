"""Evaluation of expressions of Starlark, the language of Bazel's BUILD and .bzl files.

The grammar of Starlark is a subset of Python's, so that Python's parser reads it; nothing is executed. Values are those
of Python, but a list is a `Listing`, whose elements have the cases in which they are in it. An expression that cannot
be evaluated is a `Listing` with the place of this expression.
"""

from __future__ import annotations

import ast
import operator
from typing import ClassVar, Generic, TypeVar

from opspec_lint.builds.python_uses import function_name
from opspec_lint.builds.starlark import methods
from opspec_lint.builds.starlark.lists import Listing
from opspec_lint.cpp.steps import TooLongError
from opspec_lint.kit.guarded import is_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping

    from opspec_lint.builds.starlark.lists import Cases, Scope
    from opspec_lint.cpp.steps import StepLimit

W = TypeVar("W")
"""A set of cases, such as the builds that have a source."""

_LONGEST = 10_000
"""Characters of a text that is made; one may be doubled again and again."""
_DEFAULT = "//conditions:default"
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[object, object], bool]] = {ast.Eq: operator.eq, ast.NotEq: operator.ne}


class Evaluator(Generic[W]):
    """The values of expressions in a scope, with local variables.

    Only `TooLongError` and `RecursionError` are raised; an expression that fails in any other way is unknown.
    """

    def __init__(self, scope: Scope, cases: Cases[W], variables: Mapping[str, object], steps: StepLimit) -> None:
        self._scope = scope
        self._cases = cases
        self.variables = dict(variables)
        self._steps = steps

    def unknown(self, node: ast.AST, items: Iterable[tuple[object, W]] = ()) -> Listing[W]:
        """Return an unknown value that has some known elements."""
        return Listing(items, unknown=(self._scope.path, getattr(node, "lineno", 1)))

    def truth(self, value: object) -> bool | None:
        """Return whether a value counts as true; None if this is unknown."""
        if not isinstance(value, Listing):
            return bool(value)
        if value.items and value.unknown is None:
            return True
        return None if value.is_partial else False

    def value(self, node: ast.expr) -> object:
        """Return the value of an expression."""
        self._steps.spend(1)
        if isinstance(node, ast.Constant):
            return node.value
        evaluate = self._EXPRESSIONS.get(type(node))
        try:
            return self.unknown(node) if evaluate is None else evaluate(self, node)
        except (TooLongError, RecursionError):
            raise
        # The file decides the operands, so that any error of Python is possible: `{} in {}`, `str` of a long number.
        except Exception:
            return self.unknown(node)

    def texts(self, value: object) -> list[tuple[str, W]]:
        """Return the texts in a value, each with the cases that have it."""
        if isinstance(value, str):
            return [(value, self._cases.every)]
        result: list[tuple[str, W]] = []
        items = value.items if isinstance(value, Listing) else ()
        if isinstance(value, dict):
            items = [(part, self._cases.every) for item in value.items() for part in item]
        self._steps.spend(len(items))
        for element, where in items:
            if isinstance(element, str):
                result.append((element, where))
            else:
                result += [(text, self._cases.both(where, inner)) for text, inner in self.texts(element)]
        return result

    def _name(self, node: ast.Name) -> object:
        if node.id in self.variables:
            return self.variables[node.id]
        value = self._scope.variable(node.id)
        return self.unknown(node) if value is None else value

    def _joined(self, node: ast.JoinedStr) -> object:
        """Return the text of an f-string, which only a script in Python has."""
        fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        parts = [self.value(part.value if isinstance(part, ast.FormattedValue) else part) for part in node.values]
        if all(isinstance(part, str) for part in parts) and not any(field.format_spec for field in fields):
            return self._made("".join(map(str, parts)), node)
        return self.unknown(node)

    def _made(self, result: object | None, node: ast.AST) -> object:
        """Return a result of a function of Python as a value: unknown for None or a text that is too long."""
        if isinstance(result, str):
            self._steps.spend(len(result) // 50)  # also before a long text is made again and again
        is_unknown = result is None or (isinstance(result, str) and len(result) > _LONGEST)
        return self.unknown(node) if is_unknown else self.listed(result)

    def _list(self, node: ast.List | ast.Tuple | ast.Set) -> object:
        return self._of([(self.value(element), self._cases.every) for element in node.elts])

    def _of(self, items: list[tuple[object, W]]) -> Listing[W]:
        """Return a list, which is unknown if one of its elements is."""
        unknown = next((value.unknown for value, _ in items if isinstance(value, Listing) and value.unknown), None)
        return Listing(items, unknown=unknown)

    def _dict(self, node: ast.Dict) -> object:
        result: dict[object, object] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            name = self.value(key) if key is not None else None
            # An unknown function around a label, such as `clean_dep("//a:b")`, is taken to return it.
            texts = self.texts(name)
            if not texts and not isinstance(name, (int, bool)):
                return self.unknown(node)
            result[texts[0][0] if texts else name] = self.value(value)
        return result

    def _binary(self, node: ast.BinOp) -> object:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Add):
            return self.sum(left, right, node)
        if isinstance(node.op, ast.Mod) and isinstance(left, str):
            return self._made(methods.interpolate(left, self.plain(right)), node)
        if isinstance(node.op, ast.BitOr) and isinstance(left, dict) and isinstance(right, dict):
            self._steps.spend(len(left) + len(right))
            return {**left, **right}
        return self.unknown(node)

    def sum(self, left: object, right: object, node: ast.AST) -> object:
        """Return the sum of two texts, numbers or lists."""
        if isinstance(left, Listing) and isinstance(right, Listing):
            self._steps.spend(len(left.items) + len(right.items))
            return Listing(
                [*left.items, *right.items],
                is_partial=left.is_partial or right.is_partial,
                unknown=left.unknown or right.unknown,
            )
        left, right = self._only_text(left), self._only_text(right)
        if isinstance(left, str) and isinstance(right, str):
            return self._made(left + right, node)
        if isinstance(left, int) and isinstance(right, int):
            return left + right
        return self.unknown(node, [*self.texts(left), *self.texts(right)])

    def _only_text(self, value: object) -> object:
        """Return the text of a list with a single one: the result of an unknown function beside a text is a text."""
        texts = self.texts(value) if isinstance(value, Listing) else ()
        return texts[0][0] if len(texts) == 1 else value

    def plain(self, value: object) -> object:
        """Return a list that is known and the same in all cases as a tuple, another value as it is."""
        if not isinstance(value, Listing) or value.is_partial:
            return value
        self._steps.spend(len(value.items))
        if any(where != self._cases.every for _, where in value.items):
            return value
        return tuple(self.plain(element) for element, _ in value.items)

    def _unary(self, node: ast.UnaryOp) -> object:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            holds = self.truth(value)
            return self.unknown(node) if holds is None else not holds
        return -value if isinstance(node.op, ast.USub) and isinstance(value, int) else self.unknown(node)

    def _boolean(self, node: ast.BoolOp) -> object:
        value: object = None
        for operand in node.values:
            value = self.value(operand)
            holds = self.truth(value)
            if holds is None:
                return self.unknown(node)
            if holds == isinstance(node.op, ast.Or):
                break
        return value

    def _compare(self, node: ast.Compare) -> object:
        left, right, test = self.value(node.left), self.value(node.comparators[0]), type(node.ops[0])
        if len(node.ops) > 1:
            return self.unknown(node)
        if test in (ast.In, ast.NotIn):
            contains = self._contains(right, left)
            return self.unknown(node) if contains is None else contains == (test is ast.In)
        first, second = self.plain(left), self.plain(right)
        compare = _COMPARISONS.get(test)
        if compare is None or not is_plain(first, second):
            return self.unknown(node)
        return compare(first, second)

    def _contains(self, container: object, element: object) -> bool | None:
        if not isinstance(element, (str, int)):
            return None
        if isinstance(container, (str, dict)):
            return element in container if isinstance(element, str) or isinstance(container, dict) else None
        if not isinstance(container, Listing):
            return None
        self._steps.spend(len(container.items))
        matches = [where for value, where in container.items if value == element]
        if self._cases.every in matches:
            return True
        return None if matches or container.is_partial else False

    def _choice(self, node: ast.IfExp) -> object:
        holds = self.truth(self.value(node.test))
        if holds is None:
            return self.unknown(node)
        return self.value(node.body if holds else node.orelse)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> object:
        items: list[tuple[object, W]] = []
        outcome = self.loop(node.generators, lambda where: items.append((self.value(node.elt), where)))
        result = self._of(items)
        result.is_partial |= outcome.is_partial
        result.unknown = result.unknown or outcome.unknown
        return result

    def loop(self, generators: list[ast.comprehension], step: Callable[[W], None]) -> Listing[W]:
        """Call a function with the cases of each turn of the loops of a comprehension.

        Returns:
            An empty list that says whether some turns are not known.
        """
        before, outcome = self.variables, Listing[W]()
        self.variables = dict(before)
        try:
            self._turns(generators, self._cases.every, step, outcome)
        finally:
            self.variables = before
        return outcome

    def _turns(
        self, generators: list[ast.comprehension], where: W, step: Callable[[W], None], outcome: Listing[W]
    ) -> None:
        if not generators:
            step(where)
            return
        generator = generators[0]
        elements = self.elements(generator.iter)
        outcome.is_partial |= elements.is_partial
        outcome.unknown = outcome.unknown or elements.unknown
        for element, present in elements.items:
            self.bind(generator.target, element)
            tests = [self.truth(self.value(test)) for test in generator.ifs]
            if None in tests and False not in tests:
                outcome.is_partial, outcome.unknown = True, outcome.unknown or self.unknown(generator.target).unknown
            elif all(tests):
                self._turns(generators[1:], self._cases.both(where, present), step, outcome)

    def elements(self, node: ast.expr) -> Listing[W]:
        """Return the elements that a loop takes from an expression."""
        value = self.value(node)
        if isinstance(value, dict):
            return Listing([(key, self._cases.every) for key in value])
        return value if isinstance(value, Listing) else self.unknown(node)

    def bind(self, target: ast.expr, value: object) -> None:
        """Assign a value to a variable or to several."""
        if isinstance(target, ast.Name):
            self.variables[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = value.items if isinstance(value, Listing) and not value.is_partial else []
            for index, element in enumerate(target.elts):
                known = len(items) == len(target.elts)
                self.bind(element, items[index][0] if known else self.unknown(target))
        elif isinstance(target, ast.Starred):
            self.bind(target.value, self.unknown(target))

    def _subscript(self, node: ast.Subscript) -> object:
        base = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            return self._slice(node, base, node.slice)
        key = self.value(node.slice)
        sequence = base if isinstance(base, (dict, str)) else self.plain(base)
        try:
            item = sequence[key]  # type: ignore[index] # a wrong type of base or key is unknown
        except (TypeError, LookupError):
            return self.unknown(node)
        return self.listed(item)

    def _slice(self, node: ast.Subscript, base: object, part: ast.Slice) -> object:
        """Return a part of a text or of a list that is the same in all cases."""
        bounds = [None if bound is None else self.value(bound) for bound in (part.lower, part.upper)]
        first, last = [bound if isinstance(bound, int) else None for bound in bounds]
        sequence = self.plain(base)
        if part.step is not None or [first, last] != bounds or not isinstance(sequence, (str, tuple)):
            return self.unknown(node)
        return Listing(base.items[first:last]) if isinstance(base, Listing) else sequence[first:last]

    def listed(self, value: object) -> object:
        """Return a value of Python as one of Starlark: lists and tuples are listings."""
        if isinstance(value, (list, tuple)):
            self._steps.spend(len(value))
            return Listing([(self.listed(element), self._cases.every) for element in value])
        return value

    def _call(self, call: ast.Call) -> object:
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            return self.unknown(call)
        name = function_name(call.func)
        given, named = [self.value(argument) for argument in call.args], self.named_arguments(call)
        if name == "glob":
            return self._glob(given, named)
        if name == "select" and given:
            return self._select(given[0], call)
        if isinstance(call.func, ast.Attribute) and not _is_module(call.func.value):
            base = self.value(call.func.value)
            if isinstance(base, (str, dict)):
                plain = {argument: self.plain(value) for argument, value in named.items()}
                result = methods.call_method(base, name, [*map(self.plain, given)], plain)
                return self._made(result, call)
        result = self._scope.call_function(name, given, named)
        return self._built_in(call, name, given, named) if result is None else result

    def named_arguments(self, call: ast.Call, unused: Container[str | None] = ()) -> dict[str, object]:
        """Return the values of the named arguments of a call, with those in `**kwargs`; unused ones are unknown."""
        named: dict[str, object] = {}
        for keyword in call.keywords:
            value = self.unknown(call) if keyword.arg in unused else self.value(keyword.value)
            if keyword.arg is not None:
                named[keyword.arg] = value
            elif isinstance(value, dict):
                named |= {str(name): inner for name, inner in value.items()}
            else:  # any argument may be in it
                named["**"] = self.unknown(call, self.texts(value))
        return named

    def _built_in(self, call: ast.Call, name: str, given: list[object], named: dict[str, object]) -> object:
        """Return the result of a function that is no function of the tree, judged by its name.

        A function that is not known is taken to return the texts of its arguments.
        """
        if name == "package_name":
            return self._scope.package
        if name in _SAME and given:
            return (
                given[0]
                if name in ("list", "tuple", "set", "depset", "Label", "str")
                else self._in_order(call, given[0])
            )
        if name in methods.FUNCTIONS and not named:
            return self._made(methods.FUNCTIONS[name](*map(self.plain, given)), call)
        values = [*given, *named.values()]
        if name.startswith("if_") and values:
            holds = self._cases.where(name)
            chosen = [(text, self._cases.both(where, holds)) for text, where in self.texts(values[0])]
            others = [item for value in values[1:] for item in self.texts(value)]
            return Listing([*chosen, *((text, self._cases.without(where, holds)) for text, where in others)])
        items = [item for value in values for item in self.texts(value)]
        has_list = any(isinstance(value, Listing) and value.unknown is None for value in values)
        return Listing(items, is_partial=True) if has_list else self.unknown(call, items)

    def _in_order(self, call: ast.Call, value: object) -> object:
        """Return a list in another order, `sorted` or `reversed`: it is partial, as no index is known."""
        whole = self.plain(value)
        if isinstance(whole, tuple) and all(isinstance(element, str) for element in whole):
            return self.listed(sorted(whole) if function_name(call.func) == "sorted" else whole[::-1])
        if isinstance(value, Listing):
            return Listing(value.items, is_partial=True, unknown=value.unknown)
        return self.unknown(call)

    def _glob(self, given: list[object], named: dict[str, object]) -> Listing[W]:
        """Return the files that a `glob` matches, among the sources that the reader searches for."""
        included = [text for text, _ in self.texts(given[0] if given else named.get("include"))]
        excluded = [text for text, _ in self.texts(named.get("exclude"))]
        files = self._scope.glob(included, excluded)
        patterns = (*given[:1], named.get("include"), named.get("exclude"))
        unknown = next((value.unknown for value in patterns if isinstance(value, Listing) and value.unknown), None)
        return Listing([(path, self._cases.every) for path in files], is_partial=True, unknown=unknown)

    def _select(self, choices: object, call: ast.Call) -> Listing[W]:
        """Return the elements of a `select`, each with the cases in which its setting is the first true one."""
        if not isinstance(choices, dict):
            return self.unknown(call)
        result: Listing[W] = Listing()
        left = self._cases.every
        # The default comes last, wherever it is written.
        for setting, value in sorted(choices.items(), key=lambda choice: choice[0] == _DEFAULT):
            holds = left if setting == _DEFAULT else self._cases.both(self._cases.where(str(setting)), left)
            left = self._cases.without(left, holds)
            result.items += [(text, self._cases.both(where, holds)) for text, where in self.texts(value)]
            if isinstance(value, Listing):
                result.is_partial |= value.is_partial
                result.unknown = result.unknown or value.unknown
        return result

    _EXPRESSIONS: ClassVar[Mapping[type[ast.expr], Callable[..., object]]] = {
        ast.Name: _name,
        ast.JoinedStr: _joined,
        ast.Call: _call,
        ast.BinOp: _binary,
        ast.Dict: _dict,
        ast.List: _list,
        ast.Tuple: _list,
        ast.Set: _list,
        ast.ListComp: _comprehension,
        ast.GeneratorExp: _comprehension,
        ast.SetComp: _comprehension,
        ast.UnaryOp: _unary,
        ast.BoolOp: _boolean,
        ast.Compare: _compare,
        ast.IfExp: _choice,
        ast.Subscript: _subscript,
    }


_SAME = frozenset({"list", "tuple", "set", "depset", "Label", "str", "sorted", "reversed"})


def _is_module(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "native"
