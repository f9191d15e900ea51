"""Evaluates the expressions of Python files: constants, names, containers, calls."""

from __future__ import annotations

import ast
import operator
from functools import partial

from opspec_lint.frameworks.pytorch.extract.python.state import Frame, State, merged
from opspec_lint.frameworks.pytorch.extract.python.values import (
    CONTAINER,
    PRIMITIVE,
    UNKNOWN,
    Annotation,
    Choice,
    Class,
    Deferred,
    Function,
    Imported,
    Instance,
    Library,
    Maker,
    Method,
    Module,
    Package,
    Partial,
    Scope,
    Unknown,
    is_known,
    is_same,
)
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, both, either, negation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.pytorch.extract.python.values import FunctionNode
    from opspec_lint.spec.condition import Condition

_MAX_CALLS = 12
"""Calls within each other."""
_MAX_OF_VALUE = 2000
"""Steps of a call that defines no op."""
_MAX_TEXT = 1 << 15
"""Characters and items of the operands of a function, so that no result takes much memory."""
_WIDTH = pattern(r"\d{5}")
_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Mod: operator.mod,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
}
_OF_TEXT = frozenset(
    (
        *(
            "capitalize",
            "casefold",
            "endswith",
            "find",
            "format",
            "join",
            "lower",
            "lstrip",
            "partition",
            "removeprefix",
        ),
        *("removesuffix", "replace", "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip"),
        *("title", "upper"),
    )
)
_OF_CONTAINERS = frozenset(("append", "copy", "extend", "get", "items", "keys", "update", "values", "add", "insert"))
_BUILTINS: Mapping[str, Callable[..., Any]] = {
    **{
        element.__name__: element
        for element in (len, str, repr, int, float, bool, list, tuple, dict, sorted, min, max, sum)
    },
    "enumerate": lambda items, start=0: list(enumerate(items, start)),
    "range": lambda *given: list(range(*given)),
    "reversed": lambda items: list(reversed(items)),
    "set": lambda items=(): dict.fromkeys(items),
    "frozenset": lambda items=(): dict.fromkeys(items),
    "zip": lambda *given: list(zip(*given, strict=False)),
    "itertools.chain": lambda *given: [item for items in given for item in items],
    "itertools.product": lambda *given: list(_product(given)),
}
_FALSE = ("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING")


class Expressions(State):
    """The evaluation of expressions. A value that they do not decide is unknown."""

    def __init__(self) -> None:
        super().__init__()
        self.entered: set[int] = set()
        self.registrars: set[str] = set()
        self.stops = 0
        self._analyses: dict[int, tuple[frozenset[str], bool]] = {}

    # What the evaluation of statements and of PyTorch's own functions adds

    def run(self, statements: Sequence[ast.stmt], frame: Frame) -> None:
        """Evaluate statements."""
        raise NotImplementedError

    def load(self, name: str) -> Module | None:
        """Return the module of a dotted name, evaluated; None for one that is not of the tree."""
        raise NotImplementedError

    def is_package(self, name: str) -> bool:
        """Return whether a dotted name is a module or a folder of the tree."""
        raise NotImplementedError

    def provided(
        self, path: str, arguments: Sequence[object], keywords: Mapping[str, object], node: ast.AST, frame: Frame
    ) -> object:
        """Return the result of a call of something that PyTorch provides; None for any other function."""
        raise NotImplementedError

    def library_call(
        self, method: Method, arguments: Sequence[object], keywords: Mapping[str, object], node: ast.AST, frame: Frame
    ) -> object:
        """Return the result of a method of a library."""
        raise NotImplementedError

    def made(self, maker: Maker, function: object, node: ast.AST, frame: Frame) -> object:
        """Return the result of a decorator that makes an op of a function."""
        raise NotImplementedError

    # Values

    def value(self, node: ast.expr, frame: Frame) -> object:
        """Return the value of an expression."""
        evaluate = self._expressions.get(type(node))
        return UNKNOWN if evaluate is None else evaluate(self, node, frame)

    def forced(self, value: object) -> object:
        """Return a value in place of its import or of a deferred call."""
        for _ in range(_MAX_CALLS):
            if isinstance(value, Imported):
                value = self._imported(value)
            elif isinstance(value, Deferred):
                if value.result is value:
                    call = value.function, value.arguments, value.keywords, value.function.node, None
                    value.result = UNKNOWN  # for a call that needs its own result
                    value.result = self.limited(_MAX_OF_VALUE, partial(self._entered, *call))
                value = value.result
            else:
                return value
        return UNKNOWN

    def deep(self, value: object, depth: int = 0) -> object:
        """Return a value, and the items of a list, without imports and deferred calls."""
        value = self.forced(value)
        if depth < 4 and isinstance(value, list | tuple):
            return type(value)(self.deep(item, depth + 1) for item in value)
        return value

    def _imported(self, value: Imported) -> object:
        module = self.load(value.module)
        if module is not None and value.name in module.scope.values:
            return module.scope.values[value.name]
        name = f"{value.module}.{value.name}"
        return Package(name) if self.is_package(name) else UNKNOWN

    def path_of(self, node: ast.expr, frame: Frame) -> str:
        """Return the dotted name of what another library provides, "" for anything else."""
        value = self.value(node, frame)
        if isinstance(value, Imported):
            value = self.forced(value)
        return value.path if isinstance(value, Unknown) else ""

    def items(self, value: object) -> list[object] | None:
        """Return the items of a container, None where they are unknown."""
        value = self.forced(value)
        return list(value) if isinstance(value, CONTAINER) else None

    def truth(self, node: ast.expr, frame: Frame) -> Condition:
        """Return the condition under which an expression is true."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return negation(self.truth(node.operand, frame))
        if isinstance(node, ast.BoolOp):
            is_and = isinstance(node.op, ast.And)
            result = ALWAYS if is_and else NEVER
            for operand in node.values:
                truth = self.truth(operand, frame)
                result = both(result, truth) if is_and else either((result, truth))
                if result == (NEVER if is_and else ALWAYS):
                    break
            return result
        return self._truth_of(self.value(node, frame), lambda: ast.unparse(node))

    def _truth_of(self, value: object, text: Callable[[], str]) -> Condition:
        value = self.forced(value)
        if isinstance(value, Choice):
            return either(both(condition, self._truth_of(element, text)) for condition, element in value.alternatives)
        if isinstance(value, Unknown):
            return NEVER if value.path in _FALSE else self.requirement(text())
        if isinstance(value, Method | Annotation | Instance | Package):
            return self.requirement(text()) if isinstance(value, Instance) else ALWAYS
        return ALWAYS if not isinstance(value, (*PRIMITIVE, *CONTAINER)) or value else NEVER

    def binary(self, sign: ast.operator, left: object, right: object) -> object:
        """Return the result of an operator."""
        return self._apply(_BINARY.get(type(sign)), self.deep(left), self.deep(right))

    def _apply(self, function: Callable[..., Any] | None, *operands: object) -> object:
        """Return the result of a function of Python for known operands, for each alternative of a choice."""
        if function is None:
            return UNKNOWN
        for place, operand in enumerate(operands):
            if isinstance(operand, Choice):
                return self.by_alternative(operand, partial(self._with_operand, function, operands, place))
        if not all(map(_is_plain, operands)) or _is_large(operands):
            return UNKNOWN
        try:
            result = function(*operands)
        except Exception:
            return UNKNOWN
        return result if isinstance(result, (*PRIMITIVE, *CONTAINER)) else UNKNOWN

    def _with_operand(
        self, function: Callable[..., Any], operands: Sequence[object], place: int, value: object
    ) -> object:
        """Return the result of a function of Python with another operand at a place."""
        return self._apply(function, *operands[:place], self.deep(value), *operands[place + 1 :])

    def _constant(self, node: ast.Constant, _: Frame) -> object:
        return node.value if isinstance(node.value, PRIMITIVE) else UNKNOWN

    def _name(self, node: ast.Name, frame: Frame) -> object:
        scope = frame.redirected.get(node.id) or frame.scope.find(node.id)
        if scope is not None and node.id in scope.values:
            return scope.values[node.id]
        if node.id == "__name__":
            return frame.module.name
        return Unknown(node.id)

    def _attribute(self, node: ast.Attribute, frame: Frame) -> object:
        return self.member(self.value(node.value, frame), node.attr)

    def member(self, owner: object, name: str) -> object:
        """Return an attribute of a value."""
        if isinstance(owner, Unknown):
            return Unknown(f"{owner.path}.{name}") if owner.path else UNKNOWN
        owner = self.forced(owner)
        if isinstance(owner, Choice):
            return self.by_alternative(owner, lambda element: self.member(element, name))
        if isinstance(owner, Unknown):
            return self.member(owner, name) if owner.path else UNKNOWN
        if isinstance(owner, Package):
            return self._imported(Imported(owner.name, name))
        if isinstance(owner, Instance | Class):
            return self._own_member(owner, name)
        if isinstance(owner, Function):
            return {"__name__": owner.name, "__qualname__": owner.qualified}.get(name, UNKNOWN)
        if isinstance(owner, Partial):
            return {"func": owner.function, "args": owner.arguments}.get(name, UNKNOWN)
        if isinstance(owner, Library) and name == "ns":
            return owner.namespace
        if name == "value" and isinstance(owner, PRIMITIVE):
            return owner  # of a member of an enum
        return Method(owner, name) if isinstance(owner, (Library, *PRIMITIVE, *CONTAINER)) else UNKNOWN

    def _own_member(self, owner: Instance | Class, name: str) -> object:
        cls = owner if isinstance(owner, Class) else owner.cls
        if isinstance(owner, Instance):
            if name in owner.scope.values:
                return owner.scope.values[name]
            if name == "__class__":
                return cls
        elif name == "__name__":
            return cls.name.rpartition(".")[2]
        collected = self.forced(cls.member(name))
        if isinstance(collected, Function):
            if collected.kind == "classmethod":
                return collected.bound_to(cls)
            if collected.kind != "staticmethod" and isinstance(owner, Instance):
                bound = collected.bound_to(owner)
                return self.called(bound, (), {}, collected.node, None) if collected.kind == "property" else bound
        return collected

    def _subscript(self, node: ast.Subscript, frame: Frame) -> object:
        owner = self.forced(self.value(node.value, frame))
        if isinstance(owner, Unknown | Class):
            return Annotation(node, frame.scope)
        if isinstance(node.slice, ast.Slice):
            parts = [
                None if element is None else self.value(element, frame)
                for element in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            return self._apply(lambda value, *given: value[slice(*given)], owner, *parts)
        key = self.deep(self.value(node.slice, frame))
        if isinstance(owner, tuple | list | dict) and is_known(key):
            container: Any = owner
            try:
                return container[key]
            except (LookupError, TypeError):
                return UNKNOWN
        return self._apply(operator.getitem, owner, key)

    def _binary_operator(self, node: ast.BinOp, frame: Frame) -> object:
        if isinstance(node.op, ast.BitOr):
            return Annotation(node, frame.scope)
        left, right = self.value(node.left, frame), self.value(node.right, frame)
        return self.binary(node.op, left, right)

    def _compare(self, node: ast.Compare, frame: Frame) -> object:
        left = self.deep(self.value(node.left, frame))
        result: object = True
        for sign, side in zip(node.ops, node.comparators, strict=True):
            right = self.deep(self.value(side, frame))
            result = self._compared(sign, left, right)
            if result is not True:
                return result
            left = right
        return result

    def _compared(self, sign: ast.cmpop, left: object, right: object) -> object:
        if isinstance(sign, ast.Is | ast.IsNot):
            for value, opposite in ((left, right), (right, left)):
                if isinstance(value, Choice):
                    return self.by_alternative(value, lambda element: self._compared(sign, element, opposite))  # noqa: B023 - called now
            if isinstance(left, Unknown | Annotation) or isinstance(right, Unknown | Annotation):
                return UNKNOWN
            return is_same(left, right) == isinstance(sign, ast.Is)
        if isinstance(right, Unknown) and right.path == "torch.library._defs" and not isinstance(left, Choice):
            return isinstance(sign, ast.NotIn)  # an op is defined once
        return self._apply(_COMPARE.get(type(sign)), left, right)

    def _boolean(self, node: ast.BoolOp, frame: Frame) -> object:
        """Return the value of `a or b`; an unknown one has both as alternatives."""
        is_or = isinstance(node.op, ast.Or)
        results: list[tuple[Condition, object]] = []
        remaining = ALWAYS
        for place, operand in enumerate(node.values):
            value = self.value(operand, frame)
            truth = self._truth_of(value, partial(ast.unparse, operand))
            taken = ALWAYS if place == len(node.values) - 1 else truth if is_or else negation(truth)
            if both(remaining, taken) != NEVER:
                results.append((both(remaining, taken), value))
            remaining = both(remaining, negation(taken))
            if remaining == NEVER:
                break
        return merged(results)

    def _unary(self, node: ast.UnaryOp, frame: Frame) -> object:
        if isinstance(node.op, ast.Not):
            truth = self.truth(node, frame)
            return (
                True
                if truth == ALWAYS
                else False
                if truth == NEVER
                else Choice(((truth, True), (negation(truth), False)))
            )
        signs: dict[type[ast.unaryop], Callable[..., Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
        sign = signs.get(type(node.op))
        return self._apply(sign, self.deep(self.value(node.operand, frame)))

    def _conditional(self, node: ast.IfExp, frame: Frame) -> object:
        results: list[tuple[Condition, object]] = []
        truth = self.truth(node.test, frame)
        self.branch(
            truth,
            node.lineno,
            lambda: results.append((truth, self.value(node.body, frame))),
            lambda: results.append((negation(truth), self.value(node.orelse, frame))),
        )
        return merged(results)

    def _text(self, node: ast.JoinedStr, frame: Frame) -> object:
        result: object = ""
        for part in node.values:
            value = part.value if isinstance(part, ast.Constant) else self._formatted(part, frame)
            result = self.binary(ast.Add(), result, value)
        return result

    def _formatted(self, part: ast.expr, frame: Frame) -> object:
        if not isinstance(part, ast.FormattedValue):
            return UNKNOWN
        convert = {ord("r"): repr, ord("a"): ascii}.get(part.conversion, str)
        given = "" if part.format_spec is None else self.value(part.format_spec, frame)
        value = self.deep(self.value(part.value, frame))
        return self._apply(
            lambda value, form: format(convert(value) if part.conversion > 0 or not form else value, form), value, given
        )

    def _sequence(self, node: ast.Tuple | ast.List | ast.Set, frame: Frame) -> object:
        result: list[object] = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                items = self.items(self.value(element.value, frame))
                if items is None:
                    return UNKNOWN
                result += items
            else:
                result.append(self.value(element, frame))
        return tuple(result) if isinstance(node, ast.Tuple) else result

    def _dictionary(self, node: ast.Dict, frame: Frame) -> object:
        result: dict[object, object] = {}
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.value(value_node, frame)
            if key_node is None:
                given = self.forced(value)
                if not isinstance(given, dict):
                    return UNKNOWN
                result |= given
                continue
            key = self.deep(self.value(key_node, frame))
            if not isinstance(key, (*PRIMITIVE, tuple)) or not is_known(key):
                return UNKNOWN
            result[key] = value
        return result

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, frame: Frame
    ) -> object:
        inside = Frame(Scope(frame.scope), frame.module, frame.qualified, frame.call)
        collected: list[object] = []
        is_known_list = self._turns(node, list(node.generators), inside, collected)
        if not is_known_list:
            return UNKNOWN
        if not isinstance(node, ast.DictComp):
            return collected
        try:
            return dict(collected)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return UNKNOWN

    def _turns(
        self,
        node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
        generators: list[ast.comprehension],
        frame: Frame,
        collected: list[object],
    ) -> bool:
        """Evaluate the item of a comprehension for each turn of its loops; return whether all turns are known."""
        if not generators:
            if isinstance(node, ast.DictComp):
                collected.append((self.deep(self.value(node.key, frame)), self.value(node.value, frame)))
            else:
                collected.append(self.value(node.elt, frame))
            return True
        items = self.items(self.value(generators[0].iter, frame))
        for item in [UNKNOWN] if items is None else items[:_MAX_TEXT]:
            self.step()
            self.bind(generators[0].target, item, frame)
            tests = [self.truth(test, frame) for test in generators[0].ifs]
            if NEVER in tests:
                continue
            if any(test != ALWAYS for test in tests) or not self._turns(node, generators[1:], frame, collected):
                return False
        return items is not None

    def _lambda(self, node: ast.Lambda, frame: Frame) -> object:
        return self.function(node, frame)

    def function(self, node: FunctionNode, frame: Frame) -> Function:
        """Return the function of a definition."""
        given = node.args
        positional = [*given.posonlyargs, *given.args]
        pairs = zip(positional[len(positional) - len(given.defaults) :], given.defaults, strict=True)
        named = (
            (element, default) for element, default in zip(given.kwonlyargs, given.kw_defaults, strict=True) if default
        )
        defaults = {element.arg: self.value(default, frame) for element, default in (*pairs, *named)}
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        qualified = f"{frame.qualified}.{name}" if frame.qualified else name
        scope = frame.scope.outer or frame.scope if frame.scope.is_class else frame.scope
        return Function(node, scope, frame.module, defaults, qualified)

    def _walrus(self, node: ast.NamedExpr, frame: Frame) -> object:
        value = self.value(node.value, frame)
        self.bind(node.target, value, frame)
        return value

    def bind(self, target: ast.expr, value: object, frame: Frame) -> None:
        """Give the target of an assignment a value."""
        if isinstance(target, ast.Name):
            self.assign(frame.redirected.get(target.id, frame.scope), target.id, value)
        elif isinstance(target, ast.Attribute):
            owner = self.forced(self.value(target.value, frame))
            if isinstance(owner, Instance | Class):
                self.assign(owner.scope, target.attr, value)
        elif isinstance(target, ast.Tuple | ast.List):
            items = self.items(value)
            fits = items is not None and len(items) == len(target.elts)
            for place, element in enumerate(target.elts):
                self.bind(element, items[place] if items is not None and fits else UNKNOWN, frame)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, UNKNOWN, frame)
        elif isinstance(target, ast.Subscript):
            owner, key = self.forced(self.value(target.value, frame)), self.deep(self.value(target.slice, frame))
            if isinstance(owner, dict) and is_known(key):
                owner[key] = self.conditional(value)

    def conditional(self, value: object) -> object:
        """Return a value that becomes a part of a container under the condition of the current statement."""
        return value if self.condition == ALWAYS else Choice(((self.condition, value),))

    # Calls

    def _call(self, node: ast.Call, frame: Frame) -> object:
        self.step()
        function = self.value(node.func, frame)
        arguments: list[object] = []
        for given in node.args:
            if isinstance(given, ast.Starred):
                arguments += self.items(self.value(given.value, frame)) or ()
            else:
                arguments.append(self.value(given, frame))
        keywords: dict[str, object] = {}
        for keyword in node.keywords:
            value = self.value(keyword.value, frame)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            elif isinstance(every := self.forced(value), dict):
                keywords |= {str(name): element for name, element in every.items()}
        return self.called(function, arguments, keywords, node, frame)

    def called(
        self,
        function: object,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        node: ast.AST,
        frame: Frame | None,
    ) -> object:
        """Return the result of a call of a value.

        Args:
            function: the value.
            arguments: the arguments by position.
            keywords: the arguments by name.
            node: the call, or the decorator.
            frame: the frame of the caller, None for a call that has no text.
        """
        function = self.forced(function)
        if isinstance(function, Choice):
            return self.by_alternative(function, lambda element: self.called(element, arguments, keywords, node, frame))
        if isinstance(function, Partial):
            given = {**function.keywords, **keywords}
            return self.called(function.function, (*function.arguments, *arguments), given, node, frame)
        if isinstance(function, Function):
            return self._function_called(function, arguments, keywords, node, frame)
        if isinstance(function, Class):
            instance = Instance(function)
            start = self.forced(function.member("__init__"))
            if isinstance(start, Function):
                self._entered(start.bound_to(instance), arguments, keywords, node, frame)
            return instance
        if isinstance(function, Instance):
            return self.called(self.member(function, "__call__"), arguments, keywords, node, frame)
        if isinstance(function, Maker):
            return self.made(function, arguments[0] if arguments else UNKNOWN, node, frame or self.no_frame)
        if isinstance(function, Method):
            return self._method_called(function, arguments, keywords, node, frame)
        if isinstance(function, Unknown):
            return self._unknown_called(function, arguments, keywords, node, frame)
        return UNKNOWN

    def _unknown_called(
        self,
        function: Unknown,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        node: ast.AST,
        frame: Frame | None,
    ) -> object:
        path = function.path
        result = self.provided(path, arguments, keywords, node, frame or self.no_frame)
        if result is not None:
            return result
        if path == "functools.partial" and arguments:
            return Partial(arguments[0], arguments[1:], keywords)
        if path in _BUILTINS:
            return self._apply(partial(_BUILTINS[path], **keywords), *map(self.deep, arguments))
        if path == "getattr" and len(arguments) > 1 and isinstance(name := self.deep(arguments[1]), str):
            return self.member(arguments[0], name)
        if path == "isinstance" and len(arguments) == 2:
            return self._is_instance(*map(self.forced, arguments))
        if path == "callable" and isinstance(
            self.forced(arguments[0]) if arguments else None, Function | Class | Partial
        ):
            return True
        if path == "map" and len(arguments) == 2 and (items := self.items(arguments[1])) is not None:
            return [self.called(arguments[0], (item,), {}, node, frame) for item in items]
        return UNKNOWN

    @staticmethod
    def _is_instance(value: object, kind: object) -> object:
        if isinstance(value, Function) and isinstance(kind, Unknown) and kind.path == "str":
            return False
        if not isinstance(value, (*PRIMITIVE, *CONTAINER)) or not isinstance(kind, Unknown):
            return UNKNOWN
        known = {element.__name__: element for element in (str, int, float, bool, tuple, list, dict)}
        return isinstance(value, known[kind.path]) if kind.path in known else UNKNOWN

    def _method_called(
        self,
        method: Method,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        node: ast.AST,
        frame: Frame | None,
    ) -> object:
        owner, name = method.owner, method.name
        if isinstance(owner, Library):
            return self.library_call(method, arguments, keywords, node, frame or self.no_frame)
        if isinstance(owner, str) and name in _OF_TEXT:
            given = list(map(self.deep, arguments))
            named = {key: self.deep(value) for key, value in keywords.items()}
            if not all(map(_is_plain, named.values())):
                return UNKNOWN
            return self._apply(lambda text, *rest: getattr(text, name)(*rest, **named), owner, *given)
        if isinstance(owner, list | dict | set) and name in _OF_CONTAINERS:
            return self._container_called(owner, name, list(arguments), keywords)
        return UNKNOWN

    def _container_called(
        self,
        owner: list[object] | dict[object, object] | set[object],
        name: str,
        arguments: list[object],
        keywords: Mapping[str, object],
    ) -> object:
        """Return the result of a method of a container; what it adds is there under the current condition."""
        if isinstance(owner, dict):
            if name == "update":
                added = self.forced(arguments[0]) if arguments else {}
                if isinstance(added, dict):
                    owner.update({key: self.conditional(value) for key, value in (*added.items(), *keywords.items())})
                return None
            if name == "get":
                key = self.deep(arguments[0])
                return owner.get(key, *arguments[1:2]) if is_known(key) else UNKNOWN
            return (
                list(getattr(owner, name)())
                if name in ("items", "keys", "values")
                else dict(owner)
                if name == "copy"
                else UNKNOWN
            )
        if isinstance(owner, list):
            if name in ("append", "insert") and arguments:
                owner.append(self.conditional(arguments[-1]))
            elif name == "extend" and (items := self.items(arguments[0] if arguments else None)) is not None:
                owner += map(self.conditional, items)
            return list(owner) if name == "copy" else None
        return UNKNOWN

    def _function_called(
        self,
        function: Function,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        node: ast.AST,
        frame: Frame | None,
    ) -> object:
        if self.may_define(function.node) or any(map(self.is_active, (*arguments, *keywords.values()))):
            return self._entered(function, arguments, keywords, node, frame)
        return Deferred(function, arguments, keywords)

    def is_active(self, value: object) -> bool:
        """Return whether a function that has a value may define ops by it."""
        if isinstance(value, Function):
            return self.may_define(value.node)
        return isinstance(value, Library | Maker | Partial) or (
            isinstance(value, Unknown) and value.path.startswith("torch.library.")
        )

    def may_define(self, node: FunctionNode) -> bool:
        """Return whether a function calls a name that a registrar has."""
        return not self._analysed(node)[0].isdisjoint(self.registrars)

    def _analysed(self, node: FunctionNode) -> tuple[frozenset[str], bool]:
        """Return the names that a function calls, and whether it is a generator."""
        if id(node) not in self._analyses:
            body = node.body if isinstance(node.body, list) else [node.body]  # without its own decorators
            parts = [part for element in body for part in ast.walk(element)]
            calls = [part.func for part in parts if isinstance(part, ast.Call)]
            calls += (mark for part in parts for mark in getattr(part, "decorator_list", ()))
            names = frozenset(
                call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls
            )
            self._analyses[id(node)] = names, any(isinstance(part, ast.Yield | ast.YieldFrom) for part in parts)
        return self._analyses[id(node)]

    def _entered(
        self,
        function: Function,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        node: ast.AST,
        frame: Frame | None,
    ) -> object:
        """Return the result of a call of a function of the tree, whose statements are evaluated."""
        self.step()
        if self.depth > _MAX_CALLS:
            return UNKNOWN
        scope = Scope(function.scope)
        scope.values = self._parameters(function, arguments, keywords)
        inside = Frame(scope, function.module, function.qualified, None if frame is None else (node, frame))
        if isinstance(function.node, ast.Lambda):
            self.entered.add(id(function.node))
            return self.value(function.node.body, inside)
        self.entered.add(id(function.node))
        before, stops = self.condition, self.stops
        self.depth += 1
        try:
            self.run(function.node.body, inside)
        finally:
            self.depth -= 1
        results = inside.results if self.condition == NEVER else [*inside.results, (self.condition, None)]
        ends = [condition for condition, _ in results]
        self.condition = NEVER if not ends else before if stops == self.stops else either(ends)
        return UNKNOWN if self._analysed(function.node)[1] else merged(results)

    @staticmethod
    def _parameters(
        function: Function, arguments: Sequence[object], keywords: Mapping[str, object]
    ) -> dict[str, object]:
        """Return the values of the parameters of a function in a call."""
        given = function.node.args
        values: dict[str, object] = {}
        positional = [element.arg for element in (*given.posonlyargs, *given.args)]
        passed = [*((function.owner,) if function.owner is not None else ()), *arguments]
        values |= dict(zip(positional, passed, strict=False))
        if given.vararg:
            values[given.vararg.arg] = tuple(passed[len(positional) :])
        names = {*positional, *(element.arg for element in given.kwonlyargs)}
        values |= {name: value for name, value in keywords.items() if name in names}
        if given.kwarg:
            values[given.kwarg.arg] = {name: value for name, value in keywords.items() if name not in names}
        return {**{name: function.defaults.get(name, UNKNOWN) for name in names}, **values}

    @property
    def no_frame(self) -> Frame:
        """The frame of a call that has no text."""
        return Frame(Scope(), Module("", "", ""))

    def decorated(self, node: ast.expr, value: object, frame: Frame) -> object:
        """Return what a decorator makes of a function or class; one that is unknown leaves it as it is."""
        decorator = self.forced(self.value(node, frame))
        path = decorator.path if isinstance(decorator, Unknown) else ""
        if path in ("classmethod", "staticmethod", "property") and isinstance(value, Function):
            return Function(value.node, value.scope, value.module, value.defaults, value.qualified, path)
        if isinstance(decorator, Unknown):
            result = self.provided(path, (value,), {}, node, frame)
            return value if result is None else result
        result = self.called(decorator, (value,), {}, node, frame)
        return value if isinstance(result, Deferred) or result is UNKNOWN else result

    _expressions: Mapping[type[ast.expr], Callable[..., object]] = {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Subscript: _subscript,
        ast.BinOp: _binary_operator,
        ast.BoolOp: _boolean,
        ast.UnaryOp: _unary,
        ast.Compare: _compare,
        ast.IfExp: _conditional,
        ast.JoinedStr: _text,
        ast.Tuple: _sequence,
        ast.List: _sequence,
        ast.Set: _sequence,
        ast.Dict: _dictionary,
        ast.ListComp: _comprehension,
        ast.SetComp: _comprehension,
        ast.GeneratorExp: _comprehension,
        ast.DictComp: _comprehension,
        ast.Lambda: _lambda,
        ast.NamedExpr: _walrus,
        ast.Call: _call,
    }


def _is_plain(value: object) -> bool:
    return is_known(value)


def _is_large(operands: Sequence[object]) -> bool:
    """Return whether the result of a function of some values may be too large to compute."""
    return sum(map(_size, operands)) > _MAX_TEXT or any(
        isinstance(element, int) and not isinstance(element, bool) and abs(element) > _MAX_TEXT for element in operands
    )


def _size(value: object) -> int:
    """Return the number of characters and items of a value; a number in a text may be the width of a format."""
    if isinstance(value, str):
        return _MAX_TEXT + 1 if _WIDTH.search(value) and ("{" in value or "%" in value) else len(value)
    items = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, CONTAINER) else ()
    return 1 + sum(map(_size, items))


def _product(given: Sequence[Any]) -> Any:
    from itertools import islice, product

    return islice(product(*given), _MAX_TEXT)
